#include "detector/watch/confirm.h"

#include <math.h>
#include <stdlib.h>

#include "detector/statistics/dist.h"
#include "detector/statistics/stats.h"
#include "detector/watch/robust__.h"
#include "detector/words/text__.h"

/* Evidence that makes it worth to measure again, where clearing takes `worth` loops, and how much
   more it must be for a longer measurement. */
#define DUE_EVIDENCE 0.5
#define DUE_COST 0.4
/* What counts may settle at the end: a last look of 95 % beside all the others would confirm
   twice as many portions whose time is the same (docs/detection.md). */
#define COUNTS_ALPHA 0.001
/* Of alpha, for the direction that nobody suspected: such changes are rare, and large. */
#define OTHER_SHARE 0.1
#define EQUAL_WITHIN 0.5 /* instructions a call */
/* What is there, and more than this times the minimum effect for sure not, need not be measured
   until it is known on which side of the minimum effect it lies. */
#define SMALL_ENOUGH 1.25
/* The fastest half of the loops, or quarter, counts where that leaves less than half of the
   variance; it has so many loops at least, or two commits that scatter differently would not be
   seen to. */
#define GAIN 2.0
#define PART_LEAST 20
#define TAIL_LEAST 1e-300
#define DEVIATE_MOST 37.0
#define ERROR_LEAST 1e-150

void det_confirm_policy_init(det_confirm_policy *policy) {
    *policy = (det_confirm_policy){.alpha = 0.0012,
                                   .beta = 0.1,
                                   .worth = 45,
                                   .worth_alone = 43,
                                   .worth_moved = 400,
                                   .step = 5,
                                   .maximum = 600};
}

static det_status confirm_policy_check(const det_confirm_policy *p) {
    const int fine = p->alpha > 0 && p->alpha < 0.5 && p->beta > 0 && p->beta < 0.5 &&
                     p->worth >= 1 && p->worth_alone >= 1 && p->worth_moved >= 1 && p->step >= 1 &&
                     p->maximum >= p->step && p->maximum <= 10000;
    return fine ? DET_OK : DET_EINVAL;
}

/* The smallest change that `worth` loops tell from none, where a loop of each commit tells it with
   this variance: under no change the evidence falls by size^2 / (2 variance) a loop, on average. */
static double fall_of(const det_confirm_policy *p) {
    return -log(p->beta / (1 - p->alpha));
}

/* Where fewer loops are allowed, the test asks what fewer can tell. */
static double worth_of(const det_confirm_policy *p, det_confirm_stage stage) {
    const unsigned worth[] = {p->worth, p->worth_alone, p->worth_moved};
    return fmin(worth[stage], p->maximum);
}

static double told_of(const det_confirm_policy *p, double variance, double worth) {
    return sqrt(2 * fall_of(p) * variance / worth);
}

static double either(double spread, double other) {
    return spread > 0 ? spread : other > 0 ? other : 0;
}

det_confirm_plan det_confirm_plan_of(const det_confirm_policy *confirm, const det_policy *policy,
                                     const det_verdict *v) {
    const det_spreads *s = &v->spreads;
    const double own = hypot(either(s->own, s->own_before), either(s->own_before, s->own));
    const double parent =
        hypot(either(s->parent, s->parent_before), either(s->parent_before, s->parent));
    const double least =
        fmax(policy->effect_absolute, policy->effect_relative * fabs(v->reference.mean));
    const double most = fmax(fabs(v->difference.mean), least);
    det_confirm_plan plan = {.stage = v->trial_alone ? DET_STAGE_ALONE : DET_STAGE_BOTH,
                             .expected = v->difference.mean < 0 ? -most : most};
    const double variance = own * own + (v->trial_alone ? 0 : parent * parent);
    const double worth = worth_of(confirm, plan.stage);
    const double told = told_of(confirm, variance, worth);
    const double size = fmax(fmin(most, told), least);
    plan.loops = size > 0 ? 2 * fall_of(confirm) * variance / (size * size) : INFINITY;
    if (size >= told && size > 0) /* rounding must not make it one too many */
        plan.loops = fmin(plan.loops, worth);
    plan.due = v->evidence >= DUE_EVIDENCE + DUE_COST * log(plan.loops / worth);
    return plan;
}

