#pragma once
/*
 * interval - confidence intervals of means and of differences of means.
 *
 * The sample is a set of fresh-process means, never the calls of one process.
 * Error bound: 1e-12 relative against R's t.test.
 */
#include <stddef.h>

#include "detector/statistics/status.h"

typedef struct {
    double mean, low, high; /* low and high are NaN where n is too small for an interval */
    size_t n;               /* values (pairs) that went in; the smaller side of a Welch interval */
    double df;              /* degrees of freedom; 0 where there are none */
} det_interval;

/**
 * det_interval_mean - confidence interval of the mean.
 * out    in the unit of x; written only on DET_OK
 * x      [n] one mean per loop, finite, not modified
 * level  0 < level < 1, e.g. 0.95
 * Returns DET_OK | DET_ESHORT (n < 2) | DET_EINVAL | DET_ENUMERIC. Thread-safe, no allocation.
 * Student's t with n-1 degrees of freedom. Source: Georges et al. 2007, sec. 3.2.
 */
det_status det_interval_mean(det_interval *out, const double *x, size_t n, double level);

/**
 * det_interval_welch - interval of mean(b) - mean(a), unequal variances.
 * a, b  [na], [nb] independent samples, at least two values each
 * Returns as det_interval_mean. Welch 1947, Satterthwaite's degrees of freedom. Two constant
 * samples give an interval of width 0 with df = na + nb - 2.
 */
det_status det_interval_welch(det_interval *out, const double *a, size_t na, const double *b,
                              size_t nb, double level);

/**
 * det_interval_paired - interval of the mean of b[i] - a[i], i < n, n >= 2.
 * Returns as det_interval_mean.
 */
det_status det_interval_paired(det_interval *out, const double *a, const double *b, size_t n,
                               double level);

/**
 * det_interval_difference - of two independent intervals of one level: b - a.
 * out  df 0, n the smaller one. For sides whose sample is not known, only their interval
 * Returns DET_OK | DET_EINVAL: an interval is not finite. The half widths add up as squares: wider
 * than Welch's of the same samples by some percent where they are small.
 */
det_status det_interval_difference(det_interval *out, const det_interval *a, const det_interval *b);

/**
 * det_interval_ratio - of two independent intervals of one level: b / a.
 * out  df 0, n the smaller one. Good for intervals that are narrow beside their means
 * Returns DET_OK | DET_EINVAL: an interval is not finite, or reaches 0.
 * The relative half widths add up as squares (delta method on the logarithm).
 */
det_status det_interval_ratio(det_interval *out, const det_interval *a, const det_interval *b);

/** det_intervals_overlap - 1 when they share a value (CI overlap rule), 0 when not or on NaN. */
int det_intervals_overlap(const det_interval *a, const det_interval *b);
