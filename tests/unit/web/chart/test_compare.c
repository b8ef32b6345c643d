#include "tests/unit/web/nights.h"

#include <math.h>
#include <string.h>

#include "web/chart/compare.h"

/* A configuration with these loops' means, 0-terminated; a negative value is a failed loop. */
static json_t *configuration(const char *name, const double *means) {
    json_t *loops = json_array();
    for (int i = 0; means[i] != 0; i++) {
        json_t *loop = json_pack("{s:i, s:b}", "loop", i + 1, "used", 1);
        if (means[i] > 0)
            json_object_set_new(loop, "summary", json_pack("{s:f}", "mean_ns", means[i]));
        else
            json_object_set_new(loop, "failed", json_string("exit status 1"));
        json_array_append_new(loops, loop);
    }
    return json_pack("{s:s, s:o}", "name", name, "loop_results", loops);
}

static json_t *link_of(const char *name, const char *run, const char *parent) {
    return json_pack("{s:s, s:s, s:s?}", "portion", name, "configuration", run, "parent", parent);
}

/* T of three loops 10, 20, 30 and I over it: the differences are i. */
static json_t *experiment(const double *i, const char *kernel) {
    double on[8] = {0};
    static const double off[] = {10, 20, 30, 0};
    for (int k = 0; i[k] != 0; k++)
        on[k] = i[k] < 0 ? -1 : off[k % 3] + i[k];
    return json_pack("{s:i, s:s, s:s, s:{s:s, s:{s:i}}, s:[o, o], s:[o, o]}", "experiment", 5,
                     "night", "2013-03-07", "environment", kernel, "environment_detail", "kernel",
                     kernel, "parameters", "threads", 1, "configurations",
                     configuration("none", off), configuration("deactivated", on), "portions",
                     link_of("T", "none", NULL), link_of("I", "deactivated", "none"));
}

static json_t *compare(json_t *a, json_t *b) {
    g_auto(cfg_night) night_a = cfg_night_of(a), night_b = cfg_night_of(b);
    json_decref(a);
    json_decref(b);
    return web_compare(&night_a, &night_b, NULL, NULL);
}

/* Of one that was judged so against what came before it. Consumes it. */
static cfg_night night_of(json_t *json, const char *verdict) {
    json_object_update_new(json_array_get(json_object_get(json, "portions"), 1),
                           json_pack("{s:s, s:{s:i, s:i}}", "verdict", verdict, "reference",
                                     "from_experiment", 1, "to_experiment", 5));
    const cfg_night night = cfg_night_of(json);
    json_decref(json);
    return night;
}

static const json_t *portion_at(const json_t *comparison, size_t i) {
    return json_array_get(json_object_get(comparison, "portions"), i);
}

static double number(const json_t *object, const char *outer, const char *key) {
    const json_t *from = outer ? json_object_get(object, outer) : object;
    assert_true(json_is_number(json_object_get(from, key)));
    return json_number_value(json_object_get(from, key));
}

/* R: t.test(c(4,6,8), c(1,2,3))$conf.int is -0.155399503182504 to 8.155399503182505. */
static void differences_are_welchs_over_rounds(void **state) {
    (void)state;
    json_t *c = compare(experiment((double[]){1, 2, 3, 0}, "6.1"),
                        experiment((double[]){4, 6, 8, 0}, "6.1"));
    const json_t *i = portion_at(c, 1);
    assert_string_equal(json_string_value(json_object_get(i, "portion")), "I");
    assert_true(fabs(number(i, "a", "mean_ns") - 2) < 1e-12);
    assert_true(fabs(number(i, "b", "mean_ns") - 6) < 1e-12);
    assert_true(fabs(number(i, "difference", "mean_ns") - 4) < 1e-12);
    double half = number(i, NULL, "detectable_ns");
    assert_true(fabs(half - 4.155399503182505) < 1e-9);
    assert_true(fabs(number(i, "difference", "low_ns") - (4 - half)) < 1e-12);
    assert_true(fabs(number(i, NULL, "percent") - 200) < 1e-9);
    assert_true(json_is_false(json_object_get(i, "apart")));
    assert_true(json_is_true(json_object_get(c, "same_environment")));
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "No portion differs measurably");
    json_decref(c);
}

