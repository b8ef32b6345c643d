/* compare - what a verdict compares, in numbers. */
#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#include <math.h>
#include <string.h>

#define NIGHT_DF 6.0
#define AGAINST_NIGHTS 8u /* a small change may be dated too late by so many nights */
#define DISPUTED 4.0 /* a date whose evidence lacks no more than this may be the change's, too, */
#define DATED 3.0    /* of what is not measured again: one that is a twentieth as likely */

#define LEARNT_ALPHA 0.02 /* of Student's test of nights whose noise was learnt, of a time */
#define UNSEEN_LEARNT 0.3 /* of a night that was learnt from counts as one that nobody saw */

#define FAR 6.0       /* standard deviations of all others by which a night lies apart, */
#define FAR_TIMES 2.0 /* times as far out as those since, and */
#define FAR_NIGHTS 4u /* of which there are so many at least, */
#define FAR_SHARE 10u /* and one in so many */

#define OWN_NIGHTS 8u      /* of a portion, from which on they say how far they scatter, */
#define OWN_SHARE 0.5      /* share of the expected variance that they have at most, and */
#define CONTROL_WIDTH 0.02 /* share of its level that the control's nights scatter by */

static double night_noise(const det__comparison *c, size_t configuration) {
    double floor;
    const double spread = det__spread_noise_of(c->watch, c->serial, configuration, &floor) *
                          det__spread_scale(c->watch, c->serial, configuration);
    return fmax(spread * spread, floor);
}

