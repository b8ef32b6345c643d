/* compare - what a verdict compares, in numbers. */
#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#include <math.h>
#include <string.h>

#define NIGHT_DF 6.0
#define AGAINST_NIGHTS 8u /* a small change may be dated too late by so many nights */
#define DISPUTED 4.0 /* a date whose evidence lacks no more than this may be the change's, too */

#define OWN_NIGHTS 8u      /* of a portion, from which on they say how far they scatter, */
#define OWN_SHARE 0.5      /* share of the expected variance that they have at most, and */
#define CONTROL_WIDTH 0.02 /* share of its level that the control's nights scatter by */

static double night_noise(const det__comparison *c, size_t configuration) {
    double floor;
    const double spread = det__spread_noise_of(c->watch, c->serial, configuration, &floor) *
                          det__spread_scale(c->watch, c->serial, configuration);
    return fmax(spread * spread, floor);
}

/* The value is dear, and the portions of a night mostly want the same one. */
static double t_critical(det_watch *watch, double alpha, double df) {
    if (watch->t_alpha != alpha || watch->t_df != df) {
        watch->t_critical = det_t_critical(alpha, df);
        watch->t_alpha = alpha;
        watch->t_df = df;
    }
    return watch->t_critical;
}

double det__tonight(const det_watch *watch, uint64_t serial, size_t portion) {
    const det__cell *cells = det__cells_at(watch, serial);
    const int parent = watch->chain.parent[portion];
    return parent < 0 ? cells[portion].mean : cells[portion].mean - cells[parent].mean;
}

double det__night_variance(const det__comparison *c) {
    const int parent = c->watch->chain.parent[c->portion];
    return night_noise(c, c->portion) + (parent < 0 ? 0 : night_noise(c, (size_t)parent));
}

double det__night_df(const det__comparison *c) {
    return NIGHT_DF + c->watch->spread[c->portion].weight +
           fmax(det__cells_at(c->watch, c->serial)[c->portion].loops - 1, 0);
}

double det__night_error(const det__comparison *c) {
    const double before = det__difference_variance(&c->watch->chain, c->before, c->portion);
    return fmax(sqrt(det__night_variance(c) + fmax(before, 0)), det__near_zero(c, c->serial).error);
}

bool det__follows(const det__comparison *c, const det_verdict *v) {
    const double moved = det__tonight(c->watch, c->serial, c->portion) - v->reference.mean;
    const double share = moved / v->difference.mean;
    return (share >= DET__SAME_CHANGE && share <= 1 / DET__SAME_CHANGE) ||
           fabs(moved - v->difference.mean) < DET__NIGHT_Z * sqrt(det__night_variance(c));
}

static det_interval around(double mean, double half, size_t n, double df) {
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = n, .df = df};
}

det__range det__reference(const det_watch *watch, size_t portion, uint64_t end) {
    const uint64_t oldest = watch->nights < DET__DEPTH ? 0 : watch->nights - DET__DEPTH + 1;
    det__range found = {end, end};
    for (uint64_t s = end, nights = 0; s > oldest && nights < watch->policy[0].baseline_nights;) {
        if (nights > 0 && s <= watch->start[portion])
            break;
        if (isnan(det__tonight(watch, --s, portion)))
            continue;
        if (nights++ == 0)
            found.end = s + 1;
        found.first = s;
    }
    return found;
}

/* Between the loops of a night, as far as its trimmed mean feels it. */
static double spread_at(const det_watch *watch, uint64_t serial, int configuration) {
    if (configuration < 0)
        return 0;
    const det__cell *cell = &det__cells_at(watch, serial)[configuration];
    const double variance = cell->variance * cell->loops;
    return variance > 0 ? sqrt(variance) : 0;
}

static det_spreads spreads_of(const det__comparison *c, uint64_t against) {
    const int parent = c->watch->chain.parent[c->portion];
    return (det_spreads){.own = spread_at(c->watch, c->serial, (int)c->portion),
                         .parent = spread_at(c->watch, c->serial, parent),
                         .own_before = spread_at(c->watch, against, (int)c->portion),
                         .parent_before = spread_at(c->watch, against, parent)};
}

