#pragma once
/*
 * places - the folders of one process of a benchmark: out and scratch below a folder of work_dir
 * are its own, the log is ours.
 */
#include "runner/node/node.h"

typedef struct {
    char *folder;
    char *out;
    char *scratch;
    char *raw;    /* in out: what a harness writes */
    char *result; /* in out: {result} of driver command */
    char *log;
    char *own; /* /tmp and the like, where the process has its own */
    run_private own_places;
} run_places;

/* run_places_make - new and empty, given to the user of code under test; below: of work_dir, as
 * "scratch/loop". Clear with run_places_clear; the folder stays until it is removed
 * (run_scratch_remove). */
bool run_places_make(run_places *at, const run_node *node, const char *below,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_places_clear(run_places *at);

/* run_places_process - a process of code under test in them, with this node's limits on files and
 * folders; borrows from both. */
run_process_spec run_places_process(const run_places *at, const run_node *node);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_places, run_places_clear)
