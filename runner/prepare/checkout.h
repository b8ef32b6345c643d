#pragma once
/*
 * checkout - the commit's files in an empty directory, its submodules included.
 *
 * Through bare mirrors (git.h). The result has no .git: what is built cannot reach a mirror. Files
 * kept in Git LFS are not fetched: a commit that has some is refused, unless what is measured comes
 * as an artifact.
 */
#include "runner/prepare/step.h"

#include <glib.h>
#include <stdbool.h>

/**
 * run_checkout - fetch what is missing and write the commit's tree to `directory`.
 * commit     one of the job's
 * step->log  out: git's last words when it failed
 * Errors: RUN_ERROR_JOB when the commit does not exist there, or a submodule or LFS is not to be
 * had; RUN_ERROR_NODE when git, network or disk failed, RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_checkout(const run_prepare_step *step, const char *commit, const char *directory,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * submodule - which submodules a commit has, and whether their addresses may be asked.
 *
 * .gitmodules is written by whoever wrote the commit. An address in it may not lead to this
 * machine's files, to other transports, or use what was given for the repository itself: its
 * password is left out, ssh (the agent's keys) only follows ssh, local paths only follow local
 * ones.
 */

typedef struct {
    char *path;   /* below the tree that has it */
    char *commit; /* full id */
    char *url;    /* as written; NULL: .gitmodules does not know the path */
} run_submodule;

/**
 * run_submodule_list - from the output of `git ls-files -s -z` and of `git config -z --get-regexp`
 * for submodule.*.path and submodule.*.url.
 * Returns a GPtrArray of run_submodule, which it owns.
 */
GPtrArray *run_submodule_list(const char *files, gsize files_length, const char *modules,
                              gsize modules_length);

/**
 * run_submodule_url - the address to fetch from.
 * parent  the address of the repository that has the submodule
 * url     as in .gitmodules; "./" and "../" are relative to parent
 * Returns a string to g_free, or NULL with RUN_ERROR_JOB: why it is not asked.
 */
char *run_submodule_url(const char *parent, const char *url,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
