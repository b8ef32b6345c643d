/* The verdicts on nights like those of Kieker's releases, and on nights that must stay quiet. */
#include "nights.h"
#include "tests/unit/detector/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void the_first_night_is_called_first(void **state) {
    (void)state;
    const double portions[] = {70, 200, 830, 2500};
    uint64_t seed = 1;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    add(watch, 7, portions, 0.02, &seed, v);
    for (int p = 0; p < PORTIONS; p++) {
        assert_int_equal(v[p].verdict, DET_VERDICT_FIRST);
        assert_true(isnan(v[p].reference.mean));
        assert_int_equal(v[p].to, 7);
        assert_true(strlen(v[p].reason) > 10);
    }
    det_watch_free(watch);
}

static void a_release_each_night_finds_instrumentation_and_writing(void **state) {
    (void)state;
    /* 1.7, 1.8, 1.8 again, 1.12, 1.13: I falls to a quarter, then W to a tenth. */
    static const double portions[][PORTIONS] = {{70, 800, 900, 22000},
                                                {70, 200, 950, 22000},
                                                {70, 200, 950, 22000},
                                                {70, 205, 940, 21000},
                                                {70, 200, 900, 2500}};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        det_verdict v[PORTIONS];
        det_watch *watch = classic();
        for (int n = 0; n < 5; n++) {
            add(watch, n, portions[n], 0.05, &random, v);
            for (int p = 0; p < PORTIONS && n; p++) {
                const int expected = (n == 1 && p == I) || (n == 4 && p == W);
                assert_int_equal(v[p].verdict, expected ? DET_VERDICT_ANOMALY : DET_VERDICT_OK);
                if (expected) {
                    assert_int_equal(v[p].direction, -1);
                    assert_int_equal(v[p].to, n);
                    assert_int_equal(v[p].from, n - 1);
                    assert_int_equal(v[p].rule, DET_RULE_NIGHT);
                    assert_false(det_intervals_overlap(&v[p].night, &v[p].reference));
                }
            }
        }
        det_watch_free(watch);
    }
}

static void two_nights_of_one_release_raise_nothing(void **state) {
    (void)state;
    /* W falls into one of two modes, process by process, as on a machine with a busy core. */
    unsigned alarms = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed * 77;
        det_verdict v[PORTIONS];
        double means[PORTIONS * LOOPS];
        const double portions[] = {70, 200, 900, 22000};
        det_watch *watch = classic();
        for (int n = 0; n < 2; n++) {
            night_of(means, portions, 0.04, &random);
            for (int l = 0; l < LOOPS; l++)
                if (noise(&random) > 0)
                    means[W * LOOPS + l] *= 1.6;
            means[I * LOOPS + 2] *= 1.5; /* and one slow process */
            const det_night night = {.id = n, .loops = LOOPS, .means = means};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        }
        for (int p = 0; p < PORTIONS; p++)
            alarms += v[p].verdict == DET_VERDICT_ANOMALY;
        det_watch_free(watch);
    }
    assert_in_range(alarms, 0, 2);
}

static void a_slower_machine_is_not_the_codes_fault(void **state) {
    (void)state;
    const double before[] = {70, 200, 900, 2500};
    double after[PORTIONS];
    uint64_t seed = 3;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    for (int p = 0; p < PORTIONS; p++)
        after[p] = before[p] * 1.4;
    for (int n = 0; n < 10; n++)
        add(watch, n, before, 0.01, &seed, v);
    for (int n = 10; n < 12; n++) {
        add(watch, n, after, 0.01, &seed, v);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].verdict, DET_VERDICT_ENVIRONMENT);
    }
    for (int n = 12; n < 16; n++) {
        add(watch, n, after, 0.01, &seed, v);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].verdict, DET_VERDICT_OK);
    }
    det_watch_free(watch);
}

/* The nights of March and May 2013 in Kieker's history, as measured: portions and half-widths of
   their 95 % intervals over five processes, in ns. Guilty: 5158397b1 (I up); 206b921b1 (I down, and
   the cost moves to C). */
