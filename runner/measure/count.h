#pragma once
/*
 * count - the short loops after a night's last one, in which is counted what a call does beside
 * taking time: two processes of every configuration and counter, wrapped by it, with few calls.
 * Nothing of it is measured, and nothing that goes wrong in it speaks against the night. A trial's
 * come before its first loop, and are of both commits by the driver's first counter: whether they
 * moved is its question.
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

/* run_count_wanted - does this job count? Nights may, and a trial's first job, which its server
 * names: an older one does not know that trials can. */
bool run_count_wanted(const run_job *job);

/**
 * run_count_make - {"counters": {dimension: counter}, "configurations": {name: {dimension: [a value
 * a call for each loop]}}, "before": likewise of a trial's older commit, "failed": {what: why}} as
 * docs/protocol.md has it; *counts: out, owned. *counts is NULL where nothing can be counted and
 * the job asks for no more than that. False with RUN_ERROR_STOPPED or RUN_ERROR_LOST alone: all
 * else is among what failed.
 */
bool run_count_make(const run_count *count, json_t **counts,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
