/* judge - from evidence to verdicts. */
#include <math.h>
#include <string.h>

#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

/* Evidence (natural log of a likelihood ratio) that it takes; set by simulating histories without
   any change (tests/bench/detector) to less than one false alarm in five years of nights. */
#define EVIDENCE_HISTORY 6.5 /* with two nights or more, nothing can be measured again, */
#define EVIDENCE_AGE 0.1     /* so much more for each night that the change is old, */
#define EVIDENCE_YOUNG 2.0   /* and so much in a series' first night, half of it in the tenth: */
#define EVIDENCE_NIGHT 8.0   /* with this night alone */
#define EVIDENCE_WATCH 0.5   /* to measure again; confirm.h weighs the cost */
#define EVIDENCE_RESTING 6.0 /* the same while the portion rests after a clearance */
#define EVIDENCE_TWICE 3.0   /* where the control's last two nights say so, too */

#define SUM_CLEAR 1.5 /* half-widths of its interval that a sum of steps is away from 0 */

#define MACHINE_TIMES 3.0 /* what differs from it by so many times as much is not the machine */
#define MACHINE_SMALL 0.1 /* nor what moved the other way than a control that moved by less */

#define NIGHT_SIZE 0.10 /* of one night alone, that outlier nights do not reach */

/* The portion's configuration, or its parent, was not seen before. */
static bool unknown(const det_chain *chain, const double *before, size_t portion) {
    return isnan(det__difference(chain, before, portion));
}

bool det__matters(const det_policy *policy, const det_verdict *v) {
    const double change = fabs(v->difference.mean);
    return change >= policy->effect_absolute &&
           change >= policy->effect_relative * fabs(v->reference.mean);
}

/* A change as large as outlier nights never are, seen in one night. */
static bool night_stands_out(det_watch *watch, uint64_t serial, size_t portion, double size,
                             const det_verdict *now, det_verdict *v) {
    det__comparison c = {.watch = watch,
                         .serial = serial,
                         .portion = portion,
                         .before = det__before_at(watch, serial),
                         .needed = EVIDENCE_NIGHT};
    const double error = det__night_error(&c);
    const double difference =
        det__tonight(watch, serial, portion) - det__difference(&watch->chain, c.before, portion);
    if (!(fabs(difference) >= size * fabs(c.before[portion])) ||
        !(fabs(difference) >= DET__NIGHT_Z * error))
        return false;
    const double needed = det_t_critical(DET__NIGHT_ALPHA, det__night_df(&c)) * error;
    c.evidence = EVIDENCE_NIGHT * pow(fabs(difference) / fmax(needed, 1e-300), 2);
    if (!(c.evidence >= EVIDENCE_NIGHT))
        return false;
    *v = *now;
    det__compare(&c, serial, v);
    return v->difference.mean / difference >= DET__SAME_CHANGE &&
           det__matters(&watch->policy[portion], v);
}

double det__needed_alone(const det_watch *watch, size_t portion, uint64_t age, double least) {
    const double young =
        EVIDENCE_YOUNG * DET__YOUNG_NIGHTS / (DET__YOUNG_NIGHTS + watch->spread[portion].weight);
    return watch->policy[portion].caution * (EVIDENCE_AGE * (double)age + young + least);
}

static double needed_for(const det_watch *watch, uint64_t serial, size_t portion, uint64_t age) {
    const det_policy *policy = &watch->policy[portion];
    if (serial < watch->rest[portion])
        return EVIDENCE_RESTING;
    if (policy->remeasure)
        return policy->caution * EVIDENCE_WATCH;
    return det__needed_alone(watch, portion, age,
                             policy->patience > 1 ? EVIDENCE_HISTORY : EVIDENCE_NIGHT);
}

static det_rule rule_of(det_watch *watch, uint64_t serial, size_t portion, uint64_t start,
                        double change) {
    if (det__is_slow(watch, serial, portion, start, change))
        return DET_RULE_SLOW;
    return start == serial ? DET_RULE_NIGHT : DET_RULE_WINDOW;
}

/* With the steps before it that were too small to tell: a sum that matters, and is no chance. */
static bool claim_sum(const det__comparison *c, uint64_t start, det_verdict *v) {
    det__comparison sum = *c;
    sum.small = &c->watch->small[c->portion];
    if (!sum.small->steps)
        return false;
    det__compare(&sum, start, v);
    if (!det__matters(&c->watch->policy[c->portion], v) ||
        fabs(v->difference.mean) < SUM_CLEAR * (v->difference.high - v->difference.mean))
        return false;
    v->rule = DET_RULE_SLOW;
    return true;
}

