/* quiet - a night of which nothing is told: it is as before, or in question. */
#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#include <math.h>

#define QUIET_MOST 6.4    /* evidence, less than a history needs, so that intervals overlap */
#define PENDING_SHARE 0.7 /* of what it needs, from which on a night is in question, */
#define PENDING_MOST 0.98
#define PENDING_NIGHTS 7u /* and for how long: by then it is clear, or its level has come there */

/* The strongest change that is likelier than not, and would be told were it clear; where nights do
 * not bear out what is likely enough, as their interval has it. What moved its parent is in
 * question for it, too, until the night's own values say no. */
static bool pending(det_watch *watch, uint64_t serial, size_t portion, double least,
                    det_verdict *v) {
    const int best = det__strongest(watch, portion, watch->start[portion], serial);
    if (best < 0 || (int)portion == watch->chain.control)
        return false;
    const det__change *change = &watch->bank[best];
    const double needed = det__needed_alone(watch, portion, serial - change->start, least);
    double after[DET__FILTER_MAX];
    det_verdict candidate = *v;
    const det__comparison c = {.watch = watch,
                               .serial = serial,
                               .portion = portion,
                               .before = det__before_at(watch, change->start),
                               .after = after,
                               .evidence = fmin(change->evidence, PENDING_MOST * needed),
                               .needed = needed};
    if (change->evidence < PENDING_SHARE * needed || serial - change->start >= PENDING_NIGHTS)
        return false;
    det__belief(watch, (size_t)best, after);
    if (!det__compare_seen(&c, change->start, after, &candidate) ||
        (change->evidence < needed && candidate.evidence < PENDING_SHARE * needed) ||
        !det__matters(&watch->policy[portion], &candidate) ||
        (candidate.difference.low <= 0 && candidate.difference.high >= 0) ||
        !det__follows(&c, &candidate))
        return false;
    *v = candidate;
    return true;
}

void det__keep_quiet(const det__comparison *c, det_verdict *v) {
    det__compare(c, c->serial, v);
    v->verdict = DET_VERDICT_OK;
    v->rule = v->difference.low > 0 || v->difference.high < 0 ? DET_RULE_LITTLE : DET_RULE_WITHIN;
    v->direction = 0;
}

/* What the loops alone leave open, of this night and of the last one before that has the portion:
 * how far nights lie apart is not in it. */
static double loops_error(const det__comparison *c) {
    const uint64_t before = det__reference(c->watch, c->portion, c->serial).end - 1;
    const det__cell *cells[] = {det__cells_at(c->watch, c->serial),
                                det__cells_at(c->watch, before)};
    const int parent = c->watch->chain.parent[c->portion];
    double sum = 0;
    for (size_t i = 0; i < 2; i++) {
        sum += fmax(cells[i][c->portion].variance, 0); /* fmax: not NaN */
        sum += parent < 0 ? 0 : fmax(cells[i][parent].variance, 0);
    }
    return sqrt(sum);
}

/* This night alone differs by more than one quiet night of a thousand would, or of several thousand
 * where the policy is so cautious, and by what is reported of a change. Nothing is told of it, and
 * yet the night is not clear. Where it is quiet only because nights are assumed to lie so far
 * apart, the loops are asked, and the two nights before; the interval that holds nothing but that
 * is not told. v: it is quiet.
 */
static void pend_alone(const det__comparison *c, det_verdict *v) {
    const det_watch *watch = c->watch;
    const det_policy *policy = &watch->policy[c->portion];
    if ((int)c->portion == watch->chain.control)
        return;
    const double df = det__night_df(c), difference = fabs(v->difference.mean);
    const double half = v->difference.high - v->difference.mean;
    const double error = v->assumed ? hypot(loops_error(c), det__apart(c, c->serial).error)
                                    : half / det_t_critical(1 - policy->confidence, df);
    const double alpha = DET__NIGHT_ALPHA / fmax(policy->caution, 1);
    if (!det__matters(policy, v) || !(difference > DET__NIGHT_Z * error) ||
        !(difference >= det_t_critical(alpha, df) * error))
        return;
    if (v->rule == DET_RULE_WITHIN)
        v->difference.low = v->difference.high = NAN;
    v->rule = DET_RULE_PENDING;
    v->direction = v->difference.mean > 0 ? 1 : -1;
}

void det__quiet(det_watch *watch, uint64_t serial, size_t portion, double needed, det_verdict *v) {
    const int best = det__strongest(watch, portion, 0, serial);
    det__comparison c = {.watch = watch,
                         .serial = serial,
                         .portion = portion,
                         .before = det__before_at(watch, serial),
                         .evidence = best < 0 ? 0 : fmin(watch->bank[best].evidence, QUIET_MOST),
                         .needed = needed};
    if (isnan(det__difference(&watch->chain, c.before, portion)) ||
        watch->start[portion] == serial) {
        v->verdict = DET_VERDICT_FIRST;
        v->rule = DET_RULE_FIRST;
        return;
    }
    v->verdict = DET_VERDICT_OK;
    v->rule = DET_RULE_PENDING;
    if (pending(watch, serial, portion, needed, v))
        return;
    det__keep_quiet(&c, v);
    /* What was cleared rests. What can be measured again is suspected on less, unless an outlier,
     * or a machine that is not told yet, explains the night better: that clears none. */
    if (!watch->policy[portion].remeasure || serial >= watch->rest[portion] || v->assumed)
        pend_alone(&c, v);
}