static void the_known_regression_of_kieker_is_found_and_nothing_else(void **state) {
    (void)state;
    static const struct {
        double level[PORTIONS], half[PORTIONS];
    } nights[] = {
        {{70, 276, 1105, 5000}, {1, 27, 35, 300}},  {{68, 265, 1076, 5000}, {1, 8, 19, 300}},
        {{69, 854, 1769, 5700}, {1, 17, 51, 300}},  {{70, 918, 1895, 5900}, {1, 37, 222, 300}},
        {{67, 953, 1848, 5800}, {1, 97, 121, 300}}, {{68, 269, 1814, 5800}, {1, 25, 85, 300}},
        {{77, 274, 2009, 6000}, {1, 16, 255, 300}},
    };
    static const double pattern[] = {-1.2649, -0.6325, 0, 0.6325, 1.2649}; /* mean 0, sd 1 */
    det_watch *watch = classic();
    for (int n = 0; n < 7; n++) {
        double means[PORTIONS * LOOPS];
        det_verdict v[PORTIONS];
        for (int c = 0; c < PORTIONS; c++)
            for (int l = 0; l < LOOPS; l++) /* half = 2.776 sd / sqrt(5) */
                means[c * LOOPS + l] = nights[n].level[c] + pattern[(l * 2 + c + n) % LOOPS] *
                                                                nights[n].half[c] * 0.8055;
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        for (int p = 0; p < PORTIONS; p++) {
            const int direction = p == I && n == 2   ? 1
                                  : p == I && n == 5 ? -1
                                  : p == C && n == 5 ? 1
                                                     : 0;
            assert_int_equal(v[p].verdict == DET_VERDICT_ANOMALY, direction != 0);
            if (direction)
                assert_int_equal(v[p].direction, direction);
        }
    }
    det_watch_free(watch);
}

static void a_history_waits_for_a_second_night(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    det_verdict v[PORTIONS];
    uint64_t seed = 4;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < 44; n++) {
        /* one outlier night at 30; a lasting change of C from 40 on */
        const double portions[] = {70, 200, n >= 40 ? 1000 : 900, n == 30 ? 3200 : 2500};
        add(watch, n, portions, 0.01, &seed, v);
        for (int p = 0; p < PORTIONS && n; p++)
            assert_int_equal(v[p].verdict == DET_VERDICT_ANOMALY, n == 41 && p == C);
    }
    det_watch_free(watch);
}

/* As Kieker 1.15.4 in the demo: I falls clearly, and W rises by so much that one night of five
 * loops, which spread widely, is not enough to say so. */
static void what_moved_beside_a_change_is_told_when_its_nights_add_up(void **state) {
    (void)state;
    static const double cv[PORTIONS] = {0.01, 0.03, 0.03, 0.15};
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    unsigned at_once = 0, later = 0, dated = 0;
    for (uint64_t round = 1; round <= 40; round++) {
        uint64_t seed = round;
        det_watch *watch = det_watch_new(&chain, &policy);
        bool told = false;
        for (int n = 0; n < 11; n++) {
            const double levels[] = {62, n < 7 ? 390 : 240, n < 7 ? 1270 : 1120,
                                     n < 7 ? 13000 : 19000};
            double means[PORTIONS * LOOPS];
            det_verdict v[PORTIONS];
            for (int c = 0; c < PORTIONS; c++)
                for (int l = 0; l < LOOPS; l++)
                    means[c * LOOPS + l] = levels[c] * (1 + cv[c] * noise(&seed));
            const det_night night = {.id = n, .loops = LOOPS, .means = means};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
            if (n < 7 || v[W].verdict != DET_VERDICT_ANOMALY || told)
                continue;
            told = true;
            assert_in_range(v[W].to, 7, 8);
            dated += v[W].to == 7;
            at_once += n == 7;
            later += n > 7;
        }
        det_watch_free(watch);
    }
    assert_in_range(at_once, 1, 10);
    assert_in_range(at_once + later, 38, 40); /* 7 when the reference follows every portion */
    assert_in_range(dated, 35, 40);
}

static void a_suspicion_waits_for_its_resolution(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    uint64_t seed = 6;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.remeasure = 1;
    for (int confirmed = 0; confirmed < 2; confirmed++) {
        const det_outcome outcome = confirmed ? DET_CONFIRMED : DET_CLEARED;
        det_verdict v[PORTIONS];
        det_watch *watch = det_watch_new(&chain, &policy);
        for (int n = 0; n < 31; n++) {
            const double portions[] = {70, n == 30 ? 260 : 200, 900, 2500};
            add(watch, n, portions, 0.01, &seed, v);
        }
        assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
        assert_int_equal(v[I].direction, 1);
        assert_in_range(v[I].trial_from, 20, 29);
        assert_int_equal(det_watch_resolve(watch, I, 1000, outcome), DET_EINVAL);
        assert_int_equal(det_watch_resolve(watch, PORTIONS, 30, outcome), DET_EINVAL);
        assert_int_equal(det_watch_resolve(watch, I, v[I].to, outcome), DET_OK);
        const double after[] = {70, confirmed ? 260 : 200, 900, 2500};
        for (int n = 31; n < 36; n++) {
            add(watch, n, after, 0.01, &seed, v);
            assert_int_equal(v[I].verdict, DET_VERDICT_OK);
        }
        assert_true(fabs(v[I].reference.mean - after[I]) < 10);
        det_watch_free(watch);
    }
}

