#pragma once
/*
 * summary - a benchmark's raw file, read by the detector and told as the protocol's loop fields.
 */
#include <glib.h>
#include <jansson.h>
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
 * run_summary_read - sets "calls", "warmup_calls" (of all threads), "summary" and
 * "calls_per_second" in loop. Full seconds only; empty with several threads, whose calls have no
 * common clock in the raw format. With one thread and calls enough, "readings" gets "settled" and,
 * when they had not, "not_settled_by" in words (detector/statistics/steady.h).
 * Returns false with RUN_ERROR_JOB ("raw file: …", line and column where known).
 */
bool run_summary_read(const char *path, const run_summary_expected *expected, json_t *loop,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
