#pragma once
/* The server's `storage:`: how long raw data are kept, and what of them for ever. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    uint64_t *keep_raw_days, *raw_budget_bytes;
    char **keep_raw_of;
    unsigned keep_raw_of_count;
} cfg__raw_storage;

extern const cyaml_schema_field_t cfg__storage_fields[];

/* cfg__storage_fill - raw NULL: everything is kept. */
bool cfg__storage_fill(const cfg__yaml *yaml, const cfg__raw_storage *raw, cfg_storage *storage,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
