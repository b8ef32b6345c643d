#pragma once
/*
 * attempt - one fresh process of one configuration, or one of each commit at the same time: run it,
 * judge it, keep its result.
 */
#include "runner/job/job.h"
#include "runner/link/spool.h"
#include "runner/measure/plan.h"
#include "runner/node/gate.h"
#include "runner/node/node.h"
#include "runner/node/readings.h"

typedef struct {
    const run_node *node;
    const run_job *job;
    const char *checkout; /* of `commit` */
    const char *artifact; /* of `commit`; NULL: none */
    const char *commit;   /* that the next process runs: one of the job's */
    unsigned turn;        /* of its loops (loop.h) */
    run_spool *spool;
    run_process_tick tick;
    run_gate_told waits; /* for the node to be idle; NULL: nobody asks */
    void *tick_data;     /* of both */
    run_readings since;  /* taken when the last process ended */
    char *last_log;      /* of the last process that failed; owned, may be NULL */
} run_attempt;

/**
 * run_attempt_measure - measures one step of the plan and adds it to the spool, good or failed.
 * Waits at the gate first. A failed process is a result, not an error. Errors: RUN_ERROR_NODE (disk
 * full, no processes), RUN_ERROR_BUSY (never idle), RUN_ERROR_STOPPED, or the tick's own; nothing
 * is added then.
 */
bool run_attempt_measure(run_attempt *attempt, const run_plan_step *step,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_attempt_measure_both - the same with both commits of a trial at once (duet.h): two loops.
 * attempts  [2] of RUN_AFTER and RUN_BEFORE, alike but for commit, checkout and artifact. The first
 *           one's since and both their last_log are kept up
 */
bool run_attempt_measure_both(run_attempt *attempts, const run_plan_step *step,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
