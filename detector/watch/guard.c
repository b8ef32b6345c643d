/* guard - nights whose measurement is suspect are told as such and never start an alarm. */

#include "detector/watch/watch__.h"

#include <math.h>
#include <string.h>

/* onset - the nights that a history begins with, and whether they were the broken ones. */

#define ONSET_NIGHTS 7u /* the first ones, at most: as long as a night is waited for elsewhere */
#define ONSET_ROW 3u    /* and so many that say otherwise, at least */
_Static_assert(ONSET_NIGHTS + ONSET_NIGHTS + 1 == DET_ANEW_MAX, "as many as say otherwise");
#define ONSET_APART 3.0 /* by so much may these differ from one another */

/* what configuration c is compared with before all else: what is believed of
 * it, or where it has not begun, what the first nights should be like; NaN: nothing. */
static double onset_level(const det_watch *watch, size_t c) {
    return watch->onset.waiting || isnan(watch->base[c]) ? watch->onset.level[c] : watch->base[c];
}

/* A level is what nights have in common. */
static bool agrees(const det_watch *watch, const double *means) {
    const det__onset *onset = &watch->onset;
    for (size_t c = 0; c < watch->chain.count; c++)
        if (fmax(onset->high[c], means[c]) > ONSET_APART * fmin(onset->low[c], means[c]))
            return false;
    return true;
}

/* the night's means, as they were measured; odd: it is far outside. */
static void onset_night(det_watch *watch, const double *means, bool odd) {
    det__onset *onset = &watch->onset;
    const bool begins = odd && (onset->row == 0 || !agrees(watch, means));
    onset->row = !odd ? 0 : begins ? 1 : onset->row + 1;
    for (size_t c = 0; c < watch->chain.count; c++) {
        onset->low[c] = begins ? means[c] : fmin(onset->low[c], means[c]);
        onset->high[c] = begins ? means[c] : fmax(onset->high[c], means[c]);
        if (!onset->waiting && !isnan(watch->base[c]))
            onset->level[c] = (double)NAN; /* it has begun, and what is believed counts */
    }
}

det_watch *det_watch_anew(const det_watch *watch) {
    const det__onset *onset = &watch->onset;
    const uint64_t before = watch->nights - onset->row;
    if (onset->row < ONSET_ROW || before == 0 || before > ONSET_NIGHTS || onset->row <= before ||
        watch->nights <= onset->since)
        return NULL;
    det_watch *again = det_watch_new(&watch->chain, &watch->policy[0]);
    if (!again)
        return NULL;
    memcpy(again->policy, watch->policy, sizeof again->policy);
    again->onset.waiting = 1;
    again->onset.since = watch->nights;
    for (size_t c = 0; c < watch->chain.count; c++) {
        again->onset.level[c] = sqrt(onset->low[c] * onset->high[c]);
        again->base[c] = (double)NAN;
    }
    return again;
}

static double within_of(double sum, double squares, double n) {
    return squares - sum * sum / n;
}

det_status det__groups_of(det__groups *out, const double *sorted, size_t n, size_t least) {
    double sum = 0, squares = 0, low_sum = 0, low_squares = 0, best = INFINITY;
    if (!out || !sorted || !least)
        return DET_EINVAL;
    if (n < 2 || n / 2 < least)
        return DET_ESHORT;
    const double middle = sorted[n / 2]; /* squares are taken around it: no cancellation */
    for (size_t i = 0; i < n; i++) {
        sum += sorted[i] - middle;
        squares += (sorted[i] - middle) * (sorted[i] - middle);
    }
    *out = (det__groups){0};
    for (size_t i = 1; i <= n - least; i++) {
        const double x = sorted[i - 1] - middle, left = (double)i, right = (double)(n - i);
        low_sum += x;
        low_squares += x * x;
        if (i < least)
            continue;
        const double within = within_of(low_sum, low_squares, left) +
                              within_of(sum - low_sum, squares - low_squares, right);
        if (!(within < best))
            continue;
        best = within;
        out->low_n = i;
        out->low = middle + low_sum / left;
        out->high = middle + (sum - low_sum) / right;
    }
    out->high_n = n - out->low_n;
    const double between = within_of(sum, squares, (double)n) - best;
    out->ratio = between > 0 ? between / fmax(best, 0) : 0;
    return DET_OK;
}

/* Not 0: one normal group of so many values shows such a cut, with a quarter of the values in
 * each group, at most once in a thousand times. Never below 8 values. */
static int groups_clear(const det__groups *groups) {
    /* Simulated: log(1 + ratio) that one normal sample in a thousand exceeds, by its size. */
    static const struct {
        size_t n;
        double most;
    } chance[] = {{8, 3.51},  {10, 2.94}, {12, 2.64}, {16, 2.25},
                  {20, 2.04}, {30, 1.77}, {50, 1.56}};
    const size_t n = groups->low_n + groups->high_n;
    size_t i = sizeof chance / sizeof *chance;
    while (i > 0 && chance[i - 1].n > n)
        i--;
    return i > 0 && 4 * groups->low_n >= n && 4 * groups->high_n >= n &&
           groups->ratio > chance[i - 1].most && /* as its logarithm is less */
           log1p(groups->ratio) > chance[i - 1].most;
}

