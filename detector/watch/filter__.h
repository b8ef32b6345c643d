#pragma once
/*
 * filter__ - Gaussian beliefs about the levels of n configurations, updated night by night.
 *
 * A local-level model: levels wander a little, a night shows them with noise of its own, with a
 * small factor common to all, and now and then with an outlier: in one configuration, or common to
 * all. Outliers are part of the likelihood (a mixture with a Cauchy tail), so no single night can
 * prove a change that a second night does not bear out, however far it lies.
 *
 * Many beliefs take in the same night, so they lie side by side, in blocks of DET__LANES: row by
 * row (the means, then the covariance's lower triangle) one number of each belief.
 */
#include "detector/statistics/portion.h"
#include "detector/watch/lanes__.h"

#include <stdbool.h>
#include <stddef.h>

#define DET__FILTER_MAX (DET_CONFIGURATIONS_MAX + DET_CONFIGURATIONS_MAX * DET_CONFIGURATIONS_MAX)

/* A belief by itself is so many doubles: mean [n], then covariance [n * n]. */
static inline size_t det__filter_size(size_t n) {
    return n + n * n;
}

/* Rows of a block. */
static inline size_t det__block_rows(size_t n) {
    return n + n * (n + 1) / 2;
}

/* Row of the covariance of i and k <= i. */
static inline size_t det__block_row(size_t n, size_t i, size_t k) {
    return n + i * (i + 1) / 2 + k;
}

/* Belief i in its block: row r lies r * DET__LANES further. */
static inline double *det__lane(double *blocks, size_t n, size_t i) {
    return blocks + i / DET__LANES * det__block_rows(n) * DET__LANES + i % DET__LANES;
}

typedef struct {
    double spread[DET_CONFIGURATIONS_MAX]; /* of a night, as a share of the level */
    double floor[DET_CONFIGURATIONS_MAX];  /* variance that this night has at least */
    double wander[DET_CONFIGURATIONS_MAX]; /* share of the spread that a level moves in a night */
} det__noise;

/**
 * det__filter_night - take a night into `count` beliefs.
 * blocks   aligned to a vector, whole blocks; lanes from count on may hold anything
 * x        [n] NaN: nothing known of this configuration. What was not seen before (mean NaN) is
 *          unknown to all beliefs.
 * density  [count rounded up to whole blocks, aligned] log of the predictive density, without
 *          constants that cancel between beliefs
 */
void det__filter_night(double *blocks, size_t count, size_t n, const double *x,
                       const det__noise *noise, double *density);

/** det__filter_open - forget along a direction: covariance += variance * direction direction'. */
void det__filter_open(double *filter, size_t n, const double *direction, double variance);

/** det__lane_put, _get - write a belief into a block's lane, read it. _copy: from lane to lane. */
void det__lane_put(double *blocks, size_t n, size_t i, const double *filter);
void det__lane_get(double *blocks, size_t n, size_t i, double *filter);
void det__lane_copy(double *blocks, size_t n, size_t to, size_t from);

/*
 * wander__ - how fast the levels of a series wander from night to night. Not installed.
 *
 * Some machines drift: a level that moves by half a night's spread each night is not a change of
 * code. Eight local-level filters a configuration, each assuming another pace, predict every night.
 * How well they did, forgetting slowly and summed over the configurations of the machine, weighs
 * them.
 */

#define DET__PACES DET__LANES

typedef struct {
    double mean[DET__PACES], variance[DET__PACES]; /* of the level, by pace; mean NaN: not begun */
} det__pace;

/** det__wander_begin - no level is known. */
void det__wander_begin(det__pace *pace);

/**
 * det__wander_night - take a night of one configuration in.
 * score  [DET__PACES] log of how well each pace predicted, updated
 * slow   slowest pace, in spreads a night
 * spread of a night, as a share of the level; noise: its variance, > 0
 */
void det__wander_night(det__pace *pace, double *score, double slow, double spread, double x,
                       double noise);

/**
 * det__wander_of - the pace to expect (root mean square), in spreads a night.
 * score  [DET__PACES] summed over configurations; all 0: nothing is known yet
 */
double det__wander_of(const double *score, double slow, double spread);
