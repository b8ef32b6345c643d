#include "tests/bench/detector/limit.h"

#include <math.h>

#include "detector/statistics/dist.h"

#define REFERENCE_NIGHTS 30.0

double limit_power(const history *h, const history_change *change, double nights, double z) {
    const double *before = h->level + (size_t)(change->night - 1) * HISTORY_CONFIGURATIONS;
    const double *after = h->level + (size_t)change->night * HISTORY_CONFIGURATIONS;
    double direct = 0, mixed = 0, common = 0;
    for (int c = 0; c < HISTORY_CONFIGURATIONS; c++) {
        const double relative =
            hypot(h->cv[c] / sqrt(HISTORY_LOOPS), h->night_effect[c]) * before[c];
        const double precision = 1 / (relative * relative), shift = after[c] - before[c];
        direct += shift * shift * precision;
        mixed += shift * before[c] * precision;
        common += before[c] * before[c] * precision;
    }
    /* Sherman and Morrison: noise of each configuration, and one factor common to all. */
    const double factor = h->common * h->common;
    const double square = direct - factor * mixed * mixed / (1 + factor * common);
    const double mean = sqrt(fmax(square, 0) / (1 / nights + 1 / REFERENCE_NIGHTS));
    return det_normal_cdf(mean - z);
}
