/* The best cut of a sample into two groups, against R; and how often one group shows a clear
 * cut. */
#include "detector/watch/guard.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>

/*
 * x <- sort(c(20.1,20.4,19.8,33.2,20.9,31.7,20.2,34.1,19.9,20.6)); n <- length(x)
 * within <- function(i) sum((x[1:i]-mean(x[1:i]))^2) + sum((x[(i+1):n]-mean(x[(i+1):n]))^2)
 * w <- sapply(1:(n-1), within); i <- which.min(w)
 * c(i, mean(x[1:i]), mean(x[(i+1):n]), (sum((x-mean(x))^2)-w[i])/w[i])
 */
static void known_answers(void **state) {
    (void)state;
    static const double x[] = {19.8, 19.9, 20.1, 20.2, 20.4, 20.6, 20.9, 31.7, 33.2, 34.1};
    static const double even[] = {1, 2, 3, 4, 5, 6};
    det__groups g;
    assert_int_equal(det__groups_of(&g, x, 10, 1), DET_OK);
    assert_int_equal(g.low_n, 7);
    assert_int_equal(g.high_n, 3);
    assert_true(fabs(g.low / 20.271428571428572 - 1) < 1e-12);
    assert_true(fabs(g.high / 33.000000000000000 - 1) < 1e-12);
    assert_true(fabs(g.ratio / 88.274388435878322 - 1) < 1e-12);
    assert_true(groups_clear(&g));
    assert_int_equal(det__groups_of(&g, even, 6, 1), DET_OK);
    assert_int_equal(g.low_n, 3);
    assert_true(fabs(g.ratio / 3.375 - 1) < 1e-12);
    assert_false(groups_clear(&g));
}

static void a_single_slow_process_is_no_group(void **state) {
    (void)state;
    static const double x[] = {20, 20.1, 20.2, 20.3, 20.4, 20.5, 20.6, 20.7, 20.8, 35};
    det__groups g;
    assert_int_equal(det__groups_of(&g, x, 10, 3), DET_OK);
    assert_true(g.low_n >= 3 && g.high_n >= 3);
    assert_false(groups_clear(&g));
    assert_int_equal(det__groups_of(&g, x, 10, 1), DET_OK);
    assert_int_equal(g.high_n, 1);
    assert_false(groups_clear(&g));
}

static void edges(void **state) {
    (void)state;
    static const double same[] = {5, 5, 5, 5, 5, 5, 5, 5};
    static const double two[] = {5, 5, 5, 5, 6, 6, 6, 6};
    det__groups g;
    assert_int_equal(det__groups_of(&g, same, 8, 2), DET_OK);
    assert_true(g.ratio == 0 && !groups_clear(&g));
    assert_int_equal(det__groups_of(&g, two, 8, 2), DET_OK);
    assert_true(isinf(g.ratio) && groups_clear(&g));
    assert_int_equal(det__groups_of(&g, same, 3, 2), DET_ESHORT);
    assert_int_equal(det__groups_of(&g, same, 1, 1), DET_ESHORT);
    assert_int_equal(det__groups_of(&g, same, 8, 0), DET_EINVAL);
    assert_int_equal(det__groups_of(&g, NULL, 8, 1), DET_EINVAL);
}

static double uniform(uint64_t *seed) {
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One normal group: a clear cut at most about once in a thousand samples of any size. */
static void one_group_is_seldom_cut(void **state) {
    (void)state;
    enum { SAMPLES = 20000, LARGEST = 64 };
    uint64_t seed = 3;
    for (size_t n = 8; n <= LARGEST; n += 7) {
        double x[LARGEST];
        int clear = 0;
        for (int i = 0; i < SAMPLES; i++) {
            det__groups g;
            for (size_t k = 0; k < n; k++)
                x[k] =
                    100 + sqrt(-2 * log(uniform(&seed))) * cos(6.283185307179586 * uniform(&seed));
            qsort(x, n, sizeof *x, ascending);
            assert_int_equal(det__groups_of(&g, x, n, (n + 3) / 4), DET_OK);
            clear += groups_clear(&g);
        }
        assert_true(clear <= SAMPLES / 1000 * 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(a_single_slow_process_is_no_group),
        cmocka_unit_test(edges),
        cmocka_unit_test(one_group_is_seldom_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
