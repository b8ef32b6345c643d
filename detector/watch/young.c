/* young - a change among a series' first nights. They say little of how far nights lie apart, and
   the change is most of what they do say: it would be within a noise that is its own, and the level
   comes to meet it, so that no belief in a change is likelier than the one in none. */
#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#include <math.h>
#include <string.h>

#define AGE 20              /* nights since a change that no belief is in: more of them drift */
#define ASKED_ALPHA 0.01    /* of Student's test, where measuring again answers it, */
#define TOLD_ALPHA 0.000001 /* and of what is told: far beyond what nights show that drift */
#define NEARLY 0.98         /* of what it takes, at most, where it is in question */

/* Does the control, or the policy, leave it to the code? Where 0 is a value, counts scatter so. */
static bool is_judged(const det_watch *watch, uint64_t serial, size_t p) {
    const det_policy *policy = &watch->policy[p];
    return (int)p != watch->chain.control && !policy->ask && policy->zero == 0 &&
           !(policy->remeasure && serial < watch->rest[p]);
}

static bool is_young(const det_watch *watch, uint64_t start, size_t p) {
    return det__spread_before(watch, start, p)->weight < DET__YOUNG_NIGHTS;
}

/* The first night of the change that these nights show most clearly; `between` of it. */
static uint64_t clearest(const det__comparison *c, det__between *between) {
    const det_watch *watch = c->watch;
    const uint64_t oldest = c->serial > AGE ? c->serial - AGE : 0;
    uint64_t start = 0;
    for (uint64_t s = c->serial - 1; s > oldest && s > watch->start[c->portion]; s--) {
        if (!is_young(watch, s, c->portion) || det__cleared_since(watch, c->portion, s))
            continue;
        const det__between of = det__apart(c, s);
        if (of.nights < 2 || !of.agree || of.error == 0 ||
            fabs(of.difference) * between->error <= fabs(between->difference) * of.error)
            continue;
        *between = of;
        start = s;
    }
    return start;
}

/* In what Student's test asks for at alpha. */
static double clear_by(const det__between *of, double alpha) {
    return fabs(of->difference) / (det_t_critical(alpha, of->df) * of->error);
}

/* With the interval that these nights alone give. Is it what matters, and does the control's own
 * move not explain it? */
static bool compare(const det__comparison *c, uint64_t start, const det__between *of,
                    det_verdict *v) {
    const int control = c->watch->chain.control;
    const det_policy *policy = &c->watch->policy[c->portion];
    const double moved = control < 0 || c->machine > 0 ? 1 : c->after[control] / c->before[control];
    const double half = det_t_critical(1 - policy->confidence, of->df) * of->error;
    det__comparison levels = *c;
    levels.machine = 0;
    det__compare(&levels, start, v);
    v->difference.low = v->difference.mean - half;
    v->difference.high = v->difference.mean + half;
    v->assumed = DET_ASSUMED_NOT;
    return det__matters(policy, v) && v->difference.low * v->difference.high > 0 &&
           fabs(log(v->ratio)) > DET__CONTROL_REACH * fabs(log(moved));
}

/* The machine changed with the portion's level. A change no later than that is one of nights that
 * moved as the control was, on top of those since. Returns its first night, or that of one that
 * these show by themselves; 0: none. */
static uint64_t clearest_across(det__comparison *c, det__between *between) {
    det_watch *watch = c->watch;
    const size_t p = c->portion;
    const uint64_t since = watch->start[p];
    const int control = watch->chain.control;
    det__comparison across = *c;
    det__between of = *between;
    if (control < 0 || watch->start[control] != since || watch->home[p] == since ||
        c->serial - since > AGE || !is_young(watch, since, p))
        return clearest(c, between);
    watch->start[p] = watch->home[p];
    across.machine = since;
    across.moved = det__machine_factor(watch, det__reference(watch, p, since),
                                       (det__range){since, c->serial + 1}, p, &across.unsure) -
                   1;
    const uint64_t start = across.moved == 0 ? 0 : clearest(&across, &of);
    if (start > 0 && start <= since) {
        *c = across;
        *between = of;
        return start;
    }
    watch->start[p] = since;
    return clearest(c, between);
}

/* Returns the first night of what these nights show clearly enough to be told, or to be in question
 * (not told); 0: nothing. */
static uint64_t shown_since(det__comparison *c, double least, double asked, det__between *of) {
    det_watch *watch = c->watch;
    const det_policy *policy = &watch->policy[c->portion];
    uint64_t start = clearest_across(c, of);
    if (start > 0 && clear_by(of, least) >= 1)
        return start;
    if (c->machine == 0) {
        const int best = det__strongest(watch, c->portion, watch->start[c->portion], c->serial);
        if (policy->remeasure || best < 0 || !is_young(watch, watch->bank[best].start, c->portion))
            return 0;
        start = watch->bank[best].start;
        *of = det__apart(c, start);
    }
    const bool known = start > 0 && of->nights > 1 && of->agree && of->error > 0;
    return known && clear_by(of, asked) >= 1 ? start : 0;
}

bool det__young(det_watch *watch, uint64_t serial, size_t portion, double needed, det_verdict *v,
                det__change *change) {
    const det_policy *policy = &watch->policy[portion];
    const double caution = fmax(policy->caution, 1);
    const double least = policy->remeasure ? ASKED_ALPHA : TOLD_ALPHA / caution;
    const uint64_t begun = watch->start[portion];
    double after[DET__FILTER_MAX];
    det_verdict candidate = *v;
    det__between of = {.error = 1};
    det__comparison c = {.watch = watch,
                         .serial = serial,
                         .portion = portion,
                         .after = after,
                         .needed = needed,
                         .seen = true};
    if (v->verdict != DET_VERDICT_OK || serial < 2 || !is_judged(watch, serial, portion))
        return false;
    const uint64_t start = shown_since(&c, least, DET__NIGHT_ALPHA / caution, &of);
    const double score = start == 0 ? 0 : clear_by(&of, least);
    const bool told = score >= 1 && (policy->remeasure || serial - start + 1 >= policy->patience);
    c.before = det__before_at(watch, start);
    c.evidence = needed * (told ? score * score : fmin(score * score, NEARLY));
    memcpy(after, watch->base, sizeof *after * det__filter_size(watch->chain.count));
    after[portion] += of.level - det__difference(&watch->chain, after, portion);
    const bool found = start > 0 && compare(&c, start, &of, &candidate);
    watch->start[portion] = begun;
    if (!found)
        return false;
    *v = candidate;
    v->rule = told && c.machine > 0 ? DET_RULE_NOT_SCALED : DET_RULE_PENDING;
    v->verdict = told ? DET_VERDICT_ANOMALY : DET_VERDICT_OK;
    *change = (det__change){.start = start,
                            .portion = portion,
                            .width = det__change_width(watch, portion, start),
                            .evidence = c.evidence};
    return told;
}