static void what_stands_apart_is_said(void **state) {
    (void)state;
    json_t *c = compare(experiment((double[]){100, 101, 102, 0}, "6.1"),
                        experiment((double[]){141, 142, 143, 0}, "6.1"));
    assert_true(json_is_true(json_object_get(portion_at(c, 1), "apart")));
    assert_string_equal(
        json_string_value(json_object_get(c, "sentence")),
        "From A to B: Instrumentation (I) rose from 101 ns to 142 ns (+41.0 ns, "
        "+40.6 %; 95 % interval of these two nights alone +38.7 ns to +43.3 ns); no other "
        "portion differs measurably");
    assert_string_equal(json_string_value(json_object_get(c, "headline")),
                        "Instrumentation (I) rose by 40.6 % from A to B");
    json_decref(c);
}

/* A slower machine hid a fall, or turned it round, and both nights "did not show" what was measured
 * again and told. */
static void what_its_alert_alone_tells_is_told(void **state) {
    (void)state;
    static const double before[] = {100, 101, 102, 0}, after[] = {141, 142, 143, 0};
    const double *const of_b[] = {before, after};
    json_auto_t *alerts =
        json_pack("[{s:s, s:s}]", "configuration", "deactivated", "direction", "down");
    for (size_t k = 0; k < G_N_ELEMENTS(of_b); k++) {
        g_auto(cfg_night) a = night_of(experiment(before, "6.1"), "first");
        g_auto(cfg_night) b = night_of(experiment(of_b[k], "6.1"), "ok");
        json_t *c = web_compare(&a, &b, NULL, alerts);
        const json_t *i = portion_at(c, 1);
        assert_string_equal(json_string_value(json_object_get(i, "words")),
                            "fell according to its alert");
        assert_null(json_object_get(i, "claim"));
        assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                            "From A to B: Instrumentation (I) fell according to its alert; no "
                            "other portion differs measurably");
        assert_string_equal(json_string_value(json_object_get(c, "headline")),
                            "Instrumentation (I) fell according to its alert from A to B");
        json_decref(c);
    }
}

static void what_moved_both_says_what_it_does_not_explain(void **state) {
    (void)state;
    static const char everything[] = "Everything × 1.08 since 2026-11-27";
    for (int k = 0; k < 2; k++) {
        g_auto(cfg_night) a = night_of(experiment((double[]){100, 101, 102, 0}, "6.1"), "first");
        g_auto(cfg_night) b = night_of(experiment((double[]){141, 142, 143, 0}, "6.1"), "ok");
        cfg_portion *const sides[] = {&a.portions[1], &b.portions[1]};
        for (int side = 0; side < 2; side++)
            sides[side]->judged = (det_interval){.low = side ? 141 : 100, .high = side ? 143 : 102};
        b.portions[1].verdict[0] = 'x'; /* it was not judged against the first */
        const web_moved moved = {g_strdup(everything),
                                 {.low = k ? 1.35 : 1.07, .high = k ? 1.45 : 1.09}};
        json_t *c = web_compare(&a, &b, &moved, NULL);
        g_autofree char *words =
            g_strdup_printf("between them, and not by the monitoring: %s%s", everything,
                            k ? "" : "; Instrumentation (I) otherwise than that");
        const char *doubt = json_string_value(json_object_get(c, "doubt"));
        if (!doubt || !g_str_has_suffix(doubt, words))
            fail_msg("%s", doubt);
        g_free(moved.words);
        json_decref(c);
    }
}

/* Equal values say nothing of how far others may lie. */
static void equal_loops_have_no_interval(void **state) {
    (void)state;
    json_t *c = compare(experiment((double[]){5, 5, 5, 0}, "6.1"),
                        experiment((double[]){7, 7, 7, 0}, "6.1"));
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "From A to B: Instrumentation (I) rose from 5.00 ns to 7.00 ns (+2.00 ns, "
                        "+40.0 %); no other portion differs measurably");
    assert_true(json_is_null(json_object_get(portion_at(c, 1), "detectable_ns")));
    json_decref(c);
}

/* Both nights have lost records, the newer one more. Consumes them. */
static json_t *compare_lossy(json_t *a, json_t *b) {
    json_t *const nights[] = {a, b};
    for (int k = 0; k < 2; k++)
        json_object_set_new(nights[k], "dimensions",
                            json_pack("[{s:s, s:s, s:s, s:[{s:s, s:s, s:f, s:f, s:f}]}]",
                                      "dimension", "lost_percent", "label", "%", "per", "process",
                                      "portions", "portion", "I", "configuration", "deactivated",
                                      "mean", 2.0 * k, "low", 2.0 * k, "high", 2.0 * k));
    return compare(a, b);
}