/* The value is dear, and the portions of a night mostly want the same few. */
static double t_critical(det_watch *watch, double alpha, double df) {
    for (size_t i = 0; i < DET__T_KEPT; i++)
        if (watch->t[i].alpha == alpha && watch->t[i].df == df)
            return watch->t[i].critical;
    const size_t i = watch->t_next++ % DET__T_KEPT;
    watch->t[i].alpha = alpha;
    watch->t[i].df = df;
    return watch->t[i].critical = det_t_critical(alpha, df);
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
    return sqrt(det__night_variance(c) + fmax(before, 0));
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

/* The first night that a change of that kind may be dated to, from `end` back. lacks: evidence */
static uint64_t earliest(const det_watch *watch, uint64_t kind, uint64_t end, double lacks) {
    double most = -INFINITY;
    uint64_t first = end;
    for (uint64_t i = 0; i < watch->changes; i++)
        if (watch->bank[i].portion == kind && watch->bank[i].start <= end)
            most = fmax(most, watch->bank[i].evidence);
    for (uint64_t i = 0; i < watch->changes; i++)
        if (watch->bank[i].portion == kind && watch->bank[i].start < first &&
            watch->bank[i].evidence >= most - lacks)
            first = watch->bank[i].start;
    return first;
}

void det__date(det_watch *watch, const det__change *change, size_t portion, det_verdict *v) {
    uint64_t first = earliest(watch, change->portion, change->start, DATED);
    det__range before = det__reference(watch, portion, first);
    /* What was told of another portion since has ended the suspicions of this one before it; and
     * the first night of a ramp is at neither level. */
    for (; before.end > before.first + 1; before = det__reference(watch, portion, first)) {
        const det__comparison last = {.watch = watch, .serial = before.end - 1, .portion = portion};
        const double x = det__tonight(watch, last.serial, portion);
        const double off = copysign(1, v->difference.mean) * (x - v->reference.mean);
        if (fabs(x - v->night.mean) >= fabs(off) &&
            off < DET__NIGHT_Z * sqrt(det__night_variance(&last)))
            break;
        first = before.end - 1;
    }
    if (before.end > before.first && first > watch->start[portion])
        v->from = det__stamp_at(watch, before.end - 1)->id;
}

/* The last night that surely is from before. Where a suspicion of it has been cleared since then,
 * both commits of that trial may have had the change. */
static uint64_t undisputed(const det__comparison *c, uint64_t end, det__range reference) {
    const uint64_t count = reference.end - reference.first;
    uint64_t at = reference.end - (count > AGAINST_NIGHTS ? AGAINST_NIGHTS : count);
    if (c->watch->policy[c->portion].remeasure && !det__cleared_since(c->watch, c->portion, at)) {
        const uint64_t first = earliest(c->watch, c->portion, end, DISPUTED);
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

/* low, high: of what counts */
static shown shown_within(const det__comparison *c, det__range nights, double low, double high) {
    shown of = {.low = INFINITY, .high = -INFINITY};
    double sum = 0, squares = 0;
    for (uint64_t s = nights.first; s < nights.end; s++) {
        const double x =
            (s < c->machine ? 1 + c->moved : 1) * det__tonight(c->watch, s, c->portion);
        if (!(x >= low && x <= high))
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

static shown shown_by(const det__comparison *c, det__range nights) {
    return shown_within(c, nights, -INFINITY, INFINITY);
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
    const double error = sqrt(squares / fmax(df, 1) * (1.0 / a.count + 1.0 / b.count));
    const double middle = (a.mean + b.mean) / 2;
    return (det__between){.nights = a.count < b.count ? a.count : b.count,
                          .agree = a.low > middle || a.high < middle,
                          .level = b.mean,
                          .difference = b.mean - a.mean,
                          .error = hypot(error, c->unsure * a.mean),
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
 * change is no scatter. Of two configurations the one that says more counts. seen: on how far apart
 * the nights themselves lie. */
static det_assumed assumed(const det__comparison *c, uint64_t end, const shown *before, bool seen) {
    const bool equal =
        before->count > 1 && before->high - before->low <= EQUAL * fabs(before->high);
    const uint64_t first = first_after(c, end);
    const int parent = c->watch->chain.parent[c->portion];
    if (seen && !equal && before->count > 2)
        return DET_ASSUMED_NOT;
    const det_assumed own = det__spread_assumed(c->watch, first, c->portion, equal);
    const det_assumed below =
        parent < 0 ? own : det__spread_assumed(c->watch, first, (size_t)parent, equal);
    return own < below ? own : below;
}

/* What the nights before show (all), without those that lie far from the others and from those
 * since, as one that failed: a tenth of them at most. unseen: variance of one night more, which
 * counts as one of them */
static shown without_far(const det__comparison *c, const shown *all, const shown *since,
                         det__range nights, double unseen) {
    shown of = *all;
    for (unsigned far = 0; far * FAR_SHARE < all->count && of.count > FAR_NIGHTS; far++) {
        const bool above = of.high - of.mean > of.mean - of.low;
        const double n = of.count, x = above ? of.high : of.low, mean = (n * of.mean - x) / (n - 1);
        const double squares = (n - 1) * of.variance - pow(x - of.mean, 2) * n / (n - 1);
        const double off = fabs(x - mean), reach = fmax(since->high - mean, mean - since->low);
        if (off < FAR_TIMES * reach || off < FAR * sqrt((fmax(squares, 0) + unseen) / (n - 1)))
            break;
        of = shown_within(c, nights, above ? of.low : nextafter(x, INFINITY),
                          above ? nextafter(x, -INFINITY) : of.high);
    }
    return of;
}

/* Whole numbers, as far as anybody can tell: what is counted. */
static bool all_whole(const det__comparison *c, det__range nights) {
    const double near = DET__ZERO_NEAR * c->watch->policy[c->portion].zero;
    for (uint64_t s = nights.first; s < nights.end; s++) {
        const double x = det__tonight(c->watch, s, c->portion);
        if (fabs(x - round(x)) > near)
            return false;
    }
    return true;
}

/* The variance of one more night, of which nobody saw how far it lies from the others: what is
 * assumed of it, and as that of a count where all are whole numbers. */
static double unseen(const det__comparison *c, uint64_t end, const shown *before,
                     const shown *after) {
    const det__range nights = {det__reference(c->watch, c->portion, end).first, c->serial + 1};
    const double assumed = det__night_variance(c), counted = fmax(before->mean, after->mean);
    return assumed < counted && all_whole(c, nights) ? counted : assumed;
}

/* How far apart the nights since a change and those before lie by themselves, as Student's test
 * sees it, with one night more that nobody saw, and some that were learnt from: nights that happen
 * to be equal prove nothing. Their scatter grows with a level that rose, as two nights show: as
 * that, or as counts do where 0 is a value. Returns the evidence for it, as a share of what is
 * needed; INFINITY: the likelihood says it all. half: of the difference's interval */
static double apart_by_nights(const det__comparison *c, uint64_t end, const shown *all,
                              double *half) {
    const det_policy *policy = &c->watch->policy[c->portion];
    const double zero = policy->zero;
    if (det__asks(policy) || (policy->patience < 2 && zero == 0) || c->small || c->seen)
        return INFINITY;
    const shown b = shown_by(c, (det__range){end, c->serial + 1});
    if (!all->count || !b.count)
        return INFINITY;
    const double one = unseen(c, end, all, &b);
    const shown a = without_far(c, all, &b, det__reference(c->watch, c->portion, end), one);
    const bool rose = b.count > 1 && b.mean > a.mean && a.mean > DET__ZERO_NEAR * zero;
    const double ratio = rose ? b.mean / a.mean : 1, grown = zero > 0 ? ratio : ratio * ratio;
    const double learnt = det__spread_before(c->watch, first_after(c, end), c->portion)->weight;
    const double nights = 1 + UNSEEN_LEARNT * fmin(learnt, DET__YOUNG_NIGHTS);
    const double alpha = learnt < DET__YOUNG_NIGHTS || zero > 0 ? DET__NIGHT_ALPHA : LEARNT_ALPHA;
    const double later = (b.count - 1.0) * b.variance + nights * one;
    const double df = a.count + b.count - 2.0 + nights;
    const double squares = (a.count - 1.0) * a.variance + later / grown;
    const double error = sqrt(squares / df * (1.0 / a.count + grown / b.count));
    const double needed = t_critical(c->watch, alpha / fmax(policy->caution, 1), df) * error;
    *half = t_critical(c->watch, 1 - policy->confidence, df) * error;
    return pow((b.mean - a.mean) / needed, 2);
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
    const double a = sqrt(fmax(variance, 0)), b = sqrt(fmax(reference_variance, 0));
    const double error = hypot(a, b), difference = value - reference;
    double reach = sqrt(2 * (c->needed + 2)) * error;
    const double half = t_critical(c->watch, 1 - level, df) * error;
    double own_half = 0;
    const double own = error > 0 ? pow(difference / error, 2) / 2 : 0;
    v->evidence = fmin(isnan(c->evidence) ? own : c->evidence,
                       c->needed * apart_by_nights(c, end, &before, &own_half));
    v->score = v->evidence > 0 ? sqrt(v->evidence / c->needed) : 0;
    if (v->score >= 1)
        reach = fmin(reach, fabs(difference) / v->score);
    else
        reach = fmax(reach, fabs(difference) / fmax(v->score, 0.5));
    const double of_night = band_of(c, a), of_reference = band_of(c, b);
    const double share = of_night + of_reference > 0 ? reach / (of_night + of_reference) : 0;
    nights(c, end, reference_range, v);
    v->assumed = assumed(c, end, &before, own_half > half);
    v->night = around(value, share * of_night,
                      det__dates(c->watch, c->portion, (det__range){end, c->serial + 1}), df);
    v->reference = around(reference, share * of_reference, v->reference_nights, df);
    v->difference = around(difference, fmax(half, own_half), v->night.n, df);
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
    const det__spread *spread = det__spread_before(watch, serial - 1, c);
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
