/*
 * Known answers from R 4.2.2, for example
 *   a <- c(206.1,198.7,203.4,211.9,200.2,199.5,207.3)
 *   b <- c(785.2,801.9,779.4,790.1,768.8,795.5,783.0,840.2,777.7)
 *   t.test(a); t.test(a, conf.level=.999); t.test(b, a); t.test(b[1:7], a, paired=TRUE,
 * conf.level=.99) qt(c(.975,.6,.9995,1-1e-9,.01), df); qnorm(p); 2*pt(-abs(t), df); pbeta(x, a, b)
 */
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>

#include "detector/statistics/dist.h"
#include "detector/statistics/interval.h"

#define CLOSE(actual, expected) assert_true(fabs((actual) / (expected)-1) <= 1e-12)

static const double a[] = {206.1, 198.7, 203.4, 211.9, 200.2, 199.5, 207.3};
static const double b[] = {785.2, 801.9, 779.4, 790.1, 768.8, 795.5, 783.0, 840.2, 777.7};

static void same(const det_interval *i, double mean, double low, double high, double df) {
    CLOSE(i->mean, mean);
    CLOSE(i->low, low);
    CLOSE(i->high, high);
    CLOSE(i->df, df);
}

static void intervals_agree_with_r(void **state) {
    (void)state;
    det_interval i;
    assert_int_equal(det_interval_mean(&i, a, 7, 0.95), DET_OK);
    same(&i, 203.87142857142857, 199.39229889708818, 208.35055824576895, 6);
    assert_int_equal(det_interval_mean(&i, a, 7, 0.999), DET_OK);
    same(&i, 203.87142857142857, 192.96367545478151, 214.77918168807562, 6);
    assert_int_equal(det_interval_welch(&i, a, 7, b, 9, 0.95), DET_OK);
    same(&i, 587.43968253968251, 571.24279665900076, 603.63656842036414, 9.095095623717345);
    assert_int_equal(i.n, 7);
    assert_int_equal(det_interval_paired(&i, a, b, 7, 0.99), DET_OK);
    same(&i, 582.39999999999998, 565.02549508401785, 599.77450491598211, 6);
}

static void quantiles_of_t_agree_with_r(void **state) {
    (void)state;
    static const double p[] = {.975, .6, .9995, 1 - 1e-9, .01};
    static const struct {
        double df, q[5];
    } r[] = {
        {1,
         {12.706204736174694, 0.32491969623290634, 636.6192487687897, 318309895.18620932,
          -31.820515953773956}},
        {2,
         {4.3026527297494619, 0.28867513459481314, 31.599054576445365, 22360.68005765849,
          -6.9645567342832733}},
        {4,
         {2.7764451051977934, 0.27072229470759746, 8.6103015813795221, 234.02761206090793,
          -3.7469473879791964}},
        {9,
         {2.2621571627982049, 0.26095533647391095, 4.7809125859312189, 23.729919895030427,
          -2.8214379250258084}},
        {30.5,
         {2.0408694451863205, 0.25556816383917536, 3.6395957941798431, 8.3940317511272529,
          -2.4550046414975615}},
        {1000,
         {1.9623390808264076, 0.25341451583949876, 3.3002826484239436, 6.0536902768005199,
          -2.3300826747555128}},
    };
    for (size_t i = 0; i < sizeof r / sizeof *r; i++)
        for (int k = 0; k < 5; k++)
            CLOSE(det_t_quantile(p[k], r[i].df), r[i].q[k]);
    assert_true(det_t_quantile(0.5, 3) == 0);
}