/* The first night that the change may be dated to, from `end` back. */
static uint64_t earliest(const det__comparison *c, uint64_t end) {
    const det_watch *watch = c->watch;
    double most = -INFINITY;
    uint64_t first = end;
    for (uint64_t i = 0; i < watch->changes; i++)
        if (watch->bank[i].portion == c->portion && watch->bank[i].start <= end)
            most = fmax(most, watch->bank[i].evidence);
    for (uint64_t i = 0; i < watch->changes; i++)
        if (watch->bank[i].portion == c->portion && watch->bank[i].start < first &&
            watch->bank[i].evidence >= most - DISPUTED)
            first = watch->bank[i].start;
    return first;
}

/* The last night that surely is from before. Where a suspicion of it has been cleared since then,
 * both commits of that trial may have had the change. */
static uint64_t undisputed(const det__comparison *c, uint64_t end, det__range reference) {
    const uint64_t count = reference.end - reference.first;
    uint64_t at = reference.end - (count > AGAINST_NIGHTS ? AGAINST_NIGHTS : count);
    if (c->watch->policy[c->portion].remeasure && !det__cleared_since(c->watch, c->portion, at)) {
        const uint64_t first = earliest(c, end);
        const uint64_t last = (first < reference.end ? first : reference.end) - 1;
        at = last > at ? last : at;
    }
    while (at > reference.first && isnan(det__tonight(c->watch, at, c->portion)))
        at--;
    return at;
}

/* A cost that moves from one portion to the next leaves the configuration as it was. */
static bool stands_alone(const det__comparison *c, uint64_t against) {
    const det_watch *watch = c->watch;
    const int parent = watch->chain.parent[c->portion];
    for (int p = parent; p >= 0; p = watch->chain.parent[p]) {
        const int best = det__strongest(watch, (uint64_t)p, 0, c->serial);
        if (watch->start[p] > against || (best >= 0 && watch->bank[best].evidence > DET__DOUBT))
            return false;
    }
    return parent >= 0 && !c->small;
}

unsigned det__dates(const det_watch *watch, size_t portion, det__range of) {
    unsigned dates = 0;
    const char *last = "";
    for (uint64_t s = of.first; s < of.end; s++) {
        const char *label = det__stamp_at(watch, s)->label;
        if (isnan(det__tonight(watch, s, portion)) || strcmp(label, last) == 0)
            continue;
        dates++;
        last = label;
    }
    return dates;
}

/* The first night from `end` on that shows the change. */
static uint64_t first_after(const det__comparison *c, uint64_t end) {
    while (end < c->serial && isnan(det__tonight(c->watch, end, c->portion)))
        end++;
    return end;
}

/* Which nights are compared: those that have the portion. `end` is the serial of the first that is
 * not reference. */
static void nights(const det__comparison *c, uint64_t end, det__range reference, det_verdict *v) {
    const uint64_t against = undisputed(c, end, reference);
    v->reference_nights = det__dates(c->watch, c->portion, reference);
    v->reference_from = det__stamp_at(c->watch, reference.first)->id;
    v->reference_to = v->from = det__stamp_at(c->watch, reference.end - 1)->id;
    v->to = det__stamp_at(c->watch, first_after(c, end))->id;
    v->trial_from = det__stamp_at(c->watch, against)->id;
    v->trial_alone = stands_alone(c, against);
    v->spreads = spreads_of(c, against);
    v->steps = c->small ? (unsigned)c->small->steps : 0;
    if (!c->small)
        return;
    v->reference_nights = (unsigned)c->small->nights;
    v->reference_from = c->small->from;
    v->reference_to = v->from = v->trial_from = c->small->before.id;
}

/* What nights show of the portion. */
typedef struct {
    double low, high, mean, variance; /* of those that have it */
    unsigned count;
} shown;

static shown shown_by(const det__comparison *c, det__range nights) {
    shown of = {.low = INFINITY, .high = -INFINITY};
    double sum = 0, squares = 0;
    for (uint64_t s = nights.first; s < nights.end; s++) {
        const double x = det__tonight(c->watch, s, c->portion);
        if (isnan(x))
            continue;
        const double off = of.count ? x - sum / of.count : 0;
        squares += off * off * of.count / (of.count + 1);
        sum += x;
        of.low = fmin(of.low, x);
        of.high = fmax(of.high, x);
        of.count++;
    }
    of.mean = sum / of.count;
    of.variance = squares / fmax(of.count - 1.0, 1);
    return of;
}

/* Of tonight's value, as its own loops say: none where one of them is not known. */
static double loops_variance(const det__comparison *c) {
    const det__cell *cells = det__cells_at(c->watch, c->serial);
    const int parent = c->watch->chain.parent[c->portion];
    return cells[c->portion].variance + (parent < 0 ? 0 : cells[parent].variance);
}