bool det__claim(det_watch *watch, uint64_t serial, size_t i, size_t portion, det_verdict *v) {
    const det__change *change = &watch->bank[i];
    const uint64_t age = serial - change->start;
    double after[DET__FILTER_MAX];
    det__comparison c = {.watch = watch,
                         .serial = serial,
                         .portion = portion,
                         .before = det__before_at(watch, change->start),
                         .after = after,
                         .evidence = change->evidence,
                         .needed = needed_for(watch, serial, portion, age)};
    if (c.evidence < c.needed || unknown(&watch->chain, c.before, portion) ||
        change->start <= watch->start[portion])
        return false;
    det__belief(watch, i, after);
    v->verdict = DET_VERDICT_ANOMALY;
    v->reference.mean = det__difference(&watch->chain, c.before, portion);
    v->difference.mean = det__difference(&watch->chain, after, portion) - v->reference.mean;
    c.seen = change->portion == portion && det__is_behind(watch, i, v);
    if (change->portion == DET__SCALE)
        det__compare(&c, change->start, v);
    else if (!det__compare_seen(&c, change->start, after, v))
        return false;
    if (v->evidence < c.needed)
        return false;
    c.evidence = v->evidence;
    v->rule = rule_of(watch, serial, portion, change->start, v->difference.mean);
    if (!det__asks(&watch->policy[portion]) && v->rule != DET_RULE_SLOW)
        det__date(watch, change, portion, v);
    if (det__matters(&watch->policy[portion], v))
        return det__beside(watch, portion, change->start, v);
    if (age == 0 || c.evidence < det__needed_alone(watch, portion, age, EVIDENCE_HISTORY))
        return false;
    if (claim_sum(&c, change->start, v))
        return true;
    det__compare(&c, change->start, v);
    v->verdict = DET_VERDICT_OK;
    v->rule = DET_RULE_BELOW_EFFECT;
    return true;
}

/* By which factor the control moved until tonight. */
static double tonights_factor(const det__comparison *c) {
    const size_t control = (size_t)c->watch->chain.control;
    return det__tonight(c->watch, c->serial, control) / c->before[control];
}

/* Everything moved by one factor: does the portion stand clear of where the control's puts it? The
 * change's own factor is one for all, and what moved beside it has a share in that. */
static bool stands_clear(const det__comparison *c, const det_verdict *v) {
    const det_watch *watch = c->watch;
    const size_t control = (size_t)watch->chain.control;
    const det__comparison of = {.watch = c->watch, .serial = c->serial, .portion = control};
    const double now = det__tonight(watch, c->serial, control), factor = tonights_factor(c);
    const double known =
        det__night_variance(&of) / pow(now, 2) +
        det__difference_variance(&watch->chain, c->before, control) / pow(c->before[control], 2);
    const double level = factor * v->reference.mean;
    const double variance =
        det__night_variance(c) + known * level * level +
        pow(factor, 2) * fmax(det__difference_variance(&watch->chain, c->before, c->portion), 0);
    const double off = fabs(det__tonight(watch, c->serial, c->portion) - level);
    return off >= det_t_critical(DET__NIGHT_ALPHA, det__night_df(c)) * sqrt(variance);
}

/* Learning from nights on another machine how widely they scatter would hide it: what was known
 * before these counts. */
static bool stands_apart(const det__comparison *c, const det_verdict *v) {
    det_watch *watch = c->watch;
    const size_t n = watch->chain.count;
    const size_t slot = (size_t)(c->before - watch->before) / det__filter_size(n);
    det__spread *now = watch->spread;
    if (watch->chain.control < 0)
        return !det__follows(c, v);
    watch->spread = &watch->spread_before[slot * n];
    const bool clear = stands_clear(c, v);
    watch->spread = now;
    return clear;
}

/* How clear `difference` is of nothing, in what Student's test asks for one night of a portion. */
static bool clear_in_a_night(det_watch *watch, uint64_t serial, size_t portion, double difference) {
    const det__comparison c = {.watch = watch,
                               .serial = serial,
                               .portion = portion,
                               .before = det__before_at(watch, serial)};
    return fabs(difference) >= NIGHT_SIZE * fabs(c.before[portion]) &&
           fabs(difference) >=
               det_t_critical(DET__NIGHT_ALPHA, det__night_df(&c)) * det__night_error(&c);
}

/* On top of the control: the portion fell or rose because the control did, and its own
 * configuration did not. before: filter */
static bool is_under_control(det_watch *watch, uint64_t serial, size_t p, const double *before) {
    const double own = det__cells_at(watch, serial)[p].mean - before[p];
    return watch->chain.parent[p] == watch->chain.control &&
           !clear_in_a_night(watch, serial, p, own);
}

/* How far the portion moved, in steps of the control: below 0 the other way. */
static double steps_of_control(const det__comparison *c, double ratio) {
    return log(ratio) / log(tonights_factor(c));
}

/* Of what is not measured again: the control moved by so little, and the portion by so much else,
 * that no machine does both. c: tonight, against before the machine's change */
static bool is_beside_machine(const det__comparison *c) {
    det_watch *watch = c->watch;
    if (det__asks(&watch->policy[c->portion]) || (int)c->portion == watch->chain.control ||
        unknown(&watch->chain, c->before, c->portion))
        return false;
    const det_verdict v = {.reference.mean = det__difference(&watch->chain, c->before, c->portion)};
    const double ratio = det__tonight(watch, c->serial, c->portion) / v.reference.mean;
    const double steps = steps_of_control(c, ratio);
    const bool small = fabs(log(tonights_factor(c))) < MACHINE_SMALL;
    return (fabs(steps - 1) > MACHINE_TIMES || (small && steps < 0)) && stands_apart(c, &v) &&
           !is_under_control(watch, c->serial, c->portion, c->before);
}

/* Beside a control that moved alone: did the portion move otherwise than that explains? */
static bool is_otherwise(const det__comparison *c, const det_verdict *v) {
    const double steps = steps_of_control(c, v->ratio);
    return (int)c->portion != c->watch->chain.control && v->direction != 0 &&
           (steps < 0 || (steps > DET__CONTROL_REACH && stands_apart(c, v)));
}

/* Is the portion's own value of that night nearer to the level before? Then another one that was
 * odd in it lends the date its evidence. What came slowly has such a night. */
