#pragma once
/*
 * line - a straight line through points that may be known with different precision, such as a
 * portion over recursion depth.
 *
 * Weighted least squares, as R's lm(y ~ x, weights = w): a weight says how much surer a point is
 * than the others, and the scatter around the line says how sure the line is. No allocation, O(n).
 */
#include <stddef.h>

#include "detector/statistics/interval.h"
#include "detector/statistics/status.h"

typedef struct {
    det_interval slope; /* in units of y per unit of x; low and high are NaN with two points */
    det_interval start; /* y at x = 0, likewise */
    double r_squared;   /* weighted share of y's scatter that the line explains, 0 … 1; NaN: y has
                           none */
} det_line;

/**
 * det_line_fit - the line through n points.
 * x, y    [n] finite, not modified; x has at least two different values
 * weight  [n] above 0 and finite, such as 1 / variance; NULL: all alike
 * level   0 < level < 1: of the intervals, Student's t with n - 2 degrees of freedom
 * Returns DET_OK | DET_ESHORT (n < 2, or all at one x) | DET_EINVAL (level) | DET_ENUMERIC (not
 * finite, or a weight that is not positive and finite). out is written only on DET_OK.
 */
det_status det_line_fit(det_line *out, const double *x, const double *y, const double *weight,
                        size_t n, double level);
