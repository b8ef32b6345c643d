#pragma once
/* benchmark - the part of a project's file that says what is run: parameters and the chain. */
#include "config/config.h"
#include "config/receiver.h"
#include "config/sweep.h"
#include "config/yaml.h"

typedef struct {
    char *name, *label, *portion, *parent;
    char **command, **options, **environment, **verify;
    unsigned command_count, options_count, environment_count, verify_count;
    uint64_t *total_calls, *warmup_calls, *index;
    char *result;
    cfg__raw_receiver *receiver;
} cfg__raw_configuration;

typedef enum { CFG__FROM_OUTPUT, CFG__FROM_RESULT } cfg__read_from;
typedef enum { CFG__SCOPE_LINE, CFG__SCOPE_WHOLE } cfg__read_scope;
typedef enum { CFG__SEVERAL_REFUSE, CFG__SEVERAL_SAMPLES } cfg__read_several;
typedef enum { CFG__TIME_REAL, CFG__TIME_CPU } cfg__read_time;

typedef struct {
    cfg_read_format *format;
    cfg__read_from *from;
    cfg__read_scope *scope;
    cfg__read_several *several;
    cfg__read_time *time;
    char *pattern, *unit;
    uint64_t *match_limit, *timeout_seconds, *size_limit_bytes;
} cfg__raw_read;

typedef struct {
    cfg_driver driver;
    char *artifact;
    uint64_t *artifact_wait_seconds;
    char **prepare, **classpath;
    unsigned prepare_count, classpath_count;
    uint64_t *prepare_timeout_seconds, *loops, *total_calls, *warmup_calls, *method_time_ns;
    uint64_t *recursion_depth, *threads, *loop_timeout_seconds, *rest_seconds;
    char *warmup_evidence;
    double *precision_percent, *budget_minutes;
    cfg_network network;
    cfg_count count;
    char *framework, *script, *results;
    char **runtime;
    unsigned runtime_count;
    cfg__flag *whole_rounds;
    cfg__raw_read *read;
    cfg__raw_sweep *sweep;
    cfg__raw_configuration *configurations;
    unsigned configurations_count;
} cfg__raw_benchmark;

extern const cyaml_schema_field_t cfg__benchmark_fields[];

/* Checks what the schema cannot and fills the public struct; false with error at the first
 * fault. */
bool cfg__benchmark_fill(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                         GError **error);
void cfg__benchmark_clear(cfg_benchmark *benchmark);

extern const cyaml_schema_field_t cfg__read_fields[];

/* The same for what belongs to one driver alone; the configurations are filled in already. */
bool cfg__driver_fill(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                      GError **error);