double det__outside(const det__comparison *c) {
    const det_watch *watch = c->watch;
    const uint64_t longest = watch->policy[0].baseline_nights;
    const det__range before = {c->serial > longest ? c->serial - longest : 0, c->serial};
    const det__comparison of_control = {.watch = c->watch, .portion = (size_t)watch->chain.control};
    const shown own = shown_by(c, before);
    const shown control = shown_by(&of_control, (det__range){before.first, c->serial + 1});
    const double x = det__tonight(watch, c->serial, c->portion);
    if (own.count < OWN_NIGHTS || !(own.variance > 0) || (x >= own.low && x <= own.high) ||
        own.variance > OWN_SHARE * det__night_variance(c) ||
        control.variance < pow(CONTROL_WIDTH * control.mean, 2))
        return 0;
    return fabs(x - own.mean) /
           sqrt(fmax(own.variance, loops_variance(c)) + own.variance / own.count);
}

det__between det__apart(const det__comparison *c, uint64_t start) {
    const shown a = shown_by(c, det__reference(c->watch, c->portion, start));
    const shown b = shown_by(c, (det__range){start, c->serial + 1});
    const double df = a.count + b.count - 2.0;
    const double squares = (a.count - 1.0) * a.variance + (b.count - 1.0) * b.variance;
    const double middle = (a.mean + b.mean) / 2;
    return (det__between){.nights = a.count < b.count ? a.count : b.count,
                          .agree = a.low > middle || a.high < middle,
                          .level = b.mean,
                          .difference = b.mean - a.mean,
                          .error = sqrt(squares / fmax(df, 1) * (1.0 / a.count + 1.0 / b.count)),
                          .df = df};
}

/* Can the nights have this level? A level that was measured in turn is better known than they
 * are. What is taken for 0 is no more than that away from it. */
static bool is_among(const det__comparison *c, const shown *by, double level) {
    const double near = c->watch->policy[c->portion].zero;
    return (c->watch->policy[c->portion].remeasure && !c->counted) || by->count == 0 ||
           (level >= by->low - near && level <= by->high + near);
}

/* before: what the nights of the reference, up to `end`, show.
 * A belief lags where every night since a change that was not told looks like an outlier, and what
 * is measured on top of that configuration lags with it. What the machine took along no night has
 * shown yet. */
static double reference_of(const det__comparison *c, const shown *before, uint64_t end) {
    const double level = det__difference(&c->watch->chain, c->before, c->portion);
    if (c->small)
        return level - c->small->sum;
    const bool along = end <= c->watch->start[c->portion];
    return along || is_among(c, before, level) ? level : before->mean;
}

#define EQUAL 1e-9 /* share of a value, from which on two are not equal but for rounding */

/* What the intervals rest on: what was known before the first night that is no reference, for a
 * change is no scatter. Of two configurations the one that says more counts. */
static det_assumed assumed(const det__comparison *c, uint64_t end, const shown *before) {
    const bool equal =
        before->count > 1 && before->high - before->low <= EQUAL * fabs(before->high);
    const uint64_t first = first_after(c, end);
    const int parent = c->watch->chain.parent[c->portion];
    const det_assumed own = det__spread_assumed(c->watch, first, c->portion, equal);
    const det_assumed below =
        parent < 0 ? own : det__spread_assumed(c->watch, first, (size_t)parent, equal);
    return own < below ? own : below;
}

/* The part of an error that is shown as a band: none where it is a share of what 0 is taken for. */
static double band_of(const det__comparison *c, double error) {
    return error > DET__ZERO_NEAR * c->watch->policy[c->portion].zero ? error : 0;
}

