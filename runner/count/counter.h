#pragma once
/*
 * counter - what counts instructions and allocations a call, in a short loop of its own: never in a
 * loop that is measured.
 */
#include "detector/statistics/dimension.h"
#include "runner/job/job.h"

#include <glib.h>
#include <stdbool.h>

#define RUN_COUNTERS_MAX 2
#define RUN_COUNTER_VALUES_MAX 2

typedef struct {
    const char *name;                               /* for people, "callgrind" */
    const char *program, *package;                  /* that it needs, and what brings it */
    const char *dimensions[RUN_COUNTER_VALUES_MAX]; /* their names; fewer: NULL at the end */
    const char *const *options; /* of the program, NULL at the end; NULL: the harness counts */
    const char *out;            /* the option that names its file, with '=' */
    bool out_percent;           /* which reads a '%' as more than that */
    const char *main;           /* NULL, or the harness' class that counts instead of measuring */
    uint64_t calls_most;        /* of a process: more say no more */
    /* What it wrote of so many calls, [size] bytes, to a value a call for each dimension. */
    bool (*read)(const char *text, size_t size, double calls, double *values, GError **error);
} run_counter;

/**
 * run_counters_of - what counts for a job's driver on this node; the first one says best whether a
 * call does more.
 * out          [RUN_COUNTERS_MAX], static ones
 * environment  "NAME=value", NULL at its end: the PATH that the program will be started with
 * Returns how many; 0 with *missing, to g_free: what is missing and how to get it.
 */
size_t run_counters_of(const run_counter **out, const run_job *job, char *const *environment,
                       char **missing);

/* run_counter_wrap - the command that runs argv [NULL at its end] and writes what it counted to
 * `out`; a harness that counts itself does so in its raw file. Takes argv over and returns an owned
 * one. */
GPtrArray *run_counter_wrap(const run_counter *counter, GPtrArray *argv, const char *out);

/* run_counter_words - what this node can count, for people; to g_free. */
char *run_counter_words(char *const *environment);

/*
 * valgrind - what its tools wrote about a process, for a call of the monitored method.
 */

#define RUN_VALGRIND_ROOT "moobench_monitored_method"