#define UNIT_FACTOR 1000.0
#define UNIT_TOLERANCE 0.25   /* a unit mix-up may come with a real change beside it */
#define DOUBLE_TOLERANCE 0.01 /* exactly twice, or exactly half, of everything, the control too */
#define BROKEN_FACTOR 20.0    /* no commit makes one configuration so much dearer or cheaper */
#define BROKEN_ALL_FACTOR 3.0 /* nor most of them by this much together with the control */
#define BROKEN_NIGHTS 7u      /* after so many in a row it is the new truth */
#define COMMON_APART 1.6      /* by so much may the factors of configurations differ, */
#define COMMON_SAME 1.2       /* and their mean from one night to the next */
#define BIMODAL_NIGHTS 10.0   /* from so many on it is known how widely loops usually spread */
#define BIMODAL_HELD 3u       /* after so many nights in a row it is how it is now */
#define BIMODAL_VARIANCE 4.0  /* and two groups spread them so many times as widely */

static void suspect(det_verdict *verdict, det_rule rule) {
    if (verdict->verdict == DET_VERDICT_HARNESS)
        return;
    verdict->verdict = DET_VERDICT_HARNESS;
    verdict->rule = rule;
}

/* The configuration's own portion and those of its children are not to be judged. */
static void suspect_configuration(det_watch *watch, uint64_t serial, size_t c, det_rule rule,
                                  det_verdict *out) {
    for (size_t p = 0; p < watch->chain.count; p++)
        if (p == c || watch->chain.parent[p] == (int)c)
            suspect(&out[p], rule);
    det__cells_at(watch, serial)[c].mean = NAN;
}

static det_rule cell_rule(const det_watch *watch, const det__cell *cell, double zero) {
    if (isnan(cell->mean) || cell->mean <= 0)
        return DET_RULE_MISSING;
    if (cell->loops < watch->policy[0].minimum_loops)
        return DET_RULE_FEW_LOOPS;
    if (zero == 0 && cell->variance * cell->loops > cell->mean * cell->mean)
        return DET_RULE_SPREAD;
    return DET_RULE_NONE;
}

static bool near(double ratio, double factor, double tolerance) {
    return fabs(ratio / factor - 1) <= tolerance;
}

/* As from ns to µs or to ms, or back. */
static bool is_thousands(double ratio) {
    const double size = fmax(ratio, 1 / ratio);
    return near(size, UNIT_FACTOR, UNIT_TOLERANCE) ||
           near(size, UNIT_FACTOR * UNIT_FACTOR, UNIT_TOLERANCE);
}

static det_rule ratio_rule(double ratio) {
    if (is_thousands(ratio))
        return DET_RULE_UNIT;
    if (ratio > BROKEN_FACTOR || ratio < 1 / BROKEN_FACTOR)
        return DET_RULE_BROKEN;
    return DET_RULE_NONE;
}

/* What all configurations did together, the control among them. */
static det_rule common_rule(const double *ratio, size_t n) {
    size_t doubled = 0, halved = 0, thousands = 0, up = 0, down = 0, known = 0;
    for (size_t c = 0; c < n; c++) {
        if (isnan(ratio[c]))
            continue;
        known++;
        doubled += near(ratio[c], 2, DOUBLE_TOLERANCE);
        halved += near(ratio[c], 0.5, DOUBLE_TOLERANCE);
        thousands += is_thousands(ratio[c]);
        up += ratio[c] > BROKEN_ALL_FACTOR;
        down += ratio[c] < 1 / BROKEN_ALL_FACTOR;
    }
    if (n < 2 || known < n)
        return DET_RULE_NONE;
    if (doubled == n || halved == n || thousands == n)
        return DET_RULE_UNIT;
    return up == n || down == n ? DET_RULE_BROKEN : DET_RULE_NONE;
}

/* What is to be said of every configuration: where the control is far out, so is what is measured
   on top of it, be it by a smaller factor. */
static det_rule everywhere(const det_watch *watch, const double *ratio) {
    const det_rule common = common_rule(ratio, watch->chain.count);
    const int control = watch->chain.control;
    if (common != DET_RULE_NONE || control < 0 || watch->chain.count < 2)
        return common;
    return ratio_rule(ratio[control]);
}

/* The factor that all configurations share, roughly; NaN: there is none. */
static double common_factor(const double *ratio, size_t n) {
    double sum = 0, least = INFINITY, most = -INFINITY;
    size_t known = 0;
    for (size_t c = 0; c < n; c++) {
        if (!(ratio[c] > 0))
            continue;
        const double size = log(ratio[c]);
        sum += size;
        least = fmin(least, size);
        most = fmax(most, size);
        known++;
    }
    return known >= 2 && most - least < log(COMMON_APART) ? exp(sum / (double)known) : (double)NAN;
}