static bool is_before(const det_watch *watch, size_t p, uint64_t start, const det_verdict *v) {
    const double x = det__tonight(watch, start, p);
    return v->rule != DET_RULE_SLOW && fabs(x - v->night.mean) > fabs(x - v->reference.mean);
}

/* The strongest change of portion p that is claimed; -1: none. Where nights do not bear out the
 * date that is likeliest, as one among a series' first, a later one may be; what is the machine's
 * has no other date. */
static int claimed(det_watch *watch, uint64_t serial, size_t p, uint64_t last, double least,
                   det_verdict *v) {
    const det_verdict quiet = *v;
    for (int i = det__strongest(watch, p, watch->start[p], last);
         i >= 0 && watch->bank[i].evidence > least;
         i = det__strongest(watch, p, watch->bank[i].start, last)) {
        *v = quiet;
        const bool asks = det__asks(&watch->policy[p]);
        const bool claim = det__claim(watch, serial, (size_t)i, p, v);
        if (claim && (asks || !is_before(watch, p, watch->bank[i].start, v)))
            return i;
        if (asks || (!claim && v->rule == DET_RULE_COMMON_SCALE))
            break;
    }
    return -1;
}

/* The strongest claim of any portion that is better than what a change of machine would explain, or
 * that it does not explain. machine: in the bank; -1: there is none */
static int best_portion(det_watch *watch, uint64_t serial, int machine, const bool *settled,
                        const det_verdict *out, det_verdict *v) {
    int best = -1;
    double most = 0;
    for (size_t p = 0; p < watch->chain.count; p++) {
        const uint64_t nights = watch->policy[p].remeasure ? 1 : watch->policy[p].patience;
        const det__comparison c = {
            .watch = watch,
            .serial = serial,
            .portion = p,
            .before = machine < 0 ? NULL : det__before_at(watch, watch->bank[machine].start)};
        const double least =
            machine < 0 || is_beside_machine(&c) ? most : fmax(most, watch->bank[machine].evidence);
        det_verdict candidate = out[p];
        int i = det__strongest(watch, p, watch->start[p], serial);
        if ((int)p == watch->chain.control || settled[p] || i < 0 || nights > serial + 1 ||
            watch->bank[i].evidence <= least ||
            watch->bank[i].evidence < needed_for(watch, serial, p, 0))
            continue;
        i = claimed(watch, serial, p, serial + 1 - nights, least, &candidate);
        if (i < 0)
            continue;
        most = watch->bank[i].evidence;
        best = i;
        *v = candidate;
    }
    return best;
}

int det__likelier(const det_watch *watch, int a, int b) {
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return watch->bank[b].evidence > watch->bank[a].evidence ? b : a;
}

/* Has a night since change i a result of the control? */
static bool seen_since(const det_watch *watch, int i) {
    const det__range since = {watch->bank[i].start, watch->nights + 1};
    return det__dates(watch, (size_t)watch->chain.control, since) > 0;
}

/* The strongest change of the control, as of det__strongest; -1, too, where tonight it is not
 * there: a factor that others moved by, taken for the night's own, leaves it a change that it has
 * not; nor where no night since has a result of it: what stands on it moved by as much if a portion
 * did. */
static int control_change(det_watch *watch, uint64_t portion, uint64_t last, uint64_t until) {
    const int i = det__strongest(watch, portion, last, until);
    const det__comparison c = {
        .watch = watch, .serial = watch->nights, .portion = (size_t)watch->chain.control};
    double after[DET__FILTER_MAX];
    det_verdict v;
    if (i < 0 || !seen_since(watch, i))
        return -1;
    det__belief(watch, (size_t)i, after);
    v.reference.mean = det__before_at(watch, watch->bank[i].start)[c.portion];
    v.difference.mean = after[c.portion] - v.reference.mean;
    return det__follows(&c, &v) ? i : -1;
}

/* Small steps of the machine are followed without an incident, which would only be noise. */
static bool machine_matters(const det_watch *watch, size_t i) {
    const size_t c = (size_t)watch->chain.control;
    const double before = det__before_at(watch, watch->bank[i].start)[c];
    double after[DET__FILTER_MAX];
    det__belief(watch, i, after);
    return fabs(after[c] / before - 1) >= DET__MACHINE_SIZE;
}

/* A small step of all by one factor, where a portion stands clear of where the control's puts it:
 * several changed, and no factor is that of any. */
static bool is_several(det_watch *watch, int scale) {
    if (scale < 0 || watch->bank[scale].evidence < EVIDENCE_TWICE ||
        machine_matters(watch, (size_t)scale))
        return false;
    const double *before = det__before_at(watch, watch->bank[scale].start);
    bool several = false;
    for (size_t p = 0; p < watch->chain.count; p++) {
        const det__comparison c = {
            .watch = watch, .serial = watch->nights, .portion = p, .before = before};
        const det_verdict v = {.reference.mean = det__difference(&watch->chain, before, p)};
        several |= (int)p != watch->chain.control && stands_apart(&c, &v);
    }
    return several;
}

/* A step of all by one factor, of which no night since has the control: is all else where that puts
 * it? Else a portion below moved, and what stands on it as far. */
