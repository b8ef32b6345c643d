/* github-action-benchmark: data.js has a list of runs a suite, a custom file has one run's values.
 */
#include "tests/unit/ci/formats/reader.h"

static void the_list_of_one_run(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_github, "[{'name': 'a', 'value': 2, 'unit': 'us', 'range': '± 0.5'},"
                                    " {'name': 'b', 'value': 3, 'unit': 'ns'}]");
    expect_text(night, "format", "github");
    expect_text(night, "suite", NULL);
    assert_true(json_is_null(json_object_get(night, "commit")));
    expect_values(night, 2, 0);
    expect_mean(value_at(night, 0), "a", 2000, 1500, 2500);
    expect_mean(value_at(night, 1), "b", 3, NAN, NAN);
    json_decref(night);
}

/* What the tools behind the action write into "range"; half widths in the value's unit. */
static void every_form_of_a_range(void **state) {
    (void)state;
    static const struct {
        const char *range;
        double half;
    } cases[] = {
        {"'± 0.09'", 0.09},   {"'+/- 0.09'", 0.09}, {"'+/-3%'", 6}, {"'3 %'", 6},
        {"'± 1.5%'", 3},      {"0.25", 0.25},       {"'0.3'", 0.3}, {"'±12'", 12},
        {"'not known'", NAN}, {"''", NAN},          {"null", NAN},  {"'%'", NAN},
        {"'± .5'", 0.5},      {"true", NAN},        {"'1e2'", 100}, {"[]", NAN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "[{'name': 'a', 'value': 200, 'unit': 'ns', 'range': %s}]", cases[i].range);
        json_t *night = night_of(ci__import_github, text);
        expect_mean(value_at(night, 0), "a", 200, 200 - cases[i].half, 200 + cases[i].half);
        json_decref(night);
    }
}

/* 4 operations a microsecond, give or take 1: between 200 and 333 ns each. */
static void a_rate_is_turned_over(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_github, "[{'name': 'a', 'value': 4, 'unit': 'ops/us', 'range': '1'},"
                                    " {'name': 'b', 'value': 2e6, 'unit': 'ops/s'},"
                                    " {'name': 'c', 'value': 2, 'unit': 'ops/ms', 'range': '2'}]");
    expect_mean(value_at(night, 0), "a", 250, 200, 1000 / 3.0);
    expect_mean(value_at(night, 1), "b", 500, NAN, NAN);
    expect_mean(value_at(night, 2), "c", 5e5, NAN, NAN); /* as wide as itself: no upper end */
    json_decref(night);
}

static void what_is_no_time_is_counted(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_github,
                 "[{'name': 'size', 'value': 4, 'unit': 'MiB'},"
                 " {'name': 'zero', 'value': 0, 'unit': 'ops/s'},"
                 " {'name': 'below', 'value': -1, 'unit': 'ops/s'},"
                 " {'value': 4, 'unit': 'ns'}, {'name': 'text', 'value': 'x', 'unit': 'ns'},"
                 " {'name': 'good', 'value': 1, 'unit': 'ms'}]");
    expect_values(night, 1, 5);
    expect_mean(value_at(night, 0), "good", 1e6, NAN, NAN);
    json_decref(night);
}

static void runs_of_every_suite(void **state) {
    (void)state;
    json_t *root =
        json_of("{'entries': {'first': [{'commit': {'id': 'abc', 'message': 'a change', 'author':"
                " {'name': 'N. N.'}}, 'date': 1700000000000, 'benches': [{'name': 'x', 'value': 1,"
                " 'unit': 'ns'}]}, {'benches': []}], 'second': [{'date': -5, 'benches':"
                " [{'name': 'y', 'value': 2, 'unit': 's'}]}], 'none': []}}");
    json_t *nights = json_array();
    assert_true(ci__import_github(root, nights));
    assert_int_equal(json_array_size(nights), 3);
    const json_t *one = json_array_get(nights, 0), *commit = json_object_get(one, "commit");
    expect_text(one, "suite", "first");
    expect_text(one, "night", "2023-11-14");
    expect_real(one, "time_ms", 1700000000000);
    expect_text(commit, "sha", "abc");
    expect_text(commit, "subject", "a change");
    expect_text(commit, "author", "N. N.");
    expect_values(json_array_get(nights, 1), 0, 0);
    expect_text(json_array_get(nights, 2), "suite", "second");
    expect_text(json_array_get(nights, 2), "night", NULL);
    expect_mean(value_at(json_array_get(nights, 2), 0), "y", 2e9, NAN, NAN);
    json_decref(nights);
    json_decref(root);
}

/* A date is milliseconds; beyond the year 33658 it is a mistake and not taken for one. */
static void dates_at_the_edge(void **state) {
    (void)state;
    static const struct {
        const char *date, *night;
    } cases[] = {{"0", NULL},
                 {"1", "1970-01-01"},
                 {"86400000", "1970-01-02"},
                 {"1e15", NULL},
                 {"'2024-01-01'", NULL},
                 {"null", NULL},
                 {"-86400000", NULL},
                 {"1704067199999", "2023-12-31"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("{'entries': {'s': [{'date': %s, 'benches': []}]}}", cases[i].date);
        json_t *night = night_of(ci__import_github, text);
        expect_text(night, "night", cases[i].night);
        json_decref(night);
    }
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}", "[]", "[3]", "[{'name': 'a'}]", "[{'value': 3}]", "{'entries': []}", "{'entries': 3}",
        "3"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused(ci__import_github, texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_one_run),   cmocka_unit_test(every_form_of_a_range),
        cmocka_unit_test(a_rate_is_turned_over), cmocka_unit_test(what_is_no_time_is_counted),
        cmocka_unit_test(runs_of_every_suite),   cmocka_unit_test(dates_at_the_edge),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