/* Of one commit's portion. */
static det__robust portion_of(const double *own, size_t n, const double *parent, size_t parent_n,
                              det__cut cut) {
    const det__robust all = det__robust_of(own, n, cut);
    return parent ? det__robust_minus(all, det__robust_of(parent, parent_n, cut)) : all;
}

static double df_of(const det__robust *r, size_t n) {
    return r->squares > 0 ? r->variance * r->variance / r->squares : (double)n - 1;
}

static det_interval around(const det__robust *r, size_t n, double times) {
    const double half = times * sqrt(r->variance);
    return (det_interval){
        .mean = r->mean, .low = r->mean - half, .high = r->mean + half, .n = n, .df = df_of(r, n)};
}

static det_interval shown(const det__robust *r, size_t n, double level) {
    return around(r, n, det_t_critical(1 - level, df_of(r, n)));
}

/* A Student's t as the normal deviate with the same tail: few loops prove less. */
static double deviate_of(double t, double df) {
    const double tail = det_t_two_sided(t, df) / 2;
    const double z = tail > TAIL_LEAST ? -det_normal_quantile(tail) : DEVIATE_MOST;
    return t < 0 ? -z : z;
}

/* Not one instruction a call more or less: the same work, unless one was put for another. */
static int is_equal(const det_interval *before, const det_interval *after) {
    const double gap = fabs(after->mean - before->mean);
    return gap + (before->high - before->low + after->high - after->low) / 2 < EQUAL_WITHIN;
}

det_counts det_counts_say(const det_dimension *counted, const det_interval *before,
                          const det_interval *after, int direction) {
    const int work = counted == det_dimension_find("instructions");
    const int moved = counted ? det_dimension_moved(counted, before, after) : 0;
    if (!isfinite(before->high - before->low) || !isfinite(after->high - after->low))
        return DET_COUNTS_NONE;
    if (moved != 0)
        return moved == direction ? DET_COUNTS_WITH : DET_COUNTS_AGAINST;
    if (!work) /* a call may take longer and allocate nothing for it */
        return DET_COUNTS_NONE;
    return is_equal(before, after) ? DET_COUNTS_EQUAL : DET_COUNTS_SAME;
}

/* What the counts add to an answer, which may be that it went the other way than was asked. */
static void put_counts(det__line *line, const det_confirm_question *q,
                       const det_confirm_result *r) {
    const int bytes = q->counted && q->counted == det_dimension_find("bytes");
    const int yes = r->state == DET_CONFIRM_YES, other = q->expected * r->difference.mean < 0;
    const det_counts counts = !yes || !other                    ? q->counts
                              : q->counts == DET_COUNTS_WITH    ? DET_COUNTS_AGAINST
                              : q->counts == DET_COUNTS_AGAINST ? DET_COUNTS_WITH
                                                                : q->counts;
    static const char *const words[] = {[DET_COUNTS_SAME] = " did not change",
                                        [DET_COUNTS_EQUAL] = " did not change",
                                        [DET_COUNTS_WITH] = " moved with it",
                                        [DET_COUNTS_AGAINST] = " went the other way"};
    if (counts == DET_COUNTS_NONE)
        return;
    det__put(line, bytes ? "; its allocated bytes" : "; its instructions");
    det__put(line, words[counts]);
}

/* What moved by itself is no answer yet, and what it measured. */
static det_known known_of(det_confirm_state state) {
    return state == DET_CONFIRM_YES     ? DET_KNOWN_JUDGED
           : state == DET_CONFIRM_NO    ? DET_KNOWN_CLEARED
           : state == DET_CONFIRM_MOVED ? DET_KNOWN_MEASURED
                                        : DET_KNOWN_ASKED;
}

