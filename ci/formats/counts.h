#pragma once
/*
 * counts - how often each whole number of nanoseconds was measured.
 *
 * Exact: nothing is rounded into classes. Most response times are small, so the small ones are
 * counted in an array and only the others are kept one by one. Memory: 512 KiB and 8 bytes for each
 * value of COUNTS_DENSE ns or more.
 */
#include "detector/detector.h"

#include <glib.h>
#include <stdint.h>

#define CI_COUNTS_DENSE 65536u

typedef struct ci_counts ci_counts;

ci_counts *ci_counts_new(void);
void ci_counts_free(ci_counts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_counts, ci_counts_free)

/** ci_counts_add - values [n] in ns, whole numbers below 2^53. */
void ci_counts_add(ci_counts *counts, const double *ns, size_t n);

/** ci_counts_merge - add what more holds; more stays as it is. */
void ci_counts_merge(ci_counts *counts, const ci_counts *more);

/**
 * ci_counts_summary - the same figures as det_summary_of over all values added.
 * Returns DET_OK | DET_ESHORT (nothing was added). Not thread-safe: sorts what is kept one by one.
 */
det_status ci_counts_summary(ci_counts *counts, det_summary *out);
