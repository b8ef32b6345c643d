#pragma once
/*
 * done - a job's loops by number: which configuration and commit each is of, and which one counts.
 *
 * The rule stands here and nowhere else in the runner; it is the server's (docs/protocol.md): of
 * the attempts at one loop the last good undisturbed one counts, else the last good one.
 */
#include "runner/job/job.h"
#include "runner/loop/loop.h"

typedef struct {
    unsigned configuration; /* index in the job; G_MAXUINT: none of the job's */
    unsigned loop;          /* from 1 */
    bool failed;
    bool disturbed;
    unsigned which; /* RUN_AFTER or RUN_BEFORE; G_MAXUINT: neither */
} run_loop_done;

/* run_loops_done - GArray of run_loop_done, one for each loop, in their order; g_array_unref. */
GArray *run_loops_done(const run_job *job, const GPtrArray *loops);

/* run_loops_counting - whether each of them counts: [done->len], to g_free. O(n). */
bool *run_loops_counting(const GArray *done);

/**
 * run_loops_least - loops that count, of the configuration (and commit) that has the fewest: with
 * the job's minimum_loops of them a night that must end early still counts.
 */
unsigned run_loops_least(const run_job *job, const GPtrArray *loops);
