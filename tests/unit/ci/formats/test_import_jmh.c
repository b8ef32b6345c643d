/* JMH -rf json: rawData has a list of iterations for every fork; a fork's mean is one value. */
#include "tests/unit/ci/formats/reader.h"

static json_t *metric(const char *metric) {
    g_autofree char *text =
        g_strdup_printf("[{'benchmark': 'o.Bench.run', 'primaryMetric': {%s}}]", metric);
    return night_of(ci__import_jmh, text);
}

static void forks_are_the_values(void **state) {
    (void)state;
    json_t *night = metric("'score': 99, 'scoreUnit': 'us/op', 'scoreConfidence': [1.5, 2.5],"
                           " 'rawData': [[1, 2], [2, 2, 2], [3]]");
    expect_text(night, "format", "jmh");
    const json_t *value = value_at(night, 0);
    expect_real(value, "n", 3);
    expect_mean(value, "o.Bench.run", (1500 + 2000 + 3000) / 3.0, 1500, 2500);
    assert_true(json_number_value(json_array_get(json_object_get(value, "loops_ns"), 0)) == 1500);
    json_decref(night);
}

static void without_raw_data_the_score_counts(void **state) {
    (void)state;
    json_t *night = metric("'score': 0.25, 'scoreUnit': 'ms/op'");
    expect_mean(value_at(night, 0), "o.Bench.run", 2.5e5, NAN, NAN);
    assert_null(json_object_get(value_at(night, 0), "loops_ns"));
    json_decref(night);
}

/* 2 to 4 operations a microsecond are 250 to 500 ns each: the ends change places. */
static void throughput_is_turned_over(void **state) {
    (void)state;
    json_t *night = metric("'score': 2.5, 'scoreUnit': 'ops/us', 'scoreConfidence': [2, 4]");
    expect_mean(value_at(night, 0), "o.Bench.run", 400, 250, 500);
    json_decref(night);
    night = metric("'score': 2, 'scoreUnit': 'ops/s', 'scoreConfidence': [-1, 5]");
    expect_mean(value_at(night, 0), "o.Bench.run", 5e8, NAN, NAN); /* below zero: no upper end */
    json_decref(night);
    night = metric("'score': 2, 'scoreUnit': 'ops/ms', 'rawData': [[1, 3], [4]]");
    expect_mean(value_at(night, 0), "o.Bench.run", (5e5 + 2.5e5) / 2, NAN, NAN);
    json_decref(night);
}

static void parameters_are_in_the_name(void **state) {
    (void)state;
    json_t *night = night_of(ci__import_jmh,
                             "[{'benchmark': 'b', 'params': {'size': '10', 'kind': 'x', 'odd': 3},"
                             " 'primaryMetric': {'score': 1, 'scoreUnit': 'ns/op'}},"
                             " {'primaryMetric': {'score': 2, 'scoreUnit': 'ns/op'}}]");
    expect_text(value_at(night, 0), "name", "b size=10 kind=x odd=?");
    expect_text(value_at(night, 1), "name", "");
    json_decref(night);
}

/* JMH writes "NaN" as text where a fork has too few iterations. */
static void broken_numbers(void **state) {
    (void)state;
    static const struct {
        const char *metric;
        size_t values;
    } cases[] = {
        {"'score': 1, 'scoreUnit': 'B/op'", 0},
        {"'score': 1", 0},
        {"'score': 'NaN', 'scoreUnit': 'ns/op'", 0},
        {"'score': 1, 'scoreUnit': 'ns/op', 'rawData': [[]]", 0},
        {"'score': 1, 'scoreUnit': 'ns/op', 'rawData': [['NaN'], [1]]", 0},
        {"'score': 0, 'scoreUnit': 'ops/s'", 0},
        {"'score': 1, 'scoreUnit': 'ns/op', 'rawData': []", 1},
        {"'score': 1, 'scoreUnit': 'ns/op', 'scoreConfidence': ['NaN', 'NaN']", 1},
        {"'score': 1, 'scoreUnit': 'ns/op', 'scoreConfidence': [0.5]", 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *night = metric(cases[i].metric);
        expect_values(night, cases[i].values, cases[i].values ? 0 : 1);
        if (cases[i].values)
            expect_mean(value_at(night, 0), "o.Bench.run", 1, NAN, NAN);
        json_decref(night);
    }
}

static void forks_are_bounded(void **state) {
    (void)state;
    json_t *raw = json_array(), *nights = json_array();
    for (int i = 0; i < 1001; i++)
        json_array_append_new(raw, json_pack("[f]", i < 1000 ? 1.0 : 1e9));
    json_t *root = json_pack("[{s:s,s:{s:f,s:s,s:o}}]", "benchmark", "b", "primaryMetric", "score",
                             1.0, "scoreUnit", "ns/op", "rawData", raw);
    assert_true(ci__import_jmh(root, nights));
    expect_real(value_at(json_array_get(nights, 0), 0), "n", 1000);
    expect_real(value_at(json_array_get(nights, 0), 0), "mean_ns", 1);
    json_decref(nights);
    json_decref(root);
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}", "[]", "[3]", "[{'benchmark': 'b'}]", "3", "{'primaryMetric': {}}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused(ci__import_jmh, texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forks_are_the_values),
        cmocka_unit_test(without_raw_data_the_score_counts),
        cmocka_unit_test(throughput_is_turned_over),
        cmocka_unit_test(parameters_are_in_the_name),
        cmocka_unit_test(broken_numbers),
        cmocka_unit_test(forks_are_bounded),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