/* Cheaper, as it loses more; and of a rate more, as fewer of them arrive. */
static void what_is_lost_is_said(void **state) {
    (void)state;
    static const double low[] = {100, 101, 102, 0}, high[] = {141, 142, 143, 0};
    json_t *c = compare_lossy(experiment(high, "6.1"), experiment(low, "6.1"));
    assert_string_equal(
        json_string_value(json_object_get(c, "headline")),
        "Instrumentation (I) fell by 28.9 %, but I +2 % of records lost from A to B");
    json_decref(c);
    json_t *sides[] = {experiment(low, "6.1"), experiment(high, "6.1")};
    for (int k = 0; k < 2; k++)
        json_object_update_new(json_array_get(json_object_get(sides[k], "portions"), 1),
                               json_pack("{s:s, s:s}", "unit", "records/s", "better", "higher"));
    c = compare_lossy(sides[0], sides[1]);
    assert_string_equal(
        json_string_value(json_object_get(c, "headline")),
        "Instrumentation (I) rose by 40.6 %, but I +2 % of records lost from A to B");
    json_decref(c);
    c = compare_lossy(experiment(low, "6.1"), experiment(high, "6.1"));
    assert_string_equal(json_string_value(json_object_get(c, "headline")),
                        "Instrumentation (I) rose by 40.6 % from A to B");
    json_decref(c);
    c = compare_lossy(experiment(low, "6.1"), experiment(low, "6.1")); /* nor beside others */
    assert_string_equal(json_string_value(json_object_get(c, "headline")),
                        "No portion differs measurably; I +2 % of records lost");
    json_decref(c);
}

/* A side that is in question by itself says so, whatever the two differ by. */
static void a_doubtful_side_is_told(void **state) {
    (void)state;
    json_t *a = experiment((double[]){100, 101, 102, 0}, "6.1");
    json_t *i = json_array_get(json_object_get(a, "portions"), 1);
    json_object_set_new(a, "state", json_string("measured"));
    json_object_set_new(i, "verdict", json_string("ok"));
    json_object_set_new(i, "rule", json_string("pending"));
    json_object_set_new(json_array_get(json_object_get(a, "portions"), 0), "verdict",
                        json_string("anomaly")); /* of which there is no question */
    json_t *c = compare(a, experiment((double[]){141, 142, 143, 0}, "6.1"));
    assert_string_equal(json_string_value(json_object_get(c, "doubt")), "A itself is in question");
    assert_non_null(strstr(json_string_value(json_object_get(c, "sentence")),
                           "; no other portion differs measurably; A itself is in question"));
    json_decref(c);
    c = compare(experiment((double[]){1, 2, 3, 0}, "6.1"),
                experiment((double[]){4, 6, 8, 0}, "6.1"));
    assert_null(json_object_get(c, "doubt"));
    json_decref(c);
}

/* What has no result is said of the two; what is suspect is why a side is in question. */
static void of_a_side_without_a_result_the_rest_is_told(void **state) {
    (void)state;
    static const struct {
        const char *rule, *doubt;
    } cases[] = {{"configuration-missing", "B was suspected and cleared"},
                 {"spread", "B itself is in question"}};
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        json_t *b = experiment((double[]){141, 142, 143, 0}, "6.1");
        json_t *portions = json_object_get(b, "portions");
        json_object_set_new(b, "state", json_string("measured"));
        json_object_set_new(json_array_get(portions, 1), "verdict", json_string("cleared"));
        json_object_set_new(json_array_get(portions, 0), "verdict", json_string("harness"));
        json_object_set_new(json_array_get(portions, 0), "rule", json_string(cases[k].rule));
        if (k == 1)
            json_object_set_new(json_array_get(portions, 0), "mean_ns", json_real(10));
        json_t *c = compare(experiment((double[]){100, 101, 102, 0}, "6.1"), b);
        assert_string_equal(json_string_value(json_object_get(c, "doubt")), cases[k].doubt);
        json_decref(c);
    }
}

