/*
 * How often each value was seen, and what follows from it. Known answers from R 4.2.2:
 *   x <- c(3,1,4,1,5,9,2,6,5,3,5,5000000,8999999,4194304)
 *   mean(x); sd(x); quantile(x, c(.25,.5,.75,.99))
 */
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>

#include "detector/reader/counts__.h"
#include "tests/unit/detector/luck.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void close_to(double actual, double expected) {
    if (!(fabs(actual - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g", actual, expected);
}

static void small_and_large_values_together_agree_with_r(void **state) {
    (void)state;
    static const uint64_t x[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 5000000, 8999999, 4194304};
    reader__counts counts;
    det_summary s;
    assert_int_equal(reader__counts_init(&counts), DET_OK);
    for (size_t i = 0; i < COUNT(x); i++)
        reader__counts_add(&counts, x[i]);
    assert_int_equal(counts.large_count, 3); /* 2^22 is the first that is large */
    assert_int_equal(counts.top, 10);
    assert_int_equal(reader__counts_summary(&counts, &s), DET_OK);
    assert_int_equal(s.n, COUNT(x));
    close_to(s.mean, 1299596.2142857143);
    close_to(s.sd, 2772764.0133995754);
    assert_true(s.min == 1 && s.q1 == 3 && s.median == 5 && s.max == 8999999);
    close_to(s.q3, 8.25);
    close_to(s.p99, 8479999.1299999971);
    reader__counts_clear(&counts);
}

static void nothing_seen_is_no_summary(void **state) {
    (void)state;
    reader__counts counts;
    det_summary s = {.n = 77};
    assert_int_equal(reader__counts_init(&counts), DET_OK);
    assert_int_equal(reader__counts_summary(&counts, &s), DET_ESHORT);
    assert_int_equal(s.n, 77);
    reader__counts_add(&counts, 0); /* a call faster than the clock */
    assert_int_equal(reader__counts_summary(&counts, &s), DET_OK);
    assert_true(s.n == 1 && s.mean == 0 && s.sd == 0 && s.min == 0 && s.max == 0 && s.p99 == 0);
    counts.failed = 1;
    assert_int_equal(reader__counts_summary(&counts, &s), DET_ENOMEM);
    reader__counts_clear(&counts);
}

/* The next file's values are its own. */
static void counting_again_begins_at_nothing(void **state) {
    (void)state;
    reader__counts counts;
    det_summary s;
    assert_int_equal(reader__counts_init(&counts), DET_OK);
    for (uint64_t v = 100; v < 5000; v++)
        reader__counts_add(&counts, v);
    for (uint64_t v = 0; v < 3000; v++)
        reader__counts_add(&counts, COUNTS_DENSE + v);
    reader__counts_reset(&counts);
    assert_int_equal(reader__counts_summary(&counts, &s), DET_ESHORT);
    reader__counts_add(&counts, 4999);
    assert_int_equal(reader__counts_summary(&counts, &s), DET_OK);
    assert_true(s.n == 1 && s.min == 4999 && s.max == 4999);
    reader__counts_clear(&counts);
}

/* Against stats.h, which sorts all values: gaps of every length, since many are passed at once. */
static void counting_says_what_sorting_says(void **state) {
    (void)state;
    uint64_t seed = 6;
    reader__counts counts;
    assert_int_equal(reader__counts_init(&counts), DET_OK);
    for (int round = 0; round < 40; round++) {
        const size_t n = 1 + (size_t)(400 * luck_uniform(&seed));
        const double range = exp(18 * luck_uniform(&seed)); /* from single ns to beyond the dense */
        double *x = malloc(n * sizeof *x);
        det_summary fast, slow;
        reader__counts_reset(&counts);
        for (size_t i = 0; i < n; i++) {
            const uint64_t v = (uint64_t)(range * luck_uniform(&seed));
            reader__counts_add(&counts, v);
            x[i] = (double)v;
        }
        assert_int_equal(reader__counts_summary(&counts, &fast), DET_OK);
        assert_int_equal(det_summary_of(&slow, x, n), DET_OK);
        assert_int_equal(fast.n, slow.n);
        for (size_t m = 0; m < DET_SUMMARY_MEMBERS; m++)
            close_to(det_summary_get(&fast, &det_summary_members[m]),
                     det_summary_get(&slow, &det_summary_members[m]));
        free(x);
    }
    reader__counts_clear(&counts);
}

/* Ten thousand calls a nanosecond apart from a million: squares of the values would lose it. */
static void a_tiny_spread_on_a_large_value_survives(void **state) {
    (void)state;
    reader__counts counts;
    det_summary s;
    assert_int_equal(reader__counts_init(&counts), DET_OK);
    for (int i = 0; i < 10000; i++)
        reader__counts_add(&counts, UINT64_C(9000000000000000) + (uint64_t)(i % 2));
    assert_int_equal(reader__counts_summary(&counts, &s), DET_OK);
    close_to(s.sd, sqrt(.25 * 10000 / 9999));
    reader__counts_clear(&counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_and_large_values_together_agree_with_r),
        cmocka_unit_test(nothing_seen_is_no_summary),
        cmocka_unit_test(counting_again_begins_at_nothing),
        cmocka_unit_test(counting_says_what_sorting_says),
        cmocka_unit_test(a_tiny_spread_on_a_large_value_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
