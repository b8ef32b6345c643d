#pragma once
/*
 * upload - brings what is in the spool to the server, repeating until it is acknowledged.
 */
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/link/spool.h"
#include "runner/loop/loop.h"

/**
 * run_upload_result - all raw files, then the result.
 * Waits and repeats while the server is away or full. Returns true when the server has it, or has
 * quarantined it (both: the spool can go). Errors: RUN_ERROR_LOST, RUN_ERROR_STOPPED,
 * RUN_ERROR_REFUSED (a raw file or the result is not taken for good).
 */
bool run_upload_result(run_heartbeat *beat, const run_job *job, run_spool *spool, int stop_fd,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_upload_failure - the same for a job that failed.
 * failure  {"phase", "reason", "log", "retry"}; the lease is added
 */
bool run_upload_failure(run_heartbeat *beat, json_t *failure, int stop_fd,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_upload_delay_s - how long to wait before repeating for the n-th time (from 1): 1 … 60 s. */
unsigned run_upload_delay_s(unsigned repetition);

/*
 * result - what is sent when a job is measured: built from the spool alone, always the same.
 */

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
