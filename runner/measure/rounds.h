#pragma once
/*
 * rounds - the processes of a job one after the other, until its plan is complete or may end early.
 */
#include "runner/link/heartbeat.h"
#include "runner/measure/attempt.h"
#include "runner/measure/trees.h"

/**
 * run_rounds_measure - every loop that the plan still asks for, into the attempt's spool.
 * attempt  its commit, checkout and artifact are set for each process; with a turn it is but a
 *          round, or as many processes of a block as there are configurations
 * beat     told of each process, and between two of them
 * complete out: false: the turn is over, and more is to be measured
 * A night that is measured well enough, or that has its minimum when the node stays busy, ends
 * before the last round: the spool's head says why, and that is not an error.
 * Errors: RUN_ERROR_JOB (a configuration never works), RUN_ERROR_BUSY (too few loops before),
 * RUN_ERROR_STOPPED, RUN_ERROR_LOST, RUN_ERROR_NODE.
 */
bool run_rounds_measure(run_attempt *attempt, const run_trees *trees, run_heartbeat *beat,
                        bool *complete, GError **error) G_GNUC_WARN_UNUSED_RESULT;
