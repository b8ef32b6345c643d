#pragma once
/* benchmark - the part of a project's file that says what is run: parameters and the chain. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    char *name, *label, *portion, *parent;
    char **command, **options, **environment, **verify;
    unsigned command_count, options_count, environment_count, verify_count;
    uint64_t *total_calls, *warmup_calls;
} cfg__raw_configuration;

typedef struct {
    cfg_driver driver;
    char *artifact;
    uint64_t *artifact_wait_seconds;
    char **prepare, **classpath;
    unsigned prepare_count, classpath_count;
    uint64_t *prepare_timeout_seconds, *loops, *total_calls, *warmup_calls, *method_time_ns;
    uint64_t *recursion_depth, *threads, *loop_timeout_seconds, *rest_seconds;
    double *precision_percent;
    cfg_network network;
    cfg__raw_configuration *configurations;
    unsigned configurations_count;
} cfg__raw_benchmark;

extern const cyaml_schema_field_t cfg__benchmark_fields[];

/* Checks what the schema cannot and fills the public struct; false with error at the first fault.
 */
bool cfg__benchmark_fill(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                         GError **error);
void cfg__benchmark_clear(cfg_benchmark *benchmark);
