/*
 * A series that goes on on another, calibrated node: what is known of the factor moves the levels
 * by an unknown little, once. False alarms must not be more than on one node.
 */
#include "nights.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/unit/detector/luck.h"

#define RUNS 3        /* of the reference, on each node */
#define NIGHT 0.006   /* a night's own deviation, as a share, */
#define LOOP 0.01     /* and a loop's */
#define NIGHTS 90     /* 30 here, 30 there, 30 here again */
#define HISTORIES 400 /* 36,000 nights */

enum { STAY, MOVE, MOVE_BLINDLY };

static const double here[PORTIONS] = {70, 200, 900, 2500};
static const double factor[PORTIONS] = {1, 1.08, 1.05, 0.93};

/* A night with noise of its own in each configuration. */
static void measure(double *means, const double *portions, bool there, uint64_t *seed) {
    double level = 0;
    for (int c = 0; c < PORTIONS; c++) {
        level += portions[c] * (there ? factor[c] : 1);
        const double night = level * (1 + NIGHT * luck_normal(seed));
        for (int l = 0; l < LOOPS; l++)
            means[c * LOOPS + l] = night * (1 + LOOP * luck_normal(seed));
    }
}

static void reference(double *runs, bool there, uint64_t *seed) {
    double means[PORTIONS * LOOPS];
    for (int r = 0; r < RUNS; r++) {
        measure(means, here, there, seed);
        for (int c = 0; c < PORTIONS; c++) {
            runs[r * PORTIONS + c] = 0;
            for (int l = 0; l < LOOPS; l++)
                runs[r * PORTIONS + c] += means[c * LOOPS + l] / LOOPS;
        }
    }
}

static void calibrate(det_factor *factors, uint64_t *seed) {
    det_chain chain;
    double a[RUNS * PORTIONS], b[RUNS * PORTIONS];
    det_chain_classic(&chain);
    reference(a, false, seed);
    reference(b, true, seed);
    assert_int_equal(det_calibration_of(factors, &chain, a, RUNS, b, RUNS, 0.95), DET_OK);
}

/* Alarms, or what would be measured again, of a history without any change. */
static unsigned alarms_of(int how, bool remeasure, uint64_t seed) {
    det_chain chain;
    det_policy policy;
    det_factor factors[PORTIONS];
    unsigned alarms = 0;
    det_chain_classic(&chain);
    det_policy_init(&policy);
    policy.remeasure = remeasure;
    policy.patience = remeasure ? 1 : 2;
    det_watch *watch = det_watch_new(&chain, &policy);
    calibrate(factors, &seed);
    for (int n = 0; n < NIGHTS; n++) {
        static const double known[PORTIONS] = {0};
        double means[PORTIONS * LOOPS], unsure[PORTIONS];
        det_verdict v[PORTIONS];
        const bool there = how != STAY && n >= 30 && n < 60;
        measure(means, here, there, &seed);
        if (there)
            assert_int_equal(det_calibration_scale(factors, &chain, LOOPS, means), DET_OK);
        det_calibration_unsure(factors, &chain, LOOPS, means, unsure);
        const bool moves = how == MOVE && (n == 30 || n == 60);
        const det_night night = {
            .id = n, .loops = LOOPS, .means = means, .unsure = moves ? unsure : known};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        for (size_t p = 0; p < PORTIONS; p++) {
            alarms += v[p].verdict == DET_VERDICT_ANOMALY || v[p].verdict == DET_VERDICT_SUSPECT;
            if (v[p].verdict == DET_VERDICT_SUSPECT)
                assert_int_equal(det_watch_resolve(watch, p, v[p].to, DET_CLEARED), DET_OK);
        }
    }
    det_watch_free(watch);
    return alarms;
}

static unsigned alarms_in_all(int how, bool remeasure) {
    unsigned all = 0;
    for (unsigned h = 1; h <= HISTORIES; h++)
        all += alarms_of(how, remeasure, h * 7919);
    return all;
}

