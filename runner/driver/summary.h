#pragma once
/*
 * summary - a benchmark's raw file, read by the detector into a loop.
 */
#include "runner/loop/loop.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* What the file must hold, else the loop has failed. */
typedef struct {
    uint64_t calls;        /* lines, of all threads together */
    uint64_t warmup_calls; /* per thread */
    unsigned threads;
    uint64_t bytes_max;
} run_summary_expected;

/**
 * run_summary_read - sets calls, warmup_calls, summary and calls_per_second of a loop. Full seconds
 * only; empty with several threads, whose calls have no common clock in the raw format. With one
 * thread and calls enough, readings gets "settled" and, when they had not, "not_settled_by" in
 * words (detector/statistics/steady.h). Returns false with RUN_ERROR_JOB ("raw file: …", line and
 * column where known).
 */
bool run_summary_read(const char *path, const run_summary_expected *expected, run_loop *loop,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
