#pragma once
/*
 * robust - where most loops of one commit lie, and how surely.
 *
 * A trimmed mean with the variance of winsorized values (Tukey and McLaughlin 1963; Yuen 1974). Cut
 * evenly, a tenth of the loops at each end. Or the faster half: a tenth below and half above. Loops
 * that a busy host held up lie above the others, and a tenth does not hold them all.
 */
#include <stddef.h>

#include "detector/statistics/status.h"

typedef struct {
    double mean, variance; /* of the mean */
    double squares;        /* sum of variance^2 / df over its parts, for Welch's df */
} det__robust;

typedef enum { DET__CUT_EVENLY, DET__CUT_SLOWER } det__cut;

/* det__robust_kept - sorted [n], of which [low, high) is kept; variance and squares are NaN when
 * that is one value. */
det__robust det__robust_kept(const double *sorted, size_t n, size_t low, size_t high);

/* det__robust_of - x [n], n >= 3, is left as it is. DET_OK | DET_ENUMERIC (not finite) |
 * DET_ENOMEM. */
det_status det__robust_of(det__robust *out, const double *x, size_t n, det__cut cut);

/* det__robust_alike - do both scatter alike about their faster halves? By the largest gap between
 * their distributions (Kolmogorov and Smirnov): one pair in four that is alike is not called so,
 * and more loops must tell. A gap of a tenth of the loops is none: an even cut leaves these out as
 * well. alike: out. Returns as det__robust_of. */
det_status det__robust_alike(int *alike, const double *a, const double *b, size_t n);

/* det__robust_minus - a difference of two that were measured apart. */
det__robust det__robust_minus(det__robust a, det__robust b);
