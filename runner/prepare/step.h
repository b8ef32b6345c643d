#pragma once
/*
 * step - what every step on the way to a prepared tree is given: checkout, artifact, command.
 */
#include "runner/job/job.h"
#include "runner/node/node.h"

typedef struct {
    const run_node *node;
    const run_job *job;
    run_process_tick tick; /* as in run_process_spec */
    void *tick_data;
    char **log; /* out: head and tail of what a program that failed printed; g_free */
} run_prepare_step;
