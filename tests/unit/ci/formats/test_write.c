/* What anybody may have written into a commit or a label must stay text in every format. */
#include "tests/unit/test.h"

#include <string.h>

#include "ci/formats/write.h"

static json_t *hostile(const char *verdict, const char *direction) {
    return json_pack(
        "{s:s,s:{s:s,s:s},s:[{s:s,s:f,s:f,s:f,s:s,s:s?,s:s,s:{s:f,s:f,s:f},s:{s:f,s:f}}]}", "state",
        "measured", "commit", "sha", "0123456789abcdef", "subject",
        "<script>alert(1)</script> | @nora [x](javascript:1) `code`\n# head", "portions", "portion",
        "=W\"<&|", "mean_ns", 1332.5, "low_ns", 1300.0, "high_ns", 1360.0, "verdict", verdict,
        "direction", direction, "reason", "W went ]]> up <b>", "reference", "mean_ns", 1000.0,
        "low_ns", 990.0, "high_ns", 1010.0, "difference", "mean_ns", 332.5, "percent", 33.25);
}

static void refuse(const char *text, const char *const *bad) {
    for (; *bad; bad++)
        if (strstr(text, *bad))
            fail_msg("\"%s\" is in: %s", *bad, text);
}

static void markdown_escapes(void **state) {
    (void)state;
    static const char *const bad[] = {"<script", " @nora", "](java", "\n# head", "<b>", NULL};
    json_t *night = hostile("anomaly", "up");
    g_autofree char *text = ci_markdown("t`<x>", night);
    refuse(text, bad);
    assert_non_null(strstr(text, "rose by 33.3 %"));
    assert_non_null(strstr(text, "▲ **rose**"));
    json_decref(night);
}

static void where_a_change_is_stands_below_the_reasons(void **state) {
    (void)state;
    static const char *const bad[] = {"<b>", " @nora", NULL};
    json_t *night = hostile("anomaly", "up");
    json_object_set_new(night, "where",
                        json_pack("[s, n]", "W rose: in `<b>f</b>` @nora, called from `k/A.g`"));
    g_autofree char *text = ci_markdown("p", night);
    refuse(text, bad);
    assert_non_null(strstr(text, "\n- Where it is: W rose: in \\`&lt;b\\>f&lt;/b\\>\\`"));
    json_decref(night);
}

/* A first night stands alone; an unchanged one is compared, but has no reason to tell. */
static void markdown_of_quiet_nights(void **state) {
    (void)state;
    json_t *night = hostile("ok", NULL);
    g_autofree char *compared = ci_markdown("p", night);
    assert_non_null(strstr(compared, " before | interval | change | |\n"));
    assert_non_null(strstr(compared, " | 332"));
    assert_null(strstr(compared, "**"));
    assert_null(strstr(compared, "went"));
    assert_null(strstr(compared, "Before: "));
    json_t *portion = json_array_get(json_object_get(night, "portions"), 0);
    json_object_set_new(portion, "judged",
                        json_pack("{s:f,s:f}", "low_ns", 1400.0, "high_ns", 1420.0));
    g_autofree char *apart = ci_markdown("p", night), *page = ci_html("p", night);
    assert_non_null(strstr(apart, "night alone.\n\n| portion |"));
    assert_non_null(strstr(page, "night alone.</p><table>"));
    assert_non_null(strstr(apart, " before | decision band | change | |\n"));
    assert_non_null(strstr(page, "<th>before</th><th>decision band</th>"));
    json_object_del(json_array_get(json_object_get(night, "portions"), 0), "reference");
    g_autofree char *alone = ci_markdown("p", night);
    assert_non_null(strstr(alone, "|\n|---|--:|---|\n"));
    assert_null(strstr(alone, "before"));
    json_decref(night);
}

static unsigned times_said(const char *text, const char *what) {
    g_auto(GStrv) parts = g_strsplit(text, what, -1);
    return g_strv_length(parts) - 1;
}

/* Gate's headline is the reason of what rose; what no night measured has one for all portions. */
static void a_reason_is_said_once(void **state) {
    (void)state;
    json_auto_t *night =
        json_pack("{s:s,s:[{s:s,s:s,s:s},{s:s,s:s,s:s},{s:s,s:s,s:s}]}", "headline", "fail: C rose",
                  "portions", "portion", "C", "verdict", "anomaly", "reason", "C rose", "portion",
                  "I", "verdict", "harness", "reason", "it broke", "portion", "W", "verdict",
                  "harness", "reason", "it broke");
    g_autofree char *text = ci_markdown("p", night);
    assert_int_equal(times_said(text, "C rose"), 1);
    assert_int_equal(times_said(text, "\n- it broke"), 1);
}

