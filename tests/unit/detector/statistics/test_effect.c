/*
 * Known answers from R 4.2.2:
 *   a <- c(206.1,198.7,203.4,211.9,200.2,199.5,207.3)
 *   b <- c(205.2,208.9,199.4,212.1,218.8,205.5,203.0,210.2,207.7)
 *   s <- sqrt((6*var(a)+8*var(b))/14); d <- (mean(b)-mean(a))/s
 *   J <- exp(lgamma(7)-lgamma(6.5))/sqrt(7); c(d, d*J, mean(outer(b,a,">")+.5*outer(b,a,"==")))
 *   v <- var(a)/7+var(b)/9; nu <- v^2/((var(a)/7)^2/6+(var(b)/9)^2/8)
 *   (qt(.975,nu)+qt(.8,nu))*sqrt(v);  power.t.test(n=10, sd=3, power=.8)$delta
 *   m <- lm(y~x); c(coef(m), confint(m), summary(m)$r.squared)
 */
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detector/statistics/effect.h"
#include "detector/statistics/stats.h"

#define CLOSE(actual, expected) assert_true(fabs((actual) / (expected)-1) <= 1e-12)

static const double a[] = {206.1, 198.7, 203.4, 211.9, 200.2, 199.5, 207.3};
static const double b[] = {205.2, 208.9, 199.4, 212.1, 218.8, 205.5, 203.0, 210.2, 207.7};

static void sizes_agree_with_r(void **state) {
    (void)state;
    det_effect e;
    assert_int_equal(det_effect_of(&e, a, 7, b, 9), DET_OK);
    CLOSE(e.cohen_d, 0.75424605462485084);
    CLOSE(e.hedges_g, 0.71297954031494581);
    CLOSE(e.superior, 0.69841269841269837);
}

static void detectable_differences_agree_with_r(void **state) {
    (void)state;
    double delta;
    assert_int_equal(det_detectable(&delta, 4.8431099807576476, 7, 5.613376880274477, 9, 0.05, 0.8),
                     DET_OK);
    CLOSE(delta, 7.8954054949757584);
    assert_int_equal(det_detectable(&delta, 3, 10, 3, 10, 0.05, 0.8), DET_OK);
    assert_true(fabs(delta / 3.9748369174336471 - 1) < 0.02);
}

static void lines_agree_with_r(void **state) {
    (void)state;
    const double x[] = {1, 2, 4, 8, 16, 32, 64}, y[] = {2.61, 2.72, 2.93, 3.31, 4.12, 5.71, 8.93};
    det_fit f;
    assert_int_equal(det_fit_line(&f, x, y, 7, 0.95), DET_OK);
    CLOSE(f.intercept.mean, 2.5159770114942526);
    CLOSE(f.slope.mean, 0.10014299936645851);
    CLOSE(f.intercept.low, 2.5042488552834987);
    CLOSE(f.slope.low, 0.099723102461416635);
    CLOSE(f.intercept.high, 2.5277051677050064);
    CLOSE(f.slope.high, 0.10056289627150039);
    CLOSE(f.r_squared, 0.99998669712482979);
}

static void the_bootstrap_covers_as_often_as_it_says(void **state) {
    (void)state;
    enum { TRIALS = 300, N = 30 };
    double x[N], p = 0.5;
    unsigned covered = 0;
    uint64_t seed = 1;
    det_interval i, again;
    for (unsigned t = 0; t < TRIALS; t++) {
        for (int k = 0; k < N; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            x[k] = -log(1 - (double)(seed >> 11) / 9007199254740992.0); /* median ln 2 */
        }
        assert_int_equal(
            det_bootstrap(&i, x, N, &(det_resampling){det_statistic_quantile, &p, 500, t}, 0.95),
            DET_OK);
        covered += i.low <= log(2) && log(2) <= i.high;
    }
    assert_in_range(covered, 272, 297); /* 95 % of 300, within three standard errors or so */
    assert_int_equal(det_bootstrap(&again, x, N,
                                   &(det_resampling){det_statistic_quantile, &p, 500, TRIALS - 1},
                                   0.95),
                     DET_OK);
    assert_memory_equal(&i, &again, sizeof i);
}

static void odd_input_gets_a_code(void **state) {
    (void)state;
    const double flat[] = {3, 3, 3}, bad[] = {1, NAN, 2};
    double delta, p = 0.5;
    det_effect e;
    det_fit f;
    det_interval i;
    assert_int_equal(det_effect_of(&e, a, 1, b, 9), DET_ESHORT);
    assert_int_equal(det_effect_of(&e, flat, 3, flat, 3), DET_ENUMERIC);
    assert_int_equal(det_effect_of(&e, flat, 3, bad, 3), DET_ENUMERIC);
    assert_int_equal(det_detectable(&delta, -1, 5, 1, 5, .05, .8), DET_EINVAL);
    assert_int_equal(det_detectable(&delta, 1, 1, 1, 5, .05, .8), DET_ESHORT);
    assert_int_equal(det_detectable(&delta, 1, 5, 1, 5, 0, .8), DET_EINVAL);
    assert_int_equal(det_fit_line(&f, flat, a, 3, .95), DET_ENUMERIC);
    assert_int_equal(det_fit_line(&f, a, bad, 3, .95), DET_ENUMERIC);
    assert_int_equal(det_fit_line(&f, a, b, 2, .95), DET_ESHORT);
    assert_int_equal(det_fit_line(&f, a, b, 3, 0), DET_EINVAL);
    assert_int_equal(det_bootstrap(&i, a, 7, &(det_resampling){NULL, NULL, 500, 1}, .95),
                     DET_EINVAL);
    assert_int_equal(
        det_bootstrap(&i, a, 7, &(det_resampling){det_statistic_quantile, &p, 5, 1}, .95),
        DET_EINVAL);
    assert_int_equal(
        det_bootstrap(&i, a, 1, &(det_resampling){det_statistic_quantile, &p, 500, 1}, .95),
        DET_ESHORT);
    assert_int_equal(
        det_bootstrap(&i, bad, 3, &(det_resampling){det_statistic_quantile, &p, 500, 1}, .95),
        DET_ENUMERIC);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_agree_with_r),
        cmocka_unit_test(detectable_differences_agree_with_r),
        cmocka_unit_test(lines_agree_with_r),
        cmocka_unit_test(the_bootstrap_covers_as_often_as_it_says),
        cmocka_unit_test(odd_input_gets_a_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
