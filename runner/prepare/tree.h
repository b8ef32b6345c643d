#pragma once
/*
 * tree - a whole directory copied as it is, whoever wrote it.
 *
 * Files, folders and links; no link is followed, special files are left out, permissions are kept
 * but for set-user-id and the like, times of files are kept (builds look at them), holes stay
 * holes. Nothing may write to the source meanwhile.
 */
#include "runner/process/process.h"

typedef struct {
    uint64_t limit_bytes;  /* on disk; beyond it the copy fails */
    run_process_tick tick; /* now and then, may be NULL */
    void *tick_data;
    uint64_t bytes; /* out: copied */
} run_tree_copying;

/**
 * run_tree_copy - from a directory to a new one.
 * sum  gets names, modes and contents in a fixed order; where a file's holes are does not matter
 * Errors: RUN_ERROR_JOB when it is too deep to be of use, RUN_ERROR_NODE, or the tick's own. A half
 * copy is left to the caller.
 */
bool run_tree_copy(const char *from, const char *to, run_tree_copying *copying, GChecksum *sum,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
