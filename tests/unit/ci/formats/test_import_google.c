/*
 * Google Benchmark's --benchmark_format=json. The interval over repetitions is Student's, from R:
 *   x <- c(10, 12, 14);  t.test(x)$conf.int     # 7.031725 16.968275
 */
#include "tests/unit/ci/formats/reader.h"

#define CONTEXT "'context': {'date': '2024-03-05T23:59:59+00:00'}"

static void repetitions_are_one_value(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_google,
                 "{" CONTEXT ", 'benchmarks': ["
                 "{'name': 'A', 'run_name': 'A', 'run_type': 'iteration', 'real_time': 10, "
                 "'time_unit': 'ns'},"
                 "{'name': 'A', 'run_name': 'A', 'run_type': 'iteration', 'real_time': 12, "
                 "'time_unit': 'ns'},"
                 "{'name': 'B', 'real_time': 2, 'time_unit': 'us'},"
                 "{'name': 'A', 'run_name': 'A', 'run_type': 'iteration', 'real_time': 14, "
                 "'time_unit': 'ns'},"
                 "{'name': 'A_mean', 'run_name': 'A', 'run_type': 'aggregate', 'real_time': 99}]}");
    expect_text(night, "format", "google");
    expect_text(night, "night", "2024-03-05");
    expect_values(night, 2, 0);
    const json_t *a = value_at(night, 0);
    expect_text(a, "name", "A");
    expect_real(a, "mean_ns", 12);
    assert_true(fabs(ci_json_real(a, "low_ns") - 7.031725) < 1e-5);
    assert_true(fabs(ci_json_real(a, "high_ns") - 16.968275) < 1e-5);
    expect_real(a, "n", 3);
    const json_t *loops = json_object_get(a, "loops_ns");
    assert_int_equal(json_array_size(loops), 3);
    assert_true(json_number_value(json_array_get(loops, 2)) == 14);
    expect_mean(value_at(night, 1), "B", 2000, NAN, NAN); /* one repetition: no interval */
    json_decref(night);
}

static void the_unit_is_ns_unless_it_is_said(void **state) {
    (void)state;
    static const struct {
        const char *unit;
        double ns;
    } cases[] = {{"", 7},
                 {", 'time_unit': 'ns'", 7},
                 {", 'time_unit': 'us'", 7e3},
                 {", 'time_unit': 'ms'", 7e6},
                 {", 'time_unit': 's'", 7e9}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "{" CONTEXT ", 'benchmarks': [{'name': 'A', 'real_time': 7%s}]}", cases[i].unit);
        json_t *night = night_of(ci__import_google, text);
        expect_mean(value_at(night, 0), "A", cases[i].ns, NAN, NAN);
        json_decref(night);
    }
}

static void what_has_no_time_is_counted(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_google, "{" CONTEXT ", 'benchmarks': [{'real_time': 1}, {'name': 'A'},"
                                    "{'name': 'A', 'real_time': 'x'},"
                                    "{'name': 'A', 'real_time': 1, 'time_unit': 'furlongs'}]}");
    expect_values(night, 0, 4);
    json_decref(night);
}

/* More repetitions than that are somebody's mistake; memory stays bounded. */
static void repetitions_are_bounded(void **state) {
    (void)state;
    json_t *list = json_array();
    for (int i = 0; i < 10001; i++)
        json_array_append_new(
            list, json_pack("{s:s,s:f}", "name", "A", "real_time", i < 10000 ? 1 : 1e9));
    json_t *root = json_pack("{s:{},s:o}", "context", "benchmarks", list), *nights = json_array();
    assert_true(ci__import_google(root, nights));
    const json_t *value = value_at(json_array_get(nights, 0), 0);
    expect_real(value, "n", 10000);
    expect_real(value, "mean_ns", 1);
    json_decref(nights);
    json_decref(root);
}

static void a_date_in_another_zone(void **state) {
    (void)state;
    static const struct {
        const char *date, *night;
    } cases[] = {{"2024-03-05T23:30:00-05:00", "2024-03-06"},
                 {"2024-03-05T00:30:00+02:00", "2024-03-04"},
                 {"2024-03-05T12:00:00", "2024-03-05"},
                 {"yesterday", NULL},
                 {"", NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("{'context': {'date': '%s'}, 'benchmarks': []}", cases[i].date);
        json_t *night = night_of(ci__import_google, text);
        expect_text(night, "night", cases[i].night);
        json_decref(night);
    }
}

static void another_tools_json(void **state) {
    (void)state;
    expect_needs(ci__import_google, "context");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetitions_are_one_value),
        cmocka_unit_test(the_unit_is_ns_unless_it_is_said),
        cmocka_unit_test(what_has_no_time_is_counted),
        cmocka_unit_test(repetitions_are_bounded),
        cmocka_unit_test(a_date_in_another_zone),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
