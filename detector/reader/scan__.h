#pragma once
/*
 * scan__ - the bytes of a raw file to its calls, many bytes at a time.
 *
 * Only well-formed files are scanned to the end; whatever is odd ends the scan, and raw.h, which
 * reads byte by byte, says what and where it is.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/reader/counts__.h"
#include "detector/reader/raw.h"

#define SCAN_BINS_MAX                                                                              \
    ((size_t)1000000) /* 11 days of seconds; one damaged value must not fill memory */

#define SCAN_CHUNK ((size_t)4096) /* bytes that are checked at once */

typedef enum { SCAN_DONE, SCAN_ODD, SCAN_THREADS } scan_end; /* THREADS: several thread ids */

typedef enum {
    SCAN_ONE,   /* the file has one thread id; ends with SCAN_THREADS when it has not */
    SCAN_COUNT, /* only how many calls each thread made */
    SCAN_DROP   /* each thread's warm-up dropped */
} scan_mode;

typedef struct {
    uint64_t id, calls, skip;
    double now; /* ns that the thread has spent in kept calls */
} scan_thread;

/* A scan over slices of a file, each ending with a line. */
typedef struct {
    scan_mode mode;
    scan_thread *threads; /* [threads_count], at most DET_RAW_THREADS_MAX; the first: SCAN_ONE's */
    unsigned threads_count, thread;
    int columns;                      /* of the file; 0: not known yet */
    double bin_ns;                    /* 0: no bins */
    uint64_t *bins;                   /* [bins_capacity] */
    size_t bins_count, bins_capacity; /* bins_count: touched so far */
    double bin_end;                   /* SCAN_ONE: end of the bin under way, and the calls in it */
    uint64_t in_bin;
    int failed;     /* no memory */
    size_t id_size; /* SCAN_ONE: the id's digits */
    char id[16];
} scan;

/** scan_init, scan_clear - the caller's storage. False: no memory. */
int scan_init(scan *s, scan_mode mode, double bin_ns);
void scan_clear(scan *s);

/** scan_slice - whole lines of the file, in order. */
scan_end scan_slice(scan *s, reader__counts *counts, const char *bytes, size_t size);

/** scan_bin_touch - makes room for the bin and counts it as touched; 0: there is none. */
int scan_bin_touch(scan *s, size_t index);

/** scan_bin_call - SCAN_ONE with bins: one more call kept. */
void scan_bin_call(scan *s, uint64_t ns);

/** scan_fast_can - this processor, in this file, by scan_fast_lines; once the first line is
 * known. */
int scan_fast_can(const scan *s);

/**
 * scan_fast_lines - whole lines from a line's start on, as long as they are of the plainest kind.
 * Returns the bytes done. What is left begins with a chunk of SCAN_CHUNK bytes that needs a closer
 * look, or is near the end.
 */
size_t scan_fast_lines(scan *s, reader__counts *counts, const char *bytes, size_t size);

/** scan_full_bins - how many of the bins are full; bins is [that] at least. */
size_t scan_full_bins(scan *s);
