#include "tests/bench/detector/loop.h"
#include "tests/unit/detector/chain.h"

#include <math.h>
#include <stdlib.h>

#define LOOPS_MAX 1300
/* Where measuring again could not tell in any reasonable time, the nights must do so alone. */
#define UNMEASURED_EVIDENCE 9.0
#define UNMEASURED_NIGHTS 2

static det_watch *watch_new(const det_policy *policy) {
    det_chain chain;
    chain_classic(&chain);
    det_watch *watch = det_watch_new(&chain, policy);
    if (!watch)
        abort();
    return watch;
}

static void add(det_watch *watch, const history *h, size_t n, det_verdict *v) {
    const det_night night = {
        .id = (int64_t)n, .loops = HISTORY_LOOPS, .means = history_night(h, n)};
    if (det_watch_add(watch, &night, v) != DET_OK)
        abort();
}

/* What a project gets that sets nothing (docs/configure.md): the floor in ns is the only default of
   the service that the library has not. */
static void policy_shipped(det_policy *policy, const history *h) {
    det_policy_init(policy);
    policy->effect_absolute = 1;
    policy->trim = history_trim(h);
}

size_t loop_open(const history *h, double caution, alarm_at *out, size_t capacity) {
    det_policy policy;
    det_verdict v[HISTORY_CONFIGURATIONS];
    size_t count = 0;
    policy_shipped(&policy, h);
    policy.patience = 2;
    policy.caution = caution;
    det_watch *watch = watch_new(&policy);
    for (size_t n = 0; n < h->nights; n++) {
        add(watch, h, n, v);
        for (int p = 0; p < HISTORY_CONFIGURATIONS; p++)
            if (v[p].verdict == DET_VERDICT_ANOMALY && count < capacity)
                out[count++] = (alarm_at){(int)n, p, v[p].direction};
    }
    det_watch_free(watch);
    return count;
}

typedef struct {
    double before[LOOPS_MAX], after[LOOPS_MAX];
    size_t loops;
} both;

/* A loop of each commit; returns how many processes that takes. */
static int measure(const history *h, bench_random *r, both *s, size_t old, size_t new, int c,
                   double effect) {
    if (s->loops >= LOOPS_MAX)
        abort();
    s->before[s->loops] = history_again(h, r, old, c, effect);
    s->after[s->loops++] = history_again(h, r, new, c, effect);
    return 2;
}

typedef struct {
    det_outcome outcome;
    det_interval before, difference;
    size_t loops;
} answer;

static double portion_level(const history *h, size_t n, int portion) {
    const double *level = h->level + n * HISTORY_CONFIGURATIONS + portion;
    return level[0] - level[-1];
}

/* What instructions of the night's commit and the older one say. */
static det_counts counts_say(const history *h, size_t n, const det_verdict *v, int portion,
                             loop_counts counts) {
    const double before = portion_level(h, (size_t)v->trial_from, portion);
    const double change = portion_level(h, n, portion) / before - 1;
    if (counts == LOOP_UNCOUNTED)
        return DET_COUNTS_NONE;
    if (counts == LOOP_COUNTED_SO || fabs(change) < 1e-9)
        return DET_COUNTS_EQUAL;
    return (change > 0) == (v->direction > 0) ? DET_COUNTS_WITH : DET_COUNTS_AGAINST;
}

/* What is asked, and how. */
typedef struct {
    size_t n;
    const det_verdict *verdict;
    int portion;
    const det_confirm_plan *plan;
    det_counts said;
} asked;

