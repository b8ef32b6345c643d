/*
 * Known answers from R 4.2.2, by a search on the likelihood ratio itself:
 *   s <- function(x, level, g=2) { n <- length(x); m <- mean(x)
 *     bf <- function(mu) { t <- sqrt(n)*(m-mu)/sd(x); v <- n-1
 *       -.5*log(1+n*g) + n/2*(log1p(t^2/v) - log1p(t^2/(v*(1+n*g)))) - log(1/(1-level)) }
 *     h <- uniroot(function(d) bf(m+d), c(0, 1e4*sd(x)), tol=1e-14)$root; c(m, m-h, m+h) }
 */
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>

#include "detector/statistics/interval.h"
#include "tests/unit/detector/luck.h"

#define CLOSE(actual, expected) assert_true(fabs((actual) / (expected)-1) <= 1e-12)
#define ROUNDS 30

static const double a[] = {206.1, 198.7, 203.4, 211.9, 200.2, 199.5, 207.3};

static void answers_agree_with_r(void **state) {
    (void)state;
    static const struct {
        size_t n;
        double level, mean, low, high;
    } cases[] = {
        {7, .95, 203.871428571429, 195.843119501906, 211.899737640952},
        {7, .999, 203.871428571429, 178.235886473779, 229.506970669078},
        {4, .95, 205.025, 171.824813241556, 238.225186758444},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        det_interval out;
        assert_int_equal(det_sequence_mean(&out, a, cases[i].n, cases[i].level), DET_OK);
        CLOSE(out.mean, cases[i].mean);
        CLOSE(out.low, cases[i].low);
        CLOSE(out.high, cases[i].high);
    }
}

static void few_values_say_nothing(void **state) {
    (void)state;
    det_interval out;
    assert_int_equal(det_sequence_mean(&out, a, 3, .95), DET_OK);
    assert_true(isinf(out.low) && isinf(out.high) && out.low < out.high);
    assert_int_equal(det_sequence_mean(&out, a, 1, .95), DET_ESHORT);
    assert_int_equal(det_sequence_mean(&out, a, 7, 1), DET_EINVAL);
    const double same[] = {5, 5, 5, 5}, bad[] = {5, NAN, 5};
    assert_int_equal(det_sequence_mean(&out, bad, 3, .95), DET_ENUMERIC);
    assert_int_equal(det_sequence_mean(&out, same, 4, .95), DET_OK);
    assert_true(out.low == 5 && out.high == 5);
}

static uint64_t seed = 1976;

/* Looked at after every round and stopped when narrow enough: the mean is in there, and it was at
 * all looks before, in at least 95 of 100 measurements. Student's interval does not do that. */
static void the_mean_is_covered_whenever_one_stops(void **state) {
    (void)state;
    unsigned missed_once = 0, missed_at_stop = 0, student_missed = 0;
    const unsigned measurements = 2000;
    for (unsigned r = 0; r < measurements; r++) {
        double x[ROUNDS];
        int missed = 0, stopped = 0, student_stopped = 0;
        for (size_t n = 1; n <= ROUNDS; n++) {
            det_interval s, t;
            x[n - 1] = luck_normal(&seed);
            if (n < 3)
                continue;
            assert_int_equal(det_sequence_mean(&s, x, n, .95), DET_OK);
            assert_int_equal(det_interval_mean(&t, x, n, .95), DET_OK);
            missed |= s.low > 0 || s.high < 0;
            if (!stopped && (s.high - s.low < 1.2 || n == ROUNDS)) {
                stopped = 1;
                missed_at_stop += s.low > 0 || s.high < 0;
            }
            if (!student_stopped && (t.high - t.low < 1.2 || n == ROUNDS)) {
                student_stopped = 1;
                student_missed += t.low > 0 || t.high < 0;
            }
        }
        missed_once += (unsigned)missed;
    }
    assert_true(missed_once <= measurements * 5 / 100);
    assert_true(missed_at_stop <= missed_once);
    assert_true(student_missed > measurements * 8 / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_agree_with_r),
        cmocka_unit_test(few_values_say_nothing),
        cmocka_unit_test(the_mean_is_covered_whenever_one_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
