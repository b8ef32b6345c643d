#pragma once
/*
 * profiler - how a benchmark's process is watched to see which functions its time is in.
 */
#include "runner/job/job.h"
#include "runner/node/node.h"

typedef struct {
    const char *name;    /* for people, "callgrind" */
    const char *unit;    /* of its stacks, "instructions" */
    const char *root;    /* stacks begin with this function; NULL: where they begin */
    uint64_t calls_most; /* of the benchmark: more of them say no more */
    unsigned loops;      /* of each configuration and commit */
    bool no_method_time; /* a method that waits would spin for as long as it is slowed down */
    const char *program; /* that it needs, looked for in its PATH */
    const char *package; /* that brings it, for people */
} run_profiler;

/**
 * run_profiler_of - for a job's driver, on this node.
 * environment  "NAME=value", NULL at its end: the PATH that the program will be started with, which
 *              is not the agent's own
 * Returns one, static; NULL with RUN_ERROR_JOB: what is missing and how to get it.
 */
const run_profiler *run_profiler_of(const run_job *job, char *const *environment, GError **error);

/**
 * run_profiler_wrap - the command that runs argv [NULL at its end] and writes a profile to `out`.
 * Takes argv over and returns an owned one.
 */
GPtrArray *run_profiler_wrap(const run_profiler *profiler, GPtrArray *argv, const char *out);

/* run_profiler_words - what this node can profile, and what it cannot and why; for people, to
 * g_free. */
char *run_profiler_words(char *const *environment);
