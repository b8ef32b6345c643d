/*
 * Known answers from R 4.2.2: median(x), mad(x), abs(v - median(x)) / mad(x); the second with
 * y <- 100 + (((1:30) * 7919) %% 101) / 10; y[4] <- 3000; y[9] <- 1; y[20] <- 2900.
 */
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>

#include "detector/statistics/stray.h"
#include "tests/unit/detector/luck.h"

#define CLOSE(actual, expected) assert_true(fabs((actual) / (expected)-1) <= 1e-12)

static void answers_agree_with_r(void **state) {
    (void)state;
    const double x[] = {500.1, 500.3, 499.9, 500, 516.7, 500.2, 499.8, 500.4};
    double y[30];
    det_strays s;
    assert_int_equal(det_strays_of(&s, x, 8, DET_STRAY_DISTANCE), DET_OK);
    CLOSE(s.center, 500.14999999999998);
    CLOSE(s.spread, 0.29652000000002526);
    assert_int_equal(s.apart, 1);
    assert_int_equal(s.most, 1);
    CLOSE(det_stray_distance(&s, 516.7, DET_STRAY_DISTANCE), 55.8141103466837);
    assert_true(det_stray_distance(&s, 499.8, DET_STRAY_DISTANCE) == 0);

    for (unsigned i = 1; i <= 30; i++)
        y[i - 1] = 100 + (double)(i * 7919 % 101) / 10;
    y[3] = 3000, y[8] = 1, y[19] = 2900;
    assert_int_equal(det_strays_of(&s, y, 30, DET_STRAY_DISTANCE), DET_OK);
    CLOSE(s.center, 104.84999999999999);
    CLOSE(s.spread, 4.15128000000001);
    assert_int_equal(s.apart, 3); /* a tenth of thirty, and all of them are strays */
    CLOSE(det_stray_distance(&s, 3000, DET_STRAY_DISTANCE), 697.41140082095058);
    CLOSE(det_stray_distance(&s, 1, DET_STRAY_DISTANCE), 25.01638048987297);
}

/* Four loops of thirty beyond are another kind of process, not bad luck. */
static void many_are_none(void **state) {
    (void)state;
    const struct {
        size_t n, far;
        size_t strays;
    } cases[] = {{8, 1, 1},  {8, 2, 0},  {9, 1, 1},  {10, 1, 1}, {10, 2, 0},
                 {20, 2, 2}, {30, 3, 3}, {30, 4, 0}, {30, 14, 0}};
    double x[30];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t strays = 0;
        det_strays s;
        for (size_t i = 0; i < cases[c].n; i++)
            x[i] = i < cases[c].far ? 2000 : 1000 + (double)(i * 7 % 11);
        assert_int_equal(det_strays_of(&s, x, cases[c].n, DET_STRAY_DISTANCE), DET_OK);
        assert_int_equal(s.apart, cases[c].far);
        for (size_t i = 0; i < cases[c].n; i++)
            strays += det_stray_distance(&s, x[i], DET_STRAY_DISTANCE) > 0;
        assert_int_equal(strays, cases[c].strays);
    }
}

/* Loops that agree to the last digit leave no scale: a ten-thousandth of the median does. */
static void equal_loops_have_a_least_spread(void **state) {
    (void)state;
    double x[12];
    det_strays s;
    for (size_t i = 0; i < 12; i++)
        x[i] = 200;
    x[2] = 200.1;
    assert_int_equal(det_strays_of(&s, x, 12, DET_STRAY_DISTANCE), DET_OK);
    assert_int_equal(s.apart, 0);
    x[2] = 201;
    assert_int_equal(det_strays_of(&s, x, 12, DET_STRAY_DISTANCE), DET_OK);
    CLOSE(s.spread, 0.02);
    CLOSE(det_stray_distance(&s, 201, DET_STRAY_DISTANCE), 50);
    for (size_t i = 0; i < 12; i++)
        x[i] = 0;
    assert_int_equal(det_strays_of(&s, x, 12, DET_STRAY_DISTANCE), DET_OK);
    assert_true(s.apart == 0 && det_stray_distance(&s, 0, DET_STRAY_DISTANCE) == 0);
}

static void what_cannot_be_judged_is_refused(void **state) {
    (void)state;
    double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    det_strays s = {.apart = 7};
    assert_int_equal(det_strays_of(&s, x, 7, DET_STRAY_DISTANCE), DET_ESHORT);
    assert_int_equal(det_strays_of(&s, x, 8, 0), DET_EINVAL);
    assert_int_equal(det_strays_of(&s, x, 8, (double)NAN), DET_EINVAL);
    x[3] = NAN;
    assert_int_equal(det_strays_of(&s, x, 8, DET_STRAY_DISTANCE), DET_ENUMERIC);
    assert_int_equal(s.apart, 7);
}

static uint64_t seed;

/* Nights, per cent, in which some loop is called a stray. */
static double nights_percent(size_t n, double log_sd) {
    double x[30];
    const unsigned nights = 5000;
    unsigned marked = 0;
    for (unsigned r = 0; r < nights; r++) {
        det_strays s;
        for (size_t i = 0; i < n; i++)
            x[i] = log_sd > 0 ? 1000 * exp(log_sd * luck_normal(&seed)) : 1000 + luck_normal(&seed);
        assert_int_equal(det_strays_of(&s, x, n, DET_STRAY_DISTANCE), DET_OK);
        marked += s.apart > 0 && s.apart <= s.most;
    }
    return 100.0 * marked / nights;
}

static void loops_of_one_kind_are_seldom_strays(void **state) {
    (void)state;
    seed = 1993;
    assert_true(nights_percent(8, 0) < 1);
    assert_true(nights_percent(30, 0) < 0.1);
    assert_true(nights_percent(30, .5) < 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_agree_with_r),
        cmocka_unit_test(many_are_none),
        cmocka_unit_test(equal_loops_have_a_least_spread),
        cmocka_unit_test(what_cannot_be_judged_is_refused),
        cmocka_unit_test(loops_of_one_kind_are_seldom_strays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
