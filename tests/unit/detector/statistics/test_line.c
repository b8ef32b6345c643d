/* A line through points; known answers from R:
 *   x <- c(1,2,4,8,16,32,64,128); y <- c(105.2,208.1,399.5,810.3,1595,3210,6391,12830)
 *   w <- 1/c(2,3,5,4,20,30,80,100)^2; m <- lm(y ~ x); coef(m); confint(m); summary(m)$r.squared
 *   m <- lm(y ~ x, weights=w); coef(m); confint(m); confint(m, level=.99); summary(m)$r.squared */
#include "tests/unit/test.h"

#include "detector/statistics/portion.h"

#include <math.h>

static const double x[] = {1, 2, 4, 8, 16, 32, 64, 128};
static const double y[] = {105.2, 208.1, 399.5, 810.3, 1595, 3210, 6391, 12830};
enum { POINTS = 8 };

static void expect(double value, double wanted) {
    if (!(fabs(value - wanted) <= 1e-10 * fabs(wanted)))
        fail_msg("%.17g is not %.17g", value, wanted);
}

static void all_alike(void **state) {
    (void)state;
    det_line line;
    assert_int_equal(det_line_fit(&line, x, y, NULL, POINTS, .95), DET_OK);
    expect(line.slope.mean, 100.1487756868821);
    expect(line.slope.low, 99.9231064353925);
    expect(line.slope.high, 100.3744449383716);
    expect(line.start.mean, 1.3952749806332);
    expect(line.start.low, -10.3971580739645);
    expect(line.start.high, 13.1877080352309);
    expect(line.r_squared, 0.99999491178001);
    assert_int_equal(line.slope.n, POINTS);
    expect(line.slope.df, 6);
}

static void some_are_surer(void **state) {
    (void)state;
    static const double sd[] = {2, 3, 5, 4, 20, 30, 80, 100};
    double weight[POINTS];
    det_line line, wide, scaled;
    for (size_t i = 0; i < POINTS; i++)
        weight[i] = 1 / (sd[i] * sd[i]);
    assert_int_equal(det_line_fit(&line, x, y, weight, POINTS, .95), DET_OK);
    expect(line.slope.mean, 100.19278136563392);
    expect(line.slope.low, 99.42020631456731);
    expect(line.slope.high, 100.96535641670053);
    expect(line.start.mean, 5.53335083922895);
    expect(line.start.low, 2.07071311643305);
    expect(line.start.high, 8.99598856202485);
    expect(line.r_squared, 0.999940420450009);
    assert_int_equal(det_line_fit(&wide, x, y, weight, POINTS, .99), DET_OK);
    expect(wide.slope.low, 99.022217582733234);
    expect(wide.start.high, 10.779751568860);
    for (size_t i = 0; i < POINTS; i++)
        weight[i] *= 1e9; /* only how they compare counts */
    assert_int_equal(det_line_fit(&scaled, x, y, weight, POINTS, .95), DET_OK);
    expect(scaled.slope.low, line.slope.low);
}

static void two_points_have_no_interval(void **state) {
    (void)state;
    det_line line;
    assert_int_equal(det_line_fit(&line, (double[]){1, 3}, (double[]){10, 20}, NULL, 2, .95),
                     DET_OK);
    expect(line.slope.mean, 5);
    expect(line.start.mean, 5);
    assert_true(isnan(line.slope.low) && isnan(line.slope.high) && isnan(line.start.low));
}

static void points_on_a_line_have_no_doubt(void **state) {
    (void)state;
    det_line line;
    assert_int_equal(det_line_fit(&line, x, x, NULL, POINTS, .95), DET_OK);
    expect(line.slope.low, 1);
    expect(line.slope.high, 1);
    expect(line.r_squared, 1);
    const double level[] = {7, 7, 7};
    assert_int_equal(det_line_fit(&line, x, level, NULL, 3, .95), DET_OK);
    assert_true(line.slope.mean == 0 && isnan(line.r_squared));
}

static void what_is_no_line(void **state) {
    (void)state;
    const double same[] = {5, 5, 5}, bad[] = {1, 2, (double)NAN};
    const double none[] = {1, 0, 1}, endless[] = {1, INFINITY, 1};
    det_line line = {.r_squared = 42};
    assert_int_equal(det_line_fit(&line, x, y, NULL, 1, .95), DET_ESHORT);
    assert_int_equal(det_line_fit(&line, same, y, NULL, 3, .95), DET_ESHORT);
    assert_int_equal(det_line_fit(&line, bad, y, NULL, 3, .95), DET_ENUMERIC);
    assert_int_equal(det_line_fit(&line, x, bad, NULL, 3, .95), DET_ENUMERIC);
    assert_int_equal(det_line_fit(&line, x, y, none, 3, .95), DET_ENUMERIC);
    assert_int_equal(det_line_fit(&line, x, y, endless, 3, .95), DET_ENUMERIC);
    assert_int_equal(det_line_fit(&line, x, y, NULL, 3, 1), DET_EINVAL);
    assert_int_equal(det_line_fit(&line, x, y, NULL, 3, (double)NAN), DET_EINVAL);
    assert_true(line.r_squared == 42);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_alike),
        cmocka_unit_test(some_are_surer),
        cmocka_unit_test(two_points_have_no_interval),
        cmocka_unit_test(points_on_a_line_have_no_doubt),
        cmocka_unit_test(what_is_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
