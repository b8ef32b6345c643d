/*
 * Known answers from R 4.2.2:
 *   a <- c(206.1,198.7,203.4,211.9,200.2,199.5,207.3)
 *   b <- c(785.2,801.9,779.4,790.1,768.8,795.5,783.0,840.2,777.7)
 *   mean(x); sd(x); quantile(x, c(0,.25,.5,.75,.99,.999,1), type=7)
 *   x <- 1e9 + c(.1,.2,.3,.4);  y <- (1:1001*7919) %% 1000003
 */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/statistics/stats.h"

#define CLOSE(actual, expected) assert_true(fabs((actual) / (expected)-1) <= 1e-12)

static const double a[] = {206.1, 198.7, 203.4, 211.9, 200.2, 199.5, 207.3};
static const double b[] = {785.2, 801.9, 779.4, 790.1, 768.8, 795.5, 783.0, 840.2, 777.7};

static void a_summary_agrees_with_r(void **state) {
    (void)state;
    det_summary s;
    assert_int_equal(det_summary_of(&s, a, 7), DET_OK);
    CLOSE(s.mean, 203.87142857142857);
    CLOSE(s.sd, 4.8431099807576476);
    assert_int_equal(det_summary_of(&s, b, 9), DET_OK);
    assert_int_equal(s.n, 9);
    CLOSE(s.mean, 791.31111111111113);
    CLOSE(s.sd, 20.801348781055321);
    CLOSE(s.min, 768.8);
    CLOSE(s.q1, 779.4);
    CLOSE(s.median, 785.2);
    CLOSE(s.q3, 795.5);
    assert_true(isnan(s.p99) && isnan(s.p99_9));
    CLOSE(s.max, 840.2);
}

static void many_values_agree_with_r(void **state) {
    (void)state;
    double y[1001];
    det_summary s;
    for (int i = 0; i < 1001; i++)
        y[i] = (double)((i + 1) * 7919 % 1000003);
    assert_int_equal(det_summary_of(&s, y, 1001), DET_OK);
    CLOSE(s.mean, 495880.11388611386);
    CLOSE(s.sd, 286617.6946539816);
    CLOSE(s.q1, 248073);
    CLOSE(s.median, 495771);
    CLOSE(s.q3, 743469);
    CLOSE(s.p99, 987666);
    assert_true(isnan(s.p99_9));
}

/* Of 56 values the 99th percentile was the longest: a chance slow one was an alarm. */
static void a_tail_of_few_is_not_told(void **state) {
    (void)state;
    static double y[10000];
    det_summary s;
    for (int i = 0; i < 10000; i++)
        y[i] = i;
    assert_int_equal(det_summary_of(&s, y, 999), DET_OK);
    assert_true(isnan(s.p99) && isnan(s.p99_9));
    assert_int_equal(det_summary_of(&s, y, 1000), DET_OK);
    CLOSE(s.p99, 989.01);
    assert_true(isnan(s.p99_9));
    assert_int_equal(det_summary_of(&s, y, 10000), DET_OK);
    CLOSE(s.p99_9, 9989.001);
}

static void a_large_offset_costs_no_digits(void **state) {
    (void)state;
    const double x[] = {1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3, 1e9 + 0.4};
    double mean, sd;
    assert_int_equal(det_mean_of(&mean, &sd, x, 4), DET_OK);
    CLOSE(mean, 1000000000.25);
    CLOSE(sd, 0.12909941409387804);
}

/* R: quantile(c(3e100, -2, 0, 1e-300, -4e100, 7, -0.5, 0.25, 1e10), c(0, .25, .5, .75, .99, 1)) */
static void values_of_any_sign_and_size_are_put_in_order(void **state) {
    static const double x[] = {3e100, -2, 0, 1e-300, -4e100, 7, -0.5, 0.25, 1e10};
    det_summary s;
    (void)state;
    assert_int_equal(det_summary_of(&s, x, sizeof x / sizeof *x), DET_OK);
    assert_true(s.min <= -4e100 && s.min >= -4e100);
    assert_true(s.q1 <= -0.5 && s.q1 >= -0.5);
    assert_true(s.median > 0 && s.median <= 1e-300);
    assert_true(s.q3 <= 7 && s.q3 >= 7);
    assert_true(s.max <= 3e100 && s.max >= 3e100);
}

