#pragma once
/* sections - what the readers of the YAML files' sections share: each section as it stands in the
 * file, its schema, and what fills and frees the public struct (config.h). A fill returns false
 * with error at the first fault. */
#include "config/config.h"
#include "config/yaml.h"

/* Counted arrays of strings, as the configuration's structs hold them. */

/* A deep copy, NULL-terminated beside its count. Free with cfg__strings_free. */
char **cfg__strings_copy(char *const *strings, unsigned count);
void cfg__strings_free(char **strings, unsigned count);

/* receiver - the part of a configuration that says which program takes what it writes. */

typedef struct {
    char **command;
    unsigned command_count;
    uint64_t *port, *ready_timeout_seconds;
    char *ready;
    cfg_records *records;
} cfg__raw_receiver;

/* sweep - benchmark.sweep of a project's file: one parameter, measured at several values. */

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

/* benchmark - the part of a project's file that says what is run: parameters and the chain. */

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
    char *framework, *script, *results, *jdk;
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

/* A project's `notify:` and the server's `mail:`: who is told, of what, and where. */

typedef struct {
    cfg_notify_via via;
    char **to, **portions;
    unsigned to_count, portions_count;
    char *url, *url_file, *secret_file, *repository, *direction, *quiet_hours, *digest_at, *text;
    double *minimum_percent;
    bool *incidents;
    uint64_t *max_age_days, *app_id, *installation_id;
} cfg__raw_notify;

typedef struct {
    char *url, *from, *user, *password_file, *ca_file, *operator;
} cfg__raw_mail;

extern const cyaml_schema_value_t cfg__notify_schema;
extern const cyaml_schema_field_t cfg__mail_fields[];

/* Fill project->notify from the raw rules; false with error "FILE:LINE: …". */
bool cfg__notify_fill(const cfg__yaml *yaml, const cfg__raw_notify *raw, unsigned count,
                      cfg_project *project, GError **error);
void cfg__notify_clear(cfg_project *project);

bool cfg__mail_fill(const cfg__yaml *yaml, const cfg__raw_mail *raw, cfg_mail *mail,
                    GError **error);
void cfg__mail_clear(cfg_mail *mail);

/* The server's `storage:`: how long raw data are kept, and what of them for ever. */

typedef struct {
    uint64_t *keep_raw_days, *raw_budget_bytes;
    char **keep_raw_of;
    unsigned keep_raw_of_count;
} cfg__raw_storage;

extern const cyaml_schema_field_t cfg__storage_fields[];

/* cfg__storage_fill - raw NULL: everything is kept. */
bool cfg__storage_fill(const cfg__yaml *yaml, const cfg__raw_storage *raw, cfg_storage *storage,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The server's `bucket:`: where raw files and artifacts are kept instead of in a folder. */

typedef struct {
    char *url, *region, *credentials_file;
} cfg__raw_bucket;

extern const cyaml_schema_field_t cfg__bucket_fields[];

/* cfg__bucket_fill - raw NULL: none; bucket is then as it was, all NULL. */
bool cfg__bucket_fill(const cfg__yaml *yaml, const cfg__raw_bucket *raw, cfg_bucket *bucket,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg__bucket_clear(cfg_bucket *bucket);

/*
 * The section runner: of the server's file: how the runner of moowatchd --with-runner
 * measures. Its keys are those of moowatch-runner.yaml, without the three that the server knows.
 */

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

/**
 * cfg__hosted_lines - the section as lines of a runner's own file, with whole paths.
 * yaml  the server's file
 * raw   NULL: there is none, and no line
 * Returns the text, owned by the caller, or NULL with error that names the line.
 */
char *cfg__hosted_lines(cfg__yaml *yaml, const cfg__raw_runner *raw,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
