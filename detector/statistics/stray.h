#pragma once
/*
 * stray - which loops of a configuration stand alone.
 *
 * A virtual machine that its host stops for some milliseconds sees no counter move, but one loop is
 * far from the others. Distance is measured from the median, in robust standard deviations
 * (1.4826 times the median absolute deviation), which a few far loops do not move. Few loops are
 * strays; many are a second kind of process and the benchmark's own: then none is a stray. At most
 * so many are as the robust mean of a night (watch.h) cuts off at one end: what is set aside here
 * would not have been seen by a verdict either.
 *
 * How often loops of one distribution are taken for strays: docs/statistics.md. Memory: one copy.
 */
#include <stddef.h>

#include "detector/statistics/status.h"

#define DET_STRAY_LOOPS_MIN 8u      /* fewer do not show what is usual */
#define DET_STRAY_DISTANCE 10.0     /* robust standard deviations, unless one says otherwise */
#define DET_STRAY_SPREAD_LEAST 1e-4 /* of the median: a standard deviation is at least that */

typedef struct {
    double center; /* median */
    double spread; /* robust standard deviation */
    size_t apart;  /* loops farther away than allowed */
    size_t most;   /* so many of them can be strays: with more, none is */
} det_strays;

/**
 * det_strays_of - how far the usual loops reach, and how many are beyond.
 * x         [n] one mean per loop, finite, not modified
 * distance  > 0, in robust standard deviations
 * Returns DET_OK | DET_ESHORT (n < DET_STRAY_LOOPS_MIN) | DET_EINVAL | DET_ENUMERIC | DET_ENOMEM.
 * Thread-safe, O(n log n). Source: Iglewicz and Hoaglin 1993, How to detect and handle outliers.
 */
det_status det_strays_of(det_strays *out, const double *x, size_t n, double distance);

/**
 * det_stray_distance - how far x is from the others, in robust standard deviations.
 * Returns 0 when it is not a stray: not farther than distance, or one of too many.
 */
double det_stray_distance(const det_strays *strays, double x, double distance);