static bool is_no_factor(det_watch *watch, int scale) {
    double after[DET__FILTER_MAX];
    bool follows = true;
    if (scale < 0 || seen_since(watch, scale))
        return false;
    det__belief(watch, (size_t)scale, after);
    for (size_t p = 0; p < watch->chain.count; p++) {
        const det__comparison c = {.watch = watch, .serial = watch->nights, .portion = p};
        det_verdict v = {.reference.mean = det__difference(
                             &watch->chain, det__before_at(watch, watch->bank[scale].start), p)};
        v.difference.mean = det__difference(&watch->chain, after, p) - v.reference.mean;
        follows &= isnan(det__tonight(watch, watch->nights, p)) || det__follows(&c, &v);
    }
    return !follows;
}

/* The strongest sign that the machine changed, since the last time that it did; not after night
   `until`. */
static int machine_change(det_watch *watch, uint64_t until) {
    if (watch->chain.control < 0)
        return -1;
    const uint64_t itself = (uint64_t)watch->chain.control, last = watch->start[itself];
    const int control = control_change(watch, itself, last, until);
    const int any = det__strongest(watch, DET__SCALE, last, until);
    const int scale = is_several(watch, any) || is_no_factor(watch, any) ? -1 : any;
    const int alone = control_change(watch, DET__ALONE + itself, last, until);
    return det__likelier(watch, det__likelier(watch, control, scale), alone);
}

/* A change of machine that began last night, where the control stands clear in both nights; -1:
   none. */
static int machine_twice(det_watch *watch, uint64_t serial) {
    if (!det__control_twice(watch, serial))
        return -1;
    const int i = machine_change(watch, serial - 1);
    const bool since = i >= 0 && watch->bank[i].start == serial - 1;
    return since && watch->bank[i].evidence >= EVIDENCE_TWICE ? i : -1;
}

/* What a change of machine says of a portion; false: nothing. Where its own change of that night
 * was told, it is as in the nights since, whatever was measured in turn. after: its belief, or
 * NULL. */
static bool tell_of(det_watch *watch, uint64_t serial, const det__change *change, size_t p,
                    const double *after, det_verdict *v, det__comparison *c) {
    *c = (det__comparison){.watch = watch,
                           .serial = serial,
                           .portion = p,
                           .before = det__before_at(watch, change->start),
                           .after = after,
                           .evidence = after && change->portion == p ? change->evidence : NAN,
                           .needed = DET__EVIDENCE_MACHINE,
                           .counted = true};
    const bool own = watch->start[p] >= change->start || v->verdict == DET_VERDICT_ANOMALY;
    if (own && serial > watch->start[p] && v->verdict == DET_VERDICT_OK) {
        c->before = det__before_at(watch, serial);
        c->after = NULL;
        det__keep_quiet(c, v);
    }
    if (own || v->verdict == DET_VERDICT_HARNESS || unknown(&watch->chain, c->before, p))
        return false;
    det__compare(c, change->start, v);
    return true;
}

/* What stands apart is measured again, which tells machine and code apart: against where the
 * control's factor puts it, and since the first night that had it apart. */
static void suspect_apart(const det__comparison *c, uint64_t start, det_verdict *v) {
    const det_policy *policy = &c->watch->policy[c->portion];
    det__comparison beside = *c;
    det_verdict own = *v;
    uint64_t since = c->serial;
    beside.moved = tonights_factor(c) - 1;
    det__compare(&beside, start, &own);
    while (since > start && !((det__tonight(c->watch, since - 1, c->portion) - own.reference.mean) /
                                  own.difference.mean <
                              DET__SAME_CHANGE))
        since--;
    own.to = det__stamp_at(c->watch, since)->id;
    own.verdict = DET_VERDICT_SUSPECT;
    if (policy->remeasure && !det__cleared_since(c->watch, c->portion, since) &&
        det__matters(policy, &own))
        *v = own;
}

/* Beside a control that moved alone, what likely moved by itself, or moved otherwise, is measured
 * again as ever; also where only both together show it, as they do where its configuration stayed.
 * v: what is said of it */
static void suspect_otherwise(const det__comparison *c, det_verdict *v) {
    det_watch *watch = c->watch;
    const det_policy *policy = &watch->policy[c->portion];
    const int i = det__strongest(watch, c->portion, 0, c->serial);
    det_verdict own = *v;
    if (i < 0 || !det__claim(watch, c->serial, (size_t)i, c->portion, &own)) {
        own = *v;
        own.rule = DET_RULE_NIGHT;
        if (own.night.n > 1 || c->serial < watch->rest[c->portion] ||
            own.evidence < policy->caution * DET__EVIDENCE_MACHINE)
            return;
    }
    const bool likely =
        i >= 0 && watch->bank[i].evidence > DET__DOUBT && (int)c->portion != watch->chain.control;
    own.verdict = DET_VERDICT_SUSPECT;
    if (policy->remeasure && det__matters(policy, &own) && (likely || is_otherwise(c, &own)))
        *v = own;
}

