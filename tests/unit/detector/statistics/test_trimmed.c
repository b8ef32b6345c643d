/* Trimmed means; the known answer from scipy, whose t divides by the square root of our variance:
 *   x = numpy.arange(1., 11.) ** 2
 *   t = scipy.stats.ttest_ind(x, numpy.zeros(10), trim=.2, equal_var=False).statistic
 *   x[2:8].mean(), (x[2:8].mean() / t) ** 2 */
#include "tests/unit/test.h"

#include "detector/statistics/interval.h"

#include <math.h>

enum { N = 10 };
static const double squares[N] = {1, 4, 9, 16, 25, 36, 49, 64, 81, 100};

static void expect(double value, double wanted) {
    if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%.17g is not %.17g", value, wanted);
}

static void known_answers(void **state) {
    (void)state;
    static const struct {
        size_t low, high;
        double mean, variance, df;
    } cases[] = {{2, 8, 33.166666666666664, 173.55, 5},
                 {0, 8, 25.5, 106.1, 7}, /* by hand: the two largest become 64 */
                 {0, N, 38.5, 10510.5 / 90, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const det_trimmed t = det_trimmed_of(squares, N, cases[i].low, cases[i].high);
        expect(t.mean, cases[i].mean);
        expect(t.variance, cases[i].variance);
        expect(t.df, cases[i].df);
    }
}

static void what_is_cut_has_no_size(void **state) {
    (void)state;
    double far[N];
    for (size_t i = 0; i < N; i++)
        far[i] = i < 8 ? squares[i] : squares[i] * 1e9;
    const det_trimmed t = det_trimmed_of(far, N, 2, 8);
    expect(t.mean, 33.166666666666664);
    expect(t.variance, 173.55);
}

static void one_kept_has_no_variance(void **state) {
    (void)state;
    const det_trimmed t = det_trimmed_of(squares, 3, 1, 2);
    expect(t.mean, 4);
    assert_true(isnan(t.variance));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(what_is_cut_has_no_size),
        cmocka_unit_test(one_kept_has_no_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
