#include "tests/bench/detector/loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOPS_MAX 1000
/* Where measuring again could not tell in any reasonable time, the nights must do so alone. */
#define UNMEASURED_EVIDENCE 9.0
#define UNMEASURED_NIGHTS 2

static det_watch *watch_new(const det_policy *policy)
{
    det_chain chain;
    det_chain_classic(&chain);
    det_watch *watch = det_watch_new(&chain, policy);
    if (!watch)
        abort();
    return watch;
}

static void add(det_watch *watch, const history *h, size_t n, det_verdict *v)
{
    const det_night night = {
        .id = (int64_t)n, .loops = HISTORY_LOOPS, .means = history_night(h, n)};
    if (det_watch_add(watch, &night, v) != DET_OK)
        abort();
}

size_t loop_open(const history *h, alarm_at *out, size_t capacity)
{
    det_policy policy;
    det_verdict v[HISTORY_CONFIGURATIONS];
    size_t count = 0;
    det_policy_init(&policy);
    policy.patience = 2;
    det_watch *watch = watch_new(&policy);
    for (size_t n = 0; n < h->nights; n++) {
        add(watch, h, n, v);
        for (int p = 0; p < HISTORY_CONFIGURATIONS; p++)
            if (v[p].kind == DET_VERDICT_ANOMALY && count < capacity)
                out[count++] = (alarm_at){(int)n, p, v[p].direction};
    }
    det_watch_free(watch);
    return count;
}

static double spread_of(const history *h, size_t n, int portion)
{
    double squares = 0;
    for (int c = portion - 1; c <= portion; c++) {
        double sd;
        if (det_mean_of(NULL, &sd, history_night(h, n) + c * HISTORY_LOOPS, HISTORY_LOOPS) ==
            DET_OK)
            squares += sd * sd;
    }
    return sqrt(squares);
}

typedef struct {
    double loop[4][LOOPS_MAX]; /* before's parent, before, after's parent, after */
} sample;

/* One session: old and new commit in turn, under one night's factor on each configuration. */
static det_confirm_state measure_again(const history *h, bench_random *r, const det_verdict *v,
                                       int portion, double expected, double *processes)
{
    static sample s;
    det_confirm_policy policy;
    det_confirm_result result = {.state = DET_CONFIRM_MORE};
    char name[2] = {"TICW"[portion], 0};
    const size_t old = (size_t)v->against;
    double effect[2];
    const double common = bench_normal(r);
    det_confirm_policy_init(&policy);
    for (int k = 0; k < 2; k++)
        effect[k] = history_session(h, r, portion - 1 + k, common);
    for (size_t loops = 0; result.state == DET_CONFIRM_MORE;) {
        for (unsigned i = 0; i < policy.step && loops < LOOPS_MAX; i++, loops++)
            for (int k = 0; k < 2; k++) {
                s.loop[k][loops] = history_again(h, r, old, portion - 1 + k, effect[k]);
                s.loop[2 + k][loops] =
                    history_again(h, r, (size_t)v->since, portion - 1 + k, effect[k]);
                *processes += 2;
            }
        const det_confirm_sample now = {.before = s.loop[1],
                                        .before_parent = s.loop[0],
                                        .after = s.loop[3],
                                        .after_parent = s.loop[2],
                                        .loops = loops};
        if (det_confirm_judge(&result, &policy, name, expected, &now, 0.95) != DET_OK)
            abort();
    }
    return result.state;
}

static int unmeasured(const det_policy *policy, const det_verdict *v, size_t n)
{
    (void)policy;
    return v->evidence >= UNMEASURED_EVIDENCE && (int64_t)n - v->since + 1 >= UNMEASURED_NIGHTS;
}

size_t loop_closed(const history *h, uint64_t seed, alarm_at *out, size_t capacity,
                   loop_cost *cost)
{
    bench_random r;
    det_policy policy;
    det_confirm_policy again;
    det_verdict v[HISTORY_CONFIGURATIONS];
    size_t count = 0;
    bench_random_init(&r, seed);
    det_policy_init(&policy);
    det_confirm_policy_init(&again);
    policy.remeasure = 1;
    det_watch *watch = watch_new(&policy);
    for (size_t n = 0; n < h->nights; n++) {
        add(watch, h, n, v);
        cost->nightly += HISTORY_CONFIGURATIONS * HISTORY_LOOPS;
        for (int p = 1; p < HISTORY_CONFIGURATIONS; p++) {
            if (v[p].kind != DET_VERDICT_SUSPECT)
                continue;
            const double spread = spread_of(h, n, p);
            const double expected = det_confirm_expected(&again, &policy, &v[p], spread);
            int confirmed;
            cost->suspicions++;
            if (det_confirm_plan(&again, expected, spread) > again.maximum) {
                cost->unmeasurable++;
                confirmed = unmeasured(&policy, &v[p], n);
                if (!confirmed)
                    continue;
            } else {
                det_verdict now = v[p];
                now.since = (int64_t)n;
                confirmed = measure_again(h, &r, &now, p, expected, &cost->processes) ==
                            DET_CONFIRM_YES;
            }
            if (det_watch_resolve(watch, (size_t)p, v[p].since, confirmed) != DET_OK)
                abort();
            cost->confirmed += confirmed;
            if (confirmed && count < capacity)
                out[count++] = (alarm_at){(int)n, p, v[p].direction};
        }
    }
    det_watch_free(watch);
    return count;
}
