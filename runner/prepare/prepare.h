#pragma once
/*
 * prepare - the project's own command, once in the checkout, before anything is measured.
 */
#include "runner/job/job.h"
#include "runner/node/node.h"

/**
 * run_prepare - runs it with its deadline, and with prepare_output_limit_bytes on disk.
 * commit    one of the job's
 * folder    its folder; tree/ below it is the checkout
 * artifact  what {artifact} stands for, or NULL
 * log       out: head and tail of what it printed; g_free
 * HOME is kept between jobs of the project (dependency caches) and closed to code under test at all
 * other times; TMPDIR is not kept.
 * Errors: RUN_ERROR_JOB when it fails or writes too much, RUN_ERROR_NODE when the disk is full,
 * RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_prepare(const run_node *node, const run_job *job, const char *commit, const char *folder,
                 const char *artifact, run_process_tick tick, void *tick_data, char **log,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
