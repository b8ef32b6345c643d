/* How fast a level wanders is learnt, and a change of code does not pass for it. */
#include "detector/watch/spread.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <math.h>

#include "detector/detector.h"
#include "tests/unit/detector/chain.h"
#include "tests/unit/detector/luck.h"

#define SLOW 0.05
#define SPREAD 0.01

/* R: k<-0:7; w<-exp(-.6*k); q2<-.25*.05^2+(1e-4*1.7^k/.01)^2; sqrt(sum(w*q2)/sum(w)) */
static void before_the_first_night_it_is_the_prior(void **state) {
    (void)state;
    const double nothing[DET__PACES] = {0};
    assert_true(fabs(wander_of(nothing, SLOW, SPREAD) / 0.0604649534951599 - 1) < 1e-12);
}

/* What is learnt from `nights` nights of four configurations that wander at a pace. */
static double learnt(double pace, int nights, uint64_t seed) {
    double score[DET__PACES] = {0}, sum[DET__PACES] = {0};
    for (int c = 0; c < 4; c++) {
        det__pace levels;
        double level = 100;
        det__wander_begin(&levels);
        for (unsigned k = 0; k < DET__PACES; k++)
            score[k] = 0;
        for (int n = 0; n < nights; n++) {
            level *= 1 + pace * SPREAD * luck_normal(&seed);
            const double noise = SPREAD * level;
            wander_night(&levels, score, SLOW, SPREAD, level + noise * luck_normal(&seed),
                         noise * noise);
        }
        for (unsigned k = 0; k < DET__PACES; k++)
            sum[k] += score[k];
    }
    return wander_of(sum, SLOW, SPREAD);
}

static void a_pace_is_learnt(void **state) {
    (void)state;
    static const double paces[] = {0.15, 0.25, 0.4};
    for (uint64_t seed = 1; seed < 20; seed++) {
        assert_true(learnt(0, 100, seed) < 0.06);
        for (int i = 0; i < 3; i++) {
            const double found = learnt(paces[i], 100, seed) / paces[i];
            assert_true(found > 0.4 && found < 2);
        }
    }
}

/* Alarms of a history of 200 nights whose levels drift like an autoregressive process. */
static int alarms_of(double drift_size, uint64_t seed) {
    enum { PORTIONS = 4, LOOPS = 10, NIGHTS = 200 };
    static const double level[PORTIONS] = {90, 440, 1840, 3340};
    double drift[PORTIONS] = {0}, means[PORTIONS * LOOPS];
    det_chain chain;
    det_policy policy;
    det_verdict v[PORTIONS];
    int alarms = 0;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < NIGHTS; n++) {
        for (int c = 0; c < PORTIONS; c++) {
            drift[c] = 0.97 * drift[c] + sqrt(1 - 0.97 * 0.97) * drift_size * luck_normal(&seed);
            for (int l = 0; l < LOOPS; l++)
                means[c * LOOPS + l] = level[c] * (1 + drift[c]) * (1 + 0.02 * luck_normal(&seed));
        }
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        for (int p = 0; p < PORTIONS; p++)
            alarms += v[p].verdict == DET_VERDICT_ANOMALY;
    }
    det_watch_free(watch);
    return alarms;
}

static void a_drifting_machine_is_not_a_change(void **state) {
    (void)state;
    int steady = 0, drifting = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        steady += alarms_of(0.003, seed);
        drifting += alarms_of(0.012, seed);
    }
    print_message("%d alarms in 8,000 nights, %d where they drift\n", steady, drifting);
    assert_true(steady <= 4 && drifting <= 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_first_night_it_is_the_prior),
        cmocka_unit_test(a_pace_is_learnt),
        cmocka_unit_test(a_drifting_machine_is_not_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
