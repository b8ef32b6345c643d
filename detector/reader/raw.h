#pragma once
/*
 * raw - MooBench's raw result file, read as it comes.
 *
 * A line is `thread;ns` (older) or `thread;ns;heap;collections` (today), all of them whole numbers
 * without sign, each line ended by \n, no header. Anything else is an error with line and column,
 * never a number. Memory: 8 bytes a call, bounded by calls_max.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/statistics/status.h"

#define DET_RAW_WARMUP_HALF UINT64_MAX /* drop the first half of each thread's calls */
#define DET_RAW_CALLS_DEFAULT ((size_t)1000000000)
#define DET_RAW_THREADS_MAX 1024u           /* distinct thread ids; more is not a MooBench file */
#define DET_RAW_VALUE_MAX 9007199254740992u /* 2^53: what a double holds exactly */

typedef struct {
    uint64_t warmup_calls; /* dropped from the front of each thread, or DET_RAW_WARMUP_HALF */
    size_t calls_max;      /* lines accepted, warm-up included; 0: DET_RAW_CALLS_DEFAULT */
} det_raw_options;

typedef struct {
    size_t calls;        /* kept, after warm-up */
    size_t warmup_calls; /* dropped */
    size_t threads;      /* distinct thread ids */
    int columns;         /* 2 or 4 */
    const double *ns;    /* [calls], in the order of the file */
    double first_ns;     /* of the first call of the file, warm-up or not */
    double collected;    /* between the first and the last call kept; NAN: not one thread, or
                            not told */
} det_raw_result;

typedef struct {
    uint64_t line, column; /* from 1; column counts bytes */
    char text[160];        /* one sentence: what was found and what was expected */
} det_raw_error;

typedef struct det_raw det_raw;

/** det_raw_new - a reader; free with det_raw_free. NULL: no memory. options NULL: warm-up half. */
det_raw *det_raw_new(const det_raw_options *options);
void det_raw_free(det_raw *raw);

/**
 * det_raw_feed - the next bytes of the file, cut anywhere.
 * error  written unless DET_OK; may be NULL
 * Returns DET_OK | DET_ESYNTAX | DET_ENOMEM. After an error every later call returns the same.
 */
det_status det_raw_feed(det_raw *raw, const void *bytes, size_t size, det_raw_error *error);

/**
 * det_raw_finish - the end of the file.
 * out  borrowed from raw; written only on DET_OK
 * Returns DET_OK | DET_ESYNTAX (last line not ended) | DET_ESHORT (no call left after warm-up) |
 * DET_ENOMEM. Thread-safe over different readers. To be called once.
 */
det_status det_raw_finish(det_raw *raw, det_raw_result *out, det_raw_error *error);
