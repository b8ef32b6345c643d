/*
 * Two nights against each other. The difference's interval is Welch's, from R:
 *   a <- c(98,100,102); b <- c(118,120,122,124)          # means 100, 121
 *   t.test(b, a)$conf.int                                # 16.53658 25.46342
 *   t.test(b, a)$parameter                               # df 4.959184
 *   t.test(a)$conf.int; t.test(b)$conf.int               # 95.03172 104.96828; 116.8915 125.1085
 */
#include "tests/unit/ci/expect.h"

#include "ci/formats/comparison.h"
#include "ci/formats/write.h"

static const ci_comparison_options plain = {.confidence = 0.95};

/* A night of one portion; df < 0: not said. */
static json_t *night(const char *name, double mean, double half, double df, int loops) {
    json_t *portion = json_pack("{s:s,s:f}", "portion", name, "mean_ns", mean);
    if (!isnan(half)) {
        json_object_set_new(portion, "low_ns", json_real(mean - half));
        json_object_set_new(portion, "high_ns", json_real(mean + half));
    }
    if (df >= 0)
        json_object_set_new(portion, "df", json_real(df));
    return json_pack("{s:i,s:f,s:[o]}", "loops", loops, "confidence", 0.95, "portions", portion);
}

/* Compared; the portion, borrowed from after. */
static json_t *compare(json_t *before, json_t *after, const ci_comparison_options *options) {
    g_autoptr(GError) error = NULL;
    assert_true(ci_comparison(before, after, options, &error));
    json_decref(before);
    return json_array_get(json_object_get(after, "portions"), 0);
}

static void known_answer(void **state) {
    (void)state;
    json_t *after = night("W", 121, 4.1085205, 3, 4);
    json_t *w = compare(night("W", 100, 4.9682754, 2, 3), after, &plain);
    const json_t *difference = json_object_get(w, "difference");
    expect_real(difference, "mean_ns", 21);
    expect_real(difference, "percent", 21);
    assert_true(fabs(cfg_json_number(difference, "low_ns") - 16.53658) < 1e-4);
    assert_true(fabs(cfg_json_number(difference, "high_ns") - 25.46342) < 1e-4);
    expect_text(w, "verdict", "anomaly");
    expect_text(w, "direction", "up");
    expect_real(json_object_get(w, "reference"), "mean_ns", 100);
    json_decref(after);
}

/* All three were compared with the first W. */
static void portions_of_one_letter_are_told_apart(void **state) {
    (void)state;
    static const char *const configurations[] = {"file", "tcp", "zipped"};
    json_t *sides[2];
    for (int s = 0; s < 2; s++) {
        sides[s] = json_pack("{s:i,s:f,s:[]}", "loops", 4, "confidence", 0.95, "portions");
        for (int i = s; i < 3; i++) {
            const double mean = 100 * (i + 1) + 20 * s * (i == 1);
            json_array_append_new(json_object_get(sides[s], "portions"),
                                  json_pack("{s:s,s:s,s:f,s:f,s:f,s:f}", "portion", "W",
                                            "configuration", configurations[s ? i : 2 - i],
                                            "mean_ns", mean, "low_ns", mean - 4, "high_ns",
                                            mean + 4, "df", 3.));
        }
    }
    (void)compare(sides[0], sides[1], &plain);
    const json_t *portions = json_object_get(sides[1], "portions");
    expect_real(json_object_get(json_array_get(portions, 0), "reference"), "mean_ns", 200);
    expect_real(json_object_get(json_array_get(portions, 1), "reference"), "mean_ns", 100);
    assert_string_equal(cfg_json_word(sides[1], "headline", ""),
                        "Writing (W, tcp) rose by 10.0 %, Writing (W, zipped) rose by 200 %");
    json_decref(sides[1]);
}

static void loops_stand_in_for_unsaid_freedom(void **state) {
    (void)state;
    json_t *after = night("W", 121, 4.1085205, -1, 4);
    json_t *w = compare(night("W", 100, 4.9682754, -1, 3), after, &plain);
    assert_true(fabs(cfg_json_number(json_object_get(w, "difference"), "low_ns") - 16.53658) <
                1e-4);
    json_decref(after);
}

