/* What a verdict compares: the numbers, and which nights they come from. */
#include "tests/unit/detector/watch/nights.h"

#include <math.h>

#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"
#include "tests/unit/detector/luck.h"

static void close_to(double actual, double expected) {
    assert_true(fabs(actual - expected) <= 1e-9 * fmax(1, fabs(expected)));
}

static det_watch *after(int nights, double cv) {
    const double portions[] = {70, 200, 900, 2500};
    uint64_t seed = 2;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    for (int n = 0; n < nights; n++)
        add(watch, 100 + n, portions, cv, &seed, v);
    return watch;
}

static det__comparison last_night(det_watch *watch, double evidence) {
    return (det__comparison){.watch = watch,
                             .serial = watch->nights - 1,
                             .portion = I,
                             .before = watch->base,
                             .evidence = evidence,
                             .needed = 4};
}

static void tonight_is_the_portions_difference(void **state) {
    (void)state;
    det_watch *watch = after(5, 0);
    close_to(det__tonight(watch, 4, T), 70);
    close_to(det__tonight(watch, 4, I), 200);
    close_to(det__tonight(watch, 4, W), 2500);
    det_watch_free(watch);
}

/* A portion has the noise of both its configurations; the root has its own alone. */
static void the_variance_of_a_night_is_that_of_two(void **state) {
    (void)state;
    det_watch *watch = after(30, .01);
    det__comparison c = last_night(watch, 1);
    c.portion = T;
    const double root = det__night_variance(&c);
    c.portion = I;
    const double both = det__night_variance(&c);
    double floor;
    const det__cell *cells = det__cells_at(watch, c.serial);
    const double own = det__spread_noise_of(watch, c.serial, I, &floor) * cells[I].mean;
    close_to(both, root + fmax(own * own, floor));
    det_watch_free(watch);
}

static void what_is_known_of_the_spread_counts_as_degrees_of_freedom(void **state) {
    (void)state;
    det_watch *young = after(3, .01), *old = after(50, .01);
    det__comparison few = last_night(young, 1), many = last_night(old, 1);
    assert_true(det__night_df(&few) >= 6 + LOOPS - 1);
    assert_true(det__night_df(&many) > det__night_df(&few) + 20);
    det_watch_free(young);
    det_watch_free(old);
}

static void the_reference_has_at_most_the_policys_nights(void **state) {
    (void)state;
    det_watch *watch = after(50, .005);
    assert_int_equal(det__reference(watch, I, 10).first, 0);
    assert_int_equal(det__reference(watch, I, 50).first, 20);
    assert_int_equal(det__reference(watch, I, 50).end, 50);
    watch->start[I] = 45; /* a level that began lately */
    assert_int_equal(det__reference(watch, I, 50).first, 45);
    det_watch_free(watch);
}

static void the_nights_are_named(void **state) {
    (void)state;
    det_watch *watch = after(20, .005);
    det__comparison c = last_night(watch, 5);
    det_verdict v = {0};
    det__compare(&c, 19, &v);
    assert_int_equal(v.reference_nights, 19);
    assert_int_equal(v.reference_from, 100);
    assert_int_equal(v.reference_to, 118);
    assert_int_equal(v.from, 118);
    assert_int_equal(v.to, 119);
    assert_int_equal(v.trial_from, 111); /* eight nights back: a small change may be dated late */
    assert_int_equal(v.steps, 0);
    watch->start[I] = 17;
    det__compare(&c, 19, &v);
    assert_int_equal(v.trial_from, 117); /* but not into the level before */
    det_watch_free(watch);
}

/* Twenty nights, `without` that have no W, and one that has it again, `times` as long; its verdict
 * of W. */