/* Of a change that measuring again has not found two nights do not know better. */
static void a_night_that_was_cleared_has_not_risen(void **state) {
    (void)state;
    static const struct {
        const char *verdict, *words, *told, *doubt, *rule;
    } cases[] = {
        {"ok", "rose", "Instrumentation (I) rose from 101 ns", NULL, NULL},
        {"anomaly", "rose", "Instrumentation (I) rose from 101 ns", NULL, NULL},
        {"environment", "rose", "Instrumentation (I) rose from 101 ns",
         "B may differ by the machine", "control-moved"},
        {"environment", "rose", "Instrumentation (I) rose from 101 ns", NULL, "new-environment"},
        {"suspect", "may have risen", "Instrumentation (I) may have risen from 101 ns",
         "B itself is in question", NULL},
        {"cleared", "may have risen", "Instrumentation (I) may have risen from 101 ns",
         "B was suspected and cleared", NULL}};
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        json_t *b = experiment((double[]){141, 142, 143, 0}, "6.1");
        json_t *i = json_array_get(json_object_get(b, "portions"), 1);
        json_object_set_new(b, "state", json_string("measured"));
        json_object_set_new(i, "verdict", json_string(cases[k].verdict));
        if (cases[k].rule)
            json_object_set_new(i, "rule", json_string(cases[k].rule));
        json_t *c = compare(experiment((double[]){100, 101, 102, 0}, "6.1"), b);
        assert_string_equal(json_string_value(json_object_get(portion_at(c, 1), "words")),
                            cases[k].words);
        const bool maybe = g_str_has_prefix(cases[k].words, "may ");
        assert_string_equal(json_string_value(json_object_get(portion_at(c, 1), "claim")),
                            maybe ? "asked" : "shown");
        assert_string_equal(json_string_value(json_object_get(portion_at(c, 0), "words")),
                            "no difference seen");
        assert_null(json_object_get(portion_at(c, 0), "claim"));
        assert_string_equal(
            json_string_value(json_object_get(json_object_get(c, "total"), "words")),
            cases[k].words);
        assert_non_null(strstr(json_string_value(json_object_get(c, "sentence")), cases[k].told));
        if (cases[k].doubt)
            assert_string_equal(json_string_value(json_object_get(c, "doubt")), cases[k].doubt);
        else
            assert_null(json_object_get(c, "doubt"));
        json_decref(c);
    }
}

/* Loops of two nights alone called a portion risen, which its night calls as before. */
static void what_nights_differ_by_is_not_shown(void **state) {
    (void)state;
    json_t *sides[] = {experiment((double[]){100, 101, 102, 0}, "6.1"),
                       experiment((double[]){141, 142, 143, 0}, "6.1")};
    for (int k = 0; k < 2; k++) {
        json_t *i = json_array_get(json_object_get(sides[k], "portions"), 1);
        json_object_update_new(i, json_pack("{s:s, s:{s:f, s:f}}", "verdict", "ok", "judged",
                                            "low_ns", 80. + 40 * k, "high_ns", 121. + 40 * k));
    }
    json_t *c = compare(sides[0], sides[1]);
    const json_t *i = portion_at(c, 1);
    assert_true(json_is_true(json_object_get(i, "apart")));
    assert_string_equal(json_string_value(json_object_get(i, "words")),
                        "not shown to have changed");
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "No portion is shown to have changed");
    assert_string_equal(json_string_value(json_object_get(c, "headline")),
                        "No portion is shown to have changed");
    assert_string_equal(json_string_value(json_object_get(json_object_get(c, "total"), "words")),
                        "not shown to have changed");
    json_decref(c);
}

/* I rose and T, of which nothing is shown, fell by more: nothing is shown of the total either. */
static void a_total_goes_where_its_portions_went(void **state) {
    (void)state;
    static const double low[] = {10, 20, 30, 0}, high[] = {210, 220, 230, 0};
    json_t *sides[2];
    for (int k = 0; k < 2; k++) {
        const double i = k ? 141 : 100;
        const double *t = k ? low : high, on[] = {t[0] + i, t[1] + i + 1, t[2] + i + 2, 0};
        sides[k] = experiment((double[]){i, i + 1, i + 2, 0}, "6.1");
        json_object_set_new(
            sides[k], "configurations",
            json_pack("[o, o]", configuration("none", t), configuration("deactivated", on)));
        json_object_update_new(json_array_get(json_object_get(sides[k], "portions"), 0),
                               json_pack("{s:s, s:{s:f, s:f}}", "verdict", "ok", "judged", "low_ns",
                                         0., "high_ns", 300.));
    }
    json_t *c = compare(sides[0], sides[1]);
    assert_string_equal(json_string_value(json_object_get(portion_at(c, 1), "words")), "rose");
    const json_t *total = json_object_get(c, "total");
    assert_true(number(total, "difference", "high_ns") < 0);
    assert_string_equal(json_string_value(json_object_get(total, "words")),
                        "not shown to have changed");
    json_decref(c);
}

/* What `moowatch import` makes of two values with intervals of ± h: two loops each; one without (h
 * < 0). */
