#include "detector/statistics/plan.h"

#include "detector/statistics/dist.h"
#include "detector/statistics/interval.h"
#include "detector/statistics/stats.h"

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

/* Of what processes vary by, at least so much is between them. Eight processes cannot rule that
   out, and a plan of very long processes, which believes them, loses much where it is so. */
#define BETWEEN_LEAST 0.2

det_status det_components_of(det_components *out, const double *mean, const double *sd,
                             size_t processes, double calls) {
    double sum = 0, within = 0, squares = 0;
    if (processes < 2)
        return DET_ESHORT;
    if (!(calls >= 1))
        return DET_EINVAL;
    for (size_t i = 0; i < processes; i++) {
        if (!isfinite(mean[i]) || !isfinite(sd[i]))
            return DET_ENUMERIC;
        if (sd[i] < 0)
            return DET_EINVAL;
        sum += mean[i];
        within += sd[i] * sd[i];
    }
    const double n = (double)processes;
    for (size_t i = 0; i < processes; i++)
        squares += (mean[i] - sum / n) * (mean[i] - sum / n);
    *out = (det_components){.mean = sum / n, .within = within / n};
    const double whole = squares / (n - 1);
    out->between = fmax(whole - out->within / calls, BETWEEN_LEAST * whole);
    return DET_OK;
}

/* Trimmed mean, and what a single value's variance would be were it that of a plain mean. */
static det_status trimmed_of(double *x, size_t n, double *mean, double *variance) {
    if (n < 2)
        return DET_ESHORT;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return DET_ENUMERIC;
    det_sort(x, n);
    const size_t cut = n >= 10 ? n / 10 : n >= 5 ? 1 : 0;
    const det_trimmed kept = det_trimmed_of(x, n, cut, n - cut);
    *mean = kept.mean;
    *variance = kept.variance * (double)n;
    return DET_OK;
}

det_status det_components_of_windows(det_components *out, double *short_mean, size_t shorts,
                                     double short_calls, double *long_mean, size_t longs,
                                     double long_calls) {
    double mean, of_short, of_long;
    if (!(short_calls >= 1) || !(long_calls > short_calls))
        return DET_EINVAL;
    det_status status = trimmed_of(short_mean, shorts, &mean, &of_short);
    if (status == DET_OK)
        status = trimmed_of(long_mean, longs, &mean, &of_long);
    if (status != DET_OK)
        return status;
    /* Of the two equations; of the first alone where the second leaves too little. */
    const double within = (of_short - of_long) / (1 / short_calls - 1 / long_calls),
                 between = of_long - fmax(within, 0) / long_calls, least = BETWEEN_LEAST * of_long;
    *out = (det_components){.mean = mean,
                            .between = fmax(between, least),
                            .within = between > least ? fmax(within, 0)
                                                      : fmax(of_short - least, 0) * short_calls};
    return DET_OK;
}

double det_plan_variance(const det_components *of, double calls) {
    return of->between + of->within / calls;
}

void det_plan_calls(const det_plan_leg *leg, size_t count, double *calls) {
    double between = 0, within = 0, start_s = 0, call_s = 0;
    for (size_t i = 0; i < count; i++) {
        const det_plan_leg *l = &leg[i];
        between += l->weight * l->varies.between;
        start_s += l->start_s;
        calls[i] = l->varies.within > 0 ? INFINITY : 0;
        if (l->call_s <= 0 || l->varies.within <= 0)
            continue;
        calls[i] = sqrt(l->weight * l->varies.within / l->call_s);
        within += l->weight * l->varies.within / calls[i];
        call_s += l->call_s * calls[i];
    }
    /* the least of (between + within / k) * (start_s + k * call_s) */
    const double k = sqrt(within * start_s) / sqrt(between * call_s);
    for (size_t i = 0; i < count; i++)
        calls[i] = calls[i] <= 0 ? 1 : isinf(calls[i]) ? INFINITY : fmax(calls[i] * k, 1);
}

double det_plan_detectable(double variance, double confidence, double power) {
    const double clear = -det_normal_quantile((1 - confidence) / 2);
    return (clear + det_normal_quantile(power)) * sqrt(2 * variance);
}
