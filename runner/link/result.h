#pragma once
/*
 * result - what is sent when a job is measured: built from the spool alone, always the same.
 */
#include "runner/job/job.h"
#include "runner/measure/plan.h"

/**
 * run_result_done - the spool's loops as the plan sees them.
 * Returns a GArray of run_plan_done, one per loop object; unknown configurations get index
 * G_MAXUINT, which matches nothing, and so do unknown commits of a trial as side.
 */
GArray *run_result_done(const run_job *job, json_t *loops);

/**
 * run_result_least - good loops of the configuration (and commit) that has the fewest: with the
 * job's minimum_loops of them a night that must end early still counts.
 */
unsigned run_result_least(const run_job *job, json_t *loops);

/**
 * run_result_build - the body of the result call; to json_decref.
 * head   {"started_ms", "finished_ms", "environment"} as in the spool
 * loops  all attempts, in the order they were measured
 */
json_t *run_result_build(const char *node, const char *lease, json_t *head, json_t *loops);

/**
 * run_result_failure - {"phase", "reason", "log", "retry"} of a failed job; to json_decref.
 * problem  RUN_ERROR_NODE and _BUSY are worth another try
 * log      of the program that failed, or NULL; its last RUN_FAILURE_LOG_BYTES are told
 */
json_t *run_result_failure(const char *phase, const GError *problem, const char *log);

/**
 * run_result_eta_s - seconds that the rest of the plan will take, from what the loops took so far;
 * -1 before the first one.
 */
double run_result_eta_s(const run_job *job, json_t *loops);