static json_t *imported(double mean, double half, const char *format) {
    const double lean = half / 12.706204736432095;
    const double loops[] = {half < 0 ? mean : mean - lean, half < 0 ? 0 : mean + lean, 0};
    return json_pack("{s:i, s:s, s:s, s:{s:s}, s:[o], s:[o]}", "experiment", 5, "night",
                     "2013-03-07", "environment", "e", "environment_detail", format, "data.js",
                     "configurations", configuration("none", loops), "portions",
                     link_of("T", "none", NULL));
}

/* Two made-up loops each were taken for a sample: 353 ± 6 against 348 ± 6 became -5 ± 2.9. */
static void imported_intervals_are_those_of_the_file(void **state) {
    (void)state;
    json_t *c = compare(imported(353, 6, "imported"), imported(348, 6, "imported"));
    const json_t *t = portion_at(c, 0);
    assert_true(fabs(number(t, "a", "low_ns") - 347) < 1e-6);
    assert_true(fabs(number(t, NULL, "detectable_ns") - 6 * sqrt(2)) < 1e-6);
    assert_true(fabs(number(t, "difference", "low_ns") - (-5 - 6 * sqrt(2))) < 1e-6);
    assert_true(json_is_false(json_object_get(t, "apart")));
    json_decref(c);
    c = compare(imported(353, 6, "measured"), imported(348, 6, "measured"));
    assert_true(number(portion_at(c, 0), NULL, "detectable_ns") < 3);
    json_decref(c);
    json_t *own[2]; /* two loops that the file has */
    for (size_t i = 0; i < 2; i++) {
        own[i] = imported(i ? 348 : 353, 6, "imported");
        json_object_set_new(json_object_get(own[i], "environment_detail"), "detail",
                            json_pack("{s:[s]}", "loops", "none"));
    }
    c = compare(own[0], own[1]);
    assert_true(number(portion_at(c, 0), NULL, "detectable_ns") < 3);
    json_decref(c);
}

/* T of two runs, I of three more over it, as hyperfine's are. */
static json_t *runs(double more, const char *format) {
    const double off[] = {10, 12, 0}, on[] = {-1, 30 + more, 31 + more, 35 + more, 0};
    json_t *i = link_of("I", "deactivated", "none");
    json_object_set_new(i, "method", json_string("Welch t"));
    return json_pack("{s:i, s:s, s:s, s:{s:s, s:{s:[s]}}, s:[o, o], s:[o, o]}", "experiment", 5,
                     "night", "2013-03-07", "environment", "e", "environment_detail", format,
                     "hyperfine", "detail", "loops", "none", "configurations",
                     configuration("none", off), configuration("deactivated", on), "portions",
                     link_of("T", "none", NULL), i);
}

/* Run 2 of one has nothing to do with run 2 of the other; nor are there only rounds where loops
 * failed, whose night goes by all of them. R: v <- var(c(10, 12))/2 + var(c(30, 31, 35))/3; df <-
 * v^2/(1^2/1 + (7/3)^2/2); qt(.975, df)*sqrt(v); qt(.975, 2*df)*sqrt(2*v). */
static void loops_that_are_no_rounds_are_not_paired(void **state) {
    static const char *const formats[] = {"imported", "measured"};
    (void)state;
    for (size_t k = 0; k < G_N_ELEMENTS(formats); k++) {
        json_t *c = compare(runs(0, formats[k]), runs(5, formats[k]));
        const json_t *i = portion_at(c, 1);
        assert_true(fabs(number(i, "a", "low_ns") - (21 - 5.82679517638949)) < 1e-9);
        assert_true(fabs(number(i, "b", "high_ns") - (26 + 5.82679517638949)) < 1e-9);
        assert_true(fabs(number(i, "difference", "low_ns") - (5 - 6.32556451535538)) < 1e-9);
        json_decref(c);
    }
}

/* Nights of two levels are compared at the larger one, each of the three intervals. R: as above,
 * with qt(.995, …). */
static void a_night_of_another_level_is_taken_to_it(void **state) {
    json_t *a = runs(0, "imported"), *b = runs(5, "imported");
    (void)state;
    json_object_set_new(a, "level", json_real(0.95));
    json_object_set_new(b, "level", json_real(0.99));
    json_t *c = compare(a, b);
    const json_t *i = portion_at(c, 1);
    assert_true(number(c, NULL, "level") == 0.99);
    assert_true(fabs(number(i, "a", "high_ns") - (21 + 10.7170287290897)) < 1e-9);
    assert_true(fabs(number(i, "difference", "low_ns") - (5 - 9.59222447526497)) < 1e-9);
    json_decref(c);
}

