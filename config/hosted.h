#pragma once
/*
 * hosted - the section runner: of the server's file: how the runner of moowatchd --with-runner
 * measures. Its keys are those of moowatch-runner.yaml, without the three that the server knows.
 */
#include "config/config.h"
#include "config/yaml.h"

/* Of a trial's two commits: one after the other, or both at the same time. */
typedef enum { CFG__TRIAL_TURNS, CFG__TRIAL_DUET } cfg__trial_order;

typedef struct {
    char *server, *node, *token_file, *work_dir, *harness_dir, *run_as_user, *git_user;
    char **labels;
    unsigned labels_count;
    uint64_t *prepare_output_limit_bytes, *prepared_cache_bytes, *submodule_limit, *submodule_depth;
    uint64_t *poll_wait_seconds, *loop_output_limit_bytes, *log_limit_bytes, *memory_limit_bytes;
    uint64_t *process_limit, *disk_reserve_bytes, *gate_wait_seconds, *disturbed_repeats;
    uint64_t *nights_in_turn;
    double *idle_cpu_percent, *disturbed_cpu_percent, *disturbed_steal_percent;
    double *temperature_limit_celsius, *stray_distance;
    cfg__trial_order *trial_order;
    char *benchmark_cpus, *housekeeping_cpus, *ssh_key_file, *ssh_known_hosts_file;
    char **tuning;
    unsigned tuning_count;
} cfg__raw_runner;

/* Of a cfg__raw_runner; without the first three: server, token_file and work_dir. */
extern const cyaml_schema_field_t cfg__runner_fields[];
#define CFG__HOSTED_FROM 3
#define CFG__HOSTED_FIELDS (&cfg__runner_fields[CFG__HOSTED_FROM])

/** cfg__hosted_check - what is said is within its bounds: the runner as it would be, without
 * server, token_file and work_dir; NULL with error that names the line. Free with
 * cfg_runner_free. */
cfg_runner *cfg__hosted_check(const cfg__yaml *yaml, const cfg__raw_runner *raw,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * cfg__hosted_lines - the section as lines of a runner's own file, with whole paths.
 * yaml  the server's file
 * raw   NULL: there is none, and no line
 * Returns the text, owned by the caller, or NULL with error that names the line.
 */
char *cfg__hosted_lines(cfg__yaml *yaml, const cfg__raw_runner *raw,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
