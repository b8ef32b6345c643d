#pragma once
/* counts__ - how often each whole number was seen, and the exact statistics of that. */
#include "detector/statistics/stats.h"

#ifndef COUNTS_DENSE /* the fuzz preset makes it small: clearing it would be all that is done */
#define COUNTS_DENSE 4194304u /* 2^22 ns: longer calls are rare, or there is time to keep them */
#endif

typedef struct {
    uint32_t *dense; /* [COUNTS_DENSE] */
    uint64_t *large; /* the values beyond, in order of arrival */
    size_t large_count, large_capacity, calls;
    uint32_t top; /* highest dense value seen, plus 1 */
    int failed;   /* no memory, or a counter full */
} reader__counts;

det_status reader__counts_init(reader__counts *counts);
void reader__counts_clear(reader__counts *counts); /* free */
void reader__counts_reset(reader__counts *counts); /* to none, keeping the memory */
void reader__counts_add_large(reader__counts *counts, uint64_t value);

static inline void reader__counts_add(reader__counts *counts, uint64_t value) {
    counts->calls++;
    if (value < COUNTS_DENSE) {
        counts->dense[value]++;
        if (value >= counts->top)
            counts->top = (uint32_t)value + 1;
    } else {
        reader__counts_add_large(counts, value);
    }
}

/** reader__counts_summary - as det_summary_of over all values added. Sorts the large ones. */
det_status reader__counts_summary(reader__counts *counts, det_summary *out);
