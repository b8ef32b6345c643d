/* The logarithm of the gamma function, which must not write what all threads see. */
#include "tests/unit/test.h"

#include "detector/statistics/gamma__.h"

#include <math.h>

static void is(long double x, long double expected) {
    const long double got = det__log_gamma(x);
    if (fabsl(got - expected) > 1e-17L * fmaxl(1, fabsl(expected)))
        fail_msg("log gamma(%Lg): %.20Lg, not %.20Lg", x, got, expected);
}

/* gamma(n) is the product of the numbers before n. */
static void of_whole_numbers(void **state) {
    long double product = 1;
    (void)state;
    for (int n = 1; n <= 30; n++) {
        is(n, logl(product));
        product *= n;
    }
}

static void of_halves(void **state) {
    (void)state;
    const long double root_of_pi = sqrtl(acosl(-1));
    is(0.5L, logl(root_of_pi));
    is(1.5L, logl(root_of_pi / 2));
    is(4.5L, logl(root_of_pi * 105 / 16));
}

/* The one of libm says there of which sign gamma is. */
static void no_sign_is_written(void **state) {
    (void)state;
    signgam = 7;
    (void)det__log_gamma(-0.5L);
    (void)det__log_gamma(3);
    assert_int_equal(signgam, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_whole_numbers),
        cmocka_unit_test(of_halves),
        cmocka_unit_test(no_sign_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
