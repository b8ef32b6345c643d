#include "tests/bench/detector/rival.h"

#include <math.h>
#include <stdlib.h>

#include "detector/detector.h"
#include "tests/unit/detector/chain.h"

#define T_NIGHTS 12

static double configuration_mean(const history *h, size_t n, int c) {
    double mean = NAN;
    (void)det_mean_of(&mean, NULL, history_night(h, n) + c * HISTORY_LOOPS, HISTORY_LOOPS);
    return mean;
}

/* A portion's nights that are there: values and which night each was. */
static size_t series_of(const history *h, int portion, double *value, int *night) {
    size_t count = 0;
    for (size_t n = 0; n < h->nights; n++) {
        const double x = configuration_mean(h, n, portion) - configuration_mean(h, n, portion - 1);
        if (isnan(x))
            continue;
        value[count] = x;
        night[count++] = (int)n;
    }
    return count;
}

static void alarm_add(alarm_at *out, size_t *count, size_t capacity, int night, int portion,
                      double change) {
    if (*count < capacity)
        out[(*count)++] = (alarm_at){night, portion, (change > 0) - (change < 0)};
}

size_t rival_ratio(const history *h, double threshold, alarm_at *out, size_t capacity) {
    double *value = malloc(h->nights * sizeof *value);
    int *night = malloc(h->nights * sizeof *night);
    size_t count = 0;
    for (int p = 1; p < HISTORY_CONFIGURATIONS && value && night; p++) {
        const size_t n = series_of(h, p, value, night);
        for (size_t i = 1; i < n; i++) {
            const double ratio = value[i] / value[i - 1];
            if (ratio > threshold || ratio < 1 / threshold)
                alarm_add(out, &count, capacity, night[i], p, value[i] - value[i - 1]);
        }
    }
    free(value);
    free(night);
    return count;
}

static double t_of(const double *value, size_t middle) {
    double before, before_sd, after, after_sd;
    (void)det_mean_of(&before, &before_sd, value + middle - T_NIGHTS, T_NIGHTS);
    (void)det_mean_of(&after, &after_sd, value + middle, T_NIGHTS);
    const double error = sqrt((before_sd * before_sd + after_sd * after_sd) / T_NIGHTS);
    return error > 0 ? (after - before) / error : 0;
}

size_t rival_t_series(const double *value, size_t n, double threshold, alarm_at *out,
                      size_t capacity) {
    size_t count = 0, quiet_until = 0;
    for (size_t i = T_NIGHTS; i + T_NIGHTS <= n; i++) {
        const double t = t_of(value, i);
        const double next = i + 1 + T_NIGHTS <= n ? t_of(value, i + 1) : 0;
        if (fabs(t) <= threshold || fabs(next) > fabs(t) || i < quiet_until)
            continue;
        quiet_until = i + T_NIGHTS;
        alarm_add(out, &count, capacity, (int)(i + T_NIGHTS - 1), 0, t);
    }
    return count;
}

size_t rival_t(const history *h, double threshold, alarm_at *out, size_t capacity) {
    double *value = malloc(h->nights * sizeof *value);
    int *night = malloc(h->nights * sizeof *night);
    size_t count = 0;
    for (int p = 1; p < HISTORY_CONFIGURATIONS && value && night; p++) {
        const size_t n = series_of(h, p, value, night);
        const size_t found = rival_t_series(value, n, threshold, out + count, capacity - count);
        for (size_t i = count; i < count + found; i++) {
            out[i].night = night[out[i].night];
            out[i].portion = p;
        }
        count += found;
    }
    free(value);
    free(night);
    return count;
}

size_t rival_loops(const history *h, alarm_at *out, size_t capacity) {
    det_chain chain;
    det_portions last = {0}, now;
    size_t count = 0;
    chain_classic(&chain);
    for (size_t n = 0; n < h->nights; n++) {
        if (det_portions_of(&now, &chain, history_night(h, n), HISTORY_LOOPS, 0.95) != DET_OK)
            abort();
        for (int p = 1; p < HISTORY_CONFIGURATIONS && n; p++)
            if (now.portion[p].n && last.portion[p].n &&
                !det_intervals_overlap(&now.portion[p], &last.portion[p]) &&
                !isnan(now.portion[p].low) && !isnan(last.portion[p].low))
                alarm_add(out, &count, capacity, (int)n, p,
                          now.portion[p].mean - last.portion[p].mean);
        last = now;
    }
    return count;
}
