/* spread - a night's robust value, and how widely the nights of one commit spread. */
#include "detector/watch/filter__.h"
#include "detector/watch/robust__.h"
#include "detector/watch/watch__.h"

#include "detector/statistics/stats.h"

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

/* Take a night of one configuration in.
 * score  [DET__PACES] log of how well each pace predicted, updated
 * slow   slowest pace, in spreads a night
 * spread of a night, as a share of the level; noise: its variance, > 0 */
static DET__WIDE void wander_night(det__pace *pace, double *score, double slow, double spread,
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

/* The pace to expect (root mean square), in spreads a night.
 * score  [DET__PACES] summed over configurations; all 0: nothing is known yet */
static DET__WIDE double wander_of(const double *score, double slow, double spread) {
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

/* Without a history, nights of one commit are assumed to differ by this share of the mean, with
   the weight of so many nights, to the power of 3/2. Real nights differ by 0.3-2 %; the generous
   start keeps a second night from alarming before anything is known, and is forgotten after a few
   nights. */
#define SPREAD_PRIOR 0.10
#define SPREAD_PRIOR_NIGHTS 3.0
#define SPREAD_MOSTLY 0.5  /* from this share on it is mostly assumed */
#define SPREAD_FLOOR 0.001 /* no machine repeats itself better than this over nights */
#define SPREAD_NONE 1e-18  /* squared: values that are equal, but for rounding */
#define SPREAD_FORGET 0.99 /* a memory of about 50 nights */
#define SPREAD_OUTLIER 3.0 /* innovations count at most as so many times the spread */
#define LOOPS_UNUSUAL 4.0  /* a night whose loops vary so much more than usual says so itself */
#define FASTEST 5          /* one loop in so many counts where the slow ones are trimmed */
#define WANDER_NIGHTS 1.5  /* a level's wandering gives the reference the wished length */
#define WANDER_LEARNT 5.0  /* nights from which on the spread is known well enough to learn more */
#define FEW_NIGHTS 7.0     /* in which one change is most of what is seen */
#define AT_ZERO_SHARE 10   /* of the nights of a level near 0 more than one in so many are at 0, */
#define AT_ZERO_NIGHTS 2   /* and so many at least */

/* A tenth is trimmed at each end, and one loop at least: one slow process does not move the mean.
   Of three loops one is left, which does not say how widely they spread: as usual is assumed. */
static det__robust most_of(const double *sorted, size_t n) {
    const size_t cut = n >= 10 ? n / 10 : n >= 3 ? 1 : 0;
    return det__robust_kept(sorted, n, cut, n - cut);
}

/* Two at least, or nothing would say how widely they spread. */
static det__robust fastest_of(const double *sorted, size_t n) {
    const size_t part = (n + FASTEST - 1) / FASTEST, kept = part > 2 ? part : 2;
    return det__robust_kept(sorted, n, 0, kept < n ? kept : n);
}

det__cell det__condense(double *x, size_t n, det_trim trim) {
    if (n == 0)
        return (det__cell){.mean = NAN, .variance = NAN};
    det_sort(x, n);
    const det__robust r = trim == DET_TRIM_SLOW ? fastest_of(x, n) : most_of(x, n);
    return (det__cell){.mean = r.mean, .variance = r.variance, .loops = (double)n};
}

/* How much of the spread is the one that is assumed. */
static double assumed_share(const det__spread *s) {
    const double prior = SPREAD_PRIOR_NIGHTS / (SPREAD_PRIOR_NIGHTS + s->weight);
    return prior * sqrt(prior);
}

static void conclude(det__spread *s) {
    const double seen = s->weight > 0 ? sqrt(s->sum / s->weight) : SPREAD_PRIOR;
    const double share = assumed_share(s);
    s->usual = exp(share * log(SPREAD_PRIOR) + (1 - share) * log(fmax(seen, SPREAD_FLOOR)));
}

/* Values of configuration c in the nights of its level before `serial`; returns how many. Not those
 * since the last one at 0: a change may have begun with them. */
static size_t nights_of(const det_watch *watch, uint64_t serial, size_t c, double *x) {
    const uint64_t longest = watch->policy[0].baseline_nights;
    uint64_t start = serial > longest ? serial - longest : 0;
    size_t n = 0;
    for (size_t p = 0; p <= c; p++)
        if (det__under(&watch->chain, c, p) && watch->start[p] > start)
            start = watch->start[p];
    for (uint64_t s = start; s < serial; s++) {
        const double mean = det__cells_at(watch, s)[c].mean;
        if (!isnan(mean))
            x[n++] = mean;
    }
    while (n > 0 && !det__at_zero(watch, c, x[n - 1]))
        n--;
    return n;
}

det__near det__spread_near_zero(const det_watch *watch, uint64_t serial, size_t c) {
    if (watch->policy[c].zero == 0)
        return (det__near){0};
    double x[DET_BASELINE_MAX];
    const size_t n = nights_of(watch, serial, c, x);
    size_t none = 0;
    det_sort(x, n);
    while (none < n && det__at_zero(watch, c, x[none]))
        none++;
    if (none < AT_ZERO_NIGHTS || none * AT_ZERO_SHARE <= n || none + 1 >= n)
        return (det__near){0};
    const det__robust r = det__robust_kept(x, n, 0, n - 1);
    return (det__near){.night = (double)n * r.variance, .level = r.variance};
}

double det__spread_scale(const det_watch *watch, uint64_t serial, size_t c) {
    const double mean = det__cells_at(watch, serial)[c].mean;
    return watch->policy[c].zero > 0 ? fmax(mean, det__before_at(watch, serial)[c]) : mean;
}

/* What a night of fewer loops than usual varies more, as a share of its level, squared. */
static double lacking(const det__spread *s, const det__cell *cell) {
    return cell->loops > 0 && cell->loops < s->number ? s->loops * (s->number / cell->loops - 1)
                                                      : 0;
}

double det__spread_noise_of(const det_watch *watch, uint64_t serial, size_t c, double *floor) {
    const det__spread *s = &watch->spread[c];
    const det__cell *cell = &det__cells_at(watch, serial)[c];
    const double square = cell->mean * cell->mean, lack = lacking(s, cell);
    const bool unusual =
        s->weight < 1 || cell->variance > LOOPS_UNUSUAL * (s->loops + lack) * square;
    *floor = fmax(unusual && !isnan(cell->variance) ? cell->variance : 0,
                  det__spread_near_zero(watch, serial, c).night);
    if (lack > 0)
        *floor =
            fmax(*floor, pow(s->usual * det__spread_scale(watch, serial, c), 2) + lack * square);
    return s->usual;
}

det_assumed det__spread_assumed(const det_watch *watch, uint64_t serial, size_t c, bool equal) {
    const det__spread *s = det__spread_before(watch, serial, c);
    const double least = equal ? SPREAD_FLOOR * SPREAD_FLOOR : SPREAD_NONE;
    const bool learnt = s->weight >= 1 && s->sum > least * s->weight;
    if ((learnt && assumed_share(s) < SPREAD_MOSTLY) ||
        !(pow(s->usual * det__spread_scale(watch, serial, c), 2) >=
          det__spread_near_zero(watch, serial, c).night))
        return DET_ASSUMED_NOT;
    return learnt ? DET_ASSUMED_PARTLY : equal ? DET_ASSUMED_EQUAL : DET_ASSUMED_UNSEEN;
}

static double slow_of(const det_watch *watch) {
    return WANDER_NIGHTS / watch->policy[0].baseline_nights;
}

void det__spread_noise(const det_watch *watch, uint64_t serial, det__noise *noise) {
    for (size_t c = 0; c < watch->chain.count; c++) {
        noise->wander[c] = watch->spread[c].wander;
        noise->spread[c] = det__spread_noise_of(watch, serial, c, &noise->floor[c]);
    }
}

/* How fast the machine drifts is learnt from all configurations, so that one that changed now and
   then does not pass for a drifting one. */
static void conclude_wander(det_watch *watch) {
    const size_t n = watch->chain.count;
    double score[DET__PACES] = {0};
    for (size_t c = 0; c < n; c++)
        for (size_t k = 0; k < DET__PACES; k++)
            score[k] += watch->spread[c].score[k];
    for (size_t c = 0; c < n; c++)
        watch->spread[c].wander = wander_of(score, slow_of(watch), watch->spread[c].usual);
}

void det__spread_begin(det_watch *watch) {
    for (size_t c = 0; c < watch->chain.count; c++) {
        conclude(&watch->spread[c]);
        det__wander_begin(&watch->pace[c]);
    }
    conclude_wander(watch);
}

/* How far a night lies from what is believed of configuration c: squared, as a share of the level,
 * without what is not known of that, and what fewer loops leave open. */
static double innovation(const det__spread *s, const det__cell *cell, const double *filter,
                         size_t n, size_t c) {
    const double level = filter[c], relative = (cell->mean - level) / level;
    const double unknown = filter[n + c * n + c] / (level * level) + lacking(s, cell);
    return relative * relative / (1 + unknown / (s->usual * s->usual));
}

static void learn(det__spread *s, const det__cell *cell, double square) {
    const double most = SPREAD_OUTLIER * s->usual;
    const double loops = cell->variance / (cell->mean * cell->mean);
    s->sum = s->sum * SPREAD_FORGET + fmin(square, most * most);
    s->weight = s->weight * SPREAD_FORGET + 1;
    if (!isnan(loops)) {
        s->loops +=
            (fmin(loops, s->loops > 0 ? LOOPS_UNUSUAL * s->loops : loops) - s->loops) / s->weight;
        s->number += (cell->loops - s->number) / s->weight;
    }
    conclude(s);
}

/* What few nights scatter around: a change among them that is in doubt would be most of what they
 * scatter by, and hide in that, where no trial answers it first. Counts near 0 do scatter so. */
static void few_around(const det_watch *watch, double *belief) {
    size_t best = 0;
    for (size_t i = 1; i < watch->changes; i++)
        best = watch->bank[i].evidence > watch->bank[best].evidence ? i : best;
    memcpy(belief, watch->base, det__filter_size(watch->chain.count) * sizeof *belief);
    if (watch->changes > 0 && watch->bank[best].evidence > DET__DOUBT)
        det__belief(watch, best, belief);
}

void det__spread_learn(det_watch *watch, uint64_t serial, const bool *open) {
    const size_t n = watch->chain.count;
    const det__cell *cells = det__cells_at(watch, serial);
    double few[DET__FILTER_MAX];
    for (size_t c = 0; c < n; c++) {
        det__spread *s = &watch->spread[c];
        const double level = watch->base[c], noise = s->usual * level;
        if (open[c])
            det__wander_begin(&watch->pace[c]);
        if (isnan(cells[c].mean) || !(level > 0) || det__at_zero(watch, c, level) ||
            det__spread_near_zero(watch, serial, c).night > 0)
            continue;
        if (s->weight > WANDER_LEARNT && isnormal(noise * noise))
            wander_night(&watch->pace[c], s->score, slow_of(watch), s->usual, cells[c].mean,
                         noise * noise + lacking(s, &cells[c]) * level * level);
        double square = innovation(s, &cells[c], watch->base, n, c);
        if (s->weight < FEW_NIGHTS && !watch->policy[c].remeasure && watch->policy[c].zero == 0) {
            few_around(watch, few);
            square = fmin(square, innovation(s, &cells[c], few, n, c));
        }
        if (!open[c])
            learn(s, &cells[c], square);
    }
    conclude_wander(watch);
}
