#pragma once
/*
 * config - every YAML file of moowatch, read against a schema.
 *
 * Answers: what is configured, and where exactly a file is wrong (file, line, key, what to do).
 * Strings are owned by the struct they hang in; free the root and all goes with it.
 * All values are filled in: a key left out has its documented default (docs/configure.md).
 * Arrays of strings are NULL-terminated beside their count.
 */
#include "config/formats/list.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "detector/watch/watch.h"

#define CFG_ERROR (cfg_error_quark())
GQuark cfg_error_quark(void);
typedef enum {
    CFG_ERROR_READ,   /* the file cannot be read */
    CFG_ERROR_SYNTAX, /* not YAML, unknown key, wrong type, value out of range */
    CFG_ERROR_MEANING /* well-formed, but it contradicts itself */
} cfg_error;

typedef enum { CFG_NETWORK_ON, CFG_NETWORK_OFF } cfg_network;

/* The words of an enumeration stand once, beside it: CFG_..S(X) gives X(NAME, "word") for each. */
#define CFG_WORD(name, word) word,

/* Whether a night ends with short loops in which instructions and allocations are counted. auto:
 * where the node can; always: what it cannot count is a doubt of the night. */
#define CFG_COUNTS(X) X(NEVER, "never") X(AUTO, "auto") X(ALWAYS, "always")
#define CFG_COUNT(name, word) CFG_COUNT_##name,
typedef enum { CFG_COUNTS(CFG_COUNT) } cfg_count;

/* moobench: an upstream MooBench checkout, by its own scripts; command: any program, its value is
 * read from what it prints or writes. */
#define CFG_DRIVERS(X)                                                                             \
    X(NATIVE, "native") X(JAVA, "java") X(MOOBENCH, "moobench") X(COMMAND, "command")
#define CFG_DRIVER(name, word) CFG_DRIVER_##name,
typedef enum { CFG_DRIVERS(CFG_DRIVER) } cfg_driver;

/* Behind the pattern the formats of config/formats/. */
#define CFG_READ_FORMATS(X) X(PATTERN, "pattern") FMT_LIST(X)
#define CFG_READ_FORMAT(name, word) CFG_READ_##name,
typedef enum { CFG_READ_FORMATS(CFG_READ_FORMAT) } cfg_read_format;

/* driver command: how values are found in what a program left. */
typedef struct {
    cfg_read_format format;
    bool from_result; /* in the file {result}; false: in what was printed */
    char *pattern;    /* PCRE2 with the groups value, unit, name; NULL with the other formats */
    bool whole;       /* the pattern meets the whole text; false: line by line */
    char *unit;       /* where the pattern has no group unit; NULL: it has */
    bool samples;     /* several values are samples of one; false: an error */
    unsigned warmup_values; /* the first samples of a loop, which do not count */
    bool cpu_time;          /* google-benchmark-json: cpu_time; false: real_time */
    unsigned match_limit;   /* work of one match, as PCRE2 counts it */
    unsigned timeout_s;     /* of all matches together */
    uint64_t size_limit_bytes;
} cfg_read;

/* NAME=value, split at the first '='; in the order of the file. */
typedef struct {
    char *name;
    char *value;
} cfg_variable;

/* How much of what was recorded must have come to the receiver: else the loop has failed. */
typedef enum {
    CFG_RECORDS_SOME,     /* any; what is missing is told beside the result */
    CFG_RECORDS_ALL,      /* one of each activation of the method, no more and no less */
    CFG_RECORDS_UNCHECKED /* the program does not count */
} cfg_records;

/* A program that takes what a configuration writes: started before each loop, ended after it. */
typedef struct {
    char **command;
    unsigned command_count;
    uint16_t port; /* where it listens; 0: a free one is chosen */
    char *ready;   /* what it prints when it is ready; NULL: it is, when it takes connections */
    unsigned ready_timeout_s;
    cfg_records records;
} cfg_receiver;

#define CFG_NO_INDEX UINT32_MAX

