#include "tests/unit/runner/test.h"

#include "runner/driver/tool_json.h"

#include <string.h>

#define JMH(metric) "[{\"benchmark\":\"o.B.m\",\"primaryMetric\":{" metric "}}]"
#define SIZED(size, score)                                                                         \
    "{\"benchmark\":\"o.B.m\",\"params\":{\"size\":\"" size                                        \
    "\"},\"primaryMetric\":{\"score\":" score ",\"scoreUnit\":\"us/op\",\"rawData\":[[" score      \
    "]]}}"
#define GOOGLE(runs) "{\"context\":{},\"benchmarks\":[" runs "]}"

static run_loop *values_of(bool google, const char *text, const char *wanted, GError **error) {
    g_autoptr(run_values) values = run_values_new(wanted, true);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    bool good = google ? run_tool_json_google(text, strlen(text), false, values, error)
                       : run_tool_json_jmh(text, strlen(text), values, error);
    if (good && run_values_tell(values, "{result}", loop, error))
        return g_steal_pointer(&loop);
    return NULL;
}

static void expect(bool google, const char *text, const char *wanted, int n, double mean) {
    GError *error = NULL;
    g_autoptr(run_loop) loop = values_of(google, text, wanted, &error);
    if (!loop)
        fail_msg("%s", error->message);
    assert_int_equal(loop->summary.n, n);
    assert_close(loop->summary.mean, mean, 1e-9 * mean);
}

/* bytes: what a call allocated; -1: there is no such reading. */
static void expect_allocated(const run_loop *loop, double bytes) {
    assert_non_null(loop);
    const json_t *told = json_object_get(loop->readings, "allocated_bytes_per_call");
    if (bytes < 0)
        assert_null(told);
    else
        assert_true(json_real_value(told) == bytes);
}

static void expect_wrong(bool google, const char *text, const char *wanted, const char *message) {
    GError *error = NULL;
    assert_null(values_of(google, text, wanted, &error));
    assert_error(error, RUN_ERROR_JOB, message);
}

static void test_jmh(void **state) {
    (void)state;
    expect(false, JMH("\"score\":2,\"scoreUnit\":\"ns/op\",\"rawData\":[[1,2],[3]]"), NULL, 3, 2);
    expect(false, JMH("\"score\":2,\"scoreUnit\":\"ms/op\""), NULL, 1, 2e6);
    expect(false, JMH("\"score\":4,\"scoreUnit\":\"ops/us\",\"rawData\":[[4]]"), NULL, 1, 250);
    expect(false, "[" SIZED("1", "3") "," SIZED("2", "5") "]", "o.B.m size=2", 1, 5000);
}

/* What was allocated a call is a reading of the loop, where -prof gc was on. */
static void test_jmh_allocations(void **state) {
    (void)state;
    static const struct {
        const char *more, *name;
        double bytes; /* below 0: nobody said */
    } cases[] = {
        {"\"gc.alloc.rate.norm\":{\"score\":104.25,\"scoreUnit\":\"B/op\"}", "o.B.m", 104.25},
        {"\"\u00b7gc.alloc.rate.norm\":{\"score\":0,\"scoreUnit\":\"B/op\"}", NULL, 0},
        {"\"gc.alloc.rate.norm\":{\"score\":5,\"scoreUnit\":\"KB/op\"}", "o.B.m", -1},
        {"\"gc.alloc.rate.norm\":{\"score\":\"NaN\",\"scoreUnit\":\"B/op\"}", "o.B.m", -1},
        {"\"gc.count\":{\"score\":3,\"scoreUnit\":\"counts\"}", "o.B.m", -1},
        {"", "o.B.m", -1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "[{\"benchmark\":\"o.B.other\",\"primaryMetric\":{\"score\":9,\"scoreUnit\":\"ns/op\"},"
            "\"secondaryMetrics\":{\"gc.alloc.rate.norm\":{\"score\":7,\"scoreUnit\":\"B/op\"}}},"
            "{\"benchmark\":\"o.B.m\",\"primaryMetric\":{\"score\":2,\"scoreUnit\":\"ns/op\"},"
            "\"secondaryMetrics\":{%s}}]",
            cases[i].more);
        const char *alone = strstr(text, "{\"benchmark\":\"o.B.m\"");
        g_autofree char *only = g_strconcat("[", alone, NULL);
        g_autoptr(run_loop) loop =
            values_of(false, cases[i].name ? text : only, cases[i].name, NULL);
        expect_allocated(loop, cases[i].bytes);
    }
}

