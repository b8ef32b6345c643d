#pragma once
/* receiver - the part of a configuration that says which program takes what it writes. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    char **command;
    unsigned command_count;
    uint64_t *port, *ready_timeout_seconds;
    char *ready;
    cfg_records *records;
} cfg__raw_receiver;

extern const cyaml_schema_field_t cfg__receiver_fields[];

/**
 * cfg__receiver_fill - checks it and makes the public struct.
 * key  of the configuration, as "benchmark.configurations[2]"
 * Returns false with error at the first fault; out is to be freed either way.
 */
bool cfg__receiver_fill(const cfg__yaml *yaml, const char *key, const cfg__raw_receiver *raw,
                        cfg_receiver *out, GError **error);
void cfg__receiver_free(cfg_receiver *receiver);