static bool is_unit(double factor) {
    const double size = fmax(factor, 1 / factor);
    return near(size, 2, UNIT_TOLERANCE) || near(size, 10, UNIT_TOLERANCE) || is_thousands(factor);
}

/* A second night in a row by the same factor: another unit or clock, and the new truth at once. */
static bool lasts_in_common(const det_watch *watch, double factor) {
    return is_unit(factor) && watch->broken_since.count > 0 &&
           fabs(log(factor / watch->broken_since.factor)) < log(COMMON_SAME);
}

/* A factor that came to stay is told of those that have it. */
static void begin_scale(det_watch *watch, uint64_t which, double factor) {
    det__incident *begun = &watch->incident[DET_INCIDENT_SCALE];
    det__incident_begin(watch, DET_INCIDENT_SCALE, &watch->broken_since, factor);
    begun->moved = 0;
    for (size_t c = 0; c < watch->chain.count; c++) {
        const uint64_t has = which >> c & 1;
        begun->moved += has;
        begun->who |= (uint64_t)(!has && (int)c == watch->chain.control) << c;
    }
}

/* Returns, by bits, whose levels are odd; settled: out, whether they are so to stay. */
static uint64_t guard_levels(det_watch *watch, uint64_t serial, bool *settled, det_verdict *out) {
    const size_t n = watch->chain.count;
    double ratio[DET_CONFIGURATIONS_MAX], mean[DET_CONFIGURATIONS_MAX] = {0};
    size_t odd = 0, known = 0, early = 0;
    uint64_t which = 0, all = 0;
    for (size_t c = 0; c < n; c++) {
        mean[c] = det__cells_at(watch, serial)[c].mean;
        ratio[c] = watch->policy[c].zero > 0 ? (double)NAN : mean[c] / onset_level(watch, c);
    }
    const det_rule common = everywhere(watch, ratio);
    const double factor = common_factor(ratio, n);
    for (size_t c = 0; c < n; c++) {
        const bool far =
            !isnan(ratio[c]) && (common != DET_RULE_NONE || ratio_rule(ratio[c]) != DET_RULE_NONE);
        all |= (uint64_t)!isnan(ratio[c]) << c;
        which |= (uint64_t)far << c;
        known += isnan(ratio[c]) ? 0 : 1;
        odd += far;
        early += far && (watch->onset.waiting || isnan(watch->base[c]));
    }
    const bool common_lasts = !early && lasts_in_common(watch, factor);
    if (common_lasts) {
        odd = known;
        which = all;
    }
    *settled = common_lasts || watch->broken >= BROKEN_NIGHTS;
    for (size_t c = 0; c < n; c++) {
        const det_rule rule = common != DET_RULE_NONE ? common : ratio_rule(ratio[c]);
        if (rule == DET_RULE_NONE)
            continue;
        if (!*settled)
            suspect_configuration(watch, serial, c, rule, out);
    }
    if (early && !*settled)
        det__incident_onset(watch, serial, odd, known);
    else
        det__incident_broken(watch, serial, odd > 0 && odd == known && !*settled, factor);
    if (watch->onset.waiting)
        watch->onset.waiting = odd == known && !*settled;
    onset_night(watch, mean, odd > 0);
    if (common_lasts)
        begin_scale(watch, which, factor);
    return which;
}

/* Two groups where there was one: half of the loops ran into something. A configuration that has
   always had two modes, or has them for some nights now, is judged on its trimmed mean as any
   other. */
static bool guard_bimodal(det_watch *watch, const det__cell *cell, size_t c) {
    const det__spread *usual = &watch->spread[c];
    const double variance = cell->variance / (cell->mean * cell->mean);
    if (!groups_clear(&watch->groups[c]) || usual->weight < BIMODAL_NIGHTS ||
        !(variance > BIMODAL_VARIANCE * usual->loops)) {
        watch->bimodal[c] = 0;
        return false;
    }
    return ++watch->bimodal[c] <= BIMODAL_HELD;
}

uint64_t det__guard(det_watch *watch, uint64_t serial, det_verdict *out) {
    uint64_t missing = 0, odd = 0;
    bool settled = false;
    for (size_t c = 0; c < watch->chain.count; c++) {
        const det__cell *cell = &det__cells_at(watch, serial)[c];
        det_rule rule = cell_rule(watch, cell, watch->policy[c].zero);
        if (rule == DET_RULE_NONE && guard_bimodal(watch, cell, c))
            rule = DET_RULE_BIMODAL;
        if (rule == DET_RULE_MISSING && !isnan(watch->base[c]))
            missing |= UINT64_C(1) << c;
        if (rule != DET_RULE_NONE)
            suspect_configuration(watch, serial, c, rule, out);
    }
    det__incident_missing(watch, serial, serial == 0 ? 0 : missing);
    det__incident_noise(watch, serial);
    if (serial > 0 || watch->onset.waiting)
        odd = guard_levels(watch, serial, &settled, out);
    watch->broken = odd ? watch->broken + 1 : 0;
    return settled ? odd : 0;
}
