/*
 * Known answers from R 4.2.2, printed by formatC(x, digits=17, format="g"):
 *   pbeta(x,a,b); pnorm(z); qnorm(p); 2*pt(-abs(t),df); qt(p,df); -qt(alpha/2,df)
 */
#include "tests/unit/test.h"

#include <math.h>

#include "detector/statistics/dist.h"
#include "tests/unit/detector/luck.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BOUND 1e-13 /* what dist.h promises, relative */

static void close_to(double actual, double expected) {
    if (!(fabs(actual - expected) <= BOUND * fabs(expected)))
        fail_msg("%.17g is not %.17g", actual, expected);
}

static void the_beta_function_agrees_with_r(void **state) {
    (void)state;
    static const double cases[][4] = {
        {.3, 2, 5, .57982500000000015},      {.5, .5, .5, .5},
        {1e-6, .5, 3, .0018749987500003755}, {.7, 120, 55, .6516467736904753},
        {.02, 1, 400, .99969066413419427},   {.5, 1e4, 1e4, .5},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        close_to(det_beta_cdf(cases[i][0], cases[i][1], cases[i][2]), cases[i][3]);
    assert_true(det_beta_cdf(0, 2, 3) == 0);
    assert_true(det_beta_cdf(1, 2, 3) == 1);
}

/* I_x(a, b) = 1 - I_(1-x)(b, a), and it does not fall: whatever branch computes it. */
static void the_beta_function_is_symmetric_and_rises(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 300; i++) {
        const double a = exp(8 * luck_uniform(&seed) - 3), b = exp(8 * luck_uniform(&seed) - 3);
        double before = 0;
        for (int k = 1; k < 32; k++) {
            const double x = k / 32.0, value = det_beta_cdf(x, a, b);
            assert_true(value >= before && value <= 1);
            assert_true(fabs(value + det_beta_cdf(1 - x, b, a) - 1) < 1e-13);
            before = value;
        }
    }
}

/* Of whole numbers and of halves the function is known: gamma must be right for both. */
static void the_beta_function_is_exact_where_it_is_known(void **state) {
    (void)state;
    const double root = sqrt(.3), below = 2 * asin(root) / acos(-1);
    for (int n = 1; n <= 30; n++)
        close_to(det_beta_cdf(.3, n, 1), pow(.3, n));
    close_to(det_beta_cdf(.3, .5, .5), below);
    close_to(det_beta_cdf(.3, 1.5, .5), below - 2 * root * sqrt(.7) / acos(-1));
    for (int n = 1; n <= 9; n += 2)
        close_to(det_beta_cdf(.3, n / 2., 1), pow(.3, n / 2.));
}

/* The gamma of libm says there of which sign it is, for all threads. */
static void no_sign_is_written(void **state) {
    (void)state;
    signgam = 7;
    (void)det_beta_cdf(.3, .5, 3);
    (void)det_t_critical(.05, 1);
    assert_int_equal(signgam, 7);
}

static void the_normal_distribution_agrees_with_r(void **state) {
    (void)state;
    static const double below[][2] = {
        {-37, 5.7255712225245771e-300}, {-8, 6.2209605742717849e-16},
        {-3.5, .00023262907903552494},  {-1, .15865525393145705},
        {-.001, .49960105778608893},    {0, .5},
        {.5, .69146246127401301},       {1.959963984540054, .97499999999999998},
        {6, .9999999990134123},
    };
    static const double quantiles[][2] = {
        {1e-300, -37.047096299361201},
        {1e-16, -8.2220822161304348},
        {.0001, -3.71901648545568},
        {.02425, -1.9729610513118845},
        {.025, -1.9599639845400538},
        {.3, -.52440051270804067},
        {.5, 0},
        {.6, .25334710313579978},
        {.975, 1.9599639845400536},
        {.9999, 3.7190164854557084},
    };
    for (size_t i = 0; i < COUNT(below); i++)
        close_to(det_normal_cdf(below[i][0]), below[i][1]);
    for (size_t i = 0; i < COUNT(quantiles); i++)
        close_to(det_normal_quantile(quantiles[i][0]), quantiles[i][1]);
}

static void the_normal_quantile_is_the_inverse(void **state) {
    (void)state;
    for (int i = -1000; i < 140; i++) {
        const double z = .036 * i;
        assert_true(fabs(det_normal_quantile(det_normal_cdf(z)) - z) <= 1e-9 * fmax(1, fabs(z)));
    }
}

