#pragma once
/*
 * robust - where most loops of one commit lie, and how surely.
 *
 * A trimmed mean (detector/statistics/interval.h). Cut evenly, a tenth of the loops at each end. Or
 * what is above the fastest half, or quarter, and the fastest fifth of that part: loops that a busy
 * host slowed lie above the others, and may be most.
 */
#include "detector/watch/confirm.h"
#include "detector/words/text__.h"

#include <stddef.h>

typedef struct {
    double mean, variance; /* of the mean */
    double squares;        /* sum of variance^2 / df over its parts, for Welch's df */
} det__robust;

/* All but the ends count, or the fastest one of so many parts. */
typedef enum { DET__CUT_EVENLY = 0, DET__CUT_HALF = 2, DET__CUT_QUARTER = 4 } det__cut;

/* All take loops in ascending order. */

/* det__robust_kept - of [n] loops [low, high) is kept; variance and squares are NaN when that is
 * one loop. */
det__robust det__robust_kept(const double *sorted, size_t n, size_t low, size_t high);

det__robust det__robust_of(const double *sorted, size_t n, det__cut cut);

/* det__robust_alike - do both scatter alike about their fastest parts? By the largest gap between
 * their distributions (Kolmogorov and Smirnov), where nothing counts that lies within three
 * standard errors of where these parts are: of pairs that are alike one in ten is not called so,
 * and of 320 loops or more one in a hundred. A gap of a tenth of the loops is none: an even cut
 * leaves these out as well. */
int det__robust_alike(const double *a, const double *b, size_t n, det__cut cut);

/* det__robust_minus - a difference of two that were measured apart. */
det__robust det__robust_minus(det__robust a, det__robust b);

/* det__sequential_times - half width, in standard errors, of the interval that holds the truth at
 * all looks at once with 1 - alpha (Robbins 1970); now after n loops. */
double det__sequential_times(double alpha, size_t n, double df);

/* det__put_loops - ", 53 loops of each commit in turn (35 of its parent)", and which of them count;
 * fastest: see det_confirm_result. */
void det__put_loops(det__line *line, const det_confirm_sample *sample, int fastest);
