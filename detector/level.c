/* level - a night's robust mean, and the reference level that it is judged against. */
#include <math.h>
#include <stdlib.h>

#include "detector/watch__.h"

/* Without a history, nights of one commit are assumed to differ by this share of the mean, with
   the weight of so many nights. Real nights differ by 0.3-2 %; the generous start keeps a second
   night from alarming before anything is known, and is forgotten after a few nights. */
#define SPREAD_PRIOR 0.10
#define SPREAD_PRIOR_NIGHTS 3.0
#define SPREAD_FLOOR 0.002 /* no machine repeats itself better than this over nights */
#define SPREAD_FORGET 0.97 /* a memory of about 30 nights */
#define SPREAD_OUTLIER 3.0 /* innovations count at most as so many times the spread */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 20 % trimmed mean with the variance of winsorized values (Tukey and McLaughlin 1963; Yuen 1974):
   one slow process in five does not move it. */
det__cell det__condense(double *x, size_t n) {
    if (n == 0)
        return (det__cell){.mean = NAN, .variance = NAN};
    qsort(x, n, sizeof *x, ascending);
    const size_t cut = n / 5, kept = n - 2 * cut;
    double mean = 0, center = 0, squares = 0;
    for (size_t i = cut; i < n - cut; i++)
        mean += x[i] / (double)kept;
    center = (mean * (double)kept + (double)cut * (x[cut] + x[n - 1 - cut])) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const size_t w = i < cut ? cut : i >= n - cut ? n - 1 - cut : i;
        squares += (x[w] - center) * (x[w] - center);
    }
    const double variance = kept > 1 ? squares / (double)(kept * (kept - 1)) : NAN;
    return (det__cell){.mean = mean, .variance = variance, .loops = (double)n};
}

double det__portion_value(const det_watch *watch, uint64_t serial, size_t portion) {
    const int parent = watch->chain.parent[portion];
    const double mean = det__cell_at(watch, serial, portion)->mean;
    return parent < 0 ? mean : mean - det__cell_at(watch, serial, (size_t)parent)->mean;
}

double det__portion_level(const det_watch *watch, uint64_t serial, size_t portion) {
    const int parent = watch->chain.parent[portion];
    const double mean = det__cell_at(watch, serial, portion)->mean;
    return parent < 0 ? mean : hypot(mean, det__cell_at(watch, serial, (size_t)parent)->mean);
}

static double loop_variance(const det_watch *watch, uint64_t serial, size_t portion) {
    const int parent = watch->chain.parent[portion];
    double variance = det__cell_at(watch, serial, portion)->variance;
    if (parent >= 0)
        variance += det__cell_at(watch, serial, (size_t)parent)->variance;
    return isnan(variance) ? 0 : variance;
}

/* Relative spread of nights, learnt so far, on a logarithmic scale between prior and experience. */
static double spread_of(const det__track *track) {
    const double weight = track->spread_weight;
    const double seen = weight > 0 ? sqrt(track->spread_sum / weight) : SPREAD_PRIOR;
    const double prior_share = SPREAD_PRIOR_NIGHTS / (SPREAD_PRIOR_NIGHTS + weight);
    return exp(prior_share * log(SPREAD_PRIOR) + (1 - prior_share) * log(fmax(seen, SPREAD_FLOOR)));
}

static double night_variance(const det_watch *watch, uint64_t serial, size_t portion) {
    const double spread = spread_of(&watch->track[portion]);
    const double level = det__portion_level(watch, serial, portion);
    const double learnt = spread * level * (spread * level);
    /* The spread holds the loops' share as well, once it is learnt; before, the loops know. */
    return fmax(learnt, loop_variance(watch, serial, portion));
}

typedef struct {
    double value, variance;
} reference_night;

static int by_value(const void *a, const void *b) {
    const double x = ((const reference_night *)a)->value, y = ((const reference_night *)b)->value;
    return (x > y) - (x < y);
}

bool det__reference_of(const det_watch *watch, uint64_t serial, size_t portion,
                       det__reference *out) {
    const det__track *track = &watch->track[portion];
    const uint64_t oldest = serial >= DET__DEPTH ? serial - DET__DEPTH + 1 : 0;
    const uint64_t start = track->start > oldest ? track->start : oldest;
    reference_night night[DET_BASELINE_MAX];
    unsigned n = 0;
    double loops = 0;
    *out = (det__reference){0};
    for (uint64_t s = serial; s-- > start && n < watch->policy[0].baseline_nights;) {
        if (!*det__used_at(watch, s, portion))
            continue;
        night[n].value = det__portion_value(watch, s, portion);
        night[n].variance = night_variance(watch, s, portion);
        out->first = s;
        if (!n++)
            out->last = s;
        loops += det__cell_at(watch, s, portion)->loops - 1;
    }
    if (!n)
        return false;
    qsort(night, n, sizeof *night, by_value);
    const unsigned cut = n / 5;
    for (unsigned i = cut; i < n - cut; i++) {
        out->mean += night[i].value / (n - 2 * cut);
        out->variance += night[i].variance / ((double)(n - 2 * cut) * (n - 2 * cut));
    }
    out->nights = n;
    out->night_variance = night_variance(watch, serial, portion);
    loops = fmin(loops, det__cell_at(watch, serial, portion)->loops - 1);
    out->df = 2 * SPREAD_PRIOR_NIGHTS + track->spread_weight + fmax(loops, 0);
    return true;
}

void det__spread_learn(det_watch *watch, uint64_t serial, size_t portion,
                       const det__reference *reference) {
    det__track *track = &watch->track[portion];
    const double level = det__portion_level(watch, serial, portion);
    if (!(level > 0))
        return;
    const double deviation = det__portion_value(watch, serial, portion) - reference->mean;
    const double relative = deviation / level / sqrt(1 + 1 / (double)reference->nights);
    const double most = SPREAD_OUTLIER * spread_of(track);
    track->spread_sum = track->spread_sum * SPREAD_FORGET + fmin(relative * relative, most * most);
    track->spread_weight = track->spread_weight * SPREAD_FORGET + 1;
}
