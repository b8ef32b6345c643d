#pragma once
/*
 * prepare - the project's own command, once in the checkout, before anything is measured.
 */
#include "runner/job.h"
#include "runner/node.h"

/**
 * run_prepare - runs it with its deadline; nothing to do without one.
 * commit, checkout  one of the job's, and where its files are
 * log  out: head and tail of what it printed; g_free
 * HOME is kept between jobs of the project (dependency caches), TMPDIR is not.
 * Errors: RUN_ERROR_JOB when it fails, RUN_ERROR_NODE when the disk is full, RUN_ERROR_STOPPED, or
 * the tick's own.
 */
bool run_prepare(const run_node *node, const run_job *job, const char *commit, const char *checkout,
                 run_process_tick tick, void *tick_data, char **log,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
