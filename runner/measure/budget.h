#pragma once
/*
 * budget - a night of so many minutes (benchmark.budget_minutes): rounds first, then blocks with
 * more loops of the configurations that narrow the portions' intervals most for their time
 * (detector/statistics/plan.h).
 *
 * Everything follows from the loops in the spool: a runner that was killed goes on as planned.
 * Minutes are those of the processes, of reading and keeping what they left, and of the rests
 * between them; waiting for an idle node is not among them. Loops that stand alone are not measured
 * again: what they cost would be another's.
 */
#include "runner/job/job.h"
#include "runner/loop/loop.h"
#include "runner/measure/plan.h"

#define RUN_BUDGET_LOOPS_MAX 1000u /* of a configuration; as many as the server takes */

/* run_budget_applies - nights of one commit that ask for it. */
bool run_budget_applies(const run_job *job);

/**
 * run_budget_next - as run_plan_next, for the job's loops so far.
 * rounds    the plan of the rounds that come first, without blocks. They are cut short where the
 *           minutes end, but not below the job's minimum_loops
 * distance  beyond which a loop is a stray, and says nothing of its configuration's spread; 0: none
 */
run_plan_answer run_budget_next(const run_job *job, const run_plan *rounds, double distance,
                                const GPtrArray *loops, run_plan_step *step);

/* run_budget_left_s - seconds that are left, not below 0. */
double run_budget_left_s(const run_job *job, const GPtrArray *loops);

/* run_budget_short - why there are fewer rounds than asked for, to g_free; NULL: there are not. */
char *run_budget_short(const run_job *job, const GPtrArray *loops);

/**
 * run_budget_report - how the minutes were spent: {"minutes", "spent_minutes", "rounds",
 * "configurations": {name: {"loops", "minutes", "percent"}}}; loops: those that count. json_decref.
 */
json_t *run_budget_report(const run_job *job, const GPtrArray *loops);

/*
 * precision - whether a night is measured well enough to stop before its last round.
 */

/**
 * run_precision_reached - looks at every portion after `rounds` complete rounds.
 * loops  the spool's
 * Returns why no more rounds are needed ("after 12 of 30 rounds …"), to g_free; NULL when they are:
 * a portion is less sure than the job's precision_percent of its mean, or the job asks for no
 * precision, or is a trial.
 * The intervals are confidence sequences (detector/statistics/interval.h): asking after every round
 * is fine.
 */
char *run_precision_reached(const run_job *job, const GPtrArray *loops, unsigned rounds);

/*
 * eta - how long a job will take yet.
 */

/**
 * run_eta_s - seconds that the rest of the plan will take, from what the loops took so far; -1
 * before the first one.
 */
double run_eta_s(const run_job *job, const GPtrArray *loops);
