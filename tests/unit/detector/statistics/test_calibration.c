/*
 * Two machines that measured one program: their factors. Known answers from R 4.2.2:
 *   a <- c(100,102,98); b <- c(110,111,109,112)
 *   h <- diff(t.test(b/mean(b), a/mean(a))$conf.int)/2   # 0.041007890935
 *   mean(b)/mean(a) * exp(c(-h, h)); h/qnorm(.975) # 0.020922777795
 */
#include "tests/unit/test.h"

#include <math.h>

#include "detector/statistics/calibration.h"
#include "tests/unit/detector/luck.h"

#define CONFIGURATIONS 4
#define CLOSE(actual, expected, within) assert_true(fabs((actual) - (expected)) <= (within))

/* none, deactivated, collecting, writing: portions of 100, 200, 300, 400 ns */
static const double here[3][CONFIGURATIONS] = {
    {100, 301, 600, 1002}, {102, 299, 603, 998}, {98, 300, 597, 1000}};
/* T as here, I by a tenth more, C by a fifth, W half as much */
static const double there[3][CONFIGURATIONS] = {
    {101, 321, 680, 881}, {99, 319, 679, 879}, {100, 320, 681, 880}};

static det_chain classic(void) {
    det_chain chain;
    det_chain_classic(&chain);
    return chain;
}

static void calibrate(det_factor *out) {
    const det_chain chain = classic();
    assert_int_equal(det_calibration_of(out, &chain, here[0], 3, there[0], 3, 0.95), DET_OK);
}

static void one_portion_agrees_with_r(void **state) {
    (void)state;
    det_chain chain;
    det_factor out;
    const double a[] = {100, 102, 98}, b[] = {110, 111, 109, 112};
    det_chain_init(&chain);
    assert_int_equal(det_chain_add(&chain, "T", -1), DET_OK);
    assert_int_equal(det_calibration_of(&out, &chain, a, 3, b, 4, 0.95), DET_OK);
    CLOSE(out.factor.mean, 1.105, 1e-12);
    const double half = log(out.factor.high / out.factor.mean);
    CLOSE(half, -log(out.factor.low / out.factor.mean), 1e-12);
    CLOSE(out.level, 100, 1e-12);
    CLOSE(out.share, half / 1.959963984540054, 1e-12);
    CLOSE(out.part, out.share, 1e-15);
    assert_int_equal(out.factor.n, 3);
    CLOSE(half, 0.041007890935, 1e-11);
    CLOSE(out.share, 0.020922777795, 1e-11);
}

static void each_portion_has_its_own(void **state) {
    (void)state;
    static const double expected[CONFIGURATIONS] = {1, 1.1, 1.2, 0.5};
    det_factor out[CONFIGURATIONS];
    calibrate(out);
    assert_true(det_calibration_known(out, CONFIGURATIONS));
    for (int c = 0; c < CONFIGURATIONS; c++) {
        CLOSE(out[c].factor.mean, expected[c], 0.005);
        assert_true(out[c].factor.low < out[c].factor.mean);
        assert_true(out[c].factor.high > out[c].factor.mean);
    }
}

/* The same program there is the same program here; the code's change stays what it is here. */
static void a_night_is_scaled_portion_by_portion(void **state) {
    (void)state;
    const det_chain chain = classic();
    det_factor factors[CONFIGURATIONS];
    double unsure[CONFIGURATIONS], grown[CONFIGURATIONS];
    calibrate(factors);
    double same[] = {99, 101, 319, 321, 680, 680, 880, 880};
    assert_int_equal(det_calibration_scale(factors, &chain, 2, same), DET_OK);
    det_calibration_unsure(factors, &chain, 2, same, unsure);
    CLOSE((same[0] + same[1]) / 2, 100, 0.5);
    CLOSE((same[2] + same[3]) / 2, 300, 0.5);
    CLOSE((same[4] + same[5]) / 2, 600, 0.5);
    CLOSE((same[6] + same[7]) / 2, 1000, 0.5);
    CLOSE(same[1] / same[0], 101.0 / 99, 1e-12);                /* loops scatter as they did */
    double dearer[] = {100, 100, 430, 430, 790, 790, 990, 990}; /* I by 110 ns there: 100 here */
    assert_int_equal(det_calibration_scale(factors, &chain, 2, dearer), DET_OK);
    det_calibration_unsure(factors, &chain, 2, dearer, grown);
    CLOSE(dearer[2], 400, 1);
    CLOSE(dearer[6], 1100, 1);
    for (int c = 0; c < CONFIGURATIONS; c++)
        assert_true(unsure[c] > 0 && isfinite(unsure[c]));
    CLOSE(grown[0], unsure[0], 1e-9);
    assert_true(grown[1] > unsure[1]); /* what has grown is known no better than its factor */
}

