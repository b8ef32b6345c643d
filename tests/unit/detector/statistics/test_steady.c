/*
 * Known answers from R 4.2.2, straight from the definitions (base 1, b batches of consecutive
 * calls): G <- function(y) { n <- length(y); m <- mean(y); best <- 0; at <- 0 for (k in 1:(n-1)) {
 *       t <- sum(y[1:k] - m) / sqrt(n)
 *       a <- sapply(1:k, function(i) sum(y[1:i]) - i/k*sum(y[1:k]))
 *       b <- sapply((k+1):n, function(i) sum(y[i:n]) - (n-i+1)/(n-k)*sum(y[(k+1):n]))
 *       g <- t^2 / ((sum(a^2) + sum(b^2)) / n^2); if (g > best) { best <- g; at <- k } }
 *     c(best, at) }
 *   trend <- function(y) { b <- length(y); t <- 1:b
 *     (sum((t-mean(t))*y)*b^-1.5)^2 / (sum(cumsum(resid(lm(y ~ t)))^2)/b^2) }
 */
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>

#include "detector/statistics/warmup.h"
#include "tests/unit/detector/luck.h"

#define CLOSE(actual, expected) assert_true(fabs((actual) / (expected)-1) <= 1e-9)

static void series(double *x, size_t n, unsigned modulus, double base, double slope, double step,
                   size_t from) {
    for (size_t i = 0; i < n; i++)
        x[i] = base + (double)(i * 7919 % modulus) + slope * (double)i + (i >= from ? step : 0);
}

static void answers_agree_with_r(void **state) {
    (void)state;
    static const struct {
        size_t n;
        unsigned modulus;
        double base, slope, step;
        double shift, trend;
        size_t at;
        double change;
        int is_trend, settled;
    } cases[] = {
        {200, 13, 100, 0, 0, 4.02847931219721, 0.148081914466979, 30, 0.00388640590733707, 0, 1},
        {2000, 101, 100, 0, 20, 37368.532128087, 9.04202063548484, 1400, 0.128008422345964, 0, 0},
        {1234, 101, 100, .05, 0, 31.6451575132025, 14786.4739637232, 617, 0.338011306679381, 1, 0},
        /* As clear, and too small to matter. */
        {2000, 101, 10000, 0, 20, 37368.532128087, 9.04202063548484, 1400, 0.0019852719660406, 0,
         1},
    };
    double x[2000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        det_steady s;
        series(x, cases[i].n, cases[i].modulus, cases[i].base, cases[i].slope, cases[i].step, 1400);
        assert_int_equal(det_steady_of(&s, x, cases[i].n), DET_OK);
        CLOSE(s.shift, cases[i].shift);
        CLOSE(s.trend, cases[i].trend);
        assert_int_equal(s.at, cases[i].at);
        CLOSE(s.change, cases[i].change);
        assert_int_equal(s.is_trend, cases[i].is_trend);
        assert_int_equal(s.settled, cases[i].settled);
    }
}

static void constant_calls_are_settled(void **state) {
    (void)state;
    double x[300];
    det_steady s;
    for (size_t i = 0; i < 300; i++)
        x[i] = 70;
    assert_int_equal(det_steady_of(&s, x, 300), DET_OK);
    assert_true(s.settled && s.shift == 0 && s.trend == 0 && s.change == 0);
    for (size_t i = 200; i < 300; i++)
        x[i] = 80;
    assert_int_equal(det_steady_of(&s, x, 300), DET_OK);
    assert_true(!s.settled && s.shift > 1e9);
    assert_int_equal(s.at, 200);
}

static void what_cannot_be_judged_is_refused(void **state) {
    (void)state;
    double x[200] = {0};
    det_steady s = {.at = 7};
    assert_int_equal(det_steady_of(&s, x, 199), DET_ESHORT);
    assert_int_equal(det_steady_of(NULL, x, 200), DET_EINVAL);
    assert_int_equal(det_steady_of(&s, NULL, 200), DET_EINVAL);
    x[150] = NAN;
    assert_int_equal(det_steady_of(&s, x, 200), DET_ENUMERIC);
    assert_int_equal(s.at, 7);
    x[150] = 0;
    assert_int_equal(det_steady_of(&s, x, 200), DET_OK);
    assert_true(s.settled && s.change == 0);
}

static uint64_t seed;

/* Share of series, per cent, that are marked: AR(1) around 1000 with sd 200; rare: long pauses. */
static double marked_percent(size_t n, double rho, double rare, double step, double slope) {
    static double x[2000];
    const unsigned series_count = 2000;
    unsigned marked = 0;
    for (unsigned r = 0; r < series_count; r++) {
        double a = luck_normal(&seed) / sqrt(1 - rho * rho);
        for (size_t i = 0; i < n; i++) {
            a = rho * a + luck_normal(&seed);
            x[i] = 1000 + 200 * a * sqrt(1 - rho * rho) + (luck_uniform(&seed) < rare ? 20000 : 0) +
                   (i >= n / 2 ? step : 0) + slope * (double)i / (double)n;
        }
        det_steady s;
        assert_int_equal(det_steady_of(&s, x, n), DET_OK);
        marked += !s.settled;
    }
    return 100.0 * marked / series_count;
}

static void stationary_noise_is_seldom_marked(void **state) {
    (void)state;
    seed = 2010;
    assert_true(marked_percent(200, 0, 0, 0, 0) < 1.5);
    assert_true(marked_percent(1000, 0, 0, 0, 0) < 1.5);
    assert_true(marked_percent(2000, .5, .001, 0, 0) < 1.5);
    assert_true(marked_percent(2000, .9, 0, 0, 0) < 2);
}

static void shifts_and_trends_are_found(void **state) {
    (void)state;
    seed = 2000;
    assert_true(marked_percent(2000, 0, 0, 100, 0) > 90);
    assert_true(marked_percent(2000, 0, 0, 0, 200) > 90);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_agree_with_r),
        cmocka_unit_test(constant_calls_are_settled),
        cmocka_unit_test(what_cannot_be_judged_is_refused),
        cmocka_unit_test(stationary_noise_is_seldom_marked),
        cmocka_unit_test(shifts_and_trends_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
