/*
 * A night's robust value, and how widely nights are taken to spread. Known answers from R 4.2.2:
 *   n <- length(x); k <- floor(if (n >= 10) n/10 else n/5); s <- sort(x); w <- s
 *   if (k) { w[1:k] <- s[k+1]; w[(n-k+1):n] <- s[n-k] }
 *   mean(s[(k+1):(n-k)]); sum((w-mean(w))^2) / ((n-2*k)*(n-2*k-1))
 */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/detector.h"
#include "detector/watch/watch__.h"
#include "tests/unit/detector/luck.h"

static det__cell condensed_as(const double *x, size_t n, det_trim trim) {
    double copy[128];
    memcpy(copy, x, n * sizeof *x);
    return det__condense(copy, n, trim);
}

static det__cell condensed(const double *x, size_t n) {
    return condensed_as(x, n, DET_TRIM_ENDS);
}

static void condensing_agrees_with_r(void **state) {
    (void)state;
    static const struct {
        size_t n;
        double x[12], mean, variance;
    } cases[] = {
        {4, {40, 10, 13, 12}, 12.5, .5},
        {5, {10, 11, 12, 13, 40}, 12, .66666666666666663},
        {6, {5, 1, 4, 2, 3, 100}, 3.5, .79166666666666663},
        {12,
         {203.1, 199.8, 201.7, 202.2, 198.9, 200.4, 340, 201.1, 200.9, 202.8, 199.5, 201.3},
         201.28,
         .21596296296296202},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const det__cell cell = condensed(cases[i].x, cases[i].n);
        assert_true(fabs(cell.mean / cases[i].mean - 1) < 1e-12);
        assert_true(fabs(cell.variance / cases[i].variance - 1) < 1e-12);
        assert_true(cell.loops == (double)cases[i].n);
    }
}

static void one_loop_has_no_variance_and_none_no_mean(void **state) {
    (void)state;
    double x[] = {7};
    for (det_trim trim = DET_TRIM_ENDS; trim <= DET_TRIM_SLOW; trim++) {
        const det__cell one = det__condense(x, 1, trim), none = det__condense(x, 0, trim);
        assert_true(one.mean == 7 && isnan(one.variance) && one.loops == 1);
        assert_true(isnan(none.mean) && isnan(none.variance) && none.loops == 0);
    }
}

static void of_three_loops_the_middle_one_counts(void **state) {
    (void)state;
    const double x[] = {10, 4000, 12};
    const det__cell cell = condensed(x, 3);
    assert_true(cell.mean == 12 && isnan(cell.variance) && cell.loops == 3);
    assert_true(condensed(x, 2).mean == 2005);
}

/* Few values are sorted by counting, many by qsort: both, with ties, whatever the order. */
static void the_order_of_the_loops_does_not_matter(void **state) {
    (void)state;
    uint64_t seed = 9;
    static const size_t sizes[] = {2, 4, 5, 9, 10, 31, 32, 33, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i];
        double x[128], shuffled[128];
        for (size_t k = 0; k < n; k++)
            x[k] = shuffled[k] = floor(20 * luck_uniform(&seed));
        for (size_t k = n - 1; k > 0; k--) {
            const size_t other = (size_t)((double)(k + 1) * luck_uniform(&seed));
            const double swapped = shuffled[k];
            shuffled[k] = shuffled[other];
            shuffled[other] = swapped;
        }
        const det__cell a = condensed(x, n), b = det__condense(shuffled, n, DET_TRIM_ENDS);
        assert_true(a.mean == b.mean && a.variance == b.variance);
        for (size_t k = 1; k < n; k++)
            assert_true(shuffled[k - 1] <= shuffled[k]);
    }
}

static void one_slow_loop_in_five_does_not_count(void **state) {
    (void)state;
    const double quiet[] = {100, 101, 99, 100.5, 99.5}, loud[] = {100, 1e9, 99, 100.5, 99.5};
    assert_true(fabs(condensed(quiet, 5).mean - condensed(loud, 5).mean) < .5);
}

/* As above, with [low, high) of the sorted loops instead of k at each end. */
static void the_fastest_loops_count_where_asked_for(void **state) {
    (void)state;
    static const struct {
        size_t n;
        double x[12], mean, variance;
    } cases[] = {
        {4, {40, 10, 13, 12}, 11, 1.5},
        {5, {10, 11, 12, 13, 40}, 10.5, .4},
        {12,
         {203.1, 199.8, 201.7, 202.2, 198.9, 200.4, 340, 201.1, 200.9, 202.8, 199.5, 201.3},
         199.4,
         0.13000000000000234},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const det__cell cell = condensed_as(cases[i].x, cases[i].n, DET_TRIM_SLOW);
        assert_true(fabs(cell.mean / cases[i].mean - 1) < 1e-12);
        assert_true(fabs(cell.variance / cases[i].variance - 1) < 1e-12);
        assert_true(cell.loops == (double)cases[i].n);
    }
    const double slowed[] = {100, 150, 101, 160, 102, 155},
                 quiet[] = {100, 101, 102, 103, 104, 105};
    assert_true(condensed_as(slowed, 6, DET_TRIM_SLOW).mean ==
                condensed_as(quiet, 6, DET_TRIM_SLOW).mean);
}

static det_watch *single(void) {
    det_chain chain;
    det_policy policy;
    det_chain_init(&chain);
    assert_int_equal(det_chain_add(&chain, "T", -1), DET_OK);
    det_policy_init(&policy);
    return det_watch_new(&chain, &policy);
}

