/* counts must say the same as the detector's summary of all values, for every small size too. */
#include "tests/unit/test.h"

#include <math.h>

#include "ci/formats/moobench.h"

/* splitmix64: the same values on every machine */
static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void assert_near(double a, double b) {
    assert_true(fabs(a - b) <= 1e-12 * fabs(b));
}

static void assert_same(ci_counts *counts, const double *values, size_t n) {
    det_summary mine, theirs;
    assert_int_equal(ci_counts_summary(counts, &mine), DET_OK);
    assert_int_equal(det_summary_of(&theirs, values, n), DET_OK);
    assert_int_equal(mine.n, theirs.n);
    assert_near(mine.mean, theirs.mean);
    assert_near(mine.sd, theirs.sd);
    assert_true(mine.min == theirs.min && mine.max == theirs.max);
    assert_near(mine.q1, theirs.q1);
    assert_near(mine.median, theirs.median);
    assert_near(mine.q3, theirs.q3);
}

static void every_small_size(void **state) {
    (void)state;
    double values[64];
    uint64_t seed = 1;
    for (size_t n = 1; n <= 64; n++)
        for (unsigned range = 0; range < 3; range++) {
            static const uint64_t ranges[] = {10, 200000, UINT64_C(1) << 40};
            g_autoptr(ci_counts) counts = ci_counts_new();
            for (size_t i = 0; i < n; i++)
                values[i] = (double)(next(&seed) % ranges[range]);
            ci_counts_add(counts, values, n);
            assert_same(counts, values, n);
        }
}

static void merged_is_as_added(void **state) {
    (void)state;
    const size_t n = 30000;
    g_autofree double *values = g_new(double, n);
    uint64_t seed = 2;
    for (size_t i = 0; i < n; i++)
        values[i] = (double)(next(&seed) % (i % 100 ? 3000 : 3000000));
    g_autoptr(ci_counts) all = ci_counts_new();
    for (size_t i = 0; i < n; i += 10000) {
        g_autoptr(ci_counts) part = ci_counts_new();
        ci_counts_add(part, values + i, 10000);
        ci_counts_merge(all, part);
    }
    assert_same(all, values, n);
}

static void constant_has_no_spread(void **state) {
    (void)state;
    const double values[] = {70, 70, 70};
    g_autoptr(ci_counts) counts = ci_counts_new();
    ci_counts_add(counts, values, 3);
    assert_same(counts, values, 3);
}

static void nothing_is_too_short(void **state) {
    (void)state;
    g_autoptr(ci_counts) counts = ci_counts_new();
    det_summary summary;
    assert_int_equal(ci_counts_summary(counts, &summary), DET_ESHORT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_size),
        cmocka_unit_test(merged_is_as_added),
        cmocka_unit_test(constant_has_no_spread),
        cmocka_unit_test(nothing_is_too_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
