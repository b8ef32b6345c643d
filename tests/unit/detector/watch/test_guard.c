/* Nights whose measurement is suspect: told as such, passed over, and what cannot be a night. */
#include "nights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
            assert_int_equal(v[p].verdict, DET_VERDICT_OK);
        det_watch_free(watch);
    }
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

/* Ten loops of one configuration; `slow` of them by half slower. */
static void add_ten(det_watch *watch, int64_t id, int slow, uint64_t *seed, det_verdict *out) {
    enum { TEN = 10 };
    static const double level[PORTIONS] = {70, 270, 1170, 3670};
    double means[PORTIONS * TEN];
    for (int c = 0; c < PORTIONS; c++)
        for (int l = 0; l < TEN; l++)
            means[c * TEN + l] =
                level[c] * (1 + 0.01 * noise(seed)) * (c == C && l < slow ? 1.5 : 1);
    const det_night night = {.id = id, .loops = TEN, .means = means};
    assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
}

static void loops_in_two_groups_are_set_aside_for_three_nights(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    uint64_t seed = 4;
    det_watch *watch = classic();
    for (int n = 0; n < 20; n++)
        add_ten(watch, n, n % 5 == 0, &seed, v); /* a single slow process is nothing */
    for (int p = 0; p < PORTIONS; p++)
        assert_int_equal(v[p].verdict, DET_VERDICT_OK);
    for (int n = 20; n < 23; n++) {
        add_ten(watch, n, 4, &seed, v);
        assert_int_equal(v[C].rule, DET_RULE_BIMODAL);
        assert_int_equal(v[W].verdict, DET_VERDICT_HARNESS);
        assert_int_equal(v[I].verdict, DET_VERDICT_OK);
        assert_non_null(strstr(v[C].reason, "two groups, 6 of them around 1.1"));
    }
    add_ten(watch, 23, 4, &seed, v); /* that is how it is now */
    assert_int_not_equal(v[C].verdict, DET_VERDICT_HARNESS);
    add_ten(watch, 24, 0, &seed, v);
    add_ten(watch, 25, 4, &seed, v); /* and a return to it is odd again */
    assert_int_equal(v[C].rule, DET_RULE_BIMODAL);
    det_watch_free(watch);
}

static void broken_nights_are_passed_over_until_they_stay(void **state) {
    (void)state;
    const double well[] = {70, 200, 900, 2500}, broken[] = {3500, 10000, 45000, 125000};
    det_verdict v[PORTIONS];
    uint64_t seed = 10;
    det_watch *watch = classic();
    for (int n = 0; n < 20; n++)
        add(watch, n, well, 0.01, &seed, v);
    for (int n = 20; n < 24; n++) {
        add(watch, n, broken, 0.01, &seed, v);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].rule, DET_RULE_BROKEN);
    }
    add(watch, 24, well, 0.01, &seed, v);
    for (int p = 0; p < PORTIONS; p++)
        assert_int_equal(v[p].verdict, DET_VERDICT_OK);
    for (int n = 25; n < 40; n++) {
        add(watch, n, broken, 0.01, &seed, v);
        for (int p = 0; n == 32 && p < PORTIONS; p++)
            assert_int_equal(v[p].rule, DET_RULE_NEW_LEVEL);
    }
    for (int p = 0; p < PORTIONS; p++)
        assert_int_equal(v[p].verdict, DET_VERDICT_OK);
    det_watch_free(watch);
}

static void a_missing_configuration_can_come_later(void **state) {
    (void)state;
    double means[PORTIONS * LOOPS];
    const double portions[] = {70, 200, 900, 2500};
    det_verdict v[PORTIONS];
    uint64_t seed = 12;
    det_watch *watch = classic();
    for (int n = 0; n < 20; n++) {
        night_of(means, portions, 0.01, &seed);
        for (int l = 0; l < LOOPS && n < 5; l++)
            means[W * LOOPS + l] = NAN;
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        assert_int_equal(v[W].verdict == DET_VERDICT_HARNESS, n < 5);
        if (n)
            assert_int_equal(v[C].verdict, DET_VERDICT_OK);
    }
    assert_int_equal(v[W].verdict, DET_VERDICT_OK);
    det_watch_free(watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suspect_measurements_are_set_aside),
        cmocka_unit_test(impossible_nights_are_refused),
        cmocka_unit_test(loops_in_two_groups_are_set_aside_for_three_nights),
        cmocka_unit_test(broken_nights_are_passed_over_until_they_stay),
        cmocka_unit_test(a_missing_configuration_can_come_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
