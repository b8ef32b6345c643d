#pragma once
/*
 * count - the short loops after a night's last one, in which is counted what a call does beside
 * taking time: two processes of every configuration and counter, wrapped by it, with few calls.
 * Nothing of it is measured, and nothing that goes wrong in it speaks against the night.
 */
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/measure/trees.h"
#include "runner/node/node.h"

#define RUN_COUNT_LOOPS 2     /* of each configuration and counter: do they agree? */
#define RUN_COUNT_S_MOST 300u /* of all */

typedef struct {
    const run_node *node;
    const run_job *job;
    const run_trees *trees; /* prepared */
    run_heartbeat *beat;
    unsigned most_s; /* for all of it; what is not counted by then is among what failed */
} run_count;

/* run_count_wanted - does this job end with counting loops? Nights do, trials do not. */
bool run_count_wanted(const run_job *job);

/**
 * run_count_make - {"counters": {dimension: counter}, "configurations": {name: {dimension: [a value
 * a call for each loop]}}, "failed": {what: why}} as docs/protocol.md has it; *counts: out, owned.
 * *counts is NULL where nothing can be counted and the job asks for no more than that. False with
 * RUN_ERROR_STOPPED or RUN_ERROR_LOST alone: all else is among what failed.
 */
bool run_count_make(const run_count *count, json_t **counts,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
