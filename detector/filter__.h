#pragma once
/*
 * filter__ - a Gaussian belief about the levels of n configurations, updated night by night.
 *
 * A local-level model: levels wander a little, a night shows them with noise of its own, with a
 * small factor common to all, and now and then with an outlier: in one configuration, or common to
 * all. Outliers are part of the likelihood (a mixture with a Cauchy tail), so no single night can
 * prove a change that a second night does not bear out, however far it lies.
 */
#include <stddef.h>

#include "detector/portion.h"

/* A filter is so many doubles: mean [n], then covariance [n * n]. */
static inline size_t det__filter_size(size_t n) {
    return n + n * n;
}

typedef struct {
    double spread[DET_CONFIGURATIONS_MAX]; /* of a night, as a share of the level */
    double floor[DET_CONFIGURATIONS_MAX];  /* variance that this night has at least */
    double wander;                         /* share of the spread that a level moves in a night */
} det__noise;

/**
 * det__filter_night - take a night in.
 * x  [n] NaN: nothing known of this configuration
 * Returns the log of the predictive density, without constants that cancel between filters.
 */
double det__filter_night(double *filter, size_t n, const double *x, const det__noise *noise);

/** det__filter_open - forget along a direction: covariance += variance * direction direction'. */
void det__filter_open(double *filter, size_t n, const double *direction, double variance);
