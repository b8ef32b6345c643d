/* young - a change among a series' first nights. They say little of how far nights lie apart, and
   the change is most of what they do say: it would be within a noise that is its own. */
#include "detector/watch/watch__.h"

#include <math.h>

#define YOUNG_NIGHTS 10.0   /* of which how far nights lie apart is known, end a series' youth */
#define TOLD_ALPHA 0.000001 /* of Student's test: far beyond what nights show that drift */
#define NEARLY 0.98         /* of what it takes, at most, where it is in question */

/* Does the control, or the policy, leave it to the code? Where 0 is a value, counts scatter so;
 * what is measured again is suspected on less. */
static bool is_judged(const det_watch *watch, size_t p, const det__change *change) {
    const det_policy *policy = &watch->policy[p];
    const size_t at = change->start % DET__BELIEFS * watch->chain.count + p;
    return (int)p != watch->chain.control && !policy->remeasure && !policy->ask &&
           policy->zero == 0 && watch->spread_before[at].weight < YOUNG_NIGHTS;
}

/* As det__compare_seen, of what matters, and of what the control's own move does not explain. */
static bool compare(const det__comparison *c, uint64_t start, double *after, det_verdict *v) {
    const int control = c->watch->chain.control;
    const double moved = control < 0 ? 1 : after[control] / c->before[control];
    return det__compare_seen(c, start, after, v) &&
           det__matters(&c->watch->policy[c->portion], v) &&
           fabs(log(v->ratio)) > DET__CONTROL_REACH * fabs(log(moved));
}

int det__young(det_watch *watch, uint64_t serial, size_t portion, double needed, det_verdict *v) {
    const int best = det__strongest(watch, portion, watch->start[portion], serial);
    if (v->verdict != DET_VERDICT_OK || best < 0 || !is_judged(watch, portion, &watch->bank[best]))
        return -1;
    const uint64_t start = watch->bank[best].start;
    const det_policy *policy = &watch->policy[portion];
    const double caution = fmax(policy->caution, 1);
    double after[DET__FILTER_MAX];
    det_verdict candidate = *v;
    det__comparison c = {.watch = watch,
                         .serial = serial,
                         .portion = portion,
                         .before = det__before_at(watch, start),
                         .after = after,
                         .needed = needed};
    if (!(det__apart(&c, start, DET__NIGHT_ALPHA / caution) >= 1))
        return -1;
    const double score = det__apart(&c, start, TOLD_ALPHA / caution);
    c.evidence = needed * fmin(score * score, NEARLY);
    det__belief(watch, (size_t)best, after);
    if (!compare(&c, start, after, &candidate))
        return -1;
    *v = candidate;
    v->rule = DET_RULE_PENDING;
    if (v->difference.low <= 0 && v->difference.high >= 0) {
        v->difference.low = v->difference.high = NAN;
        v->assumed = v->assumed ? v->assumed : DET_ASSUMED_PARTLY;
        return -1;
    }
    if (score < 1 || serial - start + 1 < policy->patience)
        return -1;
    c.evidence = needed * score * score;
    (void)compare(&c, start, after, v);
    v->verdict = DET_VERDICT_ANOMALY;
    return best;
}