void det__compare(const det__comparison *c, uint64_t end, det_verdict *v) {
    const det_chain *chain = &c->watch->chain;
    const double df = det__night_df(c), level = c->watch->policy[c->portion].confidence;
    const det__range reference_range = det__reference(c->watch, c->portion, end);
    const shown before = shown_by(c, reference_range);
    const double factor = 1 + c->moved;
    const double reference = factor * reference_of(c, &before, reference_range.end);
    const double reference_variance = factor * factor *
                                      (det__difference_variance(chain, c->before, c->portion) +
                                       (c->small ? c->small->variance : 0));
    const double value = c->after ? det__difference(chain, c->after, c->portion)
                                  : det__tonight(c->watch, c->serial, c->portion);
    const double variance =
        c->after ? det__difference_variance(chain, c->after, c->portion) : det__night_variance(c);
    const det__between near = det__near_zero(c, end);
    const double b = sqrt(fmax(reference_variance, 0));
    const double seen = sqrt(fmax(near.error * near.error - b * b, 0));
    const double a = fmax(sqrt(fmax(variance, 0)), seen);
    const double error = hypot(a, b), difference = value - reference;
    double reach = sqrt(2 * (c->needed + 2)) * error;
    const double own = error > 0 ? pow(difference / error, 2) / 2 : 0;
    v->evidence = fmin(isnan(c->evidence) ? own : c->evidence, det__near_zero_worth(&near, error));
    v->score = v->evidence > 0 ? sqrt(v->evidence / c->needed) : 0;
    if (v->score >= 1)
        reach = fmin(reach, fabs(difference) / v->score);
    else
        reach = fmax(reach, fabs(difference) / fmax(v->score, 0.5));
    const double of_night = band_of(c, a), of_reference = band_of(c, b);
    const double share = of_night + of_reference > 0 ? reach / (of_night + of_reference) : 0;
    nights(c, end, reference_range, v);
    v->assumed = near.agree && seen > 0 && seen == a ? DET_ASSUMED_NOT : assumed(c, end, &before);
    v->night = around(value, share * of_night,
                      det__dates(c->watch, c->portion, (det__range){end, c->serial + 1}), df);
    v->reference = around(reference, share * of_reference, v->reference_nights, df);
    v->difference = around(difference, t_critical(c->watch, 1 - level, df) * error, v->night.n, df);
    v->ratio = value / reference;
    v->direction = (difference > 0) - (difference < 0);
}

bool det__compare_seen(const det__comparison *c, uint64_t end, double *after, det_verdict *v) {
    const shown by = shown_by(c, (det__range){end, c->serial + 1});
    det__compare(c, end, v);
    const double level = v->night.mean;
    const double believed = level - det__difference(&c->watch->chain, c->before, c->portion);
    const bool seen = by.count == 0 || (by.low <= v->reference.mean + v->difference.high &&
                                        by.high >= v->reference.mean + v->difference.low);
    if (seen && (by.count < 2 || is_among(c, &by, level)))
        return v->difference.mean / believed >= DET__SAME_CHANGE;
    det__comparison own = *c;
    after[c->portion] += by.mean - level;
    own.evidence = seen ? c->evidence : NAN;
    det__compare(&own, end, v);
    own.evidence = fmin(c->evidence, v->evidence);
    det__compare(&own, end, v);
    return v->difference.mean / believed >= DET__SAME_CHANGE;
}

/* control - has the control moved, by its last two nights alone? */

#define TWICE_NIGHTS 10.0 /* of a history, from which on the noise is known */
#define TWICE_Z 3.9       /* normal deviates that both nights together are off, */
#define TWICE_EACH 1.5    /* and spreads that each is */

/* Variance of a night's mean around the level: as usual before, or as its own loops say. */
static double variance_of(const det_watch *watch, uint64_t serial, double usual) {
    double floor;
    (void)det__spread_noise_of(watch, serial, (size_t)watch->chain.control, &floor);
    return fmax(usual, floor);
}

bool det__control_twice(const det_watch *watch, uint64_t serial) {
    if (watch->chain.control < 0 || serial < 2)
        return false;
    const size_t n = watch->chain.count, c = (size_t)watch->chain.control;
    const double *before = det__before_at(watch, serial - 1);
    const det__spread *spread = &watch->spread_before[(serial - 1) % DET__BELIEFS * n + c];
    const det__cell *first = &det__cells_at(watch, serial - 1)[c];
    const det__cell *second = &det__cells_at(watch, serial)[c];
    const double level = before[c], noise = spread->usual * level;
    const double a = first->mean - level, b = second->mean - level, mean = (a + b) / 2;
    const double variance = (variance_of(watch, serial - 1, noise * noise) +
                             variance_of(watch, serial, noise * noise)) /
                                4 +
                            before[n + c * n + c];
    return spread->weight >= TWICE_NIGHTS && a * b > 0 &&
           fmin(fabs(a), fabs(b)) >= TWICE_EACH * noise &&
           fabs(mean) >= DET__MACHINE_SIZE * level && fabs(mean) >= TWICE_Z * sqrt(variance);
}