static void explain(det_confirm_result *r, const det_confirm_question *q,
                    const det_confirm_sample *s) {
    static const char *const ends[] = {"more loops are needed", "confirmed", "cleared",
                                       "it changed; its parent configuration is measured next",
                                       "undecided"};
    det__line line = det__line_of(r->reason, sizeof r->reason);
    det_change change = det_change_of(q->name, &r->before, &r->after, &r->difference, q->level);
    change.unit = q->unit;
    change.known = known_of(r->state);
    det__put(&line, "Measured again, ");
    det__put_change(&line, &change, 0);
    det__put_loops(&line, s, r->fastest);
    det__put(&line, ": ");
    det__put(&line, ends[r->state]);
    if (r->state == DET_CONFIRM_NO &&
        (q->expected > 0 ? r->difference.low > 0 : r->difference.high < 0))
        det__put(&line, ", below the minimum effect");
    put_counts(&line, q, r);
}

/* After as many loops as clearing is worth: would it take more than are allowed? */
static int hopeless(const det_confirm_policy *p, double worth, double size, double error,
                    size_t loops) {
    return (double)loops >= worth &&
           2 * fall_of(p) * (double)loops * error * error > (double)p->maximum * size * size;
}

/* What is tested: a change by `size` in the direction of `sign`, of `least` at least, where the
   watch saw `seen`. */
typedef struct {
    double sign, size, least, seen, worth;
    det_counts counts;
    int search;
} tested;

/* No loop is left, or none would help: the counts tell what they could not. */
static det_confirm_state settle(const tested *t, double moved, double sure_near) {
    return t->counts == DET_COUNTS_WITH && sure_near > 0 && moved >= t->least
               ? DET_CONFIRM_YES
               : DET_CONFIRM_UNDECIDED;
}

/* Wald's evidence of a change by `size`, where `moved` was measured with this standard error. */
static double evidence_of(double moved, double size, double error, double df) {
    const double k = size / error;
    const double none = deviate_of(moved / error, df);
    const double there = deviate_of((moved - size) / error, df);
    /* between both hypotheses of their deviates; beyond them, where few loops draw these together,
       of the nearer one's and the size */
    const int between = moved > 0 && moved < size;
    return between ? (none * none - there * there) / 2 : k * (none - k / 2);
}

/* Of equal work nothing smaller is looked for than what the watch saw. */
static int rejects(const det_confirm_policy *p, const tested *t, double evidence, double seen) {
    return evidence <= -fall_of(p) || (t->counts == DET_COUNTS_EQUAL && seen <= -fall_of(p));
}

static det_confirm_state decide(det_confirm_result *r, const det_confirm_policy *p, const tested *t,
                                const det__robust *difference) {
    const double sign = t->sign, size = t->size, least = t->least;
    const double error = fmax(sqrt(difference->variance), ERROR_LEAST);
    const double moved = sign * difference->mean, df = r->difference.df;
    const double near = sign > 0 ? r->sequential.low : -r->sequential.high;
    const double far = sign > 0 ? r->sequential.high : -r->sequential.low;
    const double shown_near = sign > 0 ? r->difference.low : -r->difference.high;
    const double shown_far = sign > 0 ? r->difference.high : -r->difference.low;
    const double sure_near = moved - det_t_critical(COUNTS_ALPHA, df) * error;
    const double other =
        -moved - det__sequential_times(OTHER_SHARE * p->alpha, r->loops, df) * error;
    r->evidence = evidence_of(moved, size, error, df);
    if (near > 0 && near >= least)
        return DET_CONFIRM_YES;
    if (!t->search && other >= least && other > 0)
        return DET_CONFIRM_YES;
    if (moved >= least && r->evidence >= log((1 - p->beta) / p->alpha))
        return DET_CONFIRM_YES;
    if (t->search ? far < least : near > 0 && moved < least && far < SMALL_ENOUGH * least)
        return DET_CONFIRM_NO;
    if (rejects(p, t, r->evidence, evidence_of(moved, t->seen, error, df)) &&
        (shown_near <= 0 || moved < least)) {
        const int turned = !t->search && shown_far < 0 && -moved >= least;
        return !turned                        ? DET_CONFIRM_NO
               : (double)r->loops >= t->worth ? DET_CONFIRM_UNDECIDED
                                              : DET_CONFIRM_MORE;
    }
    return r->loops >= p->maximum ||
                   (shown_near <= 0 && hopeless(p, t->worth, size, error, r->loops))
               ? settle(t, moved, sure_near)
               : DET_CONFIRM_MORE;
}

