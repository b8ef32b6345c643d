#pragma once
/*
 * beside - one process of a benchmark that is not measured: it runs under a profiler or a counter,
 * beside the loops that are.
 */
#include "runner/driver/driver.h"
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/measure/places.h"
#include "runner/measure/trees.h"

typedef struct {
    const run_node *node;
    const run_trees *trees; /* prepared */
    run_heartbeat *beat;
    const run_job *job;            /* as it is run: with as many calls as say something */
    unsigned which, configuration; /* commit, configuration of the job */
    run_places at;                 /* made and cleared by the caller */
    int64_t until_us;              /* monotonic: the process is ended then, but has a second */
    unsigned most_s;               /* of one process, whatever is left */
    bool fixed_addresses;
} run_beside;

/* The command that runs argv, taken over, under what is wanted; NULL with error. */
typedef GPtrArray *(*run_beside_wrap)(const void *data, const run_placeholder *values,
                                      GPtrArray *argv, GError **error);

/* run_beside_values, run_beside_spec - of the process, or of a helper that reads what it left.
 * Both borrow. */
run_placeholder run_beside_values(const run_beside *self);
run_process_spec run_beside_spec(const run_beside *self);

/**
 * run_beside_run - the process, with its configuration's receiver: without it it would not run.
 * result  how it ended, which is for the caller to judge; run_process_result_clear, also after
 * false Returns false with RUN_ERROR_JOB: the receiver cannot be opened; else wrap's or the
 * process' own.
 */
bool run_beside_run(const run_beside *self, run_beside_wrap wrap, const void *data,
                    run_process_result *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;
