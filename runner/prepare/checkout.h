#pragma once
/*
 * checkout - the commit's files in an empty directory, its submodules included.
 *
 * Through bare mirrors (git.h). The result has no .git: what is built cannot reach a mirror. Files
 * kept in Git LFS are not fetched: a commit that has some is refused, unless what is measured comes
 * as an artifact.
 */
#include "runner/prepare/step.h"

/**
 * run_checkout - fetch what is missing and write the commit's tree to `directory`.
 * commit     one of the job's
 * step->log  out: git's last words when it failed
 * Errors: RUN_ERROR_JOB when the commit does not exist there, or a submodule or LFS is not to be
 * had; RUN_ERROR_NODE when git, network or disk failed, RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_checkout(const run_prepare_step *step, const char *commit, const char *directory,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
