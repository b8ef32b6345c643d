#pragma once
/*
 * results_folder - a measured experiment as a folder that needs no server: MooBench's raw files.
 *
 * raw-<loop>-<depth>-<configuration>.csv, one of each loop that counts, and experiment.json with
 * all that was recorded (environment, attempts, readings). Values that a command gave (driver
 * command) are in experiment.json alone. Of two commits the older one's raw
 * files are in before/, the newer one's in after/.
 */
#include "runner/job/job.h"
#include "runner/link/spool.h"

/**
 * run_results_folder_write - from the spool of a finished job.
 * folder  exists; files in it of the same names are replaced
 * Returns false with RUN_ERROR_NODE, and a folder that is not whole.
 */
bool run_results_folder_write(const char *folder, const run_job *job, const char *node,
                              const run_spool *spool, GError **error) G_GNUC_WARN_UNUSED_RESULT;