/* Returns whether the control is where that puts it. */
static bool tell_machine(det_watch *watch, uint64_t serial, size_t i, det_verdict *out) {
    const det__change change = watch->bank[i];
    const bool scale = change.portion == DET__SCALE;
    bool stayed[DET_CONFIGURATIONS_MAX] = {false}, mixed = false;
    double after[DET__FILTER_MAX];
    det__comparison c;
    det__belief(watch, i, after);
    for (size_t p = 0; p < watch->chain.count; p++) {
        if (!tell_of(watch, serial, &change, p, after, &out[p], &c))
            continue;
        const bool beside = scale && (int)p != watch->chain.control;
        stayed[p] = beside ? stands_apart(&c, &out[p]) : !det__follows(&c, &out[p]);
        mixed |= beside && stayed[p]; /* and the belief is of no factor that anything moved by */
    }
    const bool unclear = watch->chain.control >= 0 && stayed[watch->chain.control];
    for (size_t p = 0; p < watch->chain.count; p++) {
        const double moved = det__tonight(watch, serial, p) - out[p].reference.mean;
        /* One change for all portions may fit one of them so badly that it went the other way. */
        const bool own = mixed || unclear || stayed[p] || moved * out[p].difference.mean < 0;
        if (!tell_of(watch, serial, &change, p, own ? NULL : after, &out[p], &c))
            continue;
        if (out[p].difference.low <= 0 && out[p].difference.high >= 0)
            out[p].direction = 0;
        out[p].verdict = DET_VERDICT_ENVIRONMENT;
        const bool apart = scale ? stayed[p] : is_otherwise(&c, &out[p]);
        out[p].rule = unclear ? DET_RULE_UNCLEAR
                      : apart ? DET_RULE_NOT_SCALED
                      : scale ? DET_RULE_COMMON_SCALE
                              : DET_RULE_CONTROL_MOVED;
        if (!scale)
            suspect_otherwise(&c, &out[p]);
        else if (out[p].rule == DET_RULE_NOT_SCALED ||
                 (unclear && (int)p != watch->chain.control && stands_apart(&c, &out[p])))
            suspect_apart(&c, change.start, &out[p]);
    }
    return !unclear;
}

/* The control moved by less than anybody minds: it has another level from now on, as has everything
 * where one factor explains it, and says so. */
static void tell_small(det_watch *watch, uint64_t serial, size_t i, det_verdict *out) {
    const det__change change = watch->bank[i];
    double after[DET__FILTER_MAX];
    det__belief(watch, i, after);
    for (size_t p = 0; p < watch->chain.count; p++) {
        det_verdict v = out[p];
        det__comparison c;
        if ((change.portion != DET__SCALE && (int)p != watch->chain.control) ||
            !tell_of(watch, serial, &change, p, after, &v, &c) || v.score < 1 ||
            (v.difference.low <= 0 && v.difference.high >= 0))
            continue;
        v.verdict = DET_VERDICT_OK;
        v.rule = DET_RULE_BELOW_EFFECT;
        out[p] = v;
    }
}

void det__mind_direction(const det_policy *policy, det_verdict *v) {
    if (policy->direction != -v->direction)
        return;
    v->verdict = DET_VERDICT_OK;
    v->rule = DET_RULE_DIRECTION;
}

/* Is the portion on a side of change i, of one configuration alone? v: what is to be said of it. */
static bool claim_side(det_watch *watch, uint64_t serial, size_t i, size_t portion,
                       const bool *settled, const det_verdict *out, det_verdict *v) {
    *v = out[portion];
    return det__moves(&watch->chain, (size_t)(watch->bank[i].portion - DET__ALONE), portion) &&
           !settled[portion] && det__claim(watch, serial, i, portion, v);
}

/* The strongest change of one configuration alone that is likelier than what has `most` evidence
 * and of which a side is to be told; -1: none. Not the control's, which is the machine. One night
 * of it looks like an outlier: what can be measured again is when the second one agrees. */
static int best_alone(det_watch *watch, uint64_t serial, double most, const bool *settled,
                      const det_verdict *out) {
    int best = -1;
    for (size_t c = 0; c < watch->chain.count; c++) {
        const uint64_t nights = watch->policy[c].remeasure ? 2 : watch->policy[c].patience;
        const int i = (int)c == watch->chain.control || nights > serial + 1
                          ? -1
                          : det__strongest(watch, DET__ALONE + c, 0, serial + 1 - nights);
        const int own = det__strongest(watch, c, 0, serial);
        if (i < 0 || watch->bank[i].evidence <= most || det__likelier(watch, i, own) != i)
            continue;
        for (size_t p = c; p < watch->chain.count; p++) {
            det_verdict v;
            if (!claim_side(watch, serial, (size_t)i, p, settled, out, &v) ||
                v.verdict != DET_VERDICT_ANOMALY)
                continue;
            most = watch->bank[i].evidence;
            best = i;
        }
    }
    return best;
}

/* A cost moved from one portion to the next, or the configuration that others stand on moved by
 * itself: each side is told with its own numbers. */
static void tell_alone(det_watch *watch, uint64_t serial, size_t i, bool *settled,
                       det_verdict *out) {
    const det__change change = watch->bank[i];
    bool asked = false;
    for (size_t p = 0; p < watch->chain.count; p++) {
        const bool asks_of_it = det__asks(&watch->policy[p]);
        det_verdict v;
        if (!claim_side(watch, serial, i, p, settled, out, &v) ||
            (asks_of_it && v.verdict != DET_VERDICT_ANOMALY))
            continue;
        out[p] = v;
        settled[p] = true;
        asked |= asks_of_it;
        if (asks_of_it)
            out[p].verdict = DET_VERDICT_SUSPECT;
        else
            det__mind_direction(&watch->policy[p], &out[p]);
    }
    if (asked)
        return;
    det__accept(watch, &change, serial, false);
    for (size_t p = 0; p < watch->chain.count; p++)
        if (det__moves(&watch->chain, (size_t)(change.portion - DET__ALONE), p))
            det__small_begin(watch, p);
}

