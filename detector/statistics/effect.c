#include "detector/statistics/effect.h"

#include <math.h>
#include <stdlib.h>

#include "detector/statistics/dist.h"
#include "detector/statistics/gamma__.h"
#include "detector/statistics/stats.h"

#define ROUNDS_LEAST 100u
#define ROUNDS_MOST 1000000u

static double superior_share(const double *a, size_t na, const double *b, size_t nb) {
    double wins = 0;
    for (size_t i = 0; i < na; i++)
        for (size_t k = 0; k < nb; k++)
            wins += b[k] > a[i] ? 1 : b[k] == a[i] ? 0.5 : 0;
    return wins / ((double)na * (double)nb);
}

det_status det_effect_of(det_effect *out, const double *a, size_t na, const double *b, size_t nb) {
    double mean_a, sd_a, mean_b, sd_b;
    if (na < 2 || nb < 2)
        return DET_ESHORT;
    det_status status = det_mean_of(&mean_a, &sd_a, a, na);
    if (status == DET_OK)
        status = det_mean_of(&mean_b, &sd_b, b, nb);
    if (status != DET_OK)
        return status;
    const double df = (double)(na + nb - 2);
    const double pooled =
        sqrt(((double)(na - 1) * sd_a * sd_a + (double)(nb - 1) * sd_b * sd_b) / df);
    if (!(pooled > 0) || !isfinite(pooled))
        return DET_ENUMERIC;
    const double d = (mean_b - mean_a) / pooled;
    const double unbias = (double)(expl(det__log_gamma((long double)df / 2) -
                                        det__log_gamma(((long double)df - 1) / 2)) /
                                   sqrtl((long double)df / 2));
    *out = (det_effect){
        .cohen_d = d, .hedges_g = d * unbias, .superior = superior_share(a, na, b, nb)};
    return DET_OK;
}

det_status det_detectable(double *out, double sd_a, size_t na, double sd_b, size_t nb, double alpha,
                          double power) {
    if (!(sd_a >= 0) || !(sd_b >= 0) || !isfinite(sd_a) || !isfinite(sd_b) ||
        !(alpha > 0 && alpha < 1) || !(power > 0 && power < 1))
        return DET_EINVAL;
    if (na < 2 || nb < 2)
        return DET_ESHORT;
    const double va = sd_a * sd_a / (double)na, vb = sd_b * sd_b / (double)nb, v = va + vb;
    const double share = v > 0 ? va / v : 0.5;
    const double df =
        1 / (share * share / (double)(na - 1) + (1 - share) * (1 - share) / (double)(nb - 1));
    *out = (det_t_critical(alpha, df) + det_t_quantile(power, df)) * sqrt(v);
    return DET_OK;
}

static det_interval around(double mean, double error, double df, size_t n, double level) {
    const double half = error > 0 ? det_t_critical(1 - level, df) * error : 0;
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = n, .df = df};
}

det_status det_fit_line(det_fit *out, const double *x, const double *y, size_t n, double level) {
    double mean_x, mean_y;
    if (!(level > 0 && level < 1))
        return DET_EINVAL;
    if (n < 3)
        return DET_ESHORT;
    det_status status = det_mean_of(&mean_x, NULL, x, n);
    if (status == DET_OK)
        status = det_mean_of(&mean_y, NULL, y, n);
    if (status != DET_OK)
        return status;
    long double xx = 0, xy = 0, yy = 0, rest = 0;
    for (size_t i = 0; i < n; i++) {
        const long double dx = (long double)x[i] - mean_x, dy = (long double)y[i] - mean_y;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    if (!(xx > 0) || !isfinite((double)xx) || !isfinite((double)yy))
        return DET_ENUMERIC;
    const long double slope = xy / xx, intercept = mean_y - slope * mean_x;
    for (size_t i = 0; i < n; i++) {
        const long double residual =
            (long double)y[i] - mean_y - slope * ((long double)x[i] - mean_x);
        rest += residual * residual;
    }
    const double df = (double)(n - 2), variance = (double)(rest / (long double)(n - 2));
    const double slope_error = sqrt(variance / (double)xx);
    const double intercept_error = sqrt(variance * (1 / (double)n + mean_x * mean_x / (double)xx));
    *out = (det_fit){.slope = around((double)slope, slope_error, df, n, level),
                     .intercept = around((double)intercept, intercept_error, df, n, level),
                     .r_squared = yy > 0 ? (double)(1 - rest / yy) : 1};
    return DET_OK;
}

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double det_statistic_quantile(const double *sorted, size_t n, void *user) {
    return det_quantile_sorted(sorted, n, *(const double *)user);
}

static double drawn(double *resample, const double *x, size_t n, const det_resampling *how,
                    uint64_t *state) {
    for (size_t i = 0; i < n; i++)
        resample[i] = x[(size_t)((double)(splitmix(state) >> 11) / 9007199254740992.0 * (double)n)];
    qsort(resample, n, sizeof *resample, ascending);
    return how->statistic(resample, n, how->user);
}

det_status det_bootstrap(det_interval *out, const double *x, size_t n, const det_resampling *how,
                         double level) {
    const unsigned rounds = how->rounds;
    uint64_t state = how->seed;
    if (!how->statistic || rounds < ROUNDS_LEAST || rounds > ROUNDS_MOST ||
        !(level > 0 && level < 1))
        return DET_EINVAL;
    if (n < 2)
        return DET_ESHORT;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return DET_ENUMERIC;
    double *resample = n <= SIZE_MAX / sizeof *resample ? malloc(n * sizeof *resample) : NULL;
    double *found = malloc(rounds * sizeof *found);
    det_status status = resample && found ? DET_OK : DET_ENOMEM;
    if (status == DET_OK) {
        for (unsigned r = 0; r < rounds; r++)
            found[r] = drawn(resample, x, n, how, &state);
        qsort(found, rounds, sizeof *found, ascending);
        for (size_t i = 0; i < n; i++)
            resample[i] = x[i];
        qsort(resample, n, sizeof *resample, ascending);
        *out = (det_interval){.mean = how->statistic(resample, n, how->user),
                              .low = det_quantile_sorted(found, rounds, (1 - level) / 2),
                              .high = det_quantile_sorted(found, rounds, (1 + level) / 2),
                              .n = n};
    }
    free(resample);
    free(found);
    return status;
}