/* One side states intervals of 3 and 4, the other has loops. */
static void what_a_file_states_is_beside_loops(void **state) {
    (void)state;
    json_t *a = runs(0, "imported"), *b = runs(5, "imported");
    const double lean = 1 / 12.706204736432095;
    const double off[] = {11 - 3 * lean, 11 + 3 * lean, 0},
                 on[] = {40 - 4 * lean, 40 + 4 * lean, 0};
    json_object_set_new(
        b, "configurations",
        json_pack("[o, o]", configuration("none", off), configuration("deactivated", on)));
    json_t *c = compare(a, b);
    const json_t *i = portion_at(c, 1);
    assert_true(fabs(number(i, "b", "high_ns") - 34) < 1e-6);
    assert_true(fabs(number(i, "difference", "high_ns") - (8 + hypot(5, 5.82679517638949))) < 1e-6);
    json_decref(c);
}

static void failed_loops_and_lonely_loops_are_left_out(void **state) {
    (void)state;
    json_t *c = compare(experiment((double[]){1, -1, 3, 0}, "6.1"),
                        experiment((double[]){5, -1, -1, 0}, "6.1"));
    const json_t *i = portion_at(c, 1);
    assert_int_equal(number(i, "a", "n"), 2);
    assert_int_equal(number(i, "b", "n"), 1);
    assert_true(number(i, "b", "mean_ns") == 5);
    assert_true(number(i, "difference", "mean_ns") == 3);
    assert_true(json_is_null(json_object_get(json_object_get(i, "difference"), "low_ns")));
    assert_true(json_is_null(json_object_get(i, "detectable_ns")));
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "No portion with an interval differs measurably");
    json_decref(c);
}

/* "W may have fallen", of a single loop, and of a portion that was not judged for that. */
static void of_what_was_not_judged_its_interval_alone_speaks(void **state) {
    (void)state;
    static const double lonely[] = {141, -1, -1, 0}, all[] = {141, 142, 143, 0};
    static const char *const words[] = {"no interval: nothing can be said", "may have risen"};
    for (int k = 0; k < 2; k++) {
        json_t *b = experiment(k == 0 ? lonely : all, "6.1");
        json_object_update_new(json_array_get(json_object_get(b, "portions"), 1),
                               json_pack("{s:s, s:i}", "verdict", "harness", "mean_ns", 141));
        json_t *c = compare(experiment((double[]){100, 101, 102, 0}, "6.1"), b);
        assert_string_equal(json_string_value(json_object_get(portion_at(c, 1), "words")),
                            words[k]);
        json_decref(c);
    }
}

static void without_intervals_nothing_is_said(void **state) {
    (void)state;
    json_t *c = compare(imported(353, -1, "imported"), imported(948, -1, "imported"));
    assert_true(json_is_null(json_object_get(portion_at(c, 0), "detectable_ns")));
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "Differences without an interval: nothing can be said");
    json_decref(c);
}

/* Values without loops or an interval, which the newer night judged against the older one. */
static void without_intervals_the_verdict_speaks(void **state) {
    (void)state;
    static const struct {
        const char *verdict, *rule, *direction, *words, *sentence;
    } cases[] = {
        {"anomaly", NULL, "up", "rose",
         "From A to B: Method time (T) rose from 353 ns to 948 ns (+595 ns, +169 %)"},
        {"ok", NULL, NULL, "not shown to have changed", "No portion is shown to have changed"},
        {"ok", "below-minimum-effect", "up", "differs little",
         "No portion differs by more than is ignored"}};
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        json_t *sides[] = {imported(353, -1, "imported"), imported(948, -1, "imported")};
        json_object_set_new(sides[1], "experiment", json_integer(6));
        json_object_update_new(json_array_get(json_object_get(sides[1], "portions"), 0),
                               json_pack("{s:s, s:s?, s:s?, s:{s:i, s:i}}", "verdict",
                                         cases[k].verdict, "rule", cases[k].rule, "direction",
                                         cases[k].direction, "reference", "from_experiment", 1,
                                         "to_experiment", 5));
        json_t *c = compare(sides[0], sides[1]);
        const json_t *t = portion_at(c, 0);
        assert_string_equal(json_string_value(json_object_get(t, "words")), cases[k].words);
        assert_int_equal(!json_object_get(t, "claim"), !g_str_equal(cases[k].words, "rose"));
        assert_string_equal(json_string_value(json_object_get(c, "sentence")), cases[k].sentence);
        assert_true(json_is_null(json_object_get(c, "total"))); /* it would be the same row */
        json_decref(c);
    }
}