static void settle(det_watch *watch, uint64_t serial, const det__change *change, size_t portion,
                   det_verdict *v) {
    const det_policy *policy = &watch->policy[portion];
    if (v->rule == DET_RULE_BELOW_EFFECT) {
        det__small_step(watch, serial, change, portion, portion + 1);
        return;
    }
    if (det__asks(policy)) {
        const uint64_t age = serial - change->start;
        v->verdict = DET_VERDICT_SUSPECT;
        v->stands = v->evidence >= det__needed_alone(watch, portion, age,
                                                     age > 0 ? EVIDENCE_HISTORY : EVIDENCE_NIGHT);
        return;
    }
    det__mind_direction(policy, v);
    if (change->start <= watch->start[portion])
        det__tell_across(watch, portion);
    else
        det__accept(watch, change, serial, false);
    det__small_begin(watch, portion);
}

/* The factor by which the control moved tonight, when that is clear of noise; else 1. */
static double control_factor(det_watch *watch, uint64_t serial, const det_verdict *out) {
    if (watch->chain.control < 0)
        return 1;
    const size_t c = (size_t)watch->chain.control;
    det_verdict v;
    if (isnan(det__before_at(watch, serial)[c]) || isnan(out[c].night.mean))
        return 1;
    return night_stands_out(watch, serial, c, DET__MACHINE_SIZE, &out[c], &v) && v.ratio > 0
               ? v.ratio
               : 1;
}

/* A portion that moved with the control, and is not clear of where that puts it, or that fell or
   rose because the control did and its own configuration did not, says nothing about the code. */
static bool explained(det_watch *watch, uint64_t serial, size_t p, double factor,
                      const det_verdict *v) {
    if (factor == 1)
        return false;
    if (v->ratio > 0 && (log(v->ratio) > 0) == (log(factor) > 0) &&
        fabs(log(v->ratio)) <= DET__CONTROL_REACH * fabs(log(factor)))
        return true;
    if (!clear_in_a_night(watch, serial, p, v->night.mean - factor * v->reference.mean))
        return true;
    return is_under_control(watch, serial, p, det__before_at(watch, serial));
}

/* Everything by one factor predicts the night better than this portion by itself. Where several
   portions change at once, a factor may predict best, and none of them: unless the control stands
   clear, the portion has to be where that factor puts it. control_moved: its factor, else 1. */
static bool common_tonight(det_watch *watch, uint64_t serial, size_t p, double control_moved,
                           const det_verdict *v) {
    const int scale = det__strongest(watch, DET__SCALE, 0, serial);
    const int own = det__strongest(watch, p, 0, serial);
    const int control = watch->chain.control;
    double after[DET__FILTER_MAX];
    if (scale < 0 || control < 0 || own < 0 ||
        watch->bank[scale].evidence <= watch->bank[own].evidence)
        return false;
    if (control_moved != 1)
        return true;
    det__belief(watch, (size_t)scale, after);
    const double factor = after[control] / det__before_at(watch, watch->bank[scale].start)[control];
    return !clear_in_a_night(watch, serial, p, v->night.mean - factor * v->reference.mean);
}

/* Portions changed in night `start`, and are told in this one. A portion that is not, and that
 * seems to have moved as well, stays in question: its next nights may tell it. The others follow in
 * silence. */
static void believe_night(det_watch *watch, uint64_t start, uint64_t serial, const bool *settled) {
    bool asked[DET_CONFIGURATIONS_MAX];
    for (size_t p = 0; p < watch->chain.count; p++) {
        const int i = det__strongest(watch, p, serial - 1, serial);
        asked[p] = !settled[p] && i >= 0 && watch->bank[i].evidence > DET__DOUBT;
    }
    det__accept_night(watch, start, serial, asked);
}

/* The nights just before had the same change in question, and were not enough to tell it: it began
   with the first of these. Returns the night that it began with. */
static uint64_t date_back(det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    const int best = det__strongest(watch, portion, watch->start[portion], serial);
    if (best < 0 || watch->bank[best].start == serial || watch->bank[best].evidence <= DET__DOUBT)
        return serial;
    const uint64_t start = watch->bank[best].start;
    double after[DET__FILTER_MAX];
    det_verdict dated = *v;
    const det__comparison c = {.watch = watch,
                               .serial = serial,
                               .portion = portion,
                               .before = det__before_at(watch, start),
                               .after = after,
                               .evidence = v->evidence,
                               .needed = EVIDENCE_NIGHT};
    det__belief(watch, (size_t)best, after);
    (void)det__compare_seen(&c, start, after, &dated);
    const double share = dated.difference.mean / v->difference.mean;
    const bool same = share >= DET__SAME_CHANGE ||
                      (share > 0 && !clear_in_a_night(watch, serial, portion,
                                                      v->difference.mean - dated.difference.mean));
    if (!same || dated.evidence < v->evidence || !det__matters(&watch->policy[portion], &dated))
        return serial;
    *v = dated;
    return start;
}

/* Nights just before that have the same change in question, whose answer is still to come, are no
 * reference. */
static void leave_asked(det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    det_verdict dated = *v;
    if (date_back(watch, serial, portion, &dated) == serial)
        return;
    v->reference_nights = dated.reference_nights;
    v->reference_from = dated.reference_from;
    v->reference_to = dated.reference_to;
    v->reference.n = dated.reference.n;
}

