#pragma once
/*
 * reader - MooBench raw files from disk to exact statistics, as fast as memory allows.
 *
 * Same format, same errors and same numbers as raw.h and stats.h, but with mmap, threads and vector
 * instructions, and without keeping the calls: every whole number of nanoseconds is counted.
 * Memory: 16 MiB of counters a thread at most, of which only the values that occur are touched,
 * 8 bytes for each call of more than 4 ms, and of the file itself 8 MiB a thread (its pages in the
 * cache). Only numbers of sixteen digits and more make it keep the calls, as raw.h does.
 * A file must not be changed while it is read.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/reader/raw.h"
#include "detector/statistics/stats.h"

typedef struct {
    uint64_t warmup_calls; /* of each thread, or DET_RAW_WARMUP_HALF */
    size_t calls_max;      /* lines of a file accepted, as raw.h's, 2^32 - 1 at most */
    double bin_ns;         /* throughput bins, a million at most; 0: none */
    unsigned threads;      /* of ours; 0: one for each processor, at most one for each file */
    /* Told once for each file that was read, from any thread, two at once: how often every value of
     * the calls kept occurs, [dense_count] for the small ones, the others one by one. NULL: not. */
    void (*counted)(size_t file, const uint32_t *dense, size_t dense_count, const uint64_t *large,
                    size_t large_count, void *user);
    void *user;
} det_reader_options;

typedef struct {
    det_status status;
    det_raw_error error; /* unless DET_OK; line 0: the file itself, e.g. not to be opened */
    det_summary summary; /* calls after warm-up, ns */
    size_t warmup_calls; /* dropped */
    unsigned threads;    /* thread ids in the file */
    int columns;
    uint64_t *bins; /* calls after warm-up in each full bin; owned, freed by _clear */
    size_t bins_count;
} det_reader_result;

/**
 * det_reader_files - read files at once.
 * out  [count] one result a file, also when it failed
 * Returns DET_OK when all were read, else the first failure by order of the files.
 */
det_status det_reader_files(det_reader_result *out, const char *const *paths, size_t count,
                            const det_reader_options *options);

/** det_reader_bytes - the same for bytes in memory. */
det_status det_reader_bytes(det_reader_result *out, const void *bytes, size_t size,
                            const det_reader_options *options);

void det_reader_result_clear(det_reader_result *result);
