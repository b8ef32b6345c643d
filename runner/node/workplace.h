#pragma once
/*
 * workplace - the folders, the lock and the limits that a node needs before its first job.
 */
#include "runner/node/node.h"

/**
 * run_workplace_take - makes the folders of work_dir and locks it, ends what a killed runner left
 * running and puts back what it had tuned, and finds what code under test can be held with.
 * node  gets its control group, private_places and volumes
 * Returns false with RUN_ERROR_NODE: another runner works there, or a folder cannot be made.
 */
bool run_workplace_take(run_node *node, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_workplace_empty_checkouts - removes those of jobs whose spool was lost: nobody else would.
 * What cannot be removed is logged; it is no reason not to work. */
void run_workplace_empty_checkouts(const run_node *node);