/* Equal values, and both nights were judged. */
static void without_intervals_equal_values_are_as_judged(void **state) {
    (void)state;
    json_t *sides[] = {imported(353, -1, "imported"), imported(353, -1, "imported")};
    json_object_set_new(sides[1], "experiment", json_integer(6));
    json_object_update_new(json_array_get(json_object_get(sides[1], "portions"), 0),
                           json_pack("{s:s, s:{s:i, s:i}}", "verdict", "ok", "reference",
                                     "from_experiment", 1, "to_experiment", 5));
    json_t *c = compare(sides[0], sides[1]);
    assert_string_equal(json_string_value(json_object_get(portion_at(c, 0), "words")),
                        "not shown to have changed");
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "No portion is shown to have changed");
    json_decref(c);
}

/* A benchmark that one night of a project has not, or not yet: it stood in none of the rows. */
static void what_one_night_alone_has_is_told(void **state) {
    (void)state;
    static const double good[] = {100, 101, 102, 0};
    json_t *sides[] = {experiment(good, "6.1"), experiment(good, "6.1")};
    for (size_t i = 0; i < 2; i++) {
        json_object_set_new(sides[i], "project", json_string("p"));
        json_object_set_new(json_array_get(json_object_get(sides[i], "portions"), 1), "mean_ns",
                            json_real(101));
    }
    json_t *one = json_array_get(json_object_get(sides[1], "portions"), 1);
    json_object_set_new(one, "portion", json_string("baggage"));
    json_object_set_new(one, "configuration", json_string("baggage"));
    json_t *c = compare(json_incref(sides[0]), json_incref(sides[1]));
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "No portion differs measurably; A has no result of baggage; B has no "
                        "result of Instrumentation (I)");
    json_decref(c);
    json_object_set_new(sides[0], "project", json_string("q")); /* another one has others */
    c = compare(sides[0], sides[1]);
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "No portion that both have differs measurably");
    json_decref(c);
}

/* Two frameworks, of which T alone is common and as before: their totals differ by what is not. */
static void a_total_of_other_portions_has_its_own_verdict(void **state) {
    (void)state;
    json_t *sides[] = {experiment((double[]){100, 101, 102, 0}, "6.1"),
                       experiment((double[]){341, 342, 343, 0}, "6.1")};
    json_object_set_new(json_array_get(json_object_get(sides[1], "portions"), 1), "portion",
                        json_string("S"));
    json_t *c = compare(sides[0], sides[1]);
    assert_int_equal(json_array_size(json_object_get(c, "portions")), 1);
    assert_string_equal(json_string_value(json_object_get(c, "headline")),
                        "No portion that both have differs measurably");
    assert_string_equal(json_string_value(json_object_get(json_object_get(c, "total"), "words")),
                        "rose");
    json_decref(c);
}

/* The first of two benchmarks was told as "everything on". */
/* All of its loops failed: that is no missing interval. */
static void a_night_without_a_result_is_told(void **state) {
    (void)state;
    static const double good[] = {100, 101, 102, 0}, failed[] = {-1, -1, -1, 0};
    json_t *c = compare(experiment(good, "6.1"), experiment(failed, "6.1"));
    const char *none = "No portion differs measurably; B has no result of Instrumentation (I)";
    assert_string_equal(json_string_value(json_object_get(c, "headline")), none);
    assert_string_equal(json_string_value(json_object_get(c, "sentence")), none);
    assert_string_equal(json_string_value(json_object_get(portion_at(c, 1), "words")),
                        "B has no result");
    assert_string_equal(json_string_value(json_object_get(json_object_get(c, "total"), "words")),
                        "B has no result");
    json_decref(c);
    c = compare(experiment(failed, "6.1"), experiment(failed, "6.1"));
    assert_string_equal(json_string_value(json_object_get(portion_at(c, 1), "words")),
                        "neither has a result");
    assert_string_equal(json_string_value(json_object_get(c, "headline")),
                        "No portion differs measurably; A has no result of Instrumentation (I); "
                        "B has no result of Instrumentation (I)");
    json_decref(c);
}

static void benchmarks_by_themselves_have_no_total(void **state) {
    (void)state;
    json_t *a = experiment((double[]){1, 2, 3, 0}, "6.1"), *b = json_deep_copy(a);
    json_t *c = compare(json_incref(a), json_deep_copy(b));
    assert_true(json_is_object(json_object_get(c, "total")));
    json_decref(c);
    json_t *writers = json_deep_copy(b); /* of two nothing is everything */
    json_array_append_new(json_object_get(writers, "portions"),
                          link_of("W", "file", "deactivated"));
    json_array_append_new(json_object_get(writers, "portions"), link_of("W", "tcp", "deactivated"));
    c = compare(json_deep_copy(writers), writers);
    assert_true(json_is_null(json_object_get(c, "total")));
    json_decref(c);
    json_object_del(json_array_get(json_object_get(b, "portions"), 1), "parent");
    c = compare(a, b);
    assert_true(json_is_null(json_object_get(c, "total")));
    json_decref(c);
}