/* One way to run the benchmark; a node of the tree that T, I, C, W are read from. */
typedef struct {
    char *name;     /* identifier, [a-z0-9_-]+ */
    char *label;    /* for people; default: name */
    char *portion;  /* short name of (this - parent), e.g. "I"; the root's is "T" */
    char *parent;   /* NULL for the root */
    char **command; /* native: argv of the benchmark, default {harness}/moobench; command: argv */
    unsigned command_count;
    char **options; /* java: JVM options; others: further arguments */
    unsigned options_count;
    cfg_variable *environment;
    unsigned environment_count;
    char **verify; /* argv run after each loop; non-zero exit makes the loop a failed one */
    unsigned verify_count;
    char **loads; /* the framework's files: what they take is told */
    unsigned loads_count;
    uint64_t total_calls;   /* of this configuration; default: the benchmark's */
    uint64_t warmup_calls;  /* dropped from the front; default: the benchmark's rule */
    unsigned threads;       /* of this configuration; 0: the benchmark's */
    unsigned index;         /* moobench: its number in labels.sh; default: name, if that is one;
                             * else CFG_NO_INDEX */
    char *result;           /* command: name of its value where one run gives several; NULL: any */
    char *unit;             /* command: of its values, "%", "MiB"; NULL: a call takes time */
    bool higher;            /* with a unit: more of it is better */
    cfg_receiver *receiver; /* NULL: none is needed */
} cfg_configuration;

typedef enum { CFG_SWEEP_DEPTH, CFG_SWEEP_METHOD_TIME, CFG_SWEEP_THREADS } cfg_sweep_of;

/* One parameter at several values, each an experiment: asked for by hand, never a night. */
typedef struct {
    cfg_sweep_of of;
    uint64_t *values; /* ascending; NULL: no sweep is configured */
    unsigned count;
} cfg_sweep;

typedef struct {
    cfg_driver driver;
    char **prepare; /* argv, run once in the checkout; empty: nothing to prepare */
    unsigned prepare_count;
    unsigned prepare_timeout_s;
    char *artifact;           /* name of what CI hands in of each commit; NULL: none is used */
    unsigned artifact_wait_s; /* a night waits for it at most so long */
    unsigned loops;           /* fresh processes per configuration */
    uint64_t total_calls;     /* per process and thread */
    uint64_t warmup_calls;    /* default total_calls / 2 */
    char *warmup_evidence;    /* what the warm-up rests on, for people; NULL: nothing */
    uint64_t method_time_ns;
    unsigned recursion_depth;
    unsigned threads;        /* the first of thread_counts; 1 */
    uint64_t *thread_counts; /* of the file, ascending: each further one makes configurations */
    unsigned thread_counts_count;
    unsigned loop_timeout_s;
    unsigned rest_s;          /* pause between two processes */
    double precision_percent; /* of a portion's mean: sure enough to stop early; 0: never */
    double confidence;        /* of the intervals of its means: cfg_detection's */
    double budget_minutes;    /* of a night: after `loops` rounds where it helps most; 0: none */
    cfg_network network;      /* of the benchmark's processes */
    cfg_count count;          /* after the loops: instructions and allocations a call */
    char **classpath;         /* java: entries beside the harness */
    unsigned classpath_count;
    char *jdk;         /* java: its folder, or a version as "25"; NULL: java of PATH */
    char *framework;   /* moobench: folder below the checkout, as "frameworks/Kieker-java" */
    char *script;      /* moobench: what is run there */
    char *results;     /* moobench: folder there; NULL: results-<framework>, then results */
    bool whole_rounds; /* moobench, command: one run measures all configurations once */
    char **runtime;    /* argv that prints what runs the benchmark, as "java -version" */
    unsigned runtime_count;
    cfg_read read; /* command */
    cfg_sweep sweep;
    bool count_both;                   /* of a job that compares two commits: both are counted */
    bool in_turn;                      /* likewise: never both at the same time */
    cfg_configuration *configurations; /* parents before their children */
    unsigned configurations_count;
} cfg_benchmark;

