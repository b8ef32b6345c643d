/* The verdicts on nights like those of Kieker's releases, and on nights that must stay quiet. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "detector/detector.h"

#define PORTIONS 4
#define LOOPS 5

enum { T, I, C, W };

/* A seeded normal deviate: sum of uniforms is good enough for five loops. */
static double noise(uint64_t *seed) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(*seed >> 11) / 9007199254740992.0;
    }
    return sum;
}

/* Loop means of a night with the given portions and coefficient of variation. */
static void night_of(double *means, const double *portions, double cv, uint64_t *seed) {
    double level = 0;
    for (int c = 0; c < PORTIONS; c++) {
        level += portions[c];
        for (int l = 0; l < LOOPS; l++)
            means[c * LOOPS + l] = level * (1 + cv * noise(seed));
    }
}

static det_watch *classic(void) {
    det_chain chain;
    det_policy policy;
    det_chain_classic(&chain);
    det_policy_init(&policy);
    return det_watch_new(&chain, &policy);
}

static void add(det_watch *watch, int64_t id, const double *portions, double cv, uint64_t *seed,
                det_verdict *out) {
    double means[PORTIONS * LOOPS];
    night_of(means, portions, cv, seed);
    const det_night night = {.id = id, .loops = LOOPS, .means = means};
    assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
}

static void the_first_night_is_called_first(void **state) {
    (void)state;
    const double portions[] = {70, 200, 830, 2500};
    uint64_t seed = 1;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    add(watch, 7, portions, 0.02, &seed, v);
    for (int p = 0; p < PORTIONS; p++) {
        assert_int_equal(v[p].kind, DET_VERDICT_FIRST);
        assert_true(isnan(v[p].reference.mean));
        assert_int_equal(v[p].since, 7);
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
                assert_int_equal(v[p].kind, expected ? DET_VERDICT_ANOMALY : DET_VERDICT_OK);
                if (expected) {
                    assert_int_equal(v[p].direction, -1);
                    assert_int_equal(v[p].since, n);
                    assert_int_equal(v[p].before, n - 1);
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
            alarms += v[p].kind == DET_VERDICT_ANOMALY;
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
            assert_int_equal(v[p].kind, DET_VERDICT_ENVIRONMENT);
    }
    for (int n = 12; n < 16; n++) {
        add(watch, n, after, 0.01, &seed, v);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].kind, DET_VERDICT_OK);
    }
    det_watch_free(watch);
}

static void suspect_measurements_are_set_aside(void **state) {
    (void)state;
    const double portions[] = {70, 200, 900, 2500};
    static const struct {
        double factor[PORTIONS];
        int missing;
        det_rule rule[PORTIONS];
    } table[] = {
        {{2, 2, 2, 2}, -1, {DET_RULE_UNIT, DET_RULE_UNIT, DET_RULE_UNIT, DET_RULE_UNIT}},
        {{.5, .5, .5, .5}, -1, {DET_RULE_UNIT, DET_RULE_UNIT, DET_RULE_UNIT, DET_RULE_UNIT}},
        {{1, 1, 1, 1000}, -1, {DET_RULE_WITHIN, DET_RULE_WITHIN, DET_RULE_WITHIN, DET_RULE_UNIT}},
        {{1, 1, 1, 1}, C, {DET_RULE_WITHIN, DET_RULE_WITHIN, DET_RULE_MISSING, DET_RULE_MISSING}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        uint64_t seed = 5;
        double means[PORTIONS * LOOPS];
        det_verdict v[PORTIONS];
        det_watch *watch = classic();
        for (int n = 0; n < 5; n++)
            add(watch, n, portions, 0.002, &seed, v);
        night_of(means, portions, 0.002, &seed);
        for (int c = 0; c < PORTIONS; c++)
            for (int l = 0; l < LOOPS; l++)
                means[c * LOOPS + l] *= table[i].missing == c ? NAN : table[i].factor[c];
        const det_night night = {.id = 5, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        for (int p = 0; p < PORTIONS; p++)
            assert_string_equal(det_rule_text(v[p].rule), det_rule_text(table[i].rule[p]));
        add(watch, 6, portions, 0.002, &seed, v); /* and the next night is unaffected */
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].kind, DET_VERDICT_OK);
        det_watch_free(watch);
    }
}

static void a_restored_watch_says_the_same(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    det_chain_classic(&chain);
    det_policy_init(&policy);
    uint64_t seed = 9;
    det_watch *whole = det_watch_new(&chain, &policy), *parts = det_watch_new(&chain, &policy);
    for (int n = 0; n < 150; n++) {
        const double portions[] = {70, 200, n < 80 ? 900 : 1100, 2500};
        double means[PORTIONS * LOOPS];
        det_verdict a[PORTIONS], b[PORTIONS];
        night_of(means, portions, 0.02, &seed);
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(whole, &night, a), DET_OK);
        assert_int_equal(det_watch_add(parts, &night, b), DET_OK);
        for (int p = 0; p < PORTIONS; p++) {
            assert_int_equal(a[p].kind, b[p].kind);
            assert_string_equal(a[p].reason, b[p].reason);
        }
        const size_t size = det_watch_save(parts, NULL, 0);
        unsigned char *bytes = malloc(size);
        assert_int_equal(det_watch_save(parts, bytes, size), size);
        det_watch_free(parts);
        if (n == 100) {
            bytes[size / 2] ^= 1;
            assert_null(det_watch_restore(&chain, &policy, bytes, size));
            bytes[size / 2] ^= 1;
            assert_null(det_watch_restore(&chain, &policy, bytes, size - 1));
        }
        parts = det_watch_restore(&chain, &policy, bytes, size);
        assert_non_null(parts);
        free(bytes);
    }
    det_watch_free(whole);
    det_watch_free(parts);
}

static void impossible_nights_are_refused(void **state) {
    (void)state;
    double means[PORTIONS] = {1, 2, 3, 4};
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    det_night night = {.loops = 1, .means = means};
    means[2] = INFINITY;
    assert_int_equal(det_watch_add(watch, &night, v), DET_ENUMERIC);
    means[2] = -1;
    assert_int_equal(det_watch_add(watch, &night, v), DET_ENUMERIC);
    night.loops = 0;
    assert_int_equal(det_watch_add(watch, &night, v), DET_EINVAL);
    night.loops = DET_LOOPS_MAX + 1;
    assert_int_equal(det_watch_add(watch, &night, v), DET_EINVAL);
    night = (det_night){.loops = 1};
    assert_int_equal(det_watch_add(watch, &night, v), DET_EINVAL);
    det_watch_free(watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_night_is_called_first),
        cmocka_unit_test(a_release_each_night_finds_instrumentation_and_writing),
        cmocka_unit_test(two_nights_of_one_release_raise_nothing),
        cmocka_unit_test(a_slower_machine_is_not_the_codes_fault),
        cmocka_unit_test(suspect_measurements_are_set_aside),
        cmocka_unit_test(a_restored_watch_says_the_same),
        cmocka_unit_test(impossible_nights_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
