#pragma once
/*
 * plan - how many calls a process and how many processes tell the most for the time they take.
 *
 * The mean of a process has the variance between + within / calls. Where starting and warming up a
 * process costs as much as some of its calls, there is a best number of calls, whatever the time
 * there is (Kalibera and Jones 2013, section 9); which configuration gets how many processes is
 * Neyman's allocation (1934) with costs (allocate.h). Units: those of the means, squared for
 * variances; seconds.
 */
#include <stddef.h>

#include "detector/statistics/status.h"

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