typedef struct {
    double confidence;             /* level of the intervals, 0.5 … 0.9999 */
    double minimum_effect_percent; /* of the portion's reference; below it nothing is said */
    double minimum_effect_ns;      /* absolute floor beside it */
    unsigned baseline_nights;      /* reference: at most so many nights since the last change */
    unsigned minimum_loops;        /* fewer per configuration: harness suspect */
    det_trim trim;                 /* which loops of a night count */
    bool tell_counts; /* what is counted moved, and the time did not: a message of its own */
    bool dimensions;  /* processor time, start, memory, … are judged beside time */
    bool remeasure;   /* old and new commit in turn before an anomaly is told, where a node can */
    unsigned remeasure_loops; /* of each commit and configuration at most, to tell them apart */
    double
        remeasure_minutes; /* for it, a night; 0: half of what the nights took, 30 a day at least */
    double explain_minutes; /* that profiling an alert's two commits may take; 0: it is not done */
    char **profile_command; /* runs the benchmark under a profiler; none: the driver's own */
    unsigned profile_command_count;
    char *profile_root;   /* of its stacks, the function that they begin with; NULL: all of them */
    unsigned ageing_days; /* an open alert nobody touched for so long has aged; 0: never */
    double announced_percent; /* of the level before: a larger change needs a person, announced or
                                 not */
    char **limits;            /* as config/limits.h reads them */
    unsigned limits_count;
    char **announcers; /* mail addresses of those who may announce; none: every author */
    unsigned announcers_count;
} cfg_detection;

/* What is measured before it is merged. */
typedef struct {
    double minutes;       /* of measuring that one may take; 0: none is measured */
    double minutes_a_day; /* of measuring all of them together; 0: no bound */
    double percent;       /* of a portion: smaller changes are ignored */
    char *label;          /* by which maintainers let a fork's code onto the node */
} cfg_pull_requests;

#define CFG_PULL_MINUTES_A_DAY 480 /* a third of it: the nights are measured, too */
#define CFG_ANNOUNCED_PERCENT 50
#define CFG_PULL_LABEL "measure-overhead"
#define CFG_EXPLAIN_MINUTES 10

/* slack: Mattermost and others that take the same body, too; github-comment: one on the pull
 * request of a measured commit, kept up to date; gitlab-*: of merge requests alone. */
#define CFG_VIAS(X)                                                                                \
    X(MAIL, "mail")                                                                                \
    X(SLACK, "slack")                                                                              \
    X(WEBHOOK, "webhook")                                                                          \
    X(GITHUB_STATUS, "github-status")                                                              \
    X(GITHUB_CHECK, "github-check")                                                                \
    X(GITHUB_ISSUE, "github-issue")                                                                \
    X(GITHUB_COMMENT, "github-comment")                                                            \
    X(GITLAB_STATUS, "gitlab-status") X(GITLAB_COMMENT, "gitlab-comment")
#define CFG_VIA(name, word) CFG_NOTIFY_##name,
typedef enum { CFG_VIAS(CFG_VIA) } cfg_notify_via;

/* Who is told of a project's changes. Secrets stay in their files. */
typedef struct {
    cfg_notify_via via;
    char **to; /* mail: plain addresses */
    unsigned to_count;
    char *url;         /* where to; GitHub: the API; NULL: url_file has it */
    char *url_file;    /* file whose first line is the URL, where that is a secret */
    char *secret_file; /* webhook: key of the signature, NULL: unsigned; GitHub: token, or with
                        * app_id the App's private key */
    char *text;        /* what is said of each change, with {names}; NULL: our own words */
    uint64_t app_id, installation_id; /* of a GitHub App; 0: secret_file is a token; 0: asked for */
    char *repository;                 /* GitHub: owner/name */
    char **portions;                  /* none: all */
    unsigned portions_count;
    double minimum_percent; /* of the level before; smaller changes are not sent */
    int direction;          /* +1 only what rose, -1 only what fell, 0 both */
    char *quiet_hours;      /* "HH:MM-HH:MM", UTC: kept until their end; NULL: none */
    char *digest_at;        /* "HH:MM", UTC: told together once a day; NULL: at once */
    unsigned max_age_days;  /* a change in an older commit is history, not news */
    bool incidents;         /* of machine and harness are sent, and no changes */
} cfg_notify;

/* What a file says where "moowatch init" found nothing that tells. */
#define CFG_UNFINISHED "CHANGE THIS"

