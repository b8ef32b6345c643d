#pragma once
/*
 * stats - what a set of measured values says, exactly.
 *
 * Error bound: mean and sd are compensated sums in two passes, within 2 ulp of the exact value for
 * any order of the input; quantiles are exact (type 7, as R's default). Memory: two copies of x.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detector/statistics/status.h"

/*
 * The statistics of a summary, each with what det_summary_member says of it. Whoever computes,
 * writes, reads, stores or shows a summary goes through them, so that a new one is a row here.
 */
/* clang-format off */
#define DET_SUMMARY_ROWS(row)                                                                      \
    row(mean, "mean", NAN, 1, false)                                                               \
    row(sd, "sd", NAN, 2, false) /* n-1 in the denominator */                                      \
    row(min, "min", 0, 1, false)                                                                   \
    row(q1, "25 %", 0.25, 2, false)                                                                \
    row(median, "50 %", 0.5, 1, false)                                                             \
    row(q3, "75 %", 0.75, 2, false)                                                                \
    row(p99, "99 %", 0.99, 1000, true)                                                             \
    row(p99_9, "99.9 %", 0.999, 10000, true)                                                       \
    row(max, "max", 1, 1, false)
#define DET__FIELD(member, ...) double member;
/* clang-format on */

typedef struct {
    size_t n;
    DET_SUMMARY_ROWS(DET__FIELD)
} det_summary;

typedef struct {
    const char *key;   /* its name and unit wherever it is written: "q1_ns" */
    const char *label; /* heads a column of tables: "25 %" */
    double
        probability; /* of a quantile, 0 to 1, rising from row to row; NAN: it is not a quantile */
    size_t least;    /* values that it takes; of fewer it is unknown */
    bool optional;   /* runners before it do not tell it */
    size_t offset;   /* of its double in det_summary */
} det_summary_member;

#define DET_SUMMARY_MEMBERS ((sizeof(det_summary) - sizeof(size_t)) / sizeof(double))
extern const det_summary_member det_summary_members[DET_SUMMARY_MEMBERS];

/* det_summary_find - by its key; NULL: there is none. */
const det_summary_member *det_summary_find(const char *key);

/* det_summary_knows - do n values know it? One alone does not scatter. The 99th percentile takes
 * 1,000, the 99.9th ten times as many, so that ten lie beyond; else it is nearly the longest. n 0:
 * nobody said of how many it is, and it is believed. */
bool det_summary_knows(const det_summary_member *member, size_t n);

/* det_summary_unknown - no call, and every statistic NAN. */
det_summary det_summary_unknown(void);

/* det_summary_get - the value of a statistic in a summary. */
double det_summary_get(const det_summary *summary, const det_summary_member *member);

/* det_summary_set - gives it another one. */
void det_summary_set(det_summary *summary, const det_summary_member *member, double value);

/**
 * det_summary_of - mean, standard deviation and seven quantiles; NAN those that n does not know.
 * out  in the unit of x; written only on DET_OK
 * x    [n] finite, not modified
 * Returns DET_OK | DET_ESHORT (n < 1) | DET_ENUMERIC | DET_ENOMEM. Thread-safe, O(n).
 * Quantiles: Hyndman and Fan 1996, type 7.
 */
det_status det_summary_of(det_summary *out, const double *x, size_t n);

/**
 * det_mean_of - mean and standard deviation only.
 * mean, sd  written only on DET_OK; sd is NAN for n = 1; either may be NULL
 * Returns DET_OK | DET_ESHORT (n < 1) | DET_ENUMERIC. Thread-safe, O(n), no allocation.
 */
det_status det_mean_of(double *mean, double *sd, const double *x, size_t n);

/**
 * det_quantile_sorted - type 7 quantile.
 * x [n] ascending, n >= 1; 0 <= p <= 1. No check is made: the caller sorted it.
 */
double det_quantile_sorted(const double *x, size_t n, double p);

/* det_sort - ascending, in place; all are finite. det_median - type 7, n >= 1; sorts x. */
void det_sort(double *x, size_t n);
double det_median(double *x, size_t n);

/**
 * det_throughput_bins - calls that ended in each full second (or other bin) of one thread.
 * Time is the running sum of the response times: the raw format has no time stamps.
 * bins   [capacity] calls per bin; NULL with capacity 0 just counts
 * count  number of full bins there are, which may be more than capacity; the last, unfinished bin
 *        is not among them
 * ns     [n] response times in the order of the calls
 * Returns DET_OK | DET_EINVAL (bin_ns <= 0) | DET_ENUMERIC (negative or not finite).
 */
det_status det_throughput_bins(uint64_t *bins, size_t capacity, size_t *count, const double *ns,
                               size_t n, double bin_ns);