static int question_fine(const det_confirm_question *q) {
    return q->stage >= DET_STAGE_BOTH && q->stage <= DET_STAGE_MOVED && isfinite(q->expected) &&
           q->expected != 0 && q->level > 0 && q->level < 1 && q->effect_relative >= 0 &&
           isfinite(q->effect_relative) && q->effect_absolute >= 0 &&
           isfinite(q->effect_absolute) && q->portion_ns >= 0 && isfinite(q->portion_ns);
}

/* Both commits' portions, and the later one less the earlier one. */
typedef struct {
    det__robust before, after, both;
    int fastest; /* as in det_confirm_result */
} measured;

/* x [n] in order, at the free end of memory; NULL: not all are finite. */
static const double *sorted_of(const double *x, size_t n, double **memory) {
    double *sorted = *memory;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return NULL;
        sorted[i] = x[i];
    }
    det_sort(sorted, n);
    *memory += n;
    return sorted;
}

/* All of it in order, in memory for 2 * (loops + parent_loops); 0: not all are finite. */
static int sample_sort(det_confirm_sample *out, const det_confirm_sample *s, double *memory) {
    *out = (det_confirm_sample){.loops = s->loops, .parent_loops = s->parent_loops};
    out->before = sorted_of(s->before, s->loops, &memory);
    out->after = sorted_of(s->after, s->loops, &memory);
    if (s->before_parent) {
        out->before_parent = sorted_of(s->before_parent, s->parent_loops, &memory);
        out->after_parent = sorted_of(s->after_parent, s->parent_loops, &memory);
    }
    return out->before && out->after &&
           (!s->before_parent || (out->before_parent && out->after_parent));
}

static measured both_of(const det_confirm_sample *sorted, det__cut cut) {
    const det_confirm_sample *s = sorted;
    measured m = {.before = portion_of(s->before, s->loops, s->before_parent, s->parent_loops, cut),
                  .after = portion_of(s->after, s->loops, s->after_parent, s->parent_loops, cut),
                  .fastest = (int)cut};
    m.both = det__robust_minus(m.after, m.before);
    return m;
}

/* The later commit's loops less those that ran beside them, in order, in memory for n. */
static det__robust pairs_of(const double *before, const double *after, size_t n, double *memory) {
    for (size_t i = 0; i < n; i++)
        memory[i] = after[i] - before[i];
    det_sort(memory, n);
    return det__robust_of(memory, n, DET__CUT_EVENLY);
}

/* s is in its own order; memory as there. */
static measured paired_of(const det_confirm_sample *s, measured m, double *memory) {
    m.both = pairs_of(s->before, s->after, s->loops, memory);
    if (s->before_parent)
        m.both = det__robust_minus(
            m.both, pairs_of(s->before_parent, s->after_parent, s->parent_loops, memory));
    m.after.mean = m.before.mean + m.both.mean; /* trimmed apart they would not agree with it */
    return m;
}

/* What only one commit does to some of its loops is its own, and stays in. */
static int scatter_alike(const det_confirm_sample *sorted, det__cut cut) {
    return det__robust_alike(sorted->before, sorted->after, sorted->loops, cut) &&
           (!sorted->before_parent || det__robust_alike(sorted->before_parent, sorted->after_parent,
                                                        sorted->parent_loops, cut));
}

/* A machine that slows many loops does so to both commits: then their fastest ones tell more. */
static measured best_of(const det_confirm_sample *sorted) {
    measured best = both_of(sorted, DET__CUT_EVENLY);
    const size_t loops = sorted->before_parent && sorted->parent_loops < sorted->loops
                             ? sorted->parent_loops
                             : sorted->loops;
    static const det__cut cuts[] = {DET__CUT_HALF, DET__CUT_QUARTER};
    for (size_t i = 0; i < 2 && loops >= PART_LEAST * (size_t)cuts[i]; i++) {
        const measured part = both_of(sorted, cuts[i]);
        if (GAIN * part.both.variance < best.both.variance && scatter_alike(sorted, cuts[i]))
            best = part;
    }
    return best;
}