/* One night can only tell large changes; then of every portion that stands out by itself. */
static void judge_night(det_watch *watch, uint64_t serial, bool *settled, det_verdict *out) {
    uint64_t began = 0; /* the night that what is told began with; 0: nothing is told */
    double factor = NAN;
    for (size_t p = 0; p < watch->chain.count; p++) {
        det_verdict v;
        if (settled[p] || (int)p == watch->chain.control || watch->policy[p].patience > 1 ||
            unknown(&watch->chain, det__before_at(watch, serial), p) ||
            !night_stands_out(watch, serial, p, NIGHT_SIZE, &out[p], &v) ||
            v.evidence < EVIDENCE_NIGHT)
            continue;
        if (isnan(factor))
            factor = control_factor(watch, serial, out);
        out[p] = v;
        out[p].verdict = DET_VERDICT_ANOMALY;
        out[p].rule = DET_RULE_NIGHT;
        const det__comparison c = {.watch = watch,
                                   .serial = serial,
                                   .portion = p,
                                   .before = det__before_at(watch, serial)};
        const bool common = common_tonight(watch, serial, p, factor, &v);
        if (common || explained(watch, serial, p, factor, &v)) {
            out[p].verdict = DET_VERDICT_ENVIRONMENT;
            const bool apart = common ? stands_apart(&c, &v) : is_otherwise(&c, &v);
            out[p].rule = apart    ? DET_RULE_NOT_SCALED
                          : common ? DET_RULE_COMMON_SCALE
                                   : DET_RULE_CONTROL_MOVED;
            settled[p] = !apart || det__asks(&watch->policy[p]); /* else it may be told beside it */
            continue;
        }
        const bool asked = det__asks(&watch->policy[p]);
        const uint64_t start = asked ? serial : date_back(watch, serial, p, &out[p]);
        if (asked)
            leave_asked(watch, serial, p, &out[p]);
        out[p].rule = start == serial ? DET_RULE_NIGHT : DET_RULE_WINDOW;
        if (!det__beside(watch, p, start, &out[p])) {
            out[p].verdict = DET_VERDICT_ENVIRONMENT;
            settled[p] = true;
            continue;
        }
        out[p].stands = asked;
        if (asked)
            out[p].verdict = DET_VERDICT_SUSPECT;
        else
            det__mind_direction(&watch->policy[p], &out[p]);
        settled[p] = true;
        if (!asked) {
            watch->start[p] = start;
            det__small_begin(watch, p);
            began = began == 0 || began == start ? start : serial;
        }
    }
    if (began > 0 && watch->chain.count > 1)
        believe_night(watch, began, serial, settled);
}

/* Is the machine back where it was before it went away, as the control says? Then each portion is,
 * too, or changed: none was told with it or since. */
static bool is_return(const det_watch *watch, uint64_t serial, const det__change *change) {
    const size_t control = (size_t)watch->chain.control;
    double after[DET__FILTER_MAX];
    if (watch->away == 0 || serial - watch->away >= DET__BELIEFS - 1)
        return false;
    det__belief(watch, (size_t)(change - watch->bank), after);
    return fabs(after[control] / det__before_at(watch, watch->away)[control] - 1) <
           DET__MACHINE_SIZE;
}

/* The second night that says so: the reference is the new machine's. clear: as of tell_machine;
 * else the control moved otherwise, and an incident of it would say that it moved so. */
static void follow(det_watch *watch, uint64_t serial, size_t i, bool large, bool clear,
                   const det_verdict *out) {
    uint64_t apart = clear ? 0 : UINT64_C(1) << watch->chain.control;
    const det__change change = watch->bank[i];
    double before[DET__FILTER_MAX];
    memcpy(before, det__before_at(watch, change.start),
           det__filter_size(watch->chain.count) * sizeof *before);
    const bool machine = change.portion < DET__ALONE || change.portion == DET__SCALE;
    for (size_t p = 0; p < watch->chain.count; p++) {
        const bool scale = change.portion == DET__SCALE;
        const bool told = watch->start[p] >= change.start && !watch->small[p].steps &&
                          !unknown(&watch->chain, before, p); /* of it a step of its own */
        if (scale || !watch->policy[p].remeasure)             /* else a trial tells */
            apart |= (uint64_t)(out[p].rule == DET_RULE_NOT_SCALED || (scale && told)) << p;
    }
    if (large && machine && is_return(watch, serial, &watch->bank[i]))
        det__accept_return(watch, change.start, serial);
    else if (large)
        det__accept(watch, &change, serial, machine);
    else
        det__small_step(watch, serial, &change, (size_t)watch->chain.control,
                        (size_t)watch->chain.control + 1);
    if (large && (clear || change.portion == DET__SCALE))
        det__incident_machine(watch, &change, before, apart);
}

/* What stands out in the same night may be the other side of it. */
static void suspects_alone(const det_watch *watch, det_verdict *out) {
    for (size_t i = 0; i < watch->chain.count; i++)
        for (int p = watch->chain.parent[i]; p >= 0; p = watch->chain.parent[p])
            if (out[p].verdict == DET_VERDICT_SUSPECT && out[p].evidence > DET__DOUBT)
                out[i].trial_alone = 0;
}

