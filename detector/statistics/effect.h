#pragma once
/*
 * effect - how large a difference is, how small a one could have been seen, and how cost grows.
 *
 * Error bound: 1e-12 relative against R, where R has the statistic.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/statistics/interval.h"
#include "detector/statistics/status.h"

typedef struct {
    double cohen_d;  /* difference of means (b - a) in pooled standard deviations */
    double hedges_g; /* the same without the small-sample bias */
    double superior; /* chance that a value of b is above one of a, ties half (Vargha, Delaney A) */
} det_effect;

/**
 * det_effect_of - sizes of the difference between two samples.
 * a, b  [na], [nb] finite, at least two values each
 * Returns DET_OK | DET_ESHORT | DET_ENUMERIC (also: no spread at all). O(na nb), no allocation.
 * Sources: Hedges 1981 (exact factor by the gamma function); Vargha and Delaney 2000.
 */
det_status det_effect_of(det_effect *out, const double *a, size_t na, const double *b, size_t nb);

/**
 * det_detectable - the smallest true difference that a Welch test would see.
 * out    in the unit of the standard deviations
 * sd_a, sd_b, na, nb  of the two samples; alpha two-sided; power e.g. 0.8
 * (t(1 - alpha/2) + t(power)) standard errors with Satterthwaite's degrees of freedom, which is
 * within 2 % of the exact noncentral answer from 5 values on.
 * Returns DET_OK | DET_EINVAL | DET_ESHORT (n < 2).
 */
det_status det_detectable(double *out, double sd_a, size_t na, double sd_b, size_t nb, double alpha,
                          double power);

typedef struct {
    det_interval intercept, slope; /* mean: the estimate */
    double r_squared;
} det_fit;

/**
 * det_fit_line - least squares y = intercept + slope x, for sweeps over recursion depth.
 * x, y  [n] finite, n >= 3, not all x alike
 * Returns DET_OK | DET_ESHORT | DET_EINVAL (level) | DET_ENUMERIC.
 */
det_status det_fit_line(det_fit *out, const double *x, const double *y, size_t n, double level);

typedef double (*det_statistic)(const double *sorted, size_t n, void *user);

/* How a sample is drawn again and again. */
typedef struct {
    det_statistic statistic; /* of a sorted resample */
    void *user;              /* handed to it */
    unsigned rounds;         /* e.g. 2000, at least 100 */
    uint64_t seed;           /* the same seed gives the same interval */
} det_resampling;

/**
 * det_bootstrap - percentile interval of any statistic of one sample (Efron 1979).
 * For medians and quartiles of loops, where normal theory fails; from 10 values on, below that it
 * is too narrow. The mean of loops is better served by Student's t.
 * x      [n] finite, not modified
 * level  0 < level < 1
 * Returns DET_OK | DET_EINVAL | DET_ESHORT (n < 2) | DET_ENUMERIC | DET_ENOMEM.
 */
det_status det_bootstrap(det_interval *out, const double *x, size_t n,
                         const det_resampling *resampling, double level);

/** det_statistic_quantile - for det_bootstrap; user: const double *, the quantile's p. */
double det_statistic_quantile(const double *sorted, size_t n, void *user);
