#pragma once
/*
 * harvest - what a benchmark process left, told as a loop; each driver its way.
 */
#include "config/config.h"
#include "runner/driver/values.h"
#include "runner/job/job.h"
#include "runner/loop/loop.h"
#include "runner/process/process.h"

typedef struct {
    const char *checkout;
    const char *folder;             /* ours: the untrusted program cannot write into it */
    const char *out;                /* its own, below folder */
    const char *raw;                /* native, java: the raw file that it was told to write */
    uint64_t bytes_max;             /* of a raw file */
    int64_t started_us;             /* of the process, CLOCK_MONOTONIC */
    const char *keep;               /* where a raw file is packed while it is read */
    const run_process_spec *reader; /* moobench: who parses results.yaml; NULL: nobody */
} run_harvest_places;

#define RUN_HARVEST_RAW "raw.csv"   /* in out: what the harness writes */
#define RUN_HARVEST_TOLD ".told"    /* behind these two: what a harness tells of its process */
#define RUN_HARVEST_RESULT "result" /* in out: {result} of driver command */
#define RUN_HARVEST_LOG "log"       /* in folder: what was printed */

/**
 * run_harvest - sets calls, warmup_calls, summary and calls_per_second of a loop.
 * kept  out: the packed raw file, to be ended or dropped; NULL: this driver has none
 * Returns false with RUN_ERROR_JOB (the loop has failed, and why) or RUN_ERROR_NODE.
 */
bool run_harvest(const run_job *job, unsigned configuration, const run_harvest_places *at,
                 run_loop *loop, run_durable_pack **kept, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * tool - the values in what a benchmark tool wrote (config/formats/), for the driver command.
 */

/**
 * run_tool_read - every value of every benchmark, by its name; where the tool tells a mean alone,
 * that mean. What a call allocated goes with them.
 * wanted  the configuration's own; NULL: there must be one. What the file has of it and what cannot
 * be used (it failed, it was skipped, it is no time) is an error; of another it is passed over.
 * Returns false with RUN_ERROR_JOB: not that tool's, not whole, several runs, as above.
 */
bool run_tool_read(const cfg_read *read, const char *wanted, const char *text, run_values *values,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
