#pragma once
/*
 * explain - profiles of two commits, each with the same configurations: what a job asks for that is
 * to say where a change is. Nothing here is measured: the node is neither tuned nor waited for.
 */
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/measure/trees.h"
#include "runner/node/node.h"

typedef struct {
    const run_node *node;
    const run_job *job;
    const run_trees *trees; /* of both commits, prepared */
    run_heartbeat *beat;
    char *last_log;    /* of the last program that failed; owned by the caller */
    size_t bytes_most; /* of the stacks of time; set here */
} run_explain;

/**
 * run_explain_make - {"profiler", "unit", "profiles": [{"commit", "configuration", "loop", "calls",
 * "stacks"}], "note", "allocations"} as docs/protocol.md has it; owned. note: why a better profiler
 * was not used; allocations, of a JVM: likewise of the bytes that are allocated, or {"reason"}.
 * Returns NULL with RUN_ERROR_JOB (no profiler, a process failed, the profile holds nothing of the
 * benchmark, the time is up: which of them and where), RUN_ERROR_NODE or the heartbeat's errors.
 */
json_t *run_explain_make(run_explain *explain, GError **error) G_GNUC_WARN_UNUSED_RESULT;
