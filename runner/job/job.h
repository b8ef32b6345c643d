#pragma once
/*
 * job - what the server asks for, checked before anything is done with it.
 *
 * The server is trusted with what runs, not with being free of mistakes: every number is bounded
 * (runner/protocol.h), every name that reaches a file system or git is checked.
 */
#include "config/config.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A program that runs beside a configuration. */
typedef struct {
    GStrv command;
    char *ready;   /* what it prints when it is ready; NULL: it is, when it takes connections */
    unsigned port; /* 0: a free one is chosen */
    unsigned ready_timeout_s;
    cfg_records records;
} run_receiver_job;

typedef struct {
    char *name;
    GStrv command; /* native; empty: the harness */
    GStrv options;
    GStrv environment; /* "NAME=value" */
    GStrv verify;
    uint64_t total_calls, warmup_calls; /* per thread */
    int parent;                         /* index of the configuration it adds to; -1: the root */
    unsigned index;                     /* moobench: its number */
    char *result;                       /* command: name of its value; NULL: any */
    run_receiver_job *receiver;         /* takes what it writes; NULL: nobody need */
} run_configuration;

/* What CI handed in of a commit; name NULL: nothing. */
typedef struct {
    char *name;
    char *sha256; /* hex */
    char *url;    /* path on the server */
    uint64_t bytes;
} run_job_artifact;

typedef struct {
    int64_t id;
    char *project, *commit, *url, *branch;
    char *before;       /* a trial: the older commit, measured in turn with `commit`; else NULL */
    unsigned explain_s; /* both commits are profiled instead, for at most so long; 0: measured */
    GStrv profile_command; /* of that: the project's own profiler; empty or NULL: the driver's */
    char *profile_root;    /* of its stacks; NULL: all of them */
    run_job_artifact artifact, before_artifact;
    uint64_t seed;
    cfg_driver driver;
    unsigned minimum_loops; /* of each configuration; with fewer there is no night */
    GStrv prepare, classpath, runtime;
    char *framework, *script, *results; /* moobench; results may be NULL */
    bool whole_rounds;                  /* one run measures all configurations once */
    cfg_read read;                      /* command */
    unsigned prepare_timeout_s, loops, depth, threads, loop_timeout_s, rest_s;
    uint64_t method_time_ns;
    double precision_percent; /* of each portion's mean, sure enough to stop early; 0: never */
    double confidence;        /* of that */
    char *warmup_evidence;    /* what the warm-up rests on, for people; NULL: nothing */
    double budget_minutes;    /* of a night's processes and rests; 0: as many rounds as loops */
    bool network_off;         /* while measuring */
    cfg_count count;          /* beside the loops */
    bool count_both;          /* of a trial: its server asks for it in this job */
    bool in_turn;             /* likewise: never both commits at the same time */
    run_configuration *configurations;
    unsigned configurations_count;
    json_t *source; /* as it came */
} run_job;

/**
 * run_job_parse - the "job" object of a lease.
 * Returns a job to run_job_free, or NULL with RUN_ERROR_JOB: "job: what is wrong at which key".
 */
run_job *run_job_parse(json_t *source, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_job_free(run_job *job);

/* run_job_find - index of a configuration by name, -1 when there is none. */
int run_job_find(const run_job *job, const char *configuration);

/* run_job_commits - how many commits are measured: 2 in a trial, else 1. */
unsigned run_job_commits(const run_job *job);

/* Which commit of a trial; a job of one commit has RUN_AFTER alone. */
enum { RUN_AFTER, RUN_BEFORE };

/* run_job_commit - RUN_AFTER: the job's commit, RUN_BEFORE: the older one of a trial. Borrowed. */
const char *run_job_commit(const run_job *job, unsigned which);

/* run_job_artifact_of - of one of its commits; NULL when the benchmark uses none. Borrowed. */
const run_job_artifact *run_job_artifact_of(const run_job *job, unsigned which);

/* run_job_calls - calls made by one process of this configuration, all threads together. */
uint64_t run_job_calls(const run_job *job, unsigned configuration);

/* run_job_runs_python - does the driver `native` start an interpreter, "/srv/bin/python3.11"? */
bool run_job_runs_python(const run_job *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_job, run_job_free)