/* Few are counted into their places, many are not; equal ones stand side by side. */
static void numbers_are_sorted(void **state) {
    (void)state;
    static const size_t counts[] = {1, 2, 9, 32, 33, 200};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        double x[200], sum = 0, sorted = 0;
        for (size_t i = 0; i < counts[c]; i++)
            sum += x[i] = (double)(i * 7919 % 50) - 20;
        det_sort(x, counts[c]);
        for (size_t i = 0; i < counts[c]; i++) {
            sorted += x[i];
            assert_true(i == 0 || x[i - 1] <= x[i]);
        }
        assert_true(sorted == sum);
    }
    double even[] = {4, 1, 3, 2}, one[] = {5};
    det_sort(NULL, 0);
    assert_true(det_median(even, 4) == 2.5 && det_median(one, 1) == 5);
}

static void odd_input_gets_a_code(void **state) {
    (void)state;
    const double one[] = {5}, same[] = {3, 3, 3}, bad[] = {1, NAN}, wide[] = {1, INFINITY},
                 huge[] = {1.7e308, 1.7e308};
    det_summary s;
    assert_int_equal(det_summary_of(&s, one, 0), DET_ESHORT);
    assert_int_equal(det_summary_of(&s, bad, 2), DET_ENUMERIC);
    assert_int_equal(det_summary_of(&s, wide, 2), DET_ENUMERIC);
    assert_int_equal(det_summary_of(&s, huge, 2), DET_ENUMERIC);
    assert_int_equal(det_summary_of(&s, one, 1), DET_OK);
    assert_true(s.mean == 5 && s.min == 5 && s.median == 5 && s.max == 5);
    assert_true(isnan(s.sd) && isnan(s.q1) && isnan(s.q3)); /* nobody knows how it scatters */
    assert_int_equal(det_summary_of(&s, same, 3), DET_OK);
    assert_true(s.mean == 3 && s.sd == 0 && s.q3 == 3);
}

static void throughput_counts_calls_of_full_seconds(void **state) {
    (void)state;
    const double ns[] = {0.4e9, 0.4e9, 0.4e9, 2.0e9, 0.1e9, 0.5e9}, bad[] = {1, -1};
    uint64_t bins[8];
    size_t count;
    assert_int_equal(det_throughput_bins(bins, 8, &count, ns, 6, 1e9), DET_OK);
    assert_int_equal(count, 3); /* ends at 0.4 0.8 | 1.2 | - | 3.2 3.3 3.8 unfinished */
    assert_int_equal(bins[0], 2);
    assert_int_equal(bins[1], 1);
    assert_int_equal(bins[2], 0);
    assert_int_equal(det_throughput_bins(NULL, 0, &count, ns, 6, 1e9), DET_OK);
    assert_int_equal(count, 3);
    assert_int_equal(det_throughput_bins(bins, 1, &count, ns, 6, 1e9), DET_OK);
    assert_int_equal(count, 3);
    assert_int_equal(bins[0], 2);
    assert_int_equal(det_throughput_bins(bins, 8, &count, ns, 6, 0), DET_EINVAL);
    assert_int_equal(det_throughput_bins(bins, 8, &count, bad, 2, 1e9), DET_ENUMERIC);
}

static void every_status_has_a_text(void **state) {
    (void)state;
    for (int s = DET_OK; s <= DET_ESYNTAX + 1; s++)
        assert_true(strlen(det_status_text((det_status)s)) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_agrees_with_r),
        cmocka_unit_test(many_values_agree_with_r),
        cmocka_unit_test(a_tail_of_few_is_not_told),
        cmocka_unit_test(a_large_offset_costs_no_digits),
        cmocka_unit_test(values_of_any_sign_and_size_are_put_in_order),
        cmocka_unit_test(numbers_are_sorted),
        cmocka_unit_test(odd_input_gets_a_code),
        cmocka_unit_test(throughput_counts_calls_of_full_seconds),
        cmocka_unit_test(every_status_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
