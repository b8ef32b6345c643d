#pragma once
/*
 * interval - confidence intervals of means and of differences of means.
 *
 * The sample is a set of fresh-process means, never the calls of one process.
 * Error bound: 1e-12 relative against R's t.test.
 */
#include "detector/statistics/status.h"

#include <stddef.h>

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
 * det_interval_between - b - a of two independent estimates, of their intervals of that level and
 * their degrees of freedom: Welch's, also where an estimate is itself a difference.
 * Returns DET_OK | DET_EINVAL: one has no interval, or no degrees of freedom.
 */
det_status det_interval_between(det_interval *out, const det_interval *a, const det_interval *b,
                                double level);

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

/*
 * sequence - intervals that stay right however often they are looked at.
 *
 * Stopping as soon as Student's interval looks narrow picks the moments where it is too narrow. A
 * confidence sequence covers the mean at all sample sizes at once with the given probability, so a
 * measurement may be looked at after every round and stopped at any of them. The price is width:
 * 1.7 times Student's at 10 rounds, 1.6 times at 30.
 *
 * Exact for normal values with unknown variance. Memory: none.
 */

/**
 * det_sequence_mean - the confidence sequence of the mean at its n-th value.
 * out    low and high are infinite where n is too small to say anything (n = 2, 3 at 95 %)
 * x      [n] values in the order they came, finite, not modified
 * level  0 < level < 1, e.g. 0.95: of all n together
 * Returns DET_OK | DET_ESHORT (n < 2) | DET_EINVAL | DET_ENUMERIC. Thread-safe, no allocation.
 * The mixture of t likelihood ratios with a normal prior on mean / sd, inverted. Source: Wang and
 * Ramdas 2025, Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
 * variance, Sequential Analysis 44; Lai 1976, On confidence sequences, Annals of Statistics 4.
 */
det_status det_sequence_mean(det_interval *out, const double *x, size_t n, double level);

/*
 * trimmed - the mean of what is left of values whose ends are cut off, and how surely.
 *
 * A trimmed mean with the variance of winsorized values: Tukey and McLaughlin 1963; Yuen 1974.
 */

typedef struct {
    double mean;
    double variance; /* of the mean; NaN where one value is kept */
    double df;
} det_trimmed;

/* det_trimmed_of - of [n] ascending values, [low, high) is kept, one at least. */
det_trimmed det_trimmed_of(const double *sorted, size_t n, size_t low, size_t high);