static void test_jmh_that_is_wrong(void **state) {
    (void)state;
    expect_wrong(false, "# JMH 1.37\n[]", NULL, "JMH: line 1, column 1: ");
    expect_wrong(false, "[", NULL, "write its JSON to {result}");
    expect_wrong(false, "[]", NULL, "JMH: no results");
    expect_wrong(false, "{}", NULL, "JMH: no results");
    expect_wrong(false, "[1]", NULL, "without benchmark, primaryMetric or scoreUnit");
    expect_wrong(false, JMH("\"score\":\"NaN\",\"scoreUnit\":\"ns/op\""), NULL,
                 "JMH: o.B.m, score: the value is not a finite number");
    expect_wrong(false, JMH("\"scoreUnit\":\"ns/op\",\"rawData\":[[1],[2,-3]]"), NULL,
                 "JMH: o.B.m, fork 2, iteration 2: the value -3 is negative");
    expect_wrong(false, JMH("\"score\":1,\"scoreUnit\":\"B/op\""), NULL, "unknown unit \"B/op\"");
    expect_wrong(false, "[" SIZED("1", "3") "," SIZED("2", "5") "]", NULL, "several names");
    expect_wrong(false, "[" SIZED("1", "3") "]", "o.B.m",
                 "no value named \"o.B.m\"; found: o.B.m size=1;");
}

/* jansson quotes the place it stopped at, and cuts letters in two. */
static void test_reasons_are_text(void **state) {
    (void)state;
    GError *error = NULL;
    assert_null(values_of(false, "[\xc3\xa4]", NULL, &error));
    assert_true(g_utf8_validate(error->message, -1, NULL));
    g_clear_error(&error);
}

static void test_google(void **state) {
    (void)state;
    expect(true,
           GOOGLE("{\"name\":\"A\",\"run_name\":\"A\",\"run_type\":\"iteration\",\"real_time\":5,"
                  "\"time_unit\":\"us\"},{\"name\":\"A\",\"run_name\":\"A\",\"real_time\":7,"
                  "\"time_unit\":\"us\"},{\"name\":\"A_mean\",\"run_name\":\"A\",\"run_type\":"
                  "\"aggregate\",\"real_time\":99,\"time_unit\":\"us\"}"),
           "A", 2, 6000);
    expect(true, GOOGLE("{\"name\":\"A\",\"real_time\":5}"), NULL, 1, 5); /* ns is its default */
}