static det_watch *back(int without, double times, det_verdict *v) {
    double portions[] = {70, 200, 900, 2500}, means[PORTIONS * LOOPS];
    uint64_t seed = 2;
    det_watch *watch = after(20, .005);
    for (int n = 0; n <= without; n++) {
        portions[W] = n < without ? (double)NAN : 2500 * times;
        night_of(means, portions, .005, &seed);
        const det_night night = {.id = 120 + n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
    }
    return watch;
}

/* Where a configuration failed for some nights, nobody knows in which of them its change came. */
static void a_change_is_dated_from_the_last_night_that_has_the_portion(void **state) {
    (void)state;
    const int without[] = {1, 2, 12, 41, 100};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        for (int changed = 0; changed < 2; changed++) {
            det_verdict v[PORTIONS];
            det_watch *watch = back(without[i], changed ? 1.25 : 1, v);
            assert_int_equal(v[W].verdict, changed ? DET_VERDICT_ANOMALY : DET_VERDICT_OK);
            assert_int_equal(v[W].reference_nights, 20);
            assert_int_equal(v[W].reference_from, 100);
            assert_int_equal(v[W].reference_to, 119);
            assert_int_equal(v[W].from, 119);
            assert_int_equal(v[W].to, 120 + without[i]);
            assert_int_equal(v[W].night.n, 1);
            assert_non_null(strstr(v[W].reason, "20 nights, night 100 to night 119"));
            det_watch_free(watch);
        }
}

static void what_no_night_that_is_kept_has_is_first(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    det_watch *watch = back(DET__DEPTH, 1.25, v);
    assert_int_equal(v[W].verdict, DET_VERDICT_FIRST);
    assert_int_equal(v[I].verdict, DET_VERDICT_OK);
    det_watch_free(watch);
}

/* The interval of the difference is Student's, around the difference of the two levels. */
static void the_difference_and_its_interval(void **state) {
    (void)state;
    det_watch *watch = after(20, .005);
    det__comparison c = last_night(watch, 5);
    det_verdict v = {0};
    det__compare(&c, 19, &v);
    close_to(v.difference.mean, v.night.mean - v.reference.mean);
    const double error =
        sqrt(det__night_variance(&c) + det__difference_variance(&watch->chain, watch->base, I));
    close_to(v.difference.high - v.difference.mean, det_t_critical(.05, det__night_df(&c)) * error);
    close_to(v.difference.mean - v.difference.low, v.difference.high - v.difference.mean);
    close_to(v.ratio, v.night.mean / v.reference.mean);
    assert_int_equal(v.direction, v.difference.mean > 0 ? 1 : -1);
    det_watch_free(watch);
}

/* Goldstein and Healy 1995: shown side by side the two intervals part where the rule fires. */
static void intervals_part_where_the_rule_fires(void **state) {
    (void)state;
    for (int i = 0; i < 19; i++) {
        const double evidence = .25 * pow(1.3, i);
        det_watch *watch = after(20, .005);
        det__comparison c = last_night(watch, evidence);
        det_verdict v = {0};
        det__compare(&c, 19, &v);
        close_to(v.score, sqrt(evidence / 4));
        const double apart = fabs(v.difference.mean) - (v.night.high - v.night.mean) -
                             (v.reference.high - v.reference.mean);
        if (v.score > 1.0001)
            assert_true(apart > 0);
        if (v.score < .9999)
            assert_true(apart < 0);
        det_watch_free(watch);
    }
}

static void without_evidence_there_is_no_score(void **state) {
    (void)state;
    det_watch *watch = after(20, .005);
    det__comparison c = last_night(watch, -3);
    det_verdict v = {0};
    det__compare(&c, 19, &v);
    assert_true(v.score == 0);
    assert_true(v.evidence == -3);
    assert_true(v.night.low <= v.reference.high && v.reference.low <= v.night.high);
    det_watch_free(watch);
}

/* Steps that were followed in silence belong to the change: its level is the one before them. */
static void small_steps_count_from_the_level_before_them(void **state) {
    (void)state;
    det_watch *watch = after(20, .005);
    det__comparison c = last_night(watch, 5);
    det_verdict alone = {0}, sum = {0};
    det__compare(&c, 19, &alone);
    const det__small small = {
        .sum = 12, .variance = 9, .steps = 2, .nights = 7, .from = 71, .before = {.id = 77}};
    c.small = &small;
    det__compare(&c, 19, &sum);
    close_to(sum.reference.mean, alone.reference.mean - 12);
    close_to(sum.difference.mean, alone.difference.mean + 12);
    assert_true(sum.difference.high - sum.difference.low >
                alone.difference.high - alone.difference.low);
    assert_int_equal(sum.steps, 2);
    assert_int_equal(sum.reference_nights, 7);
    assert_int_equal(sum.reference_from, 71);
    assert_int_equal(sum.reference_to, 77);
    assert_int_equal(sum.from, 77);
    assert_int_equal(sum.to, alone.to);
    det_watch_free(watch);
}

/* What a trial's plan asks for: how loops scatter, tonight and in the night it begins from. */
static void the_spreads_are_those_between_loops(void **state) {
    (void)state;
    det_watch *watch = after(20, .005);
    det__comparison c = last_night(watch, 5);
    det_verdict v = {0};
    const det__cell *tonight = det__cells_at(watch, 19), *earlier = det__cells_at(watch, 11);
    det__compare(&c, 19, &v);
    close_to(v.spreads.own, sqrt(tonight[I].variance * LOOPS));
    close_to(v.spreads.parent, sqrt(tonight[T].variance * LOOPS));
    close_to(v.spreads.own_before, sqrt(earlier[I].variance * LOOPS));
    close_to(v.spreads.parent_before, sqrt(earlier[T].variance * LOOPS));
    c.portion = T;
    det__compare(&c, 19, &v);
    assert_true(v.spreads.parent == 0 && v.spreads.parent_before == 0);
    det_watch_free(watch);
}

/* A value of any unit, as imports judge it. */
static det_watch *counted(unsigned patience) {
    det_chain chain = {0};
    det_policy policy;
    det_policy_init(&policy);
    policy.patience = patience;
    policy.minimum_loops = 1;
    policy.zero = 1e-6;
    policy.unit = "events";
    policy.caution = 1.25;
    policy.effect_relative = 0.03;
    assert_int_equal(det_chain_add(&chain, "retries", -1), DET_OK);
    return det_watch_new(&chain, &policy);
}

static det_verdict next(det_watch *watch, int night, double value) {
    det_verdict v;
    assert_int_equal(
        det_watch_add(watch, &(det_night){.id = night, .loops = 1, .means = &value}, &v), DET_OK);
    return v;
}

/* The first night that is told; -1: none. v: its verdict, or that of the last one */
static int told(const double *x, int n, unsigned patience, det_verdict *v) {
    int at = -1;
    det_watch *watch = counted(patience);
    for (int i = 0; i < n && at < 0; i++) {
        *v = next(watch, i, x[i]);
        at = v->verdict == DET_VERDICT_ANOMALY ? i : -1;
    }
    det_watch_free(watch);
    return at;
}

#define TOLD(x, patience, v) told(x, sizeof(x) / sizeof *(x), patience, v)

/* Of three nights that would be the new level one has the very value before. */
static void a_count_that_comes_back_has_not_risen(void **state) {
    (void)state;
    static const double x[] = {0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1,
                               2, 0, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0, 2, 0, 1};
    det_verdict v;
    if (TOLD(x, 2, &v) >= 0 || TOLD(x, 1, &v) >= 0)
        fail_msg("%s", v.reason);
    assert_int_equal(told(x, 4, 2, &v), -1);
    if (v.difference.low > -1 || v.difference.high < 5 || strstr(v.reason, "assumed") ||
        !strstr(v.reason, "2.00 events against 0.00 events (3 nights"))
        fail_msg("%s", v.reason);
}

/* R: x <- c(rep(0, 9), .032, 0, .003, 0); sd(x) * sqrt(1 + 1/13) * qt(.975, 12) is 0.0199 */
static void few_nights_off_zero_show_how_far_they_lie(void **state) {
    (void)state;
    static const double x[] = {0, 0, 0, 0.032, 0, 0, 0, 0, 0, 0.003, 0, 0, 0, 0.021, 0.031};
    det_verdict v;
    assert_int_equal(told(x, 14, 2, &v), -1);
    assert_int_equal(v.assumed, DET_ASSUMED_NOT);
    if (!(fabs(v.difference.high - v.difference.mean - 0.0199) < 0.003) ||
        v.rule == DET_RULE_PENDING || !strstr(v.reason, "(13 nights, night 0 to night 12)"))
        fail_msg("%s", v.reason);
    if (TOLD(x, 2, &v) >= 0)
        fail_msg("%s", v.reason);
}

/* As fast as nights that scatter allow, and at once where those before were many. One night at 0
 * before as many at 2 is what a count does. */
static void what_leaves_zero_and_stays_is_told(void **state) {
    (void)state;
    static const double steady[] = {0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                        large[] = {0, 500, 500, 500}, twice[] = {0, 0, 2.1, 2, 1.9},
                        many[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 9},
                        once[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 0, 0, 0, 0, 20, 20, 20, 20};
    det_verdict v;
    assert_int_equal(TOLD(steady, 2, &v), 12);
    assert_int_equal(v.to, 1);
    assert_int_equal(TOLD(large, 2, &v), 3);
    assert_int_equal(TOLD(twice, 2, &v), 3);
    assert_int_equal(TOLD(many, 2, &v), 11);
    assert_int_equal(TOLD(many, 1, &v), 10);
    assert_int_equal(TOLD(once, 2, &v), 15);
    assert_int_equal(v.to, 14);
}

/* A night at 0 by which a benchmark failed hides nothing of the nights around it. */
static void a_failed_night_counts_as_its_neighbour(void **state) {
    (void)state;
    det_watch *watch = counted(2);
    det_verdict v = {0};
    for (int n = 0; n < 9; n++) {
        v = next(watch, n, n == 4 ? 0 : 6400 + n);
        assert_int_not_equal(v.verdict, DET_VERDICT_ANOMALY);
    }
    assert_true(v.difference.high - v.difference.low < 1500);
    det_watch_free(watch);
}

/* 80 % of such histories had one. */
static void counts_alarm_in_few_histories(void **state) {
    (void)state;
    static const double values[] = {0, 0, 0, 1, 2};
    uint64_t seed = 5;
    int alarmed = 0;
    for (int h = 0; h < 200; h++) {
        double x[30];
        det_verdict v;
        for (int n = 0; n < 30; n++)
            x[n] = values[(int)(5 * luck_uniform(&seed))];
        alarmed += TOLD(x, 2, &v) >= 0;
    }
    if (alarmed > 20)
        fail_msg("%d of 200", alarmed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tonight_is_the_portions_difference),
        cmocka_unit_test(the_variance_of_a_night_is_that_of_two),
        cmocka_unit_test(what_is_known_of_the_spread_counts_as_degrees_of_freedom),
        cmocka_unit_test(the_reference_has_at_most_the_policys_nights),
        cmocka_unit_test(the_nights_are_named),
        cmocka_unit_test(a_change_is_dated_from_the_last_night_that_has_the_portion),
        cmocka_unit_test(what_no_night_that_is_kept_has_is_first),
        cmocka_unit_test(the_difference_and_its_interval),
        cmocka_unit_test(intervals_part_where_the_rule_fires),
        cmocka_unit_test(without_evidence_there_is_no_score),
        cmocka_unit_test(small_steps_count_from_the_level_before_them),
        cmocka_unit_test(a_count_that_comes_back_has_not_risen),
        cmocka_unit_test(few_nights_off_zero_show_how_far_they_lie),
        cmocka_unit_test(what_leaves_zero_and_stays_is_told),
        cmocka_unit_test(a_failed_night_counts_as_its_neighbour),
        cmocka_unit_test(counts_alarm_in_few_histories),
        cmocka_unit_test(the_spreads_are_those_between_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