static const struct {
    const char *what;
    double mean, half;
    ci_comparison_options options;
    const char *verdict, *direction, *words, *rule;
} verdict_cases[] = {
    {"far above", 120, 1, {.confidence = 0.95}, "anomaly", "up", "do not overlap", NULL},
    {"far below", 80, 1, {.confidence = 0.95}, "anomaly", "down", "do not overlap", NULL},
    {"within",
     101,
     1,
     {.confidence = 0.95},
     "ok",
     NULL,
     "Writing (W) is 101.0 ns against 100.0 ns (+1.00 ns, +1.00 %; 95 % interval -0.31 ns to "
     "+2.31 ns); "
     "the intervals of the two overlap",
     "little-evidence"},
    {"within what does not count",
     101,
     1,
     {.confidence = 0.95, .minimum_percent = 5},
     "ok",
     NULL,
     "two overlap",
     NULL},
    {"under the percentage",
     104,
     0.5,
     {.confidence = 0.95, .minimum_percent = 5},
     "ok",
     NULL,
     "below the minimum effect",
     "below-minimum-effect"},
    {"at the percentage",
     105,
     0.5,
     {.confidence = 0.95, .minimum_percent = 5},
     "anomaly",
     "up",
     "do not overlap",
     NULL},
    {"under the floor",
     104,
     0.5,
     {.confidence = 0.95, .minimum_ns = 4.5},
     "ok",
     NULL,
     "below the minimum effect",
     "below-minimum-effect"},
    {"one loop",
     200,
     NAN,
     {.confidence = 0.95},
     "ok",
     NULL,
     "Writing (W) is 200 ns against 100 ns (+100 ns, +100 %); one loop has no interval",
     "pending"},
};

static void verdicts(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(verdict_cases); i++) {
        json_t *after = night("W", verdict_cases[i].mean, verdict_cases[i].half, 9, 10);
        json_t *w = compare(night("W", 100, 1, 9, 10), after, &verdict_cases[i].options);
        if (g_strcmp0(cfg_json_word(w, "verdict", ""), verdict_cases[i].verdict) != 0)
            fail_msg("%s: %s", verdict_cases[i].what, cfg_json_word(w, "verdict", ""));
        expect_text(w, "direction", verdict_cases[i].direction);
        expect_text(w, "rule", verdict_cases[i].rule);
        if (!strstr(cfg_json_word(w, "reason", ""), verdict_cases[i].words))
            fail_msg("%s: %s", verdict_cases[i].what, cfg_json_word(w, "reason", ""));
        json_decref(after);
    }
}

/* A portion may be zero or below it: the percentage is of its size, or not known; what counts is of
 * its size, too. */
static void percent_of_nothing(void **state) {
    (void)state;
    json_t *after = night("C", 10, 1, 9, 10);
    json_t *c = compare(night("C", 0, 1, 9, 10), after, &plain);
    assert_true(json_is_null(json_object_get(json_object_get(c, "difference"), "percent")));
    expect_text(c, "verdict", "anomaly"); /* no percentage, and yet it is not what it was */
    json_decref(after);
    after = night("C", -50, 1, 9, 10);
    c = compare(night("C", -100, 1, 9, 10), after, &plain);
    expect_real(json_object_get(c, "difference"), "percent", 50);
    expect_text(c, "direction", "up");
    json_decref(after);
}

static void a_new_portion_is_a_first(void **state) {
    (void)state;
    json_t *before = night("W", 100, 1, 9, 10), *after = night("X", 5, 1, 9, 10);
    json_t *portions = json_object_get(after, "portions");
    json_array_append_new(portions,
                          json_incref(json_array_get(json_object_get(before, "portions"), 0)));
    assert_true(ci_comparison(before, after, &plain, NULL));
    expect_text(json_array_get(portions, 0), "verdict", "first");
    expect_text(json_array_get(portions, 0), "reason", "the earlier result has no X");
    expect_text(json_array_get(portions, 1), "verdict", "ok");
    /* the other way round it is gone, and nobody can tell either */
    portions = json_object_get(before, "portions");
    assert_true(ci_comparison(after, before, &plain, NULL));
    expect_text(json_array_get(portions, 0), "verdict", "ok");
    expect_text(json_array_get(portions, 1), "verdict", "first");
    const json_t *gone = json_array_get(portions, 1);
    expect_text(gone, "reason", "the later result has no X");
    expect_real(json_object_get(gone, "reference"), "mean_ns", 5);
    expect_real(json_object_get(gone, "reference"), "low_ns", 4);
    g_autofree char *table = ci_markdown("p", before), *tests = ci_junit("p", before);
    assert_non_null(strstr(table, "\n| X | - | - | 5.00 | [4.00, 6.00] | - | no result |\n"));
    assert_non_null(strstr(tests, "<skipped message=\"the later result has no X\"/>"));
    json_decref(after);
    json_decref(before);
}

