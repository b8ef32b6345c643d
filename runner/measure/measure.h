#pragma once
/*
 * measure - one experiment of a project's file on this machine, without a server.
 *
 * Progress goes to standard output as JSON lines with the keys of the protocol's progress call; a
 * measurement that fails ends it with {"reason", "log"}. The log goes to standard error.
 */
#include "runner/node/node.h"

typedef struct {
    const char *project;    /* file */
    const char *commit;     /* full id */
    const char *before;     /* measured in turn with commit, A B B A; NULL: commit alone */
    const char *repository; /* instead of the project's; NULL: that */
    unsigned loops;         /* instead of the project's, and of its budget; 0: that */
    const unsigned *rest_s; /* instead of the project's; NULL: that */
} run_measurement;

/**
 * run_measure - checkout, prepare, measure; the results are in node->results_dir then.
 * Returns the program's exit status: 0 measured, 1 failed or told to stop, 2 the project's file or
 * the commit is wrong.
 */
int run_measure(run_node *node, const run_measurement *what);
