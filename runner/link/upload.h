#pragma once
/*
 * upload - brings what is in the spool to the server, repeating until it is acknowledged.
 */
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/link/spool.h"

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