/* One session: old and new commit in turn, under one night's factor on each configuration. */
static answer measured_again(const history *h, bench_random *r, const asked *a, loop_cost *cost) {
    double *processes = &cost->processes;
    static both own, parent;
    det_confirm_policy policy;
    det_policy limits;
    det_confirm_result result = {.state = DET_CONFIRM_MORE};
    const int portion = a->portion;
    const char name[2] = {"TICW"[portion], 0};
    const size_t old = (size_t)a->verdict->trial_from;
    const double common = bench_normal(r);
    const double own_effect = history_session(h, r, a->n, portion, common),
                 parent_effect = history_session(h, r, a->n, portion - 1, common);
    policy_shipped(&limits, h);
    det_confirm_question question = {.name = name,
                                     .stage = a->plan->stage,
                                     .expected = a->plan->expected,
                                     .effect_relative = limits.effect_relative,
                                     .effect_absolute = limits.effect_absolute,
                                     .portion_ns = fabs(a->verdict->reference.mean),
                                     .level = limits.confidence,
                                     .counts = a->said};
    det_confirm_policy_init(&policy);
    policy.alpha /= fmax(cost->series, 1);
    own.loops = parent.loops = 0;
    while (result.state == DET_CONFIRM_MORE || result.state == DET_CONFIRM_MOVED) {
        const int alone = question.stage == DET_STAGE_ALONE;
        for (unsigned i = 0; i < policy.step; i++) {
            *processes += measure(h, r, &own, old, a->n, portion, own_effect);
            if (!alone)
                *processes += measure(h, r, &parent, old, a->n, portion - 1, parent_effect);
        }
        const det_confirm_sample now = {.before = own.before,
                                        .after = own.after,
                                        .before_parent = alone ? NULL : parent.before,
                                        .after_parent = alone ? NULL : parent.after,
                                        .loops = own.loops,
                                        .parent_loops = parent.loops};
        if (det_confirm_judge(&result, &policy, &question, &now) != DET_OK)
            abort();
        if (result.state == DET_CONFIRM_MOVED)
            question.stage = DET_STAGE_MOVED;
    }
    return (answer){.outcome = result.state == DET_CONFIRM_YES  ? DET_CONFIRMED
                               : result.state == DET_CONFIRM_NO ? DET_CLEARED
                                                                : DET_UNDECIDED,
                    .before = result.before,
                    .difference = result.difference,
                    .loops = result.loops};
}

static int unmeasured(const det_verdict *v, size_t n) {
    return v->evidence >= UNMEASURED_EVIDENCE && (int64_t)n - v->to + 1 >= UNMEASURED_NIGHTS;
}

/* One suspicion a night is measured again: two portions seldom change in one. */
static int strongest_of(const det_verdict *v) {
    int best = 0;
    for (int p = 1; p < HISTORY_CONFIGURATIONS; p++)
        if (v[p].verdict == DET_VERDICT_SUSPECT && (!best || v[p].evidence > v[best].evidence))
            best = p;
    return best;
}

size_t loop_closed(const history *h, uint64_t seed, alarm_at *out, size_t capacity,
                   loop_cost *cost) {
    return loop_counted(h, seed, LOOP_UNCOUNTED, out, capacity, cost);
}

size_t loop_counted(const history *h, uint64_t seed, loop_counts counts, alarm_at *out,
                    size_t capacity, loop_cost *cost) {
    bench_random r;
    det_policy policy;
    det_confirm_policy again;
    det_verdict v[HISTORY_CONFIGURATIONS];
    size_t count = 0;
    bench_random_init(&r, seed);
    policy_shipped(&policy, h);
    det_confirm_policy_init(&again);
    again.alpha /= fmax(cost->series, 1);
    policy.remeasure = 1;
    policy.caution = fmax(cost->series, 1);
    policy.trim = cost->fastest ? DET_TRIM_SLOW : policy.trim;
    det_watch *watch = watch_new(&policy);
    for (size_t n = 0; n < h->nights; n++) {
        add(watch, h, n, v);
        cost->nightly += HISTORY_CONFIGURATIONS * HISTORY_LOOPS;
        const int strongest = strongest_of(v);
        for (int p = strongest; p == strongest && p > 0; p++) {
            const det_confirm_plan plan = det_confirm_plan_of(&again, &policy, &v[p]);
            answer said = {.outcome = DET_CONFIRMED, .difference = {.mean = NAN}};
            if (!plan.due)
                continue;
            cost->suspicions++;
            if (plan.loops <= again.maximum) {
                const asked a = {n, &v[p], p, &plan, counts_say(h, n, &v[p], p, counts)};
                said = measured_again(h, &r, &a, cost);
                cost->cleared += said.outcome == DET_CLEARED;
                cost->cleared_loops += said.outcome == DET_CLEARED ? (double)said.loops : 0;
            } else {
                cost->unmeasurable++;
                if (!unmeasured(&v[p], n))
                    continue;
            }
            const int sized =
                said.outcome == DET_CONFIRMED && v[p].steps == 0 && isfinite(said.difference.mean);
            if ((sized
                     ? det_watch_confirm(watch, (size_t)p, v[p].to, &said.before, &said.difference)
                     : det_watch_resolve(watch, (size_t)p, v[p].to, said.outcome)) != DET_OK)
                abort();
            cost->confirmed += said.outcome == DET_CONFIRMED;
            if (said.outcome == DET_CONFIRMED && count < capacity)
                out[count++] = (alarm_at){(int)n, p,
                                          !sized                     ? v[p].direction
                                          : said.difference.mean > 0 ? 1
                                                                     : -1};
        }
    }
    det_watch_free(watch);
    return count;
}
