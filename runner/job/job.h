#pragma once
/*
 * job - what the server asks for, checked before anything is done with it.
 *
 * The server is trusted with what runs, not with being free of mistakes: every number is bounded,
 * every name that reaches a file system or git is checked, by the tables of the job and of its
 * benchmark (config/model/benchmark.h).
 */
#include "config/config.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What CI handed in of a commit. */
typedef struct {
    char *name;
    char *sha256; /* hex */
    char *url;    /* path on the server */
    uint64_t bytes;
} run_job_artifact;

typedef struct {
    int64_t id;
    char *project, *commit, *url, *branch;
    char *kind;   /* NULL: an older server, which knows no trials */
    char *before; /* a trial: the older commit, measured in turn with `commit`; else NULL */
    double explain_minutes;
    unsigned explain_s;    /* both commits are profiled instead, for at most so long; 0: measured */
    GStrv profile_command; /* of that: the project's own profiler; empty or NULL: the driver's */
    char *profile_root;    /* of its stacks; NULL: all of them */
    char *profile_of;      /* DET_PROFILE_…: what is profiled; NULL: the calls */
    run_job_artifact *artifact, *before_artifact; /* NULL: the benchmark uses none */
    uint64_t seed;
    unsigned minimum_loops; /* of each configuration; with fewer there is no night */
    cfg_benchmark benchmark;
    json_t *source; /* as it came */
} run_job;

/**
 * run_job_parse - the "job" object of a lease.
 * Returns a job to run_job_free, or NULL with RUN_ERROR_JOB: "job: what is wrong at which key".
 */
run_job *run_job_parse(json_t *source, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_job_free(run_job *job);

/* run_job_find - index of a configuration by name, -1 when there is none or name is NULL. */
int run_job_find(const run_job *job, const char *configuration);

/* run_job_parent - index of the configuration that one adds to; -1: it is the root. */
int run_job_parent(const run_job *job, unsigned configuration);

/* run_job_uses_harness - does a configuration start the program that comes with the runner? */
bool run_job_uses_harness(const run_job *job);

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
