#include "tests/bench/detector/trials.h"

#include <math.h>
#include <stdlib.h>

#include "detector/detector.h"
#include "tests/bench/detector/random.h"

#define LOOPS_MAX 600
#define LEVEL 1000.0
#define SPREAD 10.0
#define TEN_ERRORS_AT 60 /* loops of each commit */
#define RATIOS 5
#define EXPECTED 3
#define THIRDS 3
#define HELD_UP 3 /* spreads, on average */

typedef enum { NORMAL, STUDENT, HELD, BUSY } kind;

static const char *const noises[] = {"normal", "t, 3 degrees of freedom",
                                     "a third slowed by the host", "two thirds slowed by the host"};

typedef struct {
    double before, after, change, expected;
    kind noise;
} trial;

typedef struct {
    double confirmed, cleared, undecided, loops, of;
} outcome;

/* A busy host slows some loops of either commit, or most. */
static int thirds_held(kind noise) {
    return noise == HELD ? 1 : noise == BUSY ? 2 : 0;
}

static double held(int thirds, bench_random *r) {
    return bench_uniform(r) * THIRDS < thirds ? -HELD_UP * SPREAD * log(1 - bench_uniform(r)) : 0;
}

static double held_variance(kind noise) {
    const double share = (double)thirds_held(noise) / THIRDS;
    return HELD_UP * SPREAD * HELD_UP * SPREAD * share * (2 - share);
}

static double loop_of(const trial *t, double spread, bench_random *r) {
    return LEVEL + spread * (t->noise == STUDENT ? bench_t(r, 3) / sqrt(3) : bench_normal(r)) +
           (thirds_held(t->noise) ? held(thirds_held(t->noise), r) : 0);
}

static void session(const trial *t, bench_random *random, outcome *o) {
    static double before[LOOPS_MAX], after[LOOPS_MAX];
    det_confirm_policy policy;
    det_confirm_result r = {.state = DET_CONFIRM_MORE};
    const det_confirm_question question = {.name = "I", .expected = t->expected, .level = 0.95};
    det_confirm_policy_init(&policy);
    if (policy.maximum > LOOPS_MAX)
        abort();
    for (size_t loops = 0; r.state == DET_CONFIRM_MORE;) {
        for (unsigned i = 0; i < policy.step; i++, loops++) {
            before[loops] = loop_of(t, t->before, random);
            after[loops] = t->change + loop_of(t, t->after, random);
        }
        const det_confirm_sample s = {.before = before, .after = after, .loops = loops};
        if (det_confirm_judge(&r, &policy, &question, &s) != DET_OK)
            abort();
    }
    o->confirmed += r.state == DET_CONFIRM_YES;
    o->cleared += r.state == DET_CONFIRM_NO;
    o->undecided += r.state == DET_CONFIRM_UNDECIDED;
    o->loops += (double)r.loops;
    o->of++;
}

/* Whatever was expected: a third of the smaller spread, three and thirty of them. */
static outcome outcomes(double before, double after, double change, kind noise, int sessions,
                        bench_random *random) {
    static const double expected[EXPECTED] = {SPREAD / 3, 3 * SPREAD, 30 * SPREAD};
    outcome o = {0};
    for (int k = 0; k < EXPECTED; k++) {
        const trial t = {.before = before,
                         .after = after,
                         .change = change,
                         .expected = expected[k],
                         .noise = noise};
        for (int i = 0; i < sessions / EXPECTED; i++)
            session(&t, random, &o);
    }
    return o;
}

/* The worst of all rows. */
typedef struct {
    double least_found, most_wrong; /* shares */
} worst;

static void trial_row(report *r, double before, double after, kind noise, int sessions,
                      bench_random *random, worst *w) {
    const double variance = before * before + after * after + 2 * held_variance(noise);
    const double ten = 10 * sqrt(variance / TEN_ERRORS_AT);
    const outcome nothing = outcomes(before, after, 0, noise, sessions, random);
    const outcome clear = outcomes(before, after, ten, noise, sessions, random);
    say(r, "| %.0f : %.0f | %s | %.2f %% | %.1f %% | %.0f | %.2f %% | %.0f |\n", before / SPREAD,
        after / SPREAD, noises[noise], 100 * nothing.confirmed / nothing.of,
        100 * nothing.undecided / nothing.of, nothing.loops / nothing.of,
        100 * clear.confirmed / clear.of, clear.loops / clear.of);
    w->most_wrong = fmax(w->most_wrong, nothing.confirmed / nothing.of);
    w->least_found = fmin(w->least_found, clear.confirmed / clear.of);
}

void trials_table(report *r, uint64_t seed, int sessions) {
    static const double ratio[RATIOS][2] = {{1, 1}, {3, 1}, {1, 3}, {10, 1}, {1, 10}};
    bench_random random;
    worst w = {.least_found = 1, .most_wrong = 0};
    bench_random_init(&random, seed);
    say(r, "\n| spread between loops, before : after | noise | nothing there: confirmed | "
           "undecided | loops | ten standard errors: confirmed | loops |\n"
           "|---|---|---|---|---|---|---|\n");
    for (kind n = NORMAL; n < HELD; n++)
        for (int k = 0; k < RATIOS; k++)
            trial_row(r, SPREAD * ratio[k][0], SPREAD * ratio[k][1], n, sessions, &random, &w);
    for (kind n = HELD; n <= BUSY; n++)
        trial_row(r, SPREAD, SPREAD, n, sessions, &random, &w);
    say(r,
        "\n%d trials a cell, a third each with an expected change of a third of the smaller "
        "spread, three and thirty of them; standard errors at %d loops of each commit.\n",
        sessions / EXPECTED * EXPECTED, TEN_ERRORS_AT);
    figure(r, "trials_nothing_confirmed", w.most_wrong);
    figure(r, "trials_ten_errors_confirmed", w.least_found);
}