static void html_escapes(void **state) {
    (void)state;
    static const char *const bad[] = {"<script", "<b>", "\"<&", NULL};
    json_t *night = hostile("anomaly", "up");
    g_autofree char *text = ci_html("<i>", night);
    refuse(text, bad);
    assert_null(strstr(text, "<i>"));
    json_decref(night);
}

static void csv_is_no_formula(void **state) {
    (void)state;
    json_t *night = hostile("ok", NULL);
    g_autofree char *text = ci_plot_csv("", night);
    assert_string_equal(text, "\"'=W\"\"<&|\"\n1332.500\n");
    json_decref(night);
}

static void csv_has_a_column_for_each_portion(void **state) {
    (void)state;
    json_t *night =
        json_pack("{s:[{s:s,s:f},{s:s,s:n},{s:s,s:f}]}", "portions", "portion", "T", "mean_ns", 0.5,
                  "portion", "a,b", "mean_ns", "portion", "W", "mean_ns", 900.0);
    g_autofree char *text = ci_plot_csv("", night);
    assert_string_equal(text, "\"T\",\"a,b\",\"W\"\n0.500,,900.000\n");
    json_decref(night);
}

static void junit_counts_outcomes(void **state) {
    (void)state;
    static const struct {
        const char *verdict, *direction, *counts, *element;
    } cases[] = {
        {"anomaly", "up", "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"", "<failure "},
        {"anomaly", "down", "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\"", NULL},
        {"ok", NULL, "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\"", NULL},
        {"suspect", "up", "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"",
         "being confirmed by measuring again"},
        {"first", NULL, "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"", "<skipped "},
        /* nobody can tell: as the gate, which ends with 6 */
        {"harness", NULL, "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"", "<skipped "},
        {"environment", NULL, "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"", "<skipped "},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *night = hostile(cases[i].verdict, cases[i].direction);
        g_autofree char *text = ci_junit("a&b", night);
        assert_non_null(strstr(text, cases[i].counts));
        assert_non_null(strstr(text, "name=\"a&amp;b\""));
        if (cases[i].element)
            assert_non_null(strstr(text, cases[i].element));
        json_decref(night);
    }
}

static void a_failed_night_is_an_error(void **state) {
    (void)state;
    json_t *night =
        json_pack("{s:s,s:s,s:[]}", "state", "failed", "reason", "no build", "portions");
    g_autofree char *junit = ci_junit("p", night);
    g_autofree char *headline = ci_headline(night);
    assert_non_null(strstr(junit, "errors=\"1\""));
    assert_string_equal(headline, "failed: no build");
    json_decref(night);
}

static void what_is_lost_is_in_the_tests(void **state) {
    (void)state;
    json_t *night = hostile("ok", "up");
    json_object_set_new(night, "lost", json_string("W +2.50 % of records lost"));
    g_autofree char *junit = ci_junit("p", night);
    assert_non_null(strstr(junit, "    <system-out>W +2.50 % of records lost</system-out>\n"));
    json_decref(night);
}

/* Found by tests/fuzz/ci/fuzz_answers: what a server may say in place of words it knows. */
static void words_that_no_server_says(void **state) {
    (void)state;
    static const char *const bad[] = {"<script", "`<", NULL};
    json_t *night = hostile("anomaly", "up");
    json_object_set_new(night, "state", json_string("<script>x\" y=\""));
    json_object_set_new(json_object_get(night, "commit"), "sha", json_string("`<script>`"));
    g_autofree char *junit = ci_junit("p", night);
    g_autofree char *markdown = ci_markdown("p", night);
    refuse(junit, bad);
    refuse(markdown, bad);
    assert_null(strstr(junit, "x\" y=\""));
    assert_non_null(strstr(junit, "<error type=\"&lt;script&gt;x&quot; y=&quot;\""));
    json_decref(night);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_lost_is_in_the_tests),
        cmocka_unit_test(words_that_no_server_says),
        cmocka_unit_test(markdown_escapes),
        cmocka_unit_test(where_a_change_is_stands_below_the_reasons),
        cmocka_unit_test(markdown_of_quiet_nights),
        cmocka_unit_test(a_reason_is_said_once),
        cmocka_unit_test(html_escapes),
        cmocka_unit_test(csv_is_no_formula),
        cmocka_unit_test(csv_has_a_column_for_each_portion),
        cmocka_unit_test(junit_counts_outcomes),
        cmocka_unit_test(a_failed_night_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
