#pragma once
/*
 * allocate - which configurations to measure more often, from what they showed so far.
 *
 * A portion's variance is that of its configuration's mean plus that of its parent's. With n
 * processes of each configuration at a cost, the sum over all portions of (half width / value)^2 is
 * least for n in proportion to sqrt(weight * variance / cost), the weight being the sum of
 * 1 / value^2 over the portions that a configuration is part of: Neyman's allocation (1934), for
 * differences. The root's own portion is the control: it counts only where there is no other.
 *
 * It never looks at what the means say of a change. Of normal values mean and variance are
 * independent, so the variances do not shift the means it leads to; but the weights use the means
 * so far, which does, a little: by some 0.8 % of a portion that the first rounds know to 20 %, by
 * 0.05 % of one they know to 5 %. How often the intervals cover then: docs/statistics.md. Memory:
 * none.
 */
#include <stddef.h>

#include "detector/statistics/status.h"

/* A configuration as it was measured so far. */
typedef struct {
    int parent;      /* its place, before its own; -1: the root */
    double mean;     /* of its processes' means */
    double variance; /* of them */
    double cost_s;   /* of a process, with what is waited for it */
} det_allocate_leg;

/**
 * det_allocate_weights - of each configuration's variance: the sum of 1 / value^2 of the portions
 * that it is part of. weight  out [count]
 */
void det_allocate_weights(const det_allocate_leg *leg, size_t count, double *weight);

/**
 * det_allocate_shares - of the processes to come.
 * share  out [count], sum 1; equal where nothing varies
 * Returns DET_OK | DET_EINVAL (count 0, a parent not before its child, cost or variance negative) |
 * DET_ENUMERIC (not finite). A cost of 0 is taken as a millionth of the dearest.
 */
det_status det_allocate_shares(const det_allocate_leg *leg, size_t count, double *share);

/**
 * det_allocate_block - shares as whole processes: at least one of each configuration, so that all
 * of them are spread over the same time.
 *
 * left_s  of the night's time; a block takes a third of it, so that what it shows is of use, or two
 *         rounds where there is as much, so that one of each is not all that it holds
 *
 * runs    out [count]
 */
void det_allocate_block(const det_allocate_leg *leg, const double *share, size_t count,
                        double left_s, unsigned *runs);