typedef struct {
    char *name;       /* identifier, [a-z0-9][a-z0-9._-]*; of a further branch: branch.h */
    char *title;      /* for people; default: name */
    char *repository; /* URL or path */
    char *branch;
    char *main;        /* name of the project that this is a further branch of; NULL: of none */
    char **unfinished; /* "FILE:LINE: …" of each CFG_UNFINISHED; of a further branch NULL */
    char **branches;   /* all that are followed, the main one first */
    unsigned branches_count;
    char *night_at; /* "HH:MM", UTC: a night's commit is the last one before that time of the day */
    char *schedule; /* cron expression instead of night_at; NULL: night_at */
    char *time_zone;  /* of schedule, as "Europe/Berlin"; NULL: UTC */
    char *since;      /* "YYYY-MM-DD": also take the nights since then; NULL: only from now on */
    char *releases;   /* glob of the tags whose commits are measured, too, as "v*"; NULL: none */
    char *commit_url; /* link pattern with {commit}; NULL: none */
    bool enabled;
    char *webhook_secret_file; /* first line: what webhooks are signed with; NULL: the server's */
    char *webhook_old_secret_file; /* good beside it while it is replaced; NULL: none */
    cfg_benchmark benchmark;
    cfg_detection detection;
    cfg_pull_requests pull_requests;
    cfg_notify *notify;
    unsigned notify_count;
    char **paths, **paths_ignore; /* globs: what changes no file of these, or only files of those,
                                     is not measured; none: all are, none is ignored */
    unsigned paths_count, paths_ignore_count;
    char **node_labels; /* only nodes that have all of these measure it; none: any node */
    unsigned node_labels_count;
    char *ssh_key_file;           /* private key for repository; NULL: ssh's agent */
    char **ssh_host_fingerprints; /* "SHA256:…", any of them is its server; none: known_hosts */
    unsigned ssh_host_fingerprints_count;
} cfg_project;

typedef struct {
    char *url; /* smtp://host:port (with STARTTLS when offered) or smtps://…; NULL: no mail */
    char *from;
    char *user, *password_file; /* both or none */
    char *ca_file;              /* NULL: the system's */
    char *operator;             /* who hears what is wrong with the server; NULL: nobody */
} cfg_mail;

typedef struct {
    char *url; /* https://host/bucket, without '/' at the end; NULL: files are in shared_dir */
    char *region;
    char *credentials_file; /* the key's id, and its secret */
} cfg_bucket;

/* Raw data that no policy removes. */
typedef enum {
    CFG_KEEP_ALERTS,
    CFG_KEEP_RELEASES,
    CFG_KEEP_FIRST_OF_MONTH,
    CFG_KEEP_COUNT
} cfg_keep;
extern const char *const cfg_keep_words[CFG_KEEP_COUNT]; /* as in storage.keep_raw_of */

typedef struct {
    unsigned keep_raw_days;    /* since they came in; 0: for ever */
    uint64_t raw_budget_bytes; /* of one project; 0: none */
    char **keep_raw_of; /* words of cfg_keep_words, as given; keeps has them and the default */
    unsigned keep_raw_of_count;
    bool keeps[CFG_KEEP_COUNT];
} cfg_storage;

typedef struct {
    char *folder; /* where the pages are kept as files; NULL: nowhere */
    char *base;   /* where they will be served; NULL: not known */
} cfg_site;

/* Whose jobs have which rights: a rule of `identities`. */
typedef struct {
    char *issuer;     /* https://…, without '/' at the end; its keys are found from there */
    char *audience;   /* that a token must be for */
    char *repository; /* group/name */
    char *branch;     /* the only one whose jobs have the rights */
    char *scope;      /* runner, run, submit or read */
    char *node;       /* with runner: NULL: the first that shows the token */
    char **projects;  /* with the others: NULL: all */
    unsigned projects_count;
    unsigned minutes; /* the rights last */
} cfg_identity;

