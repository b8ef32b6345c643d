#pragma once
/*
 * plan - how many calls a process and how many processes tell the most for the time they take.
 *
 * The mean of a process has the variance between + within / calls. Where starting and warming up a
 * process costs as much as some of its calls, there is a best number of calls, whatever the time
 * there is (Kalibera and Jones 2013, section 9); which configuration gets how many processes is
 * Neyman's allocation (1934) with costs (below). Units: those of the means, squared for
 * variances; seconds.
 */
#include "detector/statistics/status.h"

#include <stddef.h>

/* What the processes of one configuration vary by. */
typedef struct {
    double mean;
    double between; /* variance of the processes' true means */
    double within;  /* variance of single calls in a process */
} det_components;

/**
 * det_components_of - from a pilot: the variance of the processes' means less what so many calls
 * explain, a fifth of it at least: few processes cannot rule that out.
 * mean, sd  [processes] of each process' calls; calls: how many each of them has
 * Returns DET_OK | DET_EINVAL (calls < 1, sd < 0) | DET_ESHORT (processes < 2) | DET_ENUMERIC.
 */
det_status det_components_of(det_components *out, const double *mean, const double *sd,
                             size_t processes, double calls);

/**
 * det_components_of_windows - from recorded calls: means of windows of so many calls, short ones
 * and long ones, of all processes. The variance of a window's mean is between + within / calls: two
 * lengths give both (between a fifth at least of what the long ones vary by), and calls that depend
 * on each other count as they do in windows of such lengths. A variance is n times that of the
 * trimmed mean (a tenth at each end, one value at least from five on; Yuen 1974), as nights are
 * judged by trimmed means: it is not large for what these leave out.
 *
 * short_mean, long_mean  [shorts], [longs] of windows of short_calls and of long_calls; sorted in
 *                        place
 *
 * Returns DET_OK | DET_EINVAL (short_calls < 1, long_calls <= short_calls) | DET_ESHORT (n < 2) |
 * DET_ENUMERIC.
 */
det_status det_components_of_windows(det_components *out, double *short_mean, size_t shorts,
                                     double short_calls, double *long_mean, size_t longs,
                                     double long_calls);

/* det_plan_variance - of the mean of one process with so many calls. */
double det_plan_variance(const det_components *of, double calls);

/* A configuration of a round, of which each has one process. */
typedef struct {
    det_components varies;
    double weight;          /* how many portions it is part of */
    double start_s, call_s; /* what a process costs without calls that count, and such a call */
} det_plan_leg;

/**
 * det_plan_calls - calls a process for the least sum of the portions' variances, times the time of
 * a round. Of one configuration: sqrt(start / call * within / between), as Kalibera and Jones have
 * it; of several the calls go to the noisiest and cheapest (Neyman), and the starts of all are
 * spread over them.
 * calls  out [count], 1 at least; INFINITY where processes do not differ or a call costs nothing
 */
void det_plan_calls(const det_plan_leg *leg, size_t count, double *calls);

/**
 * det_plan_detectable - the least change between two nights that is seen.
 * variance    of the portion's mean in one night
 * confidence  of the test, both sides; power: share of such changes that is seen
 */
double det_plan_detectable(double variance, double confidence, double power);

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