static void environments_are_told_apart(void **state) {
    (void)state;
    json_t *c = compare(experiment((double[]){1, 2, 3, 0}, "6.1"),
                        experiment((double[]){1, 2, 3, 0}, "6.11"));
    assert_true(json_is_false(json_object_get(c, "same_environment")));
    const json_t *list = json_object_get(c, "environment");
    assert_int_equal(json_array_size(list), 1);
    const json_t *first = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_object_get(first, "key")), "kernel");
    assert_string_equal(json_string_value(json_object_get(first, "b")), "6.11");
    json_decref(c);
}

/* Another framework calls its runs otherwise: the portion's name pairs them. */
static void portions_of_other_names_are_paired_by_letter(void **state) {
    (void)state;
    static const double means[] = {10, 11, 12, 0};
    json_t *other = json_pack("{s:[o], s:[o, o]}", "configurations", configuration("off", means),
                              "portions", link_of("T", "off", NULL), link_of("X", "x", "off"));
    json_t *c = compare(experiment((double[]){1, 2, 3, 0}, "6.1"), other);
    assert_int_equal(json_array_size(json_object_get(c, "portions")), 1);
    assert_string_equal(json_string_value(json_object_get(portion_at(c, 0), "configuration_b")),
                        "off");
    json_decref(c);
}

static void two_portions_of_one_name_are_not_guessed(void **state) {
    (void)state;
    json_t *a = experiment((double[]){1, 2, 3, 0}, "6.1"), *b = json_deep_copy(a);
    json_t *list = json_object_get(b, "portions");
    json_object_set_new(json_array_get(list, 1), "configuration", json_string("other"));
    json_array_append_new(list, link_of("I", "another", "none"));
    json_t *c = compare(a, b);
    assert_int_equal(json_array_size(json_object_get(c, "portions")), 1); /* T */
    json_decref(c);
}

static void two_without_portions_have_none_in_common(void **state) {
    (void)state;
    json_t *c = compare(json_object(), json_object());
    assert_string_equal(json_string_value(json_object_get(c, "sentence")),
                        "The two have no portion in common");
    json_decref(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_welchs_over_rounds),
        cmocka_unit_test(what_stands_apart_is_said),
        cmocka_unit_test(what_its_alert_alone_tells_is_told),
        cmocka_unit_test(what_moved_both_says_what_it_does_not_explain),
        cmocka_unit_test(equal_loops_have_no_interval),
        cmocka_unit_test(what_is_lost_is_said),
        cmocka_unit_test(a_night_that_was_cleared_has_not_risen),
        cmocka_unit_test(a_doubtful_side_is_told),
        cmocka_unit_test(of_a_side_without_a_result_the_rest_is_told),
        cmocka_unit_test(what_nights_differ_by_is_not_shown),
        cmocka_unit_test(a_total_goes_where_its_portions_went),
        cmocka_unit_test(a_total_of_other_portions_has_its_own_verdict),
        cmocka_unit_test(imported_intervals_are_those_of_the_file),
        cmocka_unit_test(loops_that_are_no_rounds_are_not_paired),
        cmocka_unit_test(a_night_of_another_level_is_taken_to_it),
        cmocka_unit_test(what_a_file_states_is_beside_loops),
        cmocka_unit_test(failed_loops_and_lonely_loops_are_left_out),
        cmocka_unit_test(of_what_was_not_judged_its_interval_alone_speaks),
        cmocka_unit_test(without_intervals_nothing_is_said),
        cmocka_unit_test(without_intervals_the_verdict_speaks),
        cmocka_unit_test(without_intervals_equal_values_are_as_judged),
        cmocka_unit_test(a_night_without_a_result_is_told),
        cmocka_unit_test(what_one_night_alone_has_is_told),
        cmocka_unit_test(benchmarks_by_themselves_have_no_total),
        cmocka_unit_test(environments_are_told_apart),
        cmocka_unit_test(portions_of_other_names_are_paired_by_letter),
        cmocka_unit_test(two_portions_of_one_name_are_not_guessed),
        cmocka_unit_test(two_without_portions_have_none_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