static void judge(det_watch *watch, uint64_t serial, det_verdict *out) {
    bool settled[DET_CONFIGURATIONS_MAX] = {false}, held = false;
    const size_t n = watch->chain.count;
    for (size_t p = 0; p < n; p++) {
        if (out[p].verdict != DET_VERDICT_HARNESS)
            det__quiet(watch, serial, p, EVIDENCE_HISTORY, &out[p]);
        settled[p] = out[p].verdict == DET_VERDICT_HARNESS || out[p].verdict == DET_VERDICT_FIRST;
    }
    judge_night(watch, serial, settled, out);
    det__suspect_together(watch, serial, settled, out);
    for (size_t round = 0; round < n; round++) {
        const int twice = round == 0 ? machine_twice(watch, serial) : -1;
        const int machine = twice >= 0 ? twice : machine_change(watch, serial);
        const double machine_evidence = machine < 0 ? 0 : watch->bank[machine].evidence;
        det_verdict v;
        const int i = best_portion(watch, serial, machine, settled, out, &v);
        const double most =
            i < 0 ? machine_evidence : fmax(machine_evidence, watch->bank[i].evidence);
        const int alone = best_alone(watch, serial, most, settled, out);
        if (alone >= 0) {
            tell_alone(watch, serial, (size_t)alone, settled, out);
            held = true;
        } else if (i >= 0) {
            const size_t p = (size_t)watch->bank[i].portion;
            if (det__tell_together(watch, serial, (size_t)i, &v, settled, out))
                continue;
            out[p] = v;
            settled[p] = true;
            settle(watch, serial, &watch->bank[i], p, &out[p]);
            held |= out[p].verdict != DET_VERDICT_ANOMALY; /* what is asked, or steps in silence */
        } else if (machine >= 0 && !held &&
                   (twice >= 0 || machine_evidence >= DET__EVIDENCE_MACHINE)) {
            const bool large = machine_matters(watch, (size_t)machine);
            const bool clear = !large || tell_machine(watch, serial, (size_t)machine, out);
            if (!large && serial > watch->bank[machine].start)
                tell_small(watch, serial, (size_t)machine, out);
            if (serial > watch->bank[machine].start)
                follow(watch, serial, (size_t)machine, large, clear, out);
            return;
        } else {
            return;
        }
    }
}

static void tell_young(det_watch *watch, uint64_t serial, size_t p, det_verdict *v) {
    const bool again = watch->policy[p].remeasure;
    const double needed = again ? needed_for(watch, serial, p, 0) : EVIDENCE_HISTORY;
    det__change change;
    const det_verdict quiet = *v;
    if (!det__young(watch, serial, p, needed, v, &change))
        return;
    if (v->rule != DET_RULE_NOT_SCALED)
        v->rule = rule_of(watch, serial, p, change.start, v->difference.mean);
    if (!det__beside(watch, p, change.start, v)) {
        *v = quiet;
        return;
    }
    settle(watch, serial, &change, p, v);
}

/* Where the control scatters widely, a portion that its nights know well passes for the noise of
 * its configurations, or for the machine. Measuring again tells these apart: what lies outside all
 * of its own nights is suspected, where its configuration moved the same way. */
static void suspect_outside(det_watch *watch, uint64_t serial, det_verdict *out) {
    for (size_t p = 0; p < watch->chain.count && watch->chain.control >= 0; p++) {
        det__comparison c = {.watch = watch,
                             .serial = serial,
                             .portion = p,
                             .before = det__before_at(watch, serial),
                             .needed = EVIDENCE_NIGHT};
        det_verdict v = out[p];
        if (!watch->policy[p].remeasure || (int)p == watch->chain.control ||
            (v.verdict != DET_VERDICT_OK && v.verdict != DET_VERDICT_ENVIRONMENT) ||
            unknown(&watch->chain, c.before, p))
            continue;
        c.evidence = EVIDENCE_NIGHT * pow(det__outside(&c) / DET__NIGHT_Z, 2);
        if (!(c.evidence >= EVIDENCE_NIGHT))
            continue;
        det__compare(&c, serial, &v);
        const double own = det__cells_at(watch, serial)[p].mean - c.before[p];
        if (!det__matters(&watch->policy[p], &v) || own * v.difference.mean <= 0)
            continue;
        out[p] = v;
        out[p].verdict = DET_VERDICT_SUSPECT;
        out[p].rule = DET_RULE_NIGHT;
    }
}

/* A weaker suspicion supposes that the stronger one is not there: what moved below it would be its
   own. Where the portion itself is not so far from its reference, the stronger one explains it, and
   the numbers that people read are the portion's. */
static void explained_by_stronger(det_watch *watch, uint64_t serial, det_verdict *out) {
    size_t strongest = 0;
    for (size_t p = 1; p < watch->chain.count; p++)
        if (out[p].verdict == DET_VERDICT_SUSPECT &&
            (out[strongest].verdict != DET_VERDICT_SUSPECT ||
             out[p].evidence > out[strongest].evidence))
            strongest = p;
    for (size_t p = 0; p < watch->chain.count; p++) {
        const double own = det__tonight(watch, serial, p) -
                           det__difference(&watch->chain, det__before_at(watch, serial), p);
        if (out[p].verdict != DET_VERDICT_SUSPECT || p == strongest ||
            det__is_beside(out[p].rule) || own / out[p].difference.mean >= DET__SAME_CHANGE)
            continue;
        const det__comparison c = {.watch = watch,
                                   .serial = serial,
                                   .portion = p,
                                   .before = det__before_at(watch, serial),
                                   .needed = EVIDENCE_HISTORY};
        det__keep_quiet(&c, &out[p]);
    }
}

void det__judge(det_watch *watch, uint64_t serial, det_verdict *out) {
    judge(watch, serial, out);
    for (size_t p = 0; p < watch->chain.count; p++)
        tell_young(watch, serial, p, &out[p]);
    suspect_outside(watch, serial, out);
    suspects_alone(watch, out);
    explained_by_stronger(watch, serial, out);
}