static void a_clear_change_is_suspected_even_while_resting(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    det_verdict v[PORTIONS];
    uint64_t seed = 8;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.remeasure = 1;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < 33; n++) {
        const double portions[] = {70, n == 30 ? 230 : n > 30 ? 400 : 200, 900, 2500};
        add(watch, n, portions, 0.01, &seed, v);
        if (n == 30)
            assert_int_equal(det_watch_resolve(watch, I, v[I].to, DET_CLEARED), DET_OK);
    }
    assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
    det_watch_free(watch);
}

static void the_largest_chain_and_the_least_work(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    double means[DET_CONFIGURATIONS_MAX * 2];
    det_verdict v[DET_CONFIGURATIONS_MAX];
    uint64_t seed = 14;
    det_policy_init(&policy);
    for (size_t count = 1; count <= DET_CONFIGURATIONS_MAX; count += 21) {
        det_chain_init(&chain);
        for (size_t c = 0; c < count; c++)
            assert_int_equal(det_chain_add(&chain, "p", c < 3 ? (int)c - 1 : 2), DET_OK);
        det_watch *watch = det_watch_new(&chain, &policy);
        for (int n = 0; n < 12; n++) {
            for (size_t i = 0; i < count * 2; i++)
                means[i] = 100 * (1 + floor((double)i / 2)) * (1 + 0.01 * noise(&seed));
            const det_night night = {.id = n, .loops = 2, .means = means};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
            for (size_t p = 0; p < count; p++)
                assert_true(v[p].verdict == DET_VERDICT_OK || n == 0);
        }
        det_watch_free(watch);
    }
}

static void constant_values_are_quiet(void **state) {
    (void)state;
    double means[PORTIONS * LOOPS];
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    for (int i = 0; i < PORTIONS * LOOPS; i++)
        means[i] = 100 + floor((double)i / LOOPS);
    for (int n = 0; n < 50; n++) {
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].verdict, n ? DET_VERDICT_OK : DET_VERDICT_FIRST);
    }
    det_watch_free(watch);
}

static void impossible_policies_are_refused(void **state) {
    (void)state;
    det_chain chain;
    chain_classic(&chain);
    for (int i = 0; i < 10; i++) {
        det_policy p;
        det_policy_init(&p);
        assert_int_equal(det_policy_check(&p), DET_OK);
        switch (i) {
        case 0:
            p.confidence = 1;
            break;
        case 1:
            p.effect_relative = -1;
            break;
        case 2:
            p.effect_absolute = NAN;
            break;
        case 3:
            p.baseline_nights = 0;
            break;
        case 4:
            p.baseline_nights = DET_BASELINE_MAX + 1;
            break;
        case 5:
            p.minimum_loops = 0;
            break;
        case 6:
            p.direction = 2;
            break;
        case 7:
            p.patience = 5;
            break;
        case 8:
            p.trim = (det_trim)2;
            break;
        default:
            p.caution = 0;
            break;
        }
        assert_int_equal(det_policy_check(&p), DET_EINVAL);
        assert_null(det_watch_new(&chain, &p));
    }
}

/* As W rose in a demonstration: from 24 ± 3 µs over seven nights to 35 and 36. */
static void a_young_history_suspects_by_the_second_night(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.remeasure = 1;
    for (uint64_t world = 1; world <= 50; world++) {
        det_verdict v[PORTIONS];
        uint64_t seed = world * 7919;
        int suspected = 0;
        det_watch *watch = det_watch_new(&chain, &policy);
        for (int n = 0; n < 9; n++) {
            const double portions[] = {70, 900, 2030, n < 7 ? 24000 : n == 7 ? 35000 : 36000};
            add(watch, n, portions, 0.1, &seed, v);
            suspected |= n >= 7 && v[W].verdict == DET_VERDICT_SUSPECT && v[W].direction > 0;
        }
        assert_true(suspected);
        det_watch_free(watch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_night_is_called_first),
        cmocka_unit_test(a_young_history_suspects_by_the_second_night),
        cmocka_unit_test(a_release_each_night_finds_instrumentation_and_writing),
        cmocka_unit_test(two_nights_of_one_release_raise_nothing),
        cmocka_unit_test(a_slower_machine_is_not_the_codes_fault),
        cmocka_unit_test(the_known_regression_of_kieker_is_found_and_nothing_else),
        cmocka_unit_test(a_history_waits_for_a_second_night),
        cmocka_unit_test(what_moved_beside_a_change_is_told_when_its_nights_add_up),
        cmocka_unit_test(a_suspicion_waits_for_its_resolution),
        cmocka_unit_test(a_clear_change_is_suspected_even_while_resting),
        cmocka_unit_test(the_largest_chain_and_the_least_work),
        cmocka_unit_test(constant_values_are_quiet),
        cmocka_unit_test(impossible_policies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