typedef struct {
    char *listen;                  /* address, default 127.0.0.1 */
    uint16_t port;                 /* default 8300; 0: any free port */
    char *data_dir;                /* database, raw results, mirrors */
    char *database;                /* URL of a server of PostgreSQL; NULL: a file in data_dir */
    char *shared_dir;              /* raw results, artifacts, tokens; default data_dir */
    char *projects_dir;            /* *.yaml, one project a file; relative to the server's file */
    char *public_url;              /* for links in messages; default http://listen:port */
    char *webhook_secret_file;     /* for projects without their own; NULL: none */
    char *webhook_old_secret_file; /* good beside it while it is replaced; NULL: none */
    char *embed_ancestors;         /* who may frame /embed/ pages, as in CSP's frame-ancestors */
    bool public_read;              /* pages and reading API without a token */
    bool public_details;           /* then also logs of jobs and values of environment variables */
    unsigned poll_s;               /* how often repositories are asked for news */
    unsigned fetch_timeout_s;      /* of a transfer */
    unsigned fetch_connect_s;      /* until a host has answered */
    unsigned fetch_parallel;       /* so many repositories at once */
    unsigned lease_s;              /* a runner that is silent for so long loses its job */
    unsigned attempts;             /* how often a job is tried */
    unsigned off_job_days;         /* a job waits so long for a project that is switched off */
    uint64_t body_limit_bytes;     /* any JSON request */
    uint64_t body_buffer_bytes;    /* all such bodies being received */
    uint64_t raw_limit_bytes;      /* one uploaded raw file, compressed */
    uint64_t import_limit_bytes;   /* one import over HTTP */
    uint64_t artifact_limit_bytes; /* one artifact that CI hands in */
    uint64_t artifact_quota_bytes; /* all artifacts of a project; the oldest make room */
    unsigned artifact_keep_days;   /* 0: until the quota needs the room */
    unsigned profile_keep_days;    /* of alerts that are over; 0: for ever */
    char *tls_certificate_file;    /* PEM, both or none; NULL: plain HTTP */
    char *tls_key_file;
    bool behind_proxy;                   /* clients are who X-Forwarded-For says */
    unsigned proxy_count;                /* how many add their address to it */
    unsigned head_timeout_s;             /* until the head of a request is there */
    unsigned body_timeout_s;             /* likewise a body that is collected */
    unsigned client_connection_limit;    /* of one address; 0: none */
    unsigned client_requests_per_second; /* likewise */
    unsigned connection_limit;
    unsigned stream_limit;        /* parked event streams */
    unsigned client_stream_limit; /* of them, of one client */
    uint64_t answer_cache_bytes;  /* answers that are sent again until something changes */
    uint64_t history_cache_bytes; /* nights ready for drawing */
    uint64_t disk_reserve_bytes;  /* free space below which uploads and fetches are refused */
    uint64_t fetch_limit_bytes;   /* that a repository may send at once */
    uint64_t mirror_limit_bytes;  /* a mirror that holds more is fetched again */
    cfg_mail mail;
    cfg_storage storage;
    cfg_bucket bucket; /* raw files, artifacts */
    cfg_site site;
    cfg_identity *identities;
    unsigned identities_count;
    struct json_t *runner; /* the section runner, as given; NULL: none */
    char *runner_lines;    /* of the file of the runner of --with-runner; "": none */
} cfg_server;

#define CFG_RUNNER_PATH "/usr/local/bin:/usr/bin:/bin"
#define CFG_REST_MAX_S 3600 /* between two processes */

/** cfg_runner_path_check - absolute folders, with colons between them. */
bool cfg_runner_path_check(const char *path);

