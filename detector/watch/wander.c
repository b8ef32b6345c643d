#include "detector/watch/wander__.h"

#include "detector/watch/outlier__.h"

#include <math.h>
#include <string.h>

#define SLOWEST 0.5       /* share of the given slow pace that is always there */
#define DRIFT_LEAST 1e-4  /* share of its level that the slowest machine drifts in a night, */
#define DRIFT_STEP 1.7    /* the next so many times as much: 0.4 % for the fastest */
#define DRIFT_PENALTY 0.6 /* log odds against each step, before anything was seen */
#define FORGET 0.985      /* a memory of about 70 nights */

/* Squares of the paces, in spreads. */
DET__INLINE void paces_of(det__lanes *square, double slow, double spread) {
    double drift = DRIFT_LEAST / spread;
    for (unsigned k = 0; k < DET__PACES; k++) {
        (*square)[k] = SLOWEST * SLOWEST * slow * slow + drift * drift;
        drift *= DRIFT_STEP;
    }
}

void det__wander_begin(det__pace *pace) {
    for (unsigned k = 0; k < DET__PACES; k++)
        pace->mean[k] = pace->variance[k] = NAN;
}

DET__WIDE void det__wander_night(det__pace *pace, double *score, double slow, double spread,
                                 double x, double noise) {
    det__lanes mean, variance, all, pace_square, plain, both, under, log;
    if (isnan(pace->mean[0])) {
        for (unsigned k = 0; k < DET__PACES; k++) {
            pace->mean[k] = x;
            pace->variance[k] = noise;
        }
        return;
    }
    memcpy(&mean, pace->mean, sizeof mean);
    memcpy(&variance, pace->variance, sizeof variance);
    memcpy(&all, score, sizeof all);
    paces_of(&pace_square, slow, spread);
    const det__lanes before = variance + pace_square * noise, total = before + noise;
    const det__lanes innovation = x - mean, square = innovation * innovation / total;
    det__mixture_of(&plain, &both, &under, &square);
    const det__lanes gain = before * plain / (total * both);
    const det__lanes density = both / under, ratio = density * density * noise / total;
    mean += gain * innovation;
    variance = before - gain * before;
    det__lanes_log(&log, &ratio);
    all = FORGET * all + 0.5 * log;
    memcpy(pace->mean, &mean, sizeof mean);
    memcpy(pace->variance, &variance, sizeof variance);
    memcpy(score, &all, sizeof all);
}

DET__WIDE double det__wander_of(const double *score, double slow, double spread) {
    det__lanes weight, square, above, below;
    double most = -INFINITY, sum = 0, squares = 0;
    for (unsigned k = 0; k < DET__PACES; k++) {
        weight[k] = score[k] - DRIFT_PENALTY * k;
        most = weight[k] > most ? weight[k] : most;
    }
    weight -= most;
    det__lanes_exp(&above, &below, &weight);
    weight = above / below;
    paces_of(&square, slow, spread);
    square *= weight;
    for (unsigned k = 0; k < DET__PACES; k++) {
        sum += weight[k];
        squares += square[k];
    }
    return sqrt(squares / sum);
}
