#pragma once
/*
 * outlier__ - how likely an innovation is when now and then a night is an outlier. Not installed.
 *
 * A mixture of the normal density and, with a small share, of a wide Cauchy tail: no single night
 * proves what a second does not bear out, however far it lies.
 */
#include "detector/watch/lanes__.h"

/* Shares and sizes seen in a public nightly history over a year (docs/detection.md). */
#define DET__OUTLIER_SHARE 0.006 /* of nights with an outlier in one configuration */
#define DET__OUTLIER_SCALE 5.0   /* of their Cauchy tail, in spreads */

/* sqrt(2/pi): Cauchy's constant in the normal's units */
#define DET__ROOT_2_PI 0.7978845608028654

/**
 * det__mixture_of - both densities, (1 - share) above / below and weight / tail, on one fraction.
 * square   of the innovation, in its variances
 * plain    the normal density's part of `both`
 * both     density times `under`
 */
DET__INLINE void det__mixture_of(det__lanes *plain, det__lanes *both, det__lanes *under,
                                 const det__lanes *square) {
    det__lanes above, below;
    const det__lanes half = -0.5 * *square;
    const det__lanes tail = DET__OUTLIER_SCALE * DET__OUTLIER_SCALE + *square;
    det__lanes_exp(&above, &below, &half);
    *plain = (1 - DET__OUTLIER_SHARE) * above * tail;
    *both = *plain + DET__OUTLIER_SHARE * DET__ROOT_2_PI * DET__OUTLIER_SCALE * below;
    *under = below * tail;
}