typedef struct {
    char *server; /* base URL */
    char *node;   /* name of this node; default: host name */
    char *token_file;
    char *work_dir;    /* spool, mirrors, checkouts */
    char *harness_dir; /* moobench.jar, moobench, moobench-instrumented; default: beside the program
                        */
    char *path; /* folders of programs with colons between them, for prepare and the benchmark */
    char **labels;
    unsigned labels_count;
    unsigned poll_wait_s;
    uint64_t loop_output_limit_bytes;    /* what one benchmark process may write to its directory */
    uint64_t prepare_output_limit_bytes; /* what preparing may write, and keep in its HOME */
    uint64_t prepared_cache_bytes;       /* of prepared trees that are kept; 0: none */
    unsigned submodule_limit;            /* of one commit; 0: none is fetched */
    unsigned submodule_depth;
    uint64_t log_limit_bytes;    /* of prepare's and the benchmark's output that is kept */
    uint64_t memory_limit_bytes; /* address space of code under test; 0: none */
    unsigned process_limit;
    char *run_as_user;          /* code under test runs as this user; NULL: as the agent */
    char *git_user;             /* git runs as this user; NULL: moowatch-git, if there is one */
    char *ssh_key_file;         /* the only key for ssh repositories; NULL: the agent's own */
    char *ssh_known_hosts_file; /* the only hosts that are known; NULL: the agent's own */
    uint64_t disk_reserve_bytes;
    unsigned nights_in_turn;        /* back-filled ones of a project; 1: one after the other */
    unsigned gate_wait_s;           /* wait so long for an idle node before each loop; 0: no gate */
    double idle_cpu_percent;        /* of one processor: others may use it on an idle node */
    double disturbed_cpu_percent;   /* of one processor, over a loop: beyond it, disturbed */
    double disturbed_steal_percent; /* of all processors' time, taken by the hypervisor */
    double temperature_limit_c;     /* hotter is neither idle nor undisturbed; 0: none */
    unsigned disturbed_repeats;     /* disturbed loops measured again, per configuration */
    bool duet;               /* a trial's commits run at the same time, on half of the processors
                                each */
    double stray_distance;   /* robust standard deviations; farther loops are strays; 0: none is */
    char *benchmark_cpus;    /* "2,4-7": the benchmark runs there; NULL: anywhere */
    char *housekeeping_cpus; /* agent, prepare and git run there; NULL: anywhere */
    char **tuning;           /* knobs to set while measuring (docs/runner.md) */
    unsigned tuning_count;
} cfg_runner;

/* What a configuration with more threads is called, behind the name of the one that it repeats. */
#define CFG_THREADS_NAME "-%u-threads"

/* cfg_benchmark_threads - with how many threads a configuration is run. */
unsigned cfg_benchmark_threads(const cfg_benchmark *benchmark, unsigned configuration);

/* cfg_sweep_name - the parameter, as its key in the file: "recursion_depth"; static. */
const char *cfg_sweep_name(cfg_sweep_of of);

/* cfg_sweep_at - a benchmark at one value of its sweep, point below sweep.count; all that it points
 * to is the benchmark's. */
cfg_benchmark cfg_sweep_at(const cfg_benchmark *benchmark, unsigned point);

/* cfg_notify_names - what a rule's text may name in braces; ends with NULL. */
extern const char *const cfg_notify_names[];

/**
 * cfg_server_load, cfg_project_load, cfg_runner_load - read one file.
 * Returns a struct to be freed with the matching _free, or NULL with error:
 * "FILE:LINE: what is wrong; what to do". Relative paths are resolved against the file's folder.
 */
cfg_server *cfg_server_load(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* cfg_database_wrong - what is wrong with the URL of a database server, static; NULL: nothing. It
 * holds no password: everybody who sees the URL may, in commands, messages and logs. */
const char *cfg_database_wrong(const char *url);
cfg_project *cfg_project_load(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* cfg_project_schema - what such a file may hold, as JSON Schema for editors; owned. */
struct json_t *cfg_project_schema(void);
/* cfg_project_load_branch - one of the branches that the file names, from 0, the main one, which
 * cfg_project_load reads. */
cfg_project *cfg_project_load_branch(const char *path, unsigned which,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
cfg_runner *cfg_runner_load(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg_server_free(cfg_server *server);
void cfg_project_free(cfg_project *project);
void cfg_runner_free(cfg_runner *runner);

/**
 * cfg_projects_load - every *.yaml of a folder, by file name; further branches of a project after
 * it.
 * problems   one text per file that could not be used ("FILE:LINE: …"); the others still load.
 *            NULL when not wanted, else free with g_ptr_array_unref
 * Returns GPtrArray of cfg_project* (owns them), NULL with error when the folder cannot be read.
 */
GPtrArray *cfg_projects_load(const char *dir, GPtrArray **problems,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg_server, cfg_server_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg_project, cfg_project_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg_runner, cfg_runner_free)
