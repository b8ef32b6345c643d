/* counts: exact counts, night after night. */
#include "tests/unit/test.h"

#include "detector/watch/counts.h"

#include <math.h>

#define MANY 200

static det_interval around(double mean, double half) {
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = 2};
}

/* A series and what its last night said. */
typedef struct {
    const det_dimension *dimension;
    det_counts_level level;
    det_interval last;
    int64_t nights;
    det_counts_verdict verdict;
} series;

static series series_of(const char *dimension) {
    return (series){.dimension = det_dimension_find(dimension), .last = {.mean = NAN, .low = NAN}};
}

/* The next night; its id counts from 1. */
static det_verdict_name add(series *s, double mean, double half) {
    const det_counts_night night = {
        .id = s->nights + 1, .now = around(mean, half), .last = s->last, .last_id = s->nights};
    assert_int_equal(det_counts_judge(&s->level, s->dimension, &night, &s->verdict), DET_OK);
    s->nights++;
    s->last = night.now;
    return s->verdict.verdict;
}

static void nothing_is_told_of_nights_that_are_alike(void **state) {
    (void)state;
    series s = series_of("instructions");
    assert_int_equal(add(&s, 5210, 0), DET_VERDICT_FIRST);
    assert_true(isnan(s.verdict.before.mean));
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(add(&s, 5210, 0), DET_VERDICT_OK);
        assert_int_equal(s.verdict.rule, DET_RULE_WITHIN);
    }
    assert_int_equal(s.level.nights, MANY + 1);
}

static void half_a_per_cent_is_told_the_same_night_and_once(void **state) {
    (void)state;
    series s = series_of("instructions");
    for (int i = 0; i < 3; i++)
        (void)add(&s, 2000, 0);
    assert_int_equal(add(&s, 2010, 0), DET_VERDICT_ANOMALY);
    assert_int_equal(s.verdict.rule, DET_RULE_NIGHT);
    assert_int_equal(s.verdict.direction, 1);
    assert_true(s.verdict.before.mean == 2000);
    assert_int_equal(s.verdict.from, 3);
    assert_int_equal(add(&s, 2010, 0), DET_VERDICT_OK);
    assert_int_equal(add(&s, 1999, 0), DET_VERDICT_ANOMALY);
    assert_int_equal(s.verdict.direction, -1);
}

/* A fifth of the minimum a night: told in the fifth, and again when as much has come anew. */
static void steps_too_small_to_tell_add_up(void **state) {
    (void)state;
    series s = series_of("instructions");
    (void)add(&s, 10000, 0);
    (void)add(&s, 10000, 0);
    for (int i = 1; i <= 4; i++) {
        assert_int_equal(add(&s, 10000 + 10 * i, 0), DET_VERDICT_OK);
        assert_int_equal(s.verdict.rule, DET_RULE_BELOW_EFFECT);
    }
    assert_int_equal(add(&s, 10050, 0), DET_VERDICT_ANOMALY);
    assert_int_equal(s.verdict.rule, DET_RULE_SLOW);
    assert_true(s.verdict.before.mean == 10000);
    assert_int_equal(s.verdict.from, 2); /* the last night at the old level */
    for (int i = 1; i <= 5; i++)
        assert_int_equal(add(&s, 10050 + 10 * i, 0), DET_VERDICT_OK);
    assert_int_equal(add(&s, 10110, 0), DET_VERDICT_ANOMALY);
}

/* A large step upon small ones is dated to its own night, and told with them. */
static void a_step_upon_small_ones(void **state) {
    (void)state;
    series s = series_of("instructions");
    (void)add(&s, 10000, 0);
    (void)add(&s, 10030, 0);
    assert_int_equal(add(&s, 10530, 0), DET_VERDICT_ANOMALY);
    assert_int_equal(s.verdict.rule, DET_RULE_NIGHT);
    assert_int_equal(s.verdict.from, 2);
    assert_true(s.verdict.before.mean == 10000);
}

/* A portion may cost nothing, and less than its parent. */
static void levels_of_zero_and_below(void **state) {
    static const double path[] = {0, 1, 0, -2};
    (void)state;
    series s = series_of("allocations");
    assert_int_equal(add(&s, path[0], 0), DET_VERDICT_FIRST);
    assert_int_equal(add(&s, 0.009, 0), DET_VERDICT_OK);
    for (size_t i = 1; i < sizeof path / sizeof *path; i++)
        assert_int_equal(add(&s, path[i], 0), DET_VERDICT_ANOMALY);
    assert_true(s.verdict.before.mean == 0);
}

/* The JVM's bytes waver: the level is their mean, and what the loops differ by is no change. */
static void loops_that_waver(void **state) {
    (void)state;
    series s = series_of("bytes");
    (void)add(&s, 1000, 20);
    assert_int_equal(add(&s, 1020, 30), DET_VERDICT_OK);
    assert_true(s.level.mean == 1010);
    assert_true(s.level.half == 30);
    assert_int_equal(add(&s, 980, 10), DET_VERDICT_OK);
    assert_int_equal(add(&s, 1100, 10), DET_VERDICT_ANOMALY);
}

static void a_single_loop_says_nothing(void **state) {
    (void)state;
    series s = series_of("instructions");
    assert_int_equal(add(&s, 5000, NAN), DET_VERDICT_HARNESS);
    assert_int_equal(s.verdict.rule, DET_RULE_FEW_LOOPS);
    assert_int_equal(s.level.nights, 0);
    assert_int_equal(add(&s, 5000, 0), DET_VERDICT_FIRST);
    assert_int_equal(add(&s, 9000, NAN), DET_VERDICT_HARNESS);
    assert_true(s.verdict.before.mean == 5000);
    /* nobody knows whether it came in one step: it is told as one */
    assert_int_equal(add(&s, 9000, 0), DET_VERDICT_ANOMALY);
    assert_int_equal(s.verdict.rule, DET_RULE_NIGHT);
}

static void what_is_refused_changes_nothing(void **state) {
    (void)state;
    series s = series_of("instructions");
    (void)add(&s, 5000, 0);
    det_counts_night night = {.id = 2, .now = around(NAN, 0), .last = s.last, .last_id = 1};
    assert_int_equal(det_counts_judge(&s.level, s.dimension, &night, &s.verdict), DET_ENUMERIC);
    night.now.mean = INFINITY;
    assert_int_equal(det_counts_judge(&s.level, s.dimension, &night, &s.verdict), DET_ENUMERIC);
    night.now = around(5000, 0);
    assert_int_equal(det_counts_judge(&s.level, NULL, &night, &s.verdict), DET_EINVAL);
    assert_int_equal(det_counts_judge(&s.level, det_dimension_find("peak_mb"), &night, &s.verdict),
                     DET_EINVAL);
    assert_int_equal(s.level.nights, 1);
    assert_int_equal(s.verdict.verdict, DET_VERDICT_FIRST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_told_of_nights_that_are_alike),
        cmocka_unit_test(half_a_per_cent_is_told_the_same_night_and_once),
        cmocka_unit_test(steps_too_small_to_tell_add_up),
        cmocka_unit_test(a_step_upon_small_ones),
        cmocka_unit_test(levels_of_zero_and_below),
        cmocka_unit_test(loops_that_waver),
        cmocka_unit_test(a_single_loop_says_nothing),
        cmocka_unit_test(what_is_refused_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
