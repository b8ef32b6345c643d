#pragma once
/* The server's `bucket:`: where raw files and artifacts are kept instead of in a folder. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    char *url, *region, *credentials_file;
} cfg__raw_bucket;

extern const cyaml_schema_field_t cfg__bucket_fields[];

/* cfg__bucket_fill - raw NULL: none; bucket is then as it was, all NULL. */
bool cfg__bucket_fill(const cfg__yaml *yaml, const cfg__raw_bucket *raw, cfg_bucket *bucket,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg__bucket_clear(cfg_bucket *bucket);