static void students_t_agrees_with_r(void **state) {
    (void)state;
    static const double cases[][3] = {
        {-4, 1, .15595826075473865},
        {-1.5, 2.5, .2478364530862962},
        {0, 7, 1},
        {.7, 3, .5343269983047636},
        {2.2, 9, .05534057279861157},
        {12, 40, 7.8241713042559961e-15},
        {1, 1e6, .31731074983357815},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        close_to(det_t_two_sided(cases[i][0], cases[i][1]), cases[i][2]);
        close_to(det_t_two_sided(-cases[i][0], cases[i][1]), cases[i][2]);
    }
    /* So many degrees of freedom cost R digits: from mpmath 1.3, 50 digits,
     * betainc(df/2, 1/2, 0, df/(df+t*t), regularized=True) */
    close_to(det_t_two_sided(1, 1e6), .31731074983357812928);
    assert_true(fabs(det_t_two_sided(1, 1e9) / .31731050810488482729 - 1) < 1e-12);
    assert_true(fabs(det_t_two_sided(3, 1e8) / .0026997967280374943869 - 1) < 1e-12);
    close_to(det_t_two_sided(2, 3e5), .045501163747225045258);
    close_to(det_t_two_sided(40, 30), 1.3726045194406362e-27);
    close_to(det_t_two_sided(1e5, 3), 2.2053155808932506e-15);
    close_to(det_t_two_sided(25, 1e4), 7.443343762919275e-134);
}

static void quantiles_of_t_agree_with_r(void **state) {
    (void)state;
    static const double cases[][3] = {
        {.975, 1, 12.706204736174694},   {.975, 5, 2.5705818356363137},
        {.975, 6, 2.4469118511449688},   {.975, 7.3, 2.3450667365477025},
        {.975, 9, 2.2621571627982049},   {.975, 40, 2.0210753903062733},
        {.975, 1e5, 1.9599877075346088}, {.995, 4, 4.6040948713499921},
        {.9, 2.5, 1.7302509288071761},   {.2, 12, -.87260929158813771},
        {.0005, 3, -12.923978636687483},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        close_to(det_t_quantile(cases[i][0], cases[i][1]), cases[i][2]);
    assert_true(det_t_quantile(.5, 8) == 0);
    static const double critical[][3] = {
        {1e-12, 5, 452.53922433340074},  {1e-30, 20, 129.58902418105723},
        {1e-6, 1.5, 8285.3911950250367}, {.05, 6, 2.4469118511449692},
        {.05, 100, 1.983971518523552},   {.32, 4, 1.1343966379740462},
        {.9, 3, .13659819935369893},
    };
    for (size_t i = 0; i < COUNT(critical); i++)
        close_to(det_t_critical(critical[i][0], critical[i][1]), critical[i][2]);
    assert_true(det_t_critical(1, 3) == 0);
}

/* The series for 95 % and the search beside it: no step where one takes over. */
static void the_fast_way_is_the_slow_one(void **state) {
    (void)state;
    const double beside = .05 + 4e-16; /* too far off for the series, too near to matter */
    for (int i = 0; i < 450; i++) {
        const double df = 6 * pow(1.013, i);
        assert_true(fabs(det_t_critical(.05, df) / det_t_critical(beside, df) - 1) < 2e-13);
    }
    close_to(det_t_critical(1 - .95, 30), det_t_critical(.05, 30));
}

static void a_critical_value_cuts_off_its_share(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        const double df = exp(12 * luck_uniform(&seed) - 1);
        const double alpha = exp(-40 * luck_uniform(&seed));
        const double t = det_t_critical(alpha, df);
        if (!(fabs(det_t_two_sided(t, df) / alpha - 1) <= 1e-11))
            fail_msg("alpha %.17g, df %.17g: %.17g", alpha, df, t);
    }
}

static void arguments_out_of_range_are_not_numbers(void **state) {
    (void)state;
    const double wrong[] = {
        det_beta_cdf(-.1, 1, 1), det_beta_cdf(1.1, 1, 1),  det_beta_cdf(.5, 0, 1),
        det_beta_cdf(.5, 1, -1), det_beta_cdf(NAN, 1, 1),  det_normal_quantile(0),
        det_normal_quantile(1),  det_normal_quantile(NAN), det_t_two_sided(1, 0),
        det_t_two_sided(1, NAN), det_t_two_sided(1, -1),   det_t_quantile(0, 3),
        det_t_quantile(1, 3),    det_t_quantile(.3, 0),    det_t_critical(0, 3),
        det_t_critical(1.5, 3),  det_t_critical(.05, 0),   det_t_critical(NAN, 3),
        det_normal_cdf(NAN),
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        if (!isnan(wrong[i]))
            fail_msg("case %zu is %g", i, wrong[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_beta_function_agrees_with_r),
        cmocka_unit_test(the_beta_function_is_symmetric_and_rises),
        cmocka_unit_test(the_beta_function_is_exact_where_it_is_known),
        cmocka_unit_test(no_sign_is_written),
        cmocka_unit_test(the_normal_distribution_agrees_with_r),
        cmocka_unit_test(the_normal_quantile_is_the_inverse),
        cmocka_unit_test(students_t_agrees_with_r),
        cmocka_unit_test(quantiles_of_t_agree_with_r),
        cmocka_unit_test(the_fast_way_is_the_slow_one),
        cmocka_unit_test(a_critical_value_cuts_off_its_share),
        cmocka_unit_test(arguments_out_of_range_are_not_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