static void moving_raises_no_more_alarms_than_staying(void **state) {
    (void)state;
    for (int remeasure = 0; remeasure < 2; remeasure++) {
        const unsigned stay = alarms_in_all(STAY, remeasure), move = alarms_in_all(MOVE, remeasure),
                       blind = alarms_in_all(MOVE_BLINDLY, remeasure);
        print_message("%s: %u alarms in %d nights on one node, %u when moving, %u when the factor "
                      "is taken for exact\n",
                      remeasure ? "measured again" : "not measured again", stay, HISTORIES * NIGHTS,
                      move, blind);
        /* two counts of the same rate differ by less than two standard deviations */
        assert_true(move <= stay + 2 * sqrt(stay + move + 1));
        assert_true(blind > move + 3 * sqrt(blind + move + 1)); /* so this would show it */
    }
}

/* What the code does there is told there, in the night that it happens or the next. */
static void a_change_after_the_move_is_told(void **state) {
    (void)state;
    const double dearer[PORTIONS] = {70, 300, 900, 2500};
    unsigned told = 0;
    for (uint64_t h = 1; h <= 20; h++) {
        uint64_t seed = h * 104729;
        det_factor factors[PORTIONS];
        det_chain chain;
        det_verdict v[PORTIONS];
        det_watch *watch = classic();
        det_chain_classic(&chain);
        calibrate(factors, &seed);
        for (int n = 0; n < 45; n++) {
            double means[PORTIONS * LOOPS], unsure[PORTIONS];
            measure(means, n < 40 ? here : dearer, n >= 30, &seed);
            if (n >= 30)
                assert_int_equal(det_calibration_scale(factors, &chain, LOOPS, means), DET_OK);
            det_calibration_unsure(factors, &chain, LOOPS, means, unsure);
            const det_night night = {
                .id = n, .loops = LOOPS, .means = means, .unsure = n == 30 ? unsure : NULL};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
            if (v[I].verdict == DET_VERDICT_ANOMALY) {
                assert_true(n == 40 || n == 41);
                assert_true(fabs(v[I].difference.mean - 100) < 30); /* in the other node's ns */
                told++;
            }
        }
        det_watch_free(watch);
    }
    assert_int_equal(told, 20);
}

/* A change that is taken back into the past is judged with the same doubt. */
static void a_watch_is_kept_with_its_doubt(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    uint64_t seed = 5;
    det_chain_classic(&chain);
    det_policy_init(&policy);
    det_watch *whole = classic(), *parts = classic();
    for (int n = 0; n < 60; n++) {
        const double portions[] = {70, n < 45 ? 200 : 260, 900, 2500};
        const double unsure[PORTIONS] = {1, 5, 20, 50};
        double means[PORTIONS * LOOPS];
        det_verdict a[PORTIONS], b[PORTIONS];
        night_of(means, portions, 0.02, &seed);
        const det_night night = {
            .id = n, .loops = LOOPS, .means = means, .unsure = n == 40 ? unsure : NULL};
        assert_int_equal(det_watch_add(whole, &night, a), DET_OK);
        assert_int_equal(det_watch_add(parts, &night, b), DET_OK);
        for (int p = 0; p < PORTIONS; p++)
            assert_string_equal(a[p].reason, b[p].reason);
        size_t size;
        unsigned char *bytes = saved(parts, &size);
        det_watch_free(parts);
        parts = det_watch_restore(&chain, &policy, bytes, size);
        assert_non_null(parts);
        free(bytes);
    }
    det_watch_free(whole);
    det_watch_free(parts);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    const double wrong[] = {-1, NAN, INFINITY};
    double means[PORTIONS * LOOPS];
    uint64_t seed = 1;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    night_of(means, here, 0.01, &seed);
    for (int i = 0; i < 3; i++) {
        const double unsure[PORTIONS] = {0, wrong[i], 0, 0};
        const det_night night = {.id = 1, .loops = LOOPS, .means = means, .unsure = unsure};
        assert_int_equal(det_watch_add(watch, &night, v), DET_ENUMERIC);
    }
    det_watch_free(watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_raises_no_more_alarms_than_staying),
        cmocka_unit_test(a_change_after_the_move_is_told),
        cmocka_unit_test(a_watch_is_kept_with_its_doubt),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
