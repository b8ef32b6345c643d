#include "detector/statistics/calibration.h"

#include <math.h>

#include "detector/statistics/dist.h"

#define ERROR_LEVEL 0.95 /* Student's and the normal interval that are as wide as each other */

/* One value of every run on a machine. */
typedef struct {
    double x[DET_CALIBRATION_RUNS_MAX];
    size_t n;
} runs;

static bool is_number(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isinf(values[i]))
            return false;
    return true;
}

/* Of configuration c; its portion: minus the parent's. */
static runs runs_of(const det_chain *chain, const double *means, size_t count, size_t c,
                    bool portion) {
    const int parent = portion ? chain->parent[c] : -1;
    runs out = {.n = 0};
    for (size_t r = 0; r < count && r < DET_CALIBRATION_RUNS_MAX; r++) {
        const double *run = means + r * chain->count;
        const double x = parent < 0 ? run[c] : run[c] - run[parent];
        if (!isnan(x))
            out.x[out.n++] = x;
    }
    return out;
}

/* Every run as a share of the machine's mean; false: that may be 0. */
static bool relative(runs *of, double level, double *mean) {
    det_interval interval;
    if (det_interval_mean(&interval, of->x, of->n, level) != DET_OK ||
        !(fabs(interval.mean) > (interval.high - interval.low) / 2))
        return false;
    *mean = interval.mean;
    for (size_t i = 0; i < of->n; i++)
        of->x[i] /= *mean;
    return true;
}

static double half_width(const runs *from, const runs *to, double level) {
    det_interval difference;
    if (det_interval_welch(&difference, from->x, from->n, to->x, to->n, level) != DET_OK)
        return NAN;
    return (difference.high - difference.low) / 2;
}

/* error: standard deviation of the factor's logarithm */
static det_interval factor_of(runs *from, runs *to, double level, double *error) {
    double a, b;
    det_interval out = {.mean = NAN, .low = NAN, .high = NAN};
    *error = NAN;
    if (!relative(from, level, &a) || !relative(to, level, &b) || !(b / a > 0))
        return out;
    const double half = half_width(from, to, level);
    *error = half_width(from, to, ERROR_LEVEL) / -det_normal_quantile((1 - ERROR_LEVEL) / 2);
    out.mean = b / a;
    out.low = out.mean * exp(-half);
    out.high = out.mean * exp(half);
    out.n = from->n < to->n ? from->n : to->n;
    return out;
}

det_status det_calibration_of(det_factor *out, const det_chain *chain, const double *from,
                              size_t from_runs, const double *to, size_t to_runs, double level) {
    det_factor found[DET_CONFIGURATIONS_MAX];
    if (!out || !from || !to || det_chain_check(chain) != DET_OK || !(level > 0 && level < 1))
        return DET_EINVAL;
    if (!is_number(from, from_runs * chain->count) || !is_number(to, to_runs * chain->count))
        return DET_ENUMERIC;
    for (size_t c = 0; c < chain->count; c++) {
        runs a = runs_of(chain, from, from_runs, c, true);
        runs b = runs_of(chain, to, to_runs, c, true);
        if (a.n < DET_CALIBRATION_RUNS || b.n < DET_CALIBRATION_RUNS)
            return DET_ESHORT;
        double sum = 0;
        for (size_t i = 0; i < a.n; i++)
            sum += a.x[i];
        found[c].level = sum / (double)a.n;
        found[c].factor = factor_of(&a, &b, level, &found[c].part);
        a = runs_of(chain, from, from_runs, c, false);
        b = runs_of(chain, to, to_runs, c, false);
        (void)factor_of(&a, &b, level, &found[c].share);
    }
    for (size_t c = 0; c < chain->count; c++)
        out[c] = found[c];
    return DET_OK;
}

bool det_calibration_known(const det_factor *factors, size_t count) {
    for (size_t c = 0; c < count; c++)
        if (!isfinite(factors[c].factor.mean) || !(factors[c].factor.mean > 0) ||
            !isfinite(factors[c].share) || !isfinite(factors[c].part))
            return false;
    return true;
}

static double mean_of(const double *x, size_t n) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i])) {
            sum += x[i];
            count++;
        }
    return count > 0 ? sum / (double)count : (double)NAN;
}

static void means_of(const det_chain *chain, size_t loops, const double *means, double *out) {
    for (size_t c = 0; c < chain->count; c++)
        out[c] = mean_of(means + c * loops, loops);
}

static double portion_of(const det_chain *chain, const double *levels, size_t c) {
    const int parent = chain->parent[c];
    return parent < 0 ? levels[c] : levels[c] - levels[parent];
}

det_status det_calibration_scale(const det_factor *factors, const det_chain *chain, size_t loops,
                                 double *means) {
    double now[DET_CONFIGURATIONS_MAX], level[DET_CONFIGURATIONS_MAX];
    if (!det_calibration_known(factors, chain->count))
        return DET_EINVAL;
    means_of(chain, loops, means, now);
    for (size_t c = 0; c < chain->count; c++) {
        const int parent = chain->parent[c];
        level[c] =
            (parent < 0 ? 0 : level[parent]) + portion_of(chain, now, c) / factors[c].factor.mean;
        if (level[c] <= 0)
            return DET_EINVAL;
    }
    for (size_t c = 0; c < chain->count; c++)
        for (size_t l = 0; l < loops; l++)
            means[c * loops + l] *= level[c] / now[c];
    return DET_OK;
}

void det_calibration_unsure(const det_factor *factors, const det_chain *chain, size_t loops,
                            const double *means, double *unsure) {
    double now[DET_CONFIGURATIONS_MAX], reference[DET_CONFIGURATIONS_MAX],
        grown[DET_CONFIGURATIONS_MAX]; /* variance */
    means_of(chain, loops, means, now);
    for (size_t c = 0; c < chain->count; c++) {
        const int parent = chain->parent[c];
        const double more = (portion_of(chain, now, c) - factors[c].level) * factors[c].part;
        reference[c] = (parent < 0 ? 0 : reference[parent]) + factors[c].level;
        grown[c] = (parent < 0 ? 0 : grown[parent]) + more * more;
        const double known = factors[c].share * reference[c];
        const double error = sqrt(known * known + grown[c]);
        unsure[c] = isfinite(error) ? error : 0;
    }
}