static void distributions_agree_with_r(void **state) {
    (void)state;
    CLOSE(det_normal_quantile(.975), 1.9599639845400536);
    CLOSE(det_normal_quantile(.01), -2.3263478740408408);
    CLOSE(det_normal_quantile(1e-20), -9.2623400897984052);
    CLOSE(det_normal_quantile(.3), -0.52440051270804067);
    CLOSE(det_normal_cdf(1.9599639845400536), .975);
    CLOSE(det_t_two_sided(-40, 3), 2 * 1.719034039457927e-05);
    CLOSE(det_t_two_sided(.1, 7.3), 2 * (1 - 0.53848225143008521));
    CLOSE(det_t_two_sided(2.5, 4), 2 * 0.033383272405994063);
    CLOSE(det_beta_cdf(.3, 2, 5), 0.57982500000000015);
    CLOSE(det_beta_cdf(1e-6, 3, .5), 3.1250011718757184e-19);
    CLOSE(det_beta_cdf(.5, 500, 510), 0.62353975665566974);
}

static void quantile_and_probability_are_inverse(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 190; k++) {
            const double df = 0.5 * pow(3, i), alpha = df < 2 ? pow(0.3, k) : pow(1e-9, k / 20.0);
            if (alpha < 1e-100)
                break;
            const double t = det_t_critical(alpha, df);
            assert_true(fabs(det_t_two_sided(t, df) / alpha - 1) < 1e-11);
        }
}

static void arguments_out_of_range_give_nan_or_a_code(void **state) {
    (void)state;
    const double x[] = {1, 2}, bad[] = {1, NAN}, flat[] = {4, 4, 4};
    det_interval i;
    assert_true(isnan(det_t_quantile(0, 3)) && isnan(det_t_quantile(1, 3)));
    assert_true(isnan(det_t_quantile(.5, 0)) && isnan(det_t_critical(0, 3)));
    assert_true(isnan(det_t_two_sided(1, -1)) && isnan(det_t_two_sided(1, NAN)));
    assert_true(isnan(det_beta_cdf(-.1, 1, 1)) && isnan(det_beta_cdf(.5, 0, 1)));
    assert_true(isnan(det_normal_quantile(1)) && isnan(det_t_quantile(NAN, 2)));
    assert_int_equal(det_interval_mean(&i, x, 1, .95), DET_ESHORT);
    assert_int_equal(det_interval_mean(&i, x, 2, 1), DET_EINVAL);
    assert_int_equal(det_interval_mean(&i, bad, 2, .95), DET_ENUMERIC);
    assert_int_equal(det_interval_welch(&i, x, 2, x, 1, .95), DET_ESHORT);
    assert_int_equal(det_interval_welch(&i, x, 2, bad, 2, .95), DET_ENUMERIC);
    assert_int_equal(det_interval_welch(&i, x, 2, x, 2, 0), DET_EINVAL);
    assert_int_equal(det_interval_paired(&i, x, x, 1, .95), DET_ESHORT);
    assert_int_equal(det_interval_paired(&i, x, bad, 2, .95), DET_ENUMERIC);
    assert_int_equal(det_interval_welch(&i, flat, 3, flat, 3, .95), DET_OK);
    assert_true(i.low == 0 && i.high == 0 && i.df == 4);
}

static void overlap_is_sharing_a_value(void **state) {
    (void)state;
    const det_interval low = {.low = 1, .high = 2}, mid = {.low = 2, .high = 3},
                       far = {.low = 4, .high = 5}, none = {.low = NAN, .high = NAN};
    assert_true(det_intervals_overlap(&low, &mid));
    assert_false(det_intervals_overlap(&low, &far));
    assert_false(det_intervals_overlap(&far, &low));
    assert_false(det_intervals_overlap(&none, &low));
}

/* R: 110/100, exp(c(-1,1) * sqrt(.02^2 + .01^2)) */
static void a_difference_of_intervals_has_both_widths(void **state) {
    (void)state;
    const det_interval left = {.mean = 10, .low = 7, .high = 13, .n = 5};
    const det_interval right = {.mean = 20, .low = 16, .high = 24, .n = 9};
    const det_interval unknown = {.mean = 1, .low = NAN, .high = NAN, .n = 1};
    det_interval out;
    assert_int_equal(det_interval_difference(&out, &left, &right), DET_OK);
    assert_true(out.mean == 10 && out.low == 5 && out.high == 15);
    assert_int_equal(out.n, 5);
    assert_int_equal(det_interval_difference(&out, &unknown, &right), DET_EINVAL);
}