static det_status measured_of(measured *m, const det_confirm_policy *policy,
                              const det_confirm_question *q, const det_confirm_sample *s) {
    det_confirm_sample sorted;
    if (confirm_policy_check(policy) != DET_OK || !question_fine(q))
        return DET_EINVAL;
    if (s->loops < 3 || (s->before_parent && s->parent_loops < 3))
        return DET_ESHORT;
    double *memory = malloc(2 * (s->loops + s->parent_loops) * sizeof *memory);
    if (!memory)
        return DET_ENOMEM;
    const int finite = sample_sort(&sorted, s, memory);
    if (finite)
        *m = s->paired ? paired_of(s, both_of(&sorted, DET__CUT_EVENLY), memory) : best_of(&sorted);
    free(memory);
    return finite ? DET_OK : DET_ENUMERIC;
}

/* Of the configuration; once it moved, of its parent, which has fewer at first. */
static size_t loops_of(const det_confirm_question *q, const det_confirm_sample *s) {
    return q->stage == DET_STAGE_MOVED && s->parent_loops < s->loops ? s->parent_loops : s->loops;
}

/* The differences's intervals after so many loops, and what follows from them. */
static det_confirm_state state_of(det_confirm_result *r, const det_confirm_policy *policy,
                                  const det_confirm_question *q, const measured *m, size_t loops) {
    const int alone = q->stage == DET_STAGE_ALONE;
    const double level = alone ? q->portion_ns : fabs(m->before.mean);
    const double least = fmax(q->effect_absolute, q->effect_relative * level);
    const double worth = worth_of(policy, q->stage);
    const double told = told_of(policy, m->both.variance * (double)loops, worth);
    const double seen = fmax(fabs(q->expected), least);
    const double size = fmax(fmin(seen, told), least);
    r->loops = loops;
    r->difference = shown(&m->both, loops, q->level);
    r->sequential =
        around(&m->both, loops, det__sequential_times(policy->alpha, loops, r->difference.df));
    const tested t = {q->expected < 0 ? -1 : 1, size, least, seen, worth, q->counts, q->search};
    const det_confirm_state state = decide(r, policy, &t, &m->both);
    return alone && state == DET_CONFIRM_YES ? DET_CONFIRM_MOVED : state;
}

det_status det_confirm_judge(det_confirm_result *out, const det_confirm_policy *policy,
                             const det_confirm_question *q, const det_confirm_sample *s) {
    measured m;
    const det_status status = measured_of(&m, policy, q, s);
    if (status != DET_OK)
        return status;
    det_confirm_result r = {.before = shown(&m.before, s->loops, q->level),
                            .after = shown(&m.after, s->loops, q->level),
                            .fastest = m.fastest};
    r.state = state_of(&r, policy, q, &m, loops_of(q, s));
    explain(&r, q, s);
    *out = r;
    return DET_OK;
}

/* The same mean after `times` as many loops with the same spread. */
static det__robust longer(det__robust r, double times) {
    return (det__robust){.mean = r.mean,
                         .variance = r.variance / times,
                         .squares = r.squares / (times * times * times)};
}

det_status det_confirm_ends(size_t *loops, const det_confirm_policy *policy,
                            const det_confirm_question *q, const det_confirm_sample *s) {
    measured m;
    det_confirm_result r;
    const size_t now = loops_of(q, s);
    size_t n = now;
    const det_status status = measured_of(&m, policy, q, s);
    if (status != DET_OK)
        return status;
    measured then = m;
    while (state_of(&r, policy, q, &then, n) == DET_CONFIRM_MORE) {
        n += policy->step;
        then.both = longer(m.both, (double)n / (double)now);
    }
    *loops = n;
    return DET_OK;
}
