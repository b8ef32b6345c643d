#include "detector/statistics/interval.h"

#include "detector/statistics/dist.h"
#include "detector/statistics/stats.h"

#include <math.h>

/* Variance of the prior on mean / sd: narrowest from about 5 to 20 values. Any is valid. */
#define PRIOR 2.0

det_status det_sequence_mean(det_interval *out, const double *x, size_t n, double level) {
    det_interval student;
    const det_status status = det_interval_mean(&student, x, n, level);
    if (status != DET_OK)
        return status;
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - student.mean) * (x[i] - student.mean);
    /*
     * The ratio for a supposed mean at t standard errors is
     *   (1 + n g)^(-1/2) ((1 + t^2/(n-1)) / (1 + t^2/((n-1)(1 + n g))))^(n/2);
     * by Ville's inequality those where it exceeds 1/(1-level) are out. Solved for t^2/(n-1).
     */
    const double count = (double)n, spread = 1 + count * PRIOR;
    const double bound = exp((log(spread) / 2 - log(1 - level)) * 2 / count);
    const double open = 1 - bound / spread;
    const double half =
        squares > 0 ? (open > 0 ? sqrt((bound - 1) / open * squares / count) : INFINITY) : 0;
    *out = student;
    out->low = student.mean - half;
    out->high = student.mean + half;
    return DET_OK;
}

det_trimmed det_trimmed_of(const double *sorted, size_t n, size_t low, size_t high) {
    const size_t kept = high - low;
    double mean = 0, squares = 0;
    for (size_t i = low; i < high; i++)
        mean += sorted[i];
    mean /= (double)kept;
    const double ends = (double)low * sorted[low] + (double)(n - high) * sorted[high - 1];
    const double center = (mean * (double)kept + ends) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const size_t w = i < low ? low : i >= high ? high - 1 : i;
        squares += (sorted[w] - center) * (sorted[w] - center);
    }
    const double df = (double)kept - 1;
    return (det_trimmed){
        .mean = mean, .variance = kept > 1 ? squares / ((double)kept * df) : NAN, .df = df};
}

static det_status level_check(double level) {
    return level > 0 && level < 1 ? DET_OK : DET_EINVAL;
}

static det_interval around(double mean, double error, double df, size_t n, double level) {
    const double half = error > 0 ? det_t_critical(1 - level, df) * error : 0;
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = n, .df = df};
}

det_status det_interval_mean(det_interval *out, const double *x, size_t n, double level) {
    double mean, sd;
    if (level_check(level) != DET_OK)
        return DET_EINVAL;
    if (n < 2)
        return DET_ESHORT;
    const det_status status = det_mean_of(&mean, &sd, x, n);
    if (status == DET_OK)
        *out = around(mean, sd / sqrt((double)n), (double)(n - 1), n, level);
    return status;
}

/* Satterthwaite's, of two variances of means. Shares of both keep squares from under- and overflow.
 */
static double freedom(double va, double df_a, double vb, double df_b) {
    const double v = va + vb, share = va / v;
    return v > 0 ? 1 / (share * share / df_a + (1 - share) * (1 - share) / df_b) : df_a + df_b;
}

det_status det_interval_welch(det_interval *out, const double *a, size_t na, const double *b,
                              size_t nb, double level) {
    double mean_a, mean_b, sd_a, sd_b;
    if (level_check(level) != DET_OK)
        return DET_EINVAL;
    if (na < 2 || nb < 2)
        return DET_ESHORT;
    det_status status = det_mean_of(&mean_a, &sd_a, a, na);
    if (status == DET_OK)
        status = det_mean_of(&mean_b, &sd_b, b, nb);
    if (status != DET_OK)
        return status;
    const double va = sd_a * sd_a / (double)na, vb = sd_b * sd_b / (double)nb;
    *out = around(mean_b - mean_a, sqrt(va + vb),
                  freedom(va, (double)(na - 1), vb, (double)(nb - 1)), na < nb ? na : nb, level);
    return DET_OK;
}

det_status det_interval_between(det_interval *out, const det_interval *a, const det_interval *b,
                                double level) {
    if (level_check(level) != DET_OK || !(a->df > 0) || !(b->df > 0))
        return DET_EINVAL;
    const double ea = (a->high - a->low) / 2 / det_t_critical(1 - level, a->df);
    const double eb = (b->high - b->low) / 2 / det_t_critical(1 - level, b->df);
    const double mean = b->mean - a->mean;
    if (!isfinite(ea) || !isfinite(eb) || !isfinite(mean))
        return DET_EINVAL;
    *out = around(mean, hypot(ea, eb), freedom(ea * ea, a->df, eb * eb, b->df),
                  a->n < b->n ? a->n : b->n, level);
    return DET_OK;
}

/* Mean and sd of b[i]-a[i] in two passes, without a copy. */
det_status det_interval_paired(det_interval *out, const double *a, const double *b, size_t n,
                               double level) {
    if (level_check(level) != DET_OK)
        return DET_EINVAL;
    if (n < 2)
        return DET_ESHORT;
    long double sum = 0, squares = 0, rest = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return DET_ENUMERIC;
        sum += (long double)(b[i] - a[i]);
    }
    const long double count = (long double)n, mean = sum / count;
    for (size_t i = 0; i < n; i++) {
        const long double deviation = (long double)(b[i] - a[i]) - mean;
        rest += deviation;
        squares += deviation * deviation;
    }
    const long double variance = fmaxl(squares - rest * rest / count, 0) / (count - 1);
    if (!isfinite((double)mean) || !isfinite((double)variance))
        return DET_ENUMERIC;
    *out = around((double)mean, (double)sqrtl(variance / count), (double)(n - 1), n, level);
    return DET_OK;
}

det_status det_interval_difference(det_interval *out, const det_interval *a,
                                   const det_interval *b) {
    const double half = hypot((a->high - a->low) / 2, (b->high - b->low) / 2);
    const double mean = b->mean - a->mean;
    if (!isfinite(half) || !isfinite(mean))
        return DET_EINVAL;
    *out = (det_interval){
        .mean = mean, .low = mean - half, .high = mean + half, .n = a->n < b->n ? a->n : b->n};
    return DET_OK;
}

/* Half the width of the logarithm; NAN: it reaches 0. */
static double relative(const det_interval *of) {
    const double half = (of->high - of->low) / 2;
    return isfinite(of->mean) && isfinite(half) && half >= 0 && half < fabs(of->mean)
               ? half / fabs(of->mean)
               : (double)NAN;
}

det_status det_interval_ratio(det_interval *out, const det_interval *a, const det_interval *b) {
    const double half = hypot(relative(a), relative(b)), ratio = b->mean / a->mean;
    if (!isfinite(half) || !(ratio > 0))
        return DET_EINVAL;
    *out = (det_interval){.mean = ratio,
                          .low = ratio * exp(-half),
                          .high = ratio * exp(half),
                          .n = a->n < b->n ? a->n : b->n};
    return DET_OK;
}

int det_intervals_overlap(const det_interval *a, const det_interval *b) {
    return a->low <= b->high && b->low <= a->high;
}
