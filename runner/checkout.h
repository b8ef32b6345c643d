#pragma once
/*
 * checkout - the commit's files in an empty directory, through a bare mirror per repository.
 *
 * git runs in a child with a deadline; its configuration, hooks, prompts and exotic transports are
 * off. The result has no .git: what is built cannot reach the mirror. Submodules are not fetched.
 */
#include "runner/job.h"
#include "runner/node.h"

#define RUN_FETCH_TIMEOUT_S 1800 /* the first fetch of a large repository over a slow line */

/**
 * run_checkout - fetch what is missing and write the commit's tree to `directory`.
 * commit           one of the job's
 * tick, tick_data  as in run_process_spec
 * log              out: git's last words when it failed; g_free
 * Errors: RUN_ERROR_JOB when the commit does not exist there, RUN_ERROR_NODE when git, network or
 * disk failed, RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_checkout(const run_node *node, const run_job *job, const char *commit,
                  const char *directory, run_process_tick tick, void *tick_data, char **log,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