static void a_missing_configuration_takes_its_children_along(void **state) {
    (void)state;
    const det_chain chain = classic();
    det_factor factors[CONFIGURATIONS];
    double unsure[CONFIGURATIONS];
    calibrate(factors);
    double means[] = {100, 100, NAN, NAN, 680, 680, 880, 880};
    assert_int_equal(det_calibration_scale(factors, &chain, 2, means), DET_OK);
    det_calibration_unsure(factors, &chain, 2, means, unsure);
    assert_true(isfinite(means[0]) && isnan(means[4]) && isnan(means[6]));
    assert_true(unsure[2] == 0 && unsure[0] > 0);
}

static void what_may_be_nothing_has_no_factor(void **state) {
    (void)state;
    const det_chain chain = classic();
    const double none[3][CONFIGURATIONS] = {
        {100, 101, 600, 1000}, {102, 99, 600, 1000}, {98, 100, 600, 1000}};
    det_factor out[CONFIGURATIONS];
    double means[] = {100, 300, 600, 1000};
    assert_int_equal(det_calibration_of(out, &chain, none[0], 3, there[0], 3, 0.95), DET_OK);
    assert_true(isnan(out[1].factor.mean) && isfinite(out[0].factor.mean));
    assert_false(det_calibration_known(out, CONFIGURATIONS));
    assert_int_equal(det_calibration_scale(out, &chain, 1, means), DET_EINVAL);
    /* a portion that changes its sign has none either */
    const double turned[3][CONFIGURATIONS] = {
        {300, 100, 600, 1000}, {301, 99, 600, 1000}, {299, 101, 600, 1000}};
    assert_int_equal(det_calibration_of(out, &chain, turned[0], 3, there[0], 3, 0.95), DET_OK);
    assert_true(isnan(out[1].factor.mean));
}

/* I so far below the control that nothing would be left of it. */
static void what_is_not_above_nothing_is_refused_whole(void **state) {
    (void)state;
    const det_chain chain = classic();
    det_factor factors[CONFIGURATIONS];
    double means[] = {1000, 100, 600, 1000};
    calibrate(factors);
    factors[1].factor.mean = 0.5;
    assert_int_equal(det_calibration_scale(factors, &chain, 1, means), DET_EINVAL);
    assert_true(means[0] == 1000 && means[3] == 1000);
}

static void too_few_runs_and_nonsense_are_refused(void **state) {
    (void)state;
    const det_chain chain = classic();
    det_factor out[CONFIGURATIONS];
    double hole[3][CONFIGURATIONS] = {
        {100, 301, 600, 1002}, {102, NAN, 603, 998}, {98, 300, 597, 1000}};
    assert_int_equal(det_calibration_of(out, &chain, here[0], 2, there[0], 3, 0.95), DET_ESHORT);
    assert_int_equal(det_calibration_of(out, &chain, here[0], 3, there[0], 2, 0.95), DET_ESHORT);
    assert_int_equal(det_calibration_of(out, &chain, hole[0], 3, there[0], 3, 0.95), DET_ESHORT);
    hole[1][1] = INFINITY;
    assert_int_equal(det_calibration_of(out, &chain, hole[0], 3, there[0], 3, 0.95), DET_ENUMERIC);
    assert_int_equal(det_calibration_of(out, &chain, here[0], 3, there[0], 3, 1), DET_EINVAL);
    assert_int_equal(det_calibration_of(NULL, &chain, here[0], 3, there[0], 3, 0.9), DET_EINVAL);
}

/* Three runs each, a true factor of 1.05, runs that scatter by 2 %: the interval holds it as often
 * as it says. */
static void intervals_hold_the_truth_as_often_as_they_say(void **state) {
    (void)state;
    det_chain chain;
    uint64_t seed = 11;
    int held = 0;
    det_chain_init(&chain);
    assert_int_equal(det_chain_add(&chain, "T", -1), DET_OK);
    for (int n = 0; n < 4000; n++) {
        double a[3], b[3];
        det_factor out;
        for (int r = 0; r < 3; r++) {
            a[r] = 100 * (1 + 0.02 * luck_normal(&seed));
            b[r] = 105 * (1 + 0.02 * luck_normal(&seed));
        }
        assert_int_equal(det_calibration_of(&out, &chain, a, 3, b, 3, 0.95), DET_OK);
        held += out.factor.low <= 1.05 && 1.05 <= out.factor.high;
    }
    print_message("%d of 4000 intervals hold the truth\n", held);
    assert_in_range(held, 3760, 3920); /* Welch of three and three is a little wide */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_portion_agrees_with_r),
        cmocka_unit_test(each_portion_has_its_own),
        cmocka_unit_test(a_night_is_scaled_portion_by_portion),
        cmocka_unit_test(a_missing_configuration_takes_its_children_along),
        cmocka_unit_test(what_may_be_nothing_has_no_factor),
        cmocka_unit_test(what_is_not_above_nothing_is_refused_whole),
        cmocka_unit_test(too_few_runs_and_nonsense_are_refused),
        cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
