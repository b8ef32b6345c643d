#pragma once
/*
 * groups - do the loops of one night fall into two groups?
 *
 * The best cut of a sorted sample into two, each with at least so many values: a single slow
 * process is no group. How good a cut one normal group would show by chance is known from
 * simulation (det_groups_clear; tests/unit/detector/statistics/test_groups.c repeats it).
 */
#include <stddef.h>

#include "detector/statistics/status.h"

typedef struct {
    double low, high;     /* mean of each group */
    size_t low_n, high_n; /* values in each */
    double ratio;         /* sum of squares between the groups, divided by that within */
} det_groups;

/**
 * det_groups_of - the cut that leaves least variance within.
 * sorted  [n] ascending and finite
 * least   values in each group, 1 or more
 * Returns DET_OK | DET_ESHORT (n < 2 least) | DET_EINVAL. Thread-safe, O(n), no allocation. All
 * values equal: ratio 0. Source: Engelman and Hartigan 1969, Percentage points of a test for
 * clusters, J. Am. Stat. Assoc. 64, 1647-1648.
 */
det_status det_groups_of(det_groups *out, const double *sorted, size_t n, size_t least);

/**
 * det_groups_clear - not 0: one normal group of so many values shows such a cut, with a quarter of
 * the values in each group, at most once in a thousand times. Never below 8 values.
 */
int det_groups_clear(const det_groups *groups);
