#pragma once
/* calibration - calibration of a project's file: which commit its nodes measure in turn. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    char *commit;
    uint64_t *every_days, *limit_days, *take_over_hours;
} cfg__raw_calibration;

extern const cyaml_schema_field_t cfg__calibration_fields[];

/* cfg__calibration_fill - false with error unless commit is an id, and three runs fit into the
 * limit. raw NULL: no node is calibrated. */
bool cfg__calibration_fill(const cfg__yaml *yaml, const cfg__raw_calibration *raw,
                           cfg_calibration *out, GError **error);
