/* Which tool a file is of, by its content; what is refused, and where. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/imported.h"

static json_t *import(void **state, const char *text, GError **error) {
    g_autofree char *path = put(*state, "file", text);
    return ci_import(path, error);
}

static void each_tool_is_known_by_its_content(void **state) {
    static const struct {
        const char *text, *format;
    } cases[] = {
        {"[{\"name\":\"a\",\"value\":1,\"unit\":\"ns\"}]", "github"},
        {"{\"entries\":{\"s\":[{\"benches\":[]}]}}", "github"},
        {"window.BENCHMARK_DATA = {\"entries\":{\"s\":[{\"benches\":[]}]}};\n", "github"},
        {"[{\"benchmark\":\"b\",\"primaryMetric\":{}}]", "jmh"},
        {"{\"context\":{},\"benchmarks\":[]}", "google"},
        {"{\"machine_info\":{},\"benchmarks\":[]}", "pytest"},
        {"{\"a\":{\"latency\":{\"value\":1}}}", "bmf"},
        {"{\"results\":[{\"command\":\"a\"}]}", "hyperfine"},
        {"{\"module_path\":\"a\",\"profiles\":[]}", "gungraun"},
        {"[{\"module_path\":\"a\",\"tool_summaries\":[]}]", "gungraun"},
        {"{\"module_path\":\"a\",\"profiles\":[]}\n{\"module_path\":\"b\",\"profiles\":[]}\n",
         "gungraun"},
        {"kind: Kieker\nexperiments:\n- timestamp: 1\n  measurements: {}\n", "moobench"},
        {"\n experiments:\n - timestamp: 1\n   measurements: {}\n", "moobench"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        json_t *nights = import(state, cases[i].text, &error);
        if (!nights)
            fail_msg("%s: %s", cases[i].format, error->message);
        expect_text(json_array_get(nights, 0), "format", cases[i].format);
        json_decref(nights);
    }
}

static void oldest_first(void **state) {
    g_autoptr(GError) error = NULL;
    json_t *nights =
        import(state,
               "{\"entries\":{\"s\":[{\"date\":300000000,\"benches\":[]},"
               "{\"date\":100000000,\"benches\":[]},{\"date\":200000000,\"benches\":[]}]}}",
               &error);
    assert_int_equal(json_array_size(nights), 3);
    for (size_t i = 0; i < 3; i++)
        expect_real(json_array_get(nights, i), "time_ms", (double)(i + 1) * 1e8);
    json_decref(nights);
}

static void moobench_yaml_is_in_microseconds(void **state) {
    g_autoptr(GError) error = NULL;
    json_t *nights = import(state,
                            "kind: Kieker-java\nexperiments:\n- timestamp: 1700000000\n"
                            "  measurements:\n    No instrumentation: [0.1, 1, 1, 1, 1, 1, 1, 1]\n"
                            "    Broken: [.NAN, 1, 1, 1, 1, 1, 1, 1]\n",
                            &error);
    const json_t *night = json_array_get(nights, 0);
    expect_text(night, "suite", "Kieker-java");
    expect_text(night, "night", "2023-11-14");
    const json_t *value = json_array_get(json_object_get(night, "values"), 0);
    expect_text(value, "name", "No instrumentation");
    expect_real(value, "mean_ns", 100);
    expect_real(value, "low_ns", NAN);
    assert_int_equal(json_integer_value(json_object_get(night, "left_out")), 1);
    json_decref(nights);
}

static void what_is_refused_says_why(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "is empty"},
        {"{", "file:1:"},
        {"{\"a\": }", "file:1:"},
        {"nonsense", "file:1:"},
        {"{}", "Google Benchmark"},
        {"[1,2]", "JMH"},
        {"\xff\xfe", "UTF-8"},
        {"kind: x\nexperiments: 3\n", "results.yaml"},
        {"kind: x\nexperiments:\n- timestamp: 1\n", "measurements"},
        {"window.BENCHMARK_DATA = {\"entries\":", "file:"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        assert_null(import(state, cases[i].text, &error));
        EXPECT_ERROR(error, CI_ERROR_INPUT, cases[i].words);
    }
}

static void a_file_that_is_not_there(void **state) {
    g_autofree char *path = g_build_filename(*state, "nothing", NULL);
    GError *error = NULL;
    assert_null(ci_import(path, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "nothing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(each_tool_is_known_by_its_content), IN_FOLDER(oldest_first),
        IN_FOLDER(moobench_yaml_is_in_microseconds),  IN_FOLDER(what_is_refused_says_why),
        IN_FOLDER(a_file_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