static void a_ratio_has_both_widths(void **state) {
    (void)state;
    const det_interval old = {.mean = 100, .low = 98, .high = 102, .n = 5};
    const det_interval here = {.mean = 110, .low = 108.9, .high = 111.1, .n = 9};
    const det_interval below = {.mean = -100, .low = -102, .high = -98, .n = 5};
    const det_interval near_0 = {.mean = 1, .low = -1, .high = 3, .n = 5};
    const det_interval bare = {.mean = 100, .low = NAN, .high = NAN, .n = 1};
    det_interval ratio;
    assert_int_equal(det_interval_ratio(&ratio, &old, &here), DET_OK);
    assert_true(fabs(ratio.mean - 1.1) < 1e-12);
    assert_true(fabs(ratio.low - 1.0756762139) < 1e-9);
    assert_true(fabs(ratio.high - 1.1248738090) < 1e-9);
    assert_int_equal(ratio.n, 5);
    assert_int_equal(det_interval_ratio(&ratio, &near_0, &here), DET_EINVAL);
    assert_int_equal(det_interval_ratio(&ratio, &old, &near_0), DET_EINVAL);
    assert_int_equal(det_interval_ratio(&ratio, &old, &below), DET_EINVAL);
    assert_int_equal(det_interval_ratio(&ratio, &bare, &here), DET_EINVAL);
    assert_int_equal(det_interval_ratio(&ratio, &below, &below), DET_OK);
    assert_true(ratio.mean == 1);
}

/* R: va <- var(a)/4; vb <- var(b)/3; v <- va + vb; df <- v^2/(va^2/3 + vb^2/2); mean(b) - mean(a)
 * + c(-1, 1)*qt(.95, df)*sqrt(v), which is t.test(b, a, conf.level = .9). */
static void between_two_intervals_is_welchs(void **state) {
    static const double wide[] = {10, 12, 11, 13}, tight[] = {5, 9, 7};
    det_interval of_a, of_b, whole, out;
    (void)state;
    assert_int_equal(det_interval_mean(&of_a, wide, 4, 0.9), DET_OK);
    assert_int_equal(det_interval_mean(&of_b, tight, 3, 0.9), DET_OK);
    assert_int_equal(det_interval_welch(&whole, wide, 4, tight, 3, 0.9), DET_OK);
    assert_int_equal(det_interval_between(&out, &of_a, &of_b, 0.9), DET_OK);
    assert_true(fabs(out.df - 3.2347188264058682) < 1e-10 && out.n == 3);
    assert_true(fabs(out.low + 7.5232366139675477) < 1e-10);
    assert_true(fabs(out.high - whole.high) < 1e-10);
    of_b.low = of_b.high = of_b.mean; /* equal values */
    assert_int_equal(det_interval_between(&out, &of_a, &of_b, 0.9), DET_OK);
    assert_true(fabs(out.df - 3) < 1e-12 &&
                fabs((of_a.high - of_a.low) - (out.high - out.low)) < 1e-10);
    of_b.df = 0;
    assert_int_equal(det_interval_between(&out, &of_a, &of_b, 0.9), DET_EINVAL);
    of_b.df = 2;
    of_b.low = NAN;
    assert_int_equal(det_interval_between(&out, &of_a, &of_b, 0.9), DET_EINVAL);
    assert_int_equal(det_interval_between(&out, &of_a, &of_a, 1), DET_EINVAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_two_intervals_is_welchs),
        cmocka_unit_test(a_difference_of_intervals_has_both_widths),
        cmocka_unit_test(a_ratio_has_both_widths),
        cmocka_unit_test(intervals_agree_with_r),
        cmocka_unit_test(quantiles_of_t_agree_with_r),
        cmocka_unit_test(distributions_agree_with_r),
        cmocka_unit_test(quantile_and_probability_are_inverse),
        cmocka_unit_test(arguments_out_of_range_give_nan_or_a_code),
        cmocka_unit_test(overlap_is_sharing_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
