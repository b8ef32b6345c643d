#pragma once
/*
 * submodule - which submodules a commit has, and whether their addresses may be asked.
 *
 * .gitmodules is written by whoever wrote the commit. An address in it may not lead to this
 * machine's files, to other transports, or use what was given for the repository itself: its
 * password is left out, ssh (the agent's keys) only follows ssh, local paths only follow local
 * ones.
 */
#include <glib.h>
#include <stdbool.h>

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
