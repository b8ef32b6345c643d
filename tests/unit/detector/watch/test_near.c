/* What nights near 0 show by themselves: counts that are 0 now and then. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/detector.h"
#include "detector/watch/watch__.h"
#include "tests/unit/detector/luck.h"

/* A value of any unit, as imports judge it. */
static det_watch *counted(unsigned patience) {
    det_chain chain = {0};
    det_policy policy;
    det_policy_init(&policy);
    policy.patience = patience;
    policy.minimum_loops = 1;
    policy.zero = 1e-6;
    policy.unit = "events";
    policy.caution = 1.25;
    policy.effect_relative = 0.03;
    assert_int_equal(det_chain_add(&chain, "retries", -1), DET_OK);
    return det_watch_new(&chain, &policy);
}

static det_verdict next(det_watch *watch, int night, double value) {
    det_verdict v;
    assert_int_equal(
        det_watch_add(watch, &(det_night){.id = night, .loops = 1, .means = &value}, &v), DET_OK);
    return v;
}

/* The first night that is told; -1: none. v: its verdict, or that of the last one */
static int told(const double *x, int n, unsigned patience, det_verdict *v) {
    int at = -1;
    det_watch *watch = counted(patience);
    for (int i = 0; i < n && at < 0; i++) {
        *v = next(watch, i, x[i]);
        at = v->verdict == DET_VERDICT_ANOMALY ? i : -1;
    }
    det_watch_free(watch);
    return at;
}

#define TOLD(x, patience, v) told(x, sizeof(x) / sizeof *(x), patience, v)

/* Of three nights that would be the new level one has the very value before. */
static void a_count_that_comes_back_has_not_risen(void **state) {
    (void)state;
    static const double x[] = {0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1,
                               2, 0, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0, 2, 0, 1};
    det_verdict v;
    if (TOLD(x, 2, &v) >= 0 || TOLD(x, 1, &v) >= 0)
        fail_msg("%s", v.reason);
    assert_int_equal(told(x, 4, 2, &v), -1);
    if (v.difference.low > -1 || v.difference.high < 5 || strstr(v.reason, "assumed") ||
        !strstr(v.reason, "2.00 events against 0.00 events (3 nights"))
        fail_msg("%s", v.reason);
}

/* R: x <- c(rep(0, 9), .032, 0, .003, 0); sd(x) * sqrt(1 + 1/13) * qt(.975, 12) is 0.0199 */
static void few_nights_off_zero_show_how_far_they_lie(void **state) {
    (void)state;
    static const double x[] = {0, 0, 0, 0.032, 0, 0, 0, 0, 0, 0.003, 0, 0, 0, 0.021, 0.031};
    det_verdict v;
    assert_int_equal(told(x, 14, 2, &v), -1);
    assert_int_equal(v.assumed, DET_ASSUMED_NOT);
    if (!(fabs(v.difference.high - v.difference.mean - 0.0199) < 0.003) || v.difference.low > 0 ||
        !strstr(v.reason, "(13 nights, night 0 to night 12): within the noise"))
        fail_msg("%s", v.reason);
    if (TOLD(x, 2, &v) >= 0)
        fail_msg("%s", v.reason);
}

/* As fast as nights that scatter allow, and at once where those before were many. */
static void what_leaves_zero_and_stays_is_told(void **state) {
    (void)state;
    static const double steady[] = {0, 2, 2, 2, 2}, twice[] = {0, 0, 2.1, 2, 1.9},
                        wide[] = {0, 5, 9, 7, 6, 8, 7},
                        many[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 9},
                        once[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 0, 0, 0, 0, 20, 20, 20, 20};
    det_verdict v;
    assert_int_equal(TOLD(steady, 2, &v), 4);
    assert_int_equal(v.to, 1);
    assert_int_equal(TOLD(twice, 2, &v), 4);
    assert_int_equal(TOLD(wide, 2, &v), 6);
    assert_int_equal(TOLD(many, 2, &v), 11);
    assert_int_equal(TOLD(many, 1, &v), 10);
    assert_int_equal(TOLD(once, 2, &v), 17);
    assert_int_equal(v.to, 14);
    assert_non_null(strstr(v.reason, "apart is assumed: those before do not show it"));
}

/* A night at 0 by which a benchmark failed hides nothing of the nights around it. */
static void a_failed_night_counts_as_its_neighbour(void **state) {
    (void)state;
    det_watch *watch = counted(2);
    det_verdict v = {0};
    for (int n = 0; n < 9; n++) {
        v = next(watch, n, n == 4 ? 0 : 6400 + n);
        assert_int_not_equal(v.verdict, DET_VERDICT_ANOMALY);
    }
    assert_true(v.difference.high - v.difference.low < 1500);
    det_watch_free(watch);
}

/* Both are normal, with one variance: n/2 log(1 + t^2 / df). A value of 0 is one millionth. */
static void two_levels_are_worth_what_nights_say(void **state) {
    (void)state;
    static const double x[] = {0, 2, 0, 2};
    det_watch *watch = counted(2);
    for (int n = 0; n < 4; n++)
        (void)next(watch, n, x[n]);
    const det__comparison c = {.watch = watch, .serial = 3, .portion = 0};
    const det__between of = det__near_zero(&c, 1);
    assert_true(of.nights == 1 && of.df == 2 && of.agree);
    assert_true(fabs(of.difference - 4. / 3) < 1e-5 && fabs(of.error - 4. / 3) < 1e-5);
    assert_true(fabs(det__near_zero_worth(&of, of.error) - 2 * log(1.5)) < 1e-5);
    watch->policy[0].zero = 0;
    const det__between none = det__near_zero(&c, 1);
    assert_true(none.nights == 0 && none.error == 0 && isinf(det__near_zero_worth(&none, 1)));
    det_watch_free(watch);
}

/* 80 % of such histories had one. */
static void counts_alarm_in_few_histories(void **state) {
    (void)state;
    static const double values[] = {0, 0, 0, 1, 2};
    uint64_t seed = 5;
    int alarmed = 0;
    for (int h = 0; h < 200; h++) {
        double x[30];
        det_verdict v;
        for (int n = 0; n < 30; n++)
            x[n] = values[(int)(5 * luck_uniform(&seed))];
        alarmed += TOLD(x, 2, &v) >= 0;
    }
    if (alarmed > 20)
        fail_msg("%d of 200", alarmed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_that_comes_back_has_not_risen),
        cmocka_unit_test(few_nights_off_zero_show_how_far_they_lie),
        cmocka_unit_test(what_leaves_zero_and_stays_is_told),
        cmocka_unit_test(a_failed_night_counts_as_its_neighbour),
        cmocka_unit_test(two_levels_are_worth_what_nights_say),
        cmocka_unit_test(counts_alarm_in_few_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