/* What the watch takes a night's spread to be, as a share of its level, after so many nights. */
static double learnt(double spread, int nights, int outlier_at) {
    uint64_t seed = 4;
    det_verdict v;
    det_watch *watch = single();
    for (int n = 0; n < nights; n++) {
        const double level =
            1000 * (1 + spread * luck_normal(&seed)) * (n == outlier_at ? 1.05 : 1);
        double means[5];
        for (int l = 0; l < 5; l++)
            means[l] = level * (1 + .001 * luck_normal(&seed));
        const det_night night = {.id = n + 1, .loops = 5, .means = means};
        assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
    }
    const double usual = watch->spread[0].usual;
    det_watch_free(watch);
    return usual;
}

static void the_spread_of_nights_is_learnt(void **state) {
    (void)state;
    const double first = learnt(.004, 1, -1), wide = learnt(.02, 80, -1),
                 narrow = learnt(.004, 80, -1);
    assert_true(first > .09); /* a second night does not alarm */
    assert_true(wide > .012 && wide < .03);
    assert_true(narrow > .0025 && narrow < .007);
    assert_true(learnt(0, 200, -1) > .0005); /* no machine repeats itself better */
}

static void one_outlier_does_not_make_the_series_deaf(void **state) {
    (void)state;
    assert_true(learnt(.004, 81, 79) < 2 * learnt(.004, 79, -1));
}

static double floor_of(det_watch *watch, double variance) {
    double floor = -1;
    det__cells_at(watch, 0)[0] = (det__cell){.mean = 100, .variance = variance, .loops = 5};
    assert_true(det__spread_noise_of(watch, 0, 0, &floor) == .004);
    return floor;
}

/* A night whose loops vary far more than they used to is believed as little as they say. */
static void unruly_loops_widen_their_own_night(void **state) {
    (void)state;
    det_watch *watch = single();
    watch->spread[0].weight = 20;
    watch->spread[0].loops = 1e-6;
    watch->spread[0].usual = .004;
    const double bound = 5 * 1e-6 * 1e4; /* more than four times as usual */
    assert_true(floor_of(watch, 3 * 1e-6 * 1e4) == 0);
    assert_true(floor_of(watch, bound) == bound);
    assert_true(floor_of(watch, NAN) == 0);
    watch->spread[0].weight = 0; /* nothing is usual yet */
    assert_true(floor_of(watch, 3 * 1e-6 * 1e4) == 3 * 1e-6 * 1e4);
    det_watch_free(watch);
}

/* What fewer loops than usual leave open is added to how far nights lie apart. */
static void a_night_of_few_loops_is_as_wide_as_they_leave_it(void **state) {
    (void)state;
    double floor;
    det_watch *watch = single();
    watch->spread[0] = (det__spread){.weight = 20, .loops = 1e-6, .number = 10, .usual = .004};
    det__cell *cell = det__cells_at(watch, 0);
    *cell = (det__cell){.mean = 100, .variance = 1e-2, .loops = 10};
    (void)det__spread_noise_of(watch, 0, 0, &floor);
    assert_true(floor == 0);
    *cell = (det__cell){.mean = 100, .variance = 5e-2, .loops = 2};
    (void)det__spread_noise_of(watch, 0, 0, &floor);
    assert_true(fabs(floor - (.004 * .004 + 4e-6) * 1e4) < 1e-12);
    cell->variance = NAN; /* of three the middle one says nothing of it */
    cell->loops = 4;
    (void)det__spread_noise_of(watch, 0, 0, &floor);
    assert_true(fabs(floor - (.004 * .004 + 1.5e-6) * 1e4) < 1e-12);
    det_watch_free(watch);
}

/* Nights of two loops in a quiet series do not make it seem wider than it is. */
static void few_loops_teach_no_wider_spread(void **state) {
    (void)state;
    uint64_t seed = 11;
    det_verdict v;
    det_watch *watch = single();
    double usual = 0;
    for (int n = 0; n < 90; n++) {
        double means[10];
        const size_t loops = n < 60 ? 10 : 2;
        for (size_t l = 0; l < loops; l++)
            means[l] = 1000 * (1 + .012 * luck_normal(&seed));
        const det_night night = {.id = n + 1, .loops = loops, .means = means};
        assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
        usual = n == 59 ? watch->spread[0].usual : usual;
    }
    assert_true(watch->spread[0].usual < 1.3 * usual);
    assert_true(watch->spread[0].number > 2 && watch->spread[0].number < 10);
    det_watch_free(watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(condensing_agrees_with_r),
        cmocka_unit_test(one_loop_has_no_variance_and_none_no_mean),
        cmocka_unit_test(of_three_loops_the_middle_one_counts),
        cmocka_unit_test(the_order_of_the_loops_does_not_matter),
        cmocka_unit_test(one_slow_loop_in_five_does_not_count),
        cmocka_unit_test(the_fastest_loops_count_where_asked_for),
        cmocka_unit_test(the_spread_of_nights_is_learnt),
        cmocka_unit_test(one_outlier_does_not_make_the_series_deaf),
        cmocka_unit_test(unruly_loops_widen_their_own_night),
        cmocka_unit_test(a_night_of_few_loops_is_as_wide_as_they_leave_it),
        cmocka_unit_test(few_loops_teach_no_wider_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
