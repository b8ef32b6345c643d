#pragma once
/*
 * result - what is sent when a job is measured: built from the spool alone, always the same.
 */
#include "runner/job/job.h"
#include "runner/link/spool.h"
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

/*
 * results_folder - a measured experiment as a folder that needs no server: MooBench's raw files.
 *
 * raw-<loop>-<depth>-<configuration>.csv, one of each loop that counts, and experiment.json with
 * all that was recorded (environment, attempts, readings). Values that a command gave (driver
 * command) are in experiment.json alone. Of two commits the older one's raw
 * files are in before/, the newer one's in after/.
 */

/**
 * run_results_folder_write - from the spool of a finished job.
 * folder  exists; files in it of the same names are replaced
 * Returns false with RUN_ERROR_NODE, and a folder that is not whole.
 */
bool run_results_folder_write(const char *folder, const run_job *job, const char *node,
                              const run_spool *spool, GError **error) G_GNUC_WARN_UNUSED_RESULT;
