#pragma once
/* sweep - benchmark.sweep of a project's file: one parameter, measured at several values. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    uint64_t *recursion_depth, *method_time_ns, *threads;
    unsigned recursion_depth_count, method_time_ns_count, threads_count;
} cfg__raw_sweep;

extern const cyaml_schema_field_t cfg__sweep_fields[];

/* cfg__sweep_fill - false with error unless one parameter has 2 to 32 ascending values within its
 * bounds. raw NULL: out stays empty. */
bool cfg__sweep_fill(const cfg__yaml *yaml, const cfg__raw_sweep *raw, cfg_sweep *out,
                     GError **error);
void cfg__sweep_clear(cfg_sweep *sweep);