/* Two configurations, whose loops are as given; 0: missing. W is their difference. */
static json_t *paired_night(const double *none, const double *full, size_t n, double w) {
    json_t *out = night("W", w, 50, (double)n - 1, (int)n);
    json_t *portion = json_array_get(json_object_get(out, "portions"), 0);
    json_object_set_new(portion, "configuration", json_string("full"));
    json_object_set_new(portion, "parent", json_string("none"));
    json_t *configurations = json_array();
    for (int c = 0; c < 2; c++) {
        json_t *loops = json_array();
        for (size_t i = 0; i < n; i++) {
            const double mean = c ? full[i] : none[i];
            json_array_append_new(loops, mean > 0
                                             ? json_pack("{s:{s:f}}", "summary", "mean_ns", mean)
                                             : json_pack("{s:n}", "summary"));
        }
        json_array_append_new(configurations, json_pack("{s:s, s:o}", "name", c ? "full" : "none",
                                                        "loop_results", loops));
    }
    json_object_set_new(out, "configurations", configurations);
    return out;
}

/* A host that slows both: the two intervals overlap by far, and every pair says the same. R:
 *   d <- c(20, 22, 18, 21); t.test(d)$conf.int           # 17.53246 22.96754 */
static void pairs_that_ran_at_the_same_time(void **state) {
    (void)state;
    static const double none[] = {50, 70, 55, 90, 60}, before[] = {150, 370, 205, 590, 190},
                        after[] = {170, 392, 223, 611, 0}; /* the last has no other */
    const ci_comparison_options how = {.confidence = 0.95, .minimum_percent = 5, .paired = true},
                                much = {.confidence = 0.95, .minimum_ns = 30, .paired = true};
    json_t *now = paired_night(none, after, 5, 257.75);
    json_t *w = compare(paired_night(none, before, 5, 237.5), now, &how);
    const json_t *difference = json_object_get(w, "difference");
    expect_real(difference, "mean_ns", 20.25);
    assert_true(fabs(cfg_json_number(difference, "low_ns") - 17.53246) < 1e-4);
    assert_true(fabs(cfg_json_number(difference, "high_ns") - 22.96754) < 1e-4);
    expect_text(w, "verdict", "anomaly");
    expect_text(w, "direction", "up");
    assert_non_null(
        strstr(cfg_json_word(w, "reason", ""), "measured at the same time, the two differ"));
    assert_true(json_is_true(json_object_get(now, "paired")));
    w = compare(paired_night(none, before, 5, 237.5), now, &much);
    expect_text(w, "verdict", "ok");
    assert_non_null(strstr(cfg_json_word(w, "reason", ""),
                           "the two differ, but by less than the minimum effect"));
    json_decref(now);
    now = paired_night(none, (double[]){151, 368, 206, 589, 190}, 5, 237.4);
    w = compare(paired_night(none, before, 5, 237.5), now, &how);
    expect_text(w, "verdict", "ok");
    assert_non_null(strstr(cfg_json_word(w, "reason", ""), "the two show no difference"));
    json_decref(now);
    now = paired_night(none, (double[]){400, 0, 0, 0, 0}, 5, 350);
    w = compare(paired_night(none, before, 5, 237.5), now, &how);
    expect_text(w, "verdict", "ok");
    assert_non_null(
        strstr(cfg_json_word(w, "reason", ""), "fewer than two loops of both can be paired"));
    json_decref(now);
}

static void nothing_in_common(void **state) {
    (void)state;
    GError *error = NULL;
    json_t *before = night("W", 100, 1, 9, 10), *after = night("X", 5, 1, 9, 10);
    assert_false(ci_comparison(before, after, &plain, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "--chain");
    json_decref(after);
    json_decref(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answer),
        cmocka_unit_test(portions_of_one_letter_are_told_apart),
        cmocka_unit_test(loops_stand_in_for_unsaid_freedom),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(percent_of_nothing),
        cmocka_unit_test(a_new_portion_is_a_first),
        cmocka_unit_test(pairs_that_ran_at_the_same_time),
        cmocka_unit_test(nothing_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
