/* Which tool a text is of, by its content; what is refused names what can be read. */
#include "tests/unit/config/formats/reader.h"

static GPtrArray *read_text(const char *text, const fmt_format *format, GError **error) {
    return fmt_read(format, "file", NULL, text, strlen(text), false, error);
}

static void each_tool_is_known_by_its_content(void **state) {
    (void)state;
    static const struct {
        const char *text, *format;
    } cases[] = {
        {"[{\"name\":\"a\",\"value\":1,\"unit\":\"ns\"}]", "github"},
        {"window.BENCHMARK_DATA = {\"entries\":{\"s\":[{\"benches\":[{\"name\":\"a\",\"value\":1,"
         "\"unit\":\"ns\"}]}]}};\n",
         "github"},
        {"[{\"benchmark\":\"b\",\"primaryMetric\":{\"score\":1,\"scoreUnit\":\"ns/op\"}}]", "jmh"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"real_time\":1}]}", "google"},
        {"{\"machine_info\":{},\"benchmarks\":[{\"name\":\"a\",\"stats\":{\"mean\":1}}]}",
         "pytest"},
        {"{\"a\":{\"latency\":{\"value\":1}}}", "bmf"},
        {"{\"results\":[{\"command\":\"a\",\"mean\":1}]}", "hyperfine"},
        {"{\"HostEnvironmentInfo\":{},\"Benchmarks\":[{\"FullName\":\"a\",\"Statistics\":{\"Mean\":"
         "1}}]}",
         "benchmarkdotnet"},
        {"{\"iters\":[1],\"times\":[1]}", "criterion"},
        {"{\"benchmarks\":[{\"runs\":[{\"values\":[1]}]}]}", "pyperf"},
        {"{\"commit_hash\":\"a\",\"result_columns\":[\"result\",\"params\"],\"results\":{\"time_"
         "a\":"
         "[[1],[]]}}",
         "asv"},
        {"BenchmarkA 1 2 ns/op\n", "gotest"},
        {"test a ... bench: 1 ns/iter (+/- 0)\n", "libtest"},
        {"kind: K\nexperiments:\n- timestamp: 1\n  measurements:\n    a: [1, 1, 1, 1, 1, 1, 1, "
         "1]\n",
         "moobench"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) nights = read_text(cases[i].text, NULL, &error);
        if (!nights)
            fail_msg("%s: %s", cases[i].format, error->message);
        assert_string_equal(((fmt_night *)nights->pdata[0])->format, cases[i].format);
        g_autoptr(GPtrArray) same = read_text(cases[i].text, format_of(cases[i].format), NULL);
        assert_non_null(same);
        g_autofree char *marked = g_strconcat("\xef\xbb\xbf", cases[i].text, NULL);
        g_autoptr(GPtrArray) windows = read_text(marked, NULL, NULL);
        assert_non_null(windows);
        expect_values(windows->pdata[0], 1, 0);
    }
}

static void what_is_refused_says_why(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{", "file:1:"},
        {"nonsense", "file: is not the output of a known tool; known are github-action-benchmark"},
        {"go: downloading x\n{}",
         "file: begins with other text (2>&1 puts such before the JSON), and"},
        {"{}", "Google Benchmark"},
        {"[1,2]", "is JSON, but not"},
        {"{\"a\": 1}\ngo: x\n{}",
         "file:2:2: '[' or '{' expected near 'go'; other text, as of 2>&1"},
        {"{\"context\":{}}{\"context\":{}}", "holds several JSON texts, one after the other"},
        {"[{\"name\":\"a\",\"value\":1,\"unit\":\"\"}]", "a: it has no unit"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"real_time\":0}]}", "a: is 0"},
        {"{\"context\":{},\"benchmarks\":[]}", "no benchmark of Google Benchmark"},
        {"[{\"name\":\"a\",\"value\":1,\"unit\":\"ns\"},{\"name\":\"a\",\"value\":1,\"unit\":"
         "\"ns\"}]",
         "file: github-action-benchmark: [1]: \"a\" is there twice"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(read_text(cases[i].text, NULL, &error));
        if (!strstr(error->message, cases[i].words))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].words);
    }
    g_autoptr(GError) error = NULL;
    assert_null(read_text("{}", format_of("jmh"), &error));
    assert_non_null(strstr(error->message, "is not the output of JMH"));
}

/* One run without a value does not keep the others out. */
static void one_bad_run_brings_in_the_others(void **state) {
    (void)state;
    g_autoptr(GPtrArray) nights =
        read_text("{\"entries\":{\"s\":[{\"date\":1,\"benches\":[{\"name\":\"a\",\"value\":\"NaN\","
                  "\"unit\":\"ns\"}]},{\"date\":2,\"benches\":[{\"name\":\"a\",\"value\":2,"
                  "\"unit\":\"ns\"}]}]}}",
                  NULL, NULL);
    assert_int_equal(nights->len, 2);
    expect_values(nights->pdata[0], 0, 1);
    expect_values(nights->pdata[1], 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tool_is_known_by_its_content),
        cmocka_unit_test(what_is_refused_says_why),
        cmocka_unit_test(one_bad_run_brings_in_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
