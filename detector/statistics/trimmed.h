#pragma once
/*
 * trimmed - the mean of what is left of values whose ends are cut off, and how surely.
 *
 * A trimmed mean with the variance of winsorized values: Tukey and McLaughlin 1963; Yuen 1974.
 */
#include <stddef.h>

typedef struct {
    double mean;
    double variance; /* of the mean; NaN where one value is kept */
    double df;
} det_trimmed;

/* det_trimmed_of - of [n] ascending values, [low, high) is kept, one at least. */
det_trimmed det_trimmed_of(const double *sorted, size_t n, size_t low, size_t high);
