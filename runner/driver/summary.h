#pragma once
/*
 * summary - a benchmark's raw file, read once: by the detector into a loop, and packed as it comes.
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
} run_summary_expected;

/* run_summary_open - a raw file that the benchmark made: a descriptor to close, or -1 with
 * RUN_ERROR_JOB: none, a link or a pipe, more than bytes_max. */
int run_summary_open(const char *path, uint64_t bytes_max, GError **error);

/**
 * run_summary_read - sets calls, warmup_calls, summary and calls_per_second of a loop. Full seconds
 * only; empty with several threads, whose calls have no common clock in the raw format. With one
 * thread and calls enough, readings gets "settled" and, when they had not, "not_settled_by" in
 * words (detector/statistics/warmup.h); with a column of collections "collections".
 * fd    of a regular file, at its beginning
 * path  where to pack it; NULL: nowhere
 * pack  out: all of it, to be ended or dropped by the caller; NULL on errors and without path
 * Returns false with RUN_ERROR_JOB ("raw file: …", line and column where known), RUN_ERROR_NODE
 * when it cannot be packed.
 */
bool run_summary_read(int fd, const run_summary_expected *expected, const char *path,
                      run_loop *loop, run_durable_pack **pack,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
