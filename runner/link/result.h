#pragma once
/*
 * result - what is sent when a job is measured: built from the spool alone, always the same.
 */
#include "runner/link/head.h"
#include "runner/loop/loop.h"

/**
 * run_result_build - the body of the result call; to json_decref.
 * head   as in the spool
 * loops  all attempts, in the order they were measured
 */
json_t *run_result_build(const char *node, const char *lease, const run_head *head,
                         const GPtrArray *loops);

/**
 * run_result_failure - {"phase", "reason", "log", "retry"} of a failed job; to json_decref.
 * problem  RUN_ERROR_NODE and _BUSY are worth another try
 * log      of the program that failed, or NULL; its last RUN_FAILURE_LOG_BYTES are told
 */
json_t *run_result_failure(const char *phase, const GError *problem, const char *log);