/* A counter of that name is what a call allocates; of another benchmark it is not ours. */
static void test_google_s_allocations(void **state) {
    (void)state;
    static const struct {
        const char *more;
        double bytes; /* -1: no reading */
    } cases[] = {{",\"allocated_bytes_per_call\":48", 48},
                 {",\"allocated_bytes_per_call\":0", 0},
                 {"", -1},
                 {",\"allocated_bytes_per_call\":-1", -1},
                 {",\"allocated_bytes_per_call\":\"48\"", -1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf(GOOGLE("{\"name\":\"A\",\"real_time\":5%s},{\"name\":\"B\","
                                   "\"real_time\":7,\"allocated_bytes_per_call\":9}"),
                            cases[i].more);
        g_autoptr(run_loop) loop = values_of(true, text, "A", NULL);
        expect_allocated(loop, cases[i].bytes);
    }
}

static void test_google_that_is_wrong(void **state) {
    (void)state;
    expect_wrong(true, "Run on (2 X 3000 MHz)\n{}", NULL, "Google Benchmark: line 1");
    expect_wrong(true, GOOGLE(""), NULL, "no benchmarks in it");
    expect_wrong(true, "[]", NULL, "no benchmarks in it");
    expect_wrong(true, GOOGLE("{\"real_time\":5}"), NULL, "a run without name");
    expect_wrong(true, GOOGLE("{\"name\":\"A\"}"), NULL, "A: the value is not a finite number");
    expect_wrong(true,
                 GOOGLE("{\"name\":\"A\",\"error_occurred\":true,\"error_message\":\"no file\"}"),
                 NULL, "Google Benchmark: A: no file");
    expect_wrong(true, GOOGLE("{\"name\":\"A_mean\",\"run_type\":\"aggregate\",\"real_time\":5}"),
                 NULL, "aggregates only");
}

typedef bool (*reader)(const char *text, size_t length, run_values *values, GError **error);

static void expect_read(reader read, const char *text, const char *wanted, int n, double mean) {
    GError *error = NULL;
    g_autoptr(run_values) values = run_values_new(wanted, true);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    if (!read(text, strlen(text), values, &error) ||
        !run_values_tell(values, "{result}", loop, &error))
        fail_msg("%s", error->message);
    assert_int_equal(loop->summary.n, n);
    assert_close(loop->summary.mean, mean, 1e-9 * mean);
}

static void expect_refused(reader read, const char *text, const char *message) {
    GError *error = NULL;
    g_autoptr(run_values) values = run_values_new(NULL, true);
    assert_false(read(text, strlen(text), values, &error));
    assert_error(error, RUN_ERROR_JOB, message);
}

#define HYPERFINE(results) "{\"results\":[" results "]}"

/* As hyperfine 1.15 writes it: seconds, every run a process. */
static void test_hyperfine(void **state) {
    (void)state;
    const char *two = HYPERFINE("{\"command\":\"none\",\"mean\":0.5,\"times\":[0.002,0.004],"
                                "\"exit_codes\":[0,0]},{\"command\":\"probe\",\"times\":[1]}");
    expect_read(run_tool_json_hyperfine, two, "none", 2, 3e6);
    expect_read(run_tool_json_hyperfine, two, "probe", 1, 1e9);
}

static void test_hyperfine_that_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"Benchmark 1: true", "hyperfine: line 1"},
        {"[]", "hyperfine: no results"},
        {"{}", "hyperfine: no results"},
        {HYPERFINE(""), "hyperfine: no results"},
        {HYPERFINE("3"), "without command or times"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[]}"), "without command or times"},
        {HYPERFINE("{\"times\":[1]}"), "without command or times"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[1,1],\"exit_codes\":[0,3]}"),
         "hyperfine: a: run 2 failed"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[1],\"exit_codes\":[null]}"),
         "hyperfine: a: run 1 failed"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[1,null]}"),
         "hyperfine: a, run 2: the value is not a finite number"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        expect_refused(run_tool_json_hyperfine, cases[i].text, cases[i].message);
}

#define GUNGRAUN(name, count)                                                                      \
    "{\"module_path\":\"" name "\",\"profiles\":[{\"tool\":\"Callgrind\",\"data\":{\"total\":{"    \
    "\"metrics\":{\"Ir\":{\"values\":{\"new\":" count "}}}}}}]}"

static void test_gungraun(void **state) {
    (void)state;
    const char *lines = GUNGRAUN("b::g::none", "687") "\n" GUNGRAUN("b::g::probe", "900") "\n";
    expect_read(run_tool_json_gungraun, lines, "b::g::probe", 1, 900);
    expect_read(run_tool_json_gungraun, lines, "b::g::none", 1, 687);
    const char *list = "[" GUNGRAUN("b::g::none", "687") ",\n" GUNGRAUN("b::g::none", "689") "]";
    expect_read(run_tool_json_gungraun, list, "b::g::none", 2, 688);
    expect_read(run_tool_json_gungraun, "\n" GUNGRAUN("b::g::none", "\n687"), NULL, 1, 687);
}

static void test_gungraun_that_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"Compiling x", "Gungraun: line 1"},
        {"[]", "Gungraun: no benchmarks"},
        {"{}", "without module_path or profiles"},
        {"[3]", "without module_path or profiles"},
        {"{\"module_path\":\"a\"}", "without module_path or profiles"},
        {"{\"module_path\":\"a\",\"profiles\":[]}",
         "Gungraun: a, instructions of Callgrind: the value is not a finite number"},
        {"{\"module_path\":\"a\",\"profiles\":[{\"tool\":\"DHAT\"}]}", "not a finite number"},
        {GUNGRAUN("a", "1") "\n" GUNGRAUN("a", "1") "\nerror: 3", "Gungraun: line 2"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        expect_refused(run_tool_json_gungraun, cases[i].text, cases[i].message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jmh),
        cmocka_unit_test(test_jmh_allocations),
        cmocka_unit_test(test_jmh_that_is_wrong),
        cmocka_unit_test(test_reasons_are_text),
        cmocka_unit_test(test_google),
        cmocka_unit_test(test_google_s_allocations),
        cmocka_unit_test(test_google_that_is_wrong),
        cmocka_unit_test(test_hyperfine),
        cmocka_unit_test(test_hyperfine_that_is_wrong),
        cmocka_unit_test(test_gungraun),
        cmocka_unit_test(test_gungraun_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
