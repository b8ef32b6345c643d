#include "detector/statistics/steady.h"

#include <math.h>

#define BATCH_LEAST 10 /* calls */

static size_t batch_start(size_t n, size_t batches, size_t i) {
    return n / batches * i + n % batches * i / batches;
}

static double mean_of(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - x[0]) / (double)n;
    return x[0] + sum;
}

/*
 * Squares of what is left of the partial sums of y[0 … n) once the straight line to their end is
 * taken away; step -1 goes backwards from the last one, so that both sides are the same sum.
 */
static double bridge(const double *y, size_t n, int backwards) {
    double end = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        end += y[i];
    for (size_t i = 0; i < n; i++) {
        sum += y[backwards ? n - 1 - i : i];
        const double off = sum - end * (double)(i + 1) / (double)n;
        squares += off * off;
    }
    return squares;
}

/* sup over k of T(k)^2 / V(k); y has mean 0. k: where it is. */
static double shift_of(const double *y, size_t n, size_t *k) {
    double best = 0, sum = 0;
    *k = 1;
    for (size_t i = 1; i < n; i++) {
        sum += y[i - 1];
        const double v = (bridge(y, i, 0) + bridge(y + i, n - i, 1)) / (double)n;
        const double g = v > 0 ? sum * sum / v : sum * sum > 0 ? INFINITY : 0;
        if (g > best) {
            best = g;
            *k = i;
        }
    }
    return best;
}

/* Slope of the line through y (mean 0) at 0 … n-1, and how far it stands out of its residuals. */
static double trend_of(const double *y, size_t n, double *slope) {
    const double middle = (double)(n - 1) / 2;
    double product = 0, spread = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double t = (double)i - middle;
        product += t * y[i];
        spread += t * t;
    }
    *slope = product / spread;
    for (size_t i = 0; i < n; i++) {
        sum += y[i] - *slope * ((double)i - middle);
        squares += sum * sum;
    }
    const double t = product * product / (double)n;
    return squares > 0 ? t / squares : t > 0 ? INFINITY : 0;
}

static det_status batches_of(double *y, size_t batches, const double *x, size_t n) {
    for (size_t i = 0; i < batches; i++) {
        const size_t from = batch_start(n, batches, i);
        y[i] = mean_of(x + from, batch_start(n, batches, i + 1) - from);
        if (!isfinite(y[i]))
            return DET_ENUMERIC;
    }
    const double center = mean_of(y, batches);
    for (size_t i = 0; i < batches; i++)
        y[i] -= center;
    return DET_OK;
}

det_status det_steady_of(det_steady *out, const double *x, size_t n) {
    double y[DET_STEADY_BATCHES_MAX] = {0};
    if (!out || !x)
        return DET_EINVAL;
    if (n < DET_STEADY_CALLS_MIN)
        return DET_ESHORT;
    const size_t fit = n / BATCH_LEAST;
    const size_t batches = fit < DET_STEADY_BATCHES_MAX ? fit : DET_STEADY_BATCHES_MAX;
    if (batches_of(y, batches, x, n) != DET_OK)
        return DET_ENUMERIC;
    size_t k;
    double slope;
    det_steady found = {.shift = shift_of(y, batches, &k), .trend = trend_of(y, batches, &slope)};
    const double shift = found.shift / DET_STEADY_SHIFT_CRITICAL;
    const double trend = found.trend / DET_STEADY_TREND_CRITICAL;
    const double mean = mean_of(x, n);
    found.at = batch_start(n, batches, k);
    found.is_trend = trend > shift;
    const double moved = found.is_trend
                             ? slope * (double)(batches - 1)
                             : mean_of(x + found.at, n - found.at) - mean_of(x, found.at);
    found.change = mean != 0 ? moved / fabs(mean) : 0;
    found.settled = !(fmax(shift, trend) > 1 && fabs(found.change) >= DET_STEADY_CHANGE_LEAST);
    *out = found;
    return DET_OK;
}
