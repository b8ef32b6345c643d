#pragma once
/*
 * harvest - what a benchmark process left, told as a loop; each driver its way.
 */
#include "runner/job/job.h"
#include "runner/loop/loop.h"
#include "runner/process/process.h"

typedef struct {
    const char *checkout;
    const char *folder;             /* ours: the untrusted program cannot write into it */
    const char *out;                /* its own, below folder */
    const char *raw;                /* native, java: the raw file that it was told to write */
    uint64_t bytes_max;             /* of a raw file */
    const char *keep;               /* where a raw file is packed while it is read */
    const run_process_spec *reader; /* moobench: who parses results.yaml; NULL: nobody */
} run_harvest_places;

#define RUN_HARVEST_RAW "raw.csv"   /* in out: what the harness writes */
#define RUN_HARVEST_RESULT "result" /* in out: {result} of driver command */
#define RUN_HARVEST_LOG "log"       /* in folder: what was printed */

/**
 * run_harvest - sets calls, warmup_calls, summary and calls_per_second of a loop.
 * kept  out: the packed raw file, to be ended or dropped; NULL: this driver has none
 * Returns false with RUN_ERROR_JOB (the loop has failed, and why) or RUN_ERROR_NODE.
 */
bool run_harvest(const run_job *job, unsigned configuration, const run_harvest_places *at,
                 run_loop *loop, run_durable_pack **kept, GError **error) G_GNUC_WARN_UNUSED_RESULT;
