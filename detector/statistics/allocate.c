#include "detector/statistics/allocate.h"

#include <math.h>

#define COST_LEAST 1e-6 /* of the dearest */
/* A portion smaller than this share of the largest one is known well enough with that one's
   interval: one near 0 would take all the time there is. */
#define VALUE_LEAST 0.01
#define MOST 12u   /* processes of the one that needs most, in a block */
#define BLOCKS 3.0 /* a block takes one in so many of the seconds that are left, */
#define ROUNDS 2.0 /* or so many rounds, where there is as much time */

static det_status check(const det_allocate_leg *leg, size_t count) {
    if (count == 0)
        return DET_EINVAL;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(leg[i].mean) || !isfinite(leg[i].variance) || !isfinite(leg[i].cost_s))
            return DET_ENUMERIC;
        if (leg[i].variance < 0 || leg[i].cost_s < 0 || leg[i].parent < -1 ||
            leg[i].parent >= (int)i)
            return DET_EINVAL;
    }
    return DET_OK;
}

static double portion_of(const det_allocate_leg *leg, size_t i) {
    return fabs(leg[i].mean - (leg[i].parent >= 0 ? leg[leg[i].parent].mean : 0));
}

/* Is the portion one of those whose intervals are to shrink? */
static int counts(const det_allocate_leg *leg, size_t count, size_t i) {
    return leg[i].parent >= 0 || count == 1;
}

static double least_value(const det_allocate_leg *leg, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(leg, count, i))
            most = fmax(most, portion_of(leg, i));
    return VALUE_LEAST * most;
}

/* Sum of 1 / value^2 of the portions that i is part of. */
static double weight_of(const det_allocate_leg *leg, size_t count, size_t i, double least) {
    double weight = 0;
    for (size_t p = 0; p < count; p++)
        if (counts(leg, count, p) && (p == i || leg[p].parent == (int)i)) {
            const double value = fmax(portion_of(leg, p), least);
            weight += value > 0 ? 1 / (value * value) : 1;
        }
    return weight;
}

void det_allocate_weights(const det_allocate_leg *leg, size_t count, double *weight) {
    const double least = least_value(leg, count);
    for (size_t i = 0; i < count; i++)
        weight[i] = weight_of(leg, count, i, least);
}

det_status det_allocate_shares(const det_allocate_leg *leg, size_t count, double *share) {
    const det_status status = check(leg, count);
    if (status != DET_OK)
        return status;
    double dearest = 0, sum = 0;
    det_allocate_weights(leg, count, share);
    for (size_t i = 0; i < count; i++)
        dearest = fmax(dearest, leg[i].cost_s);
    const double cheapest = dearest > 0 ? COST_LEAST * dearest : 1;
    for (size_t i = 0; i < count; i++)
        sum += share[i] = sqrt(share[i] * leg[i].variance / fmax(leg[i].cost_s, cheapest));
    for (size_t i = 0; i < count; i++)
        share[i] = sum > 0 ? share[i] / sum : 1 / (double)count;
    return DET_OK;
}

static double round_runs(const det_allocate_leg *leg, const double *share, size_t count,
                         unsigned most, unsigned *runs) {
    double largest = 0, cost_s = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, share[i]);
    for (size_t i = 0; i < count; i++) {
        runs[i] = largest > 0 ? (unsigned)fmax(round(most * share[i] / largest), 1) : 1;
        cost_s += runs[i] * leg[i].cost_s;
    }
    return cost_s;
}

void det_allocate_block(const det_allocate_leg *leg, const double *share, size_t count,
                        double left_s, unsigned *runs) {
    double round_s = 0;
    unsigned most = MOST;
    for (size_t i = 0; i < count; i++)
        round_s += leg[i].cost_s;
    const double rounds_s = ROUNDS * round_s,
                 limit_s = fmax(left_s / BLOCKS, left_s >= rounds_s ? rounds_s : 0);
    while (round_runs(leg, share, count, most, runs) > limit_s && most > 1)
        most--;
}
