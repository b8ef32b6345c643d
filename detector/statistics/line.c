#include "detector/statistics/line.h"

#include <math.h>

#include "detector/statistics/dist.h"

/* Weighted sums around the weighted middle of the points. */
typedef struct {
    double weight, x, y, xx, xy, yy;
} sums;

static double weight_of(const double *weight, size_t i) {
    return weight ? weight[i] : 1;
}

static det_status check(const double *x, const double *y, const double *weight, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]) || !isfinite(weight_of(weight, i)) ||
            weight_of(weight, i) <= 0)
            return DET_ENUMERIC;
    return DET_OK;
}

static sums sum(const double *x, const double *y, const double *weight, size_t n) {
    sums s = {0};
    for (size_t i = 0; i < n; i++) {
        s.weight += weight_of(weight, i);
        s.x += weight_of(weight, i) * x[i];
        s.y += weight_of(weight, i) * y[i];
    }
    s.x /= s.weight;
    s.y /= s.weight;
    for (size_t i = 0; i < n; i++) {
        const double w = weight_of(weight, i), dx = x[i] - s.x, dy = y[i] - s.y;
        s.xx += w * dx * dx;
        s.xy += w * dx * dy;
        s.yy += w * dy * dy;
    }
    return s;
}

static det_interval around(double value, double error, double t, size_t n) {
    return (det_interval){.mean = value,
                          .low = value - t * error,
                          .high = value + t * error,
                          .n = n,
                          .df = (double)n - 2};
}

det_status det_line_fit(det_line *out, const double *x, const double *y, const double *weight,
                        size_t n, double level) {
    if (!(level > 0 && level < 1))
        return DET_EINVAL;
    if (n < 2)
        return DET_ESHORT;
    const det_status good = check(x, y, weight, n);
    if (good != DET_OK)
        return good;
    const sums s = sum(x, y, weight, n);
    if (!(s.xx > 0))
        return DET_ESHORT;
    const double slope = s.xy / s.xx, start = s.y - slope * s.x;
    double left = 0; /* what the line does not explain; summed, since yy - slope * xy cancels */
    for (size_t i = 0; i < n; i++) {
        const double residual = y[i] - start - slope * x[i];
        left += weight_of(weight, i) * residual * residual;
    }
    const double df = (double)n - 2;
    const double t = n > 2 ? det_t_critical(1 - level, df) : (double)NAN;
    const double scatter = n > 2 ? left / df : (double)NAN;
    out->slope = around(slope, sqrt(scatter / s.xx), t, n);
    out->start = around(start, sqrt(scatter * (1 / s.weight + s.x * s.x / s.xx)), t, n);
    out->r_squared = s.yy > 0 ? fmax(0, 1 - left / s.yy) : (double)NAN;
    return DET_OK;
}
