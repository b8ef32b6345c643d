#include "runner/driver/harvest.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <math.h>
#include <string.h>

#define JMH(metric) "[{\"benchmark\":\"o.B.m\",\"primaryMetric\":{" metric "}}]"
#define SIZED(size, score)                                                                         \
    "{\"benchmark\":\"o.B.m\",\"params\":{\"size\":\"" size                                        \
    "\"},\"primaryMetric\":{\"score\":" score ",\"scoreUnit\":\"us/op\",\"rawData\":[[" score      \
    "]]}}"
#define GOOGLE(runs) "{\"context\":{},\"benchmarks\":[" runs "]}"

static run_loop *loop_in(cfg_read_format format, const char *text, const char *wanted,
                         const char *unit, GError **error) {
    const cfg_read read = {.format = format, .from_result = true};
    g_autofree char *result = g_strdup(wanted), *own_unit = g_strdup(unit);
    const cfg_configuration own = {.result = result, .unit = own_unit};
    g_autoptr(run_values) values = run_values_new(wanted, unit, true);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    return tool_read(&read, &own, text, values, error) &&
                   run_values_tell(values, "{result}", loop, error)
               ? g_steal_pointer(&loop)
               : NULL;
}

static run_loop *loop_of(cfg_read_format format, const char *text, const char *wanted,
                         GError **error) {
    return loop_in(format, text, wanted, NULL, error);
}

static run_loop *values_of(bool google, const char *text, const char *wanted, GError **error) {
    return loop_of(google ? CFG_READ_google : CFG_READ_jmh, text, wanted, error);
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
    expect(false, JMH("\"score\":2,\"scoreUnit\":\"ns/op\",\"rawData\":[[1,2],[3]]"), NULL, 3,
           2.25);
    expect(false, JMH("\"score\":2,\"scoreUnit\":\"ms/op\""), NULL, 1, 2e6);
    expect(false, JMH("\"score\":4,\"scoreUnit\":\"ops/us\",\"rawData\":[[4]]"), NULL, 1, 250);
    expect(false, JMH("\"score\":3,\"scoreUnit\":\"ops/us\",\"rawData\":[[2,4]]"), NULL, 2,
           1e3 / 3);
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
    expect_wrong(false, "# JMH 1.37\n[]", NULL, "is not the output of JMH");
    expect_wrong(false, "[", NULL, "JMH:1:");
    expect_wrong(false, "[]", NULL,
                 "is not the output of JMH; does the benchmark's pattern match any");
    expect_wrong(false, "{}", NULL, "is not the output of JMH");
    expect_wrong(false, "[1]", NULL, "is not the output of JMH");
    expect_wrong(false, "[{\"primaryMetric\":{}}]", NULL,
                 "without benchmark, primaryMetric or scoreUnit");
    expect_wrong(false, JMH("\"score\":\"NaN\",\"scoreUnit\":\"ns/op\""), NULL,
                 "o.B.m: is not a number");
    expect_wrong(false, JMH("\"scoreUnit\":\"ns/op\",\"rawData\":[[10],[2,-3]]"), NULL,
                 "o.B.m: is negative; a call cannot take negative time");
    expect_wrong(false, JMH("\"score\":1,\"scoreUnit\":\"B/op\""), NULL,
                 "its unit \"B/op\" is not a time per call");
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
                 {",\"allocated_bytes_per_call\":\"48\"", 48},
                 {",\"allocated_bytes_per_call\":\"x\"", -1}};
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
    expect_wrong(true, "Run on (2 X 3000 MHz)\n{}", NULL, "is not the output of Google Benchmark");
    expect_wrong(true, GOOGLE(""), NULL,
                 "no benchmark of Google Benchmark with a time per call in it");
    expect_wrong(true, "[]", NULL, "is not the output of Google Benchmark");
    expect_wrong(true, GOOGLE("{\"real_time\":5}"), NULL, "a run without name");
    expect_wrong(true, GOOGLE("{\"name\":\"A\"}"), NULL, "A: is not a number");
    expect_wrong(true,
                 GOOGLE("{\"name\":\"A\",\"error_occurred\":true,\"error_message\":\"no file\"}"),
                 NULL, "A: no file");
    expect_wrong(true,
                 GOOGLE("{\"name\":\"A_mean\",\"run_type\":\"aggregate\",\"aggregate_name\":"
                        "\"mean\",\"real_time\":5}"),
                 NULL, "aggregates only");
}

static void expect_read(cfg_read_format format, const char *text, const char *wanted, int n,
                        double mean) {
    GError *error = NULL;
    g_autoptr(run_loop) loop = loop_of(format, text, wanted, &error);
    if (!loop)
        fail_msg("%s", error->message);
    assert_int_equal(loop->summary.n, n);
    assert_close(loop->summary.mean, mean, 1e-9 * mean);
}

static void expect_refused(cfg_read_format format, const char *text, const char *message) {
    GError *error = NULL;
    assert_null(loop_of(format, text, NULL, &error));
    assert_error(error, RUN_ERROR_JOB, message);
}

#define HYPERFINE(results) "{\"results\":[" results "]}"

/* As hyperfine 1.15 writes it: seconds, every run a process. */
static void test_hyperfine(void **state) {
    (void)state;
    const char *two = HYPERFINE("{\"command\":\"none\",\"mean\":0.5,\"times\":[0.002,0.004],"
                                "\"exit_codes\":[0,0]},{\"command\":\"probe\",\"times\":[1]}");
    expect_read(CFG_READ_hyperfine, two, "none", 2, 3e6);
    expect_read(CFG_READ_hyperfine, two, "probe", 1, 1e9);
}

static void test_hyperfine_that_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"Benchmark 1: true", "is not the output of hyperfine"},
        {"[]", "is not the output of hyperfine"},
        {"{}", "is not the output of hyperfine"},
        {HYPERFINE(""), "is not the output of hyperfine"},
        {HYPERFINE("3"), "is not the output of hyperfine"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[]}"), "without command or times"},
        {HYPERFINE("{\"times\":[1]}"), "is not the output of hyperfine"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[1,1],\"exit_codes\":[0,3]}"),
         "hyperfine: a: 1 of 2 runs failed"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[1],\"exit_codes\":[null]}"),
         "a: 1 of 1 runs failed"},
        {HYPERFINE("{\"command\":\"a\",\"times\":[1,null]}"),
         "hyperfine: a: 1 of 2 runs failed; the last of them is run 2"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        expect_refused(CFG_READ_hyperfine, cases[i].text, cases[i].message);
}

#define SCANNED(n, codes)                                                                          \
    "{\"command\":\"a\",\"parameters\":{\"n\":\"" n "\"},\"times\":[1,1],\"exit_codes\":[" codes   \
    "]}"
#define OF_FAMILY(family, more)                                                                    \
    "{\"name\":\"A\",\"family_index\":" family ",\"per_family_instance_index\":0," more "}"

/* What failed has the name that its value has, also where it has no other value at all. */
static void test_failures_of_shared_names(void **state) {
    (void)state;
    static const char *const codes[] = {"0,3", "3,3"};
    for (size_t i = 0; i < G_N_ELEMENTS(codes); i++) {
        g_autofree char *text =
            g_strdup_printf(HYPERFINE(SCANNED("1", "%s") "," SCANNED("2", "0,0")), codes[i]);
        g_autoptr(GError) error = NULL;
        g_autoptr(run_loop) loop = loop_of(CFG_READ_hyperfine, text, "a [n=1]", &error);
        assert_null(loop);
        assert_non_null(strstr(error->message, "hyperfine: a [n=1]: "));
        assert_non_null(strstr(error->message, "of 2 runs failed"));
        expect_read(CFG_READ_hyperfine, text, "a [n=2]", 2, 1e9);
    }
    const char *google = GOOGLE(OF_FAMILY("0", "\"real_time\":5") "," OF_FAMILY(
        "0",
        "\"error_occurred\":true,\"error_message\":\"no file\"") "," OF_FAMILY("1",
                                                                               "\"real_time\":7"));
    /* their places are no names, and what failed is one of them */
    expect_wrong(true, google, "A", "A: several benchmarks have this name");
}

#define GUNGRAUN(name, count)                                                                      \
    "{\"module_path\":\"" name "\",\"profiles\":[{\"tool\":\"Callgrind\",\"data\":{\"total\":{"    \
    "\"metrics\":{\"Ir\":{\"values\":{\"new\":" count "}}}}}}]}"

static void test_gungraun(void **state) {
    (void)state;
    const char *lines = GUNGRAUN("b::g::none", "687") "\n" GUNGRAUN("b::g::probe", "900") "\n";
    expect_read(CFG_READ_gungraun, lines, "b::g::probe", 1, 900);
    expect_read(CFG_READ_gungraun, lines, "b::g::none", 1, 687);
    const char *list = "[" GUNGRAUN("b::g::none", "687") ",\n" GUNGRAUN("b::g::x", "689") "]";
    expect_read(CFG_READ_gungraun, list, "b::g::x", 1, 689);
    expect_read(CFG_READ_gungraun, "\n" GUNGRAUN("b::g::none", "\n687"), NULL, 1, 687);
    g_autoptr(run_loop) counted =
        loop_in(CFG_READ_gungraun, lines, "b::g::none", "instructions", NULL);
    assert_close(counted->summary.mean, 687, 1e-9);
    g_autoptr(GError) error = NULL;
    assert_null(loop_in(CFG_READ_gungraun, lines, "b::g::none", "MiB", &error));
    assert_non_null(strstr(error->message, "the unit is \"instructions\" and not \"MiB\""));
}

/* Of another benchmark what failed is passed over; of ours, or where there is one alone, it is not.
 */
static void test_what_did_not_run(void **state) {
    (void)state;
    static const char *const text = GOOGLE(
        "{\"name\":\"A\",\"real_time\":0,\"skipped\":true,\"skip_message\":\"no collector\"},"
        "{\"name\":\"B\",\"real_time\":5}");
    expect(true, text, "B", 1, 5);
    expect_wrong(true, text, "A", "Google Benchmark: A: no collector");
    expect_wrong(true, text, NULL, "A: no collector");
}

/* Formats of text, and a tool that tells a mean alone. */
static void test_other_tools(void **state) {
    (void)state;
    expect_read(CFG_READ_gotest, "BenchmarkA-2 10 3 ns/op\nBenchmarkA-2 10 5 ns/op\n",
                "BenchmarkA-2", 2, 4);
    expect_read(CFG_READ_gotest, "pkg: b\nBenchmarkA-2 10 3 ns/op\n", "BenchmarkA-2 [b]", 1, 3);
    expect_read(CFG_READ_libtest, "test span ... bench: 16.5 ns/iter (+/- 1)\n", "span", 1, 16.5);
    expect_read(CFG_READ_criterion, "{\"iters\":[1,2],\"times\":[10,40]}", NULL, 2, 15);
    expect_read(CFG_READ_pyperf,
                "{\"benchmarks\":[{\"metadata\":{\"name\":\"a\"},\"runs\":[{\"values\":[1e-9]}]}]}",
                "a", 1, 1);
    expect_read(CFG_READ_asv,
                "{\"commit_hash\":\"c\",\"result_columns\":[\"result\",\"params\",\"samples\"],"
                "\"results\":{\"m.time_a\":[[2e-9],[],[[1e-9,2e-9,9e-9]]]}}",
                "m.time_a", 3, 2);
    expect_read(CFG_READ_benchmarkdotnet,
                "{\"HostEnvironmentInfo\":{},\"Benchmarks\":[{\"FullName\":\"B\",\"Statistics\":"
                "{\"Mean\":5,\"OriginalValues\":[4,6,20]}}]}",
                "B", 3, 5);
    expect_read(CFG_READ_bmf, "{\"a\":{\"latency\":{\"value\":7}}}", "a", 1, 7);
#define ROUNDED(result)                                                                            \
    "{\"commit_hash\":\"c\",\"result_columns\":[\"result\",\"params\",\"samples\"],\"results\":{"  \
    "\"m.time_a\":[[" result "],[],[[1.2346e-6]]]}}"
    expect_read(CFG_READ_asv, ROUNDED("1.234567e-6"), "m.time_a", 1, 1234.6);
    expect_refused(CFG_READ_asv, ROUNDED("2e-6"), "the mean of 2000 ns is not within its values");
    expect_refused(CFG_READ_github,
                   "{\"entries\":{\"s\":[{\"benches\":[{\"name\":\"a\",\"value\":1,"
                   "\"unit\":\"ns\"}]},{\"benches\":[]}]}}",
                   "2 runs in it; one is wanted");
}

static void test_gungraun_that_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"Compiling x", "is not the output of Gungraun"},
        {"[]", "is not the output of Gungraun"},
        {"{}", "is not the output of Gungraun"},
        {"[3]", "is not the output of Gungraun"},
        {"{\"module_path\":\"a\"}", "is not the output of Gungraun"},
        {"{\"module_path\":\"a\",\"profiles\":[]}", "a: Callgrind counted no instructions"},
        {"{\"module_path\":\"a\",\"profiles\":[{\"tool\":\"DHAT\"}]}",
         "Callgrind counted no instructions"},
        {GUNGRAUN("a", "1") "\n" GUNGRAUN("b", "1") "\nerror: 3", "Gungraun:3:"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        expect_refused(CFG_READ_gungraun, cases[i].text, cases[i].message);
}

/* Of what our harness wrote, which looks into /proc; another program's may say what it likes. */
static const char *problem_of(const char *folder, const char *told, bool ours, run_loop *loop) {
    const run_harvest_places at = {.folder = folder, .started_us = 1};
    g_autofree char *out = g_build_filename(folder, "out", NULL);
    g_autofree char *path = g_build_filename(out, "raw.told", NULL);
    assert_int_equal(g_mkdir_with_parents(out, 0700), 0);
    assert_true(g_file_set_contents(path, told, -1, NULL));
    take_told(&at, "raw.told", ours, loop);
    const json_t *harness = json_object_get(loop->readings, "harness");
    assert_non_null(json_object_get(harness, "start_ms"));
    return cfg_json_word(harness, "problem", NULL);
}

static void test_proc_is_hidden(void **state) {
    static const char blind[] = "{\"ready_ns\": 9000}", sees[] = "{\"ready_ns\": 9000, "
                                                                 "\"peak_bytes\": 5}";
    g_autoptr(run_loop) hidden = run_loop_new("none", NULL, 1),
                        seen = run_loop_new("none", NULL, 1), other = run_loop_new("none", NULL, 1);
    const char *problem = problem_of(*state, blind, true, hidden);
    assert_non_null(problem);
    assert_non_null(strstr(problem, "could not read /proc/self (is it hidden?)"));
    assert_true(g_str_has_suffix(problem, "bytes written are not known"));
    assert_null(problem_of(*state, sees, true, seen));
    assert_null(problem_of(*state, blind, false, other));
}

static double cpu_ms_of(const run_loop *loop, const char *reading) {
    const double number = cfg_json_number(json_object_get(loop->readings, reading), "cpu_ms");
    return isnan(number) ? -1 : number;
}

/* What the start took is not in it; who does not say has the whole process. */
static void test_processor_time_of_the_calls(void **state) {
    static const struct {
        const char *told;
        double calls_ms, whole_ms; /* below 0: not known */
    } cases[] = {{"{\"ready_ns\": 9000, \"cpu_before_ns\": 30000000}", 90, 120},
                 {"{\"ready_ns\": 9000}", -1, 120},
                 {"{\"ready_ns\": 9000, \"cpu_before_ns\": 120000001}", -1, -1},
                 {"{\"ready_ns\": 9000, \"cpu_before_ns\": \"3\"}", -1, -1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
        run_loop_add_reading(loop, "process", json_pack("{s:f}", "cpu_ms", 120.0));
        const char *problem = problem_of(*state, cases[i].told, false, loop);
        assert_true(cpu_ms_of(loop, "harness") == cases[i].calls_ms);
        assert_true(cpu_ms_of(loop, "process") == cases[i].whole_ms);
        assert_int_equal(problem && strstr(problem, "no valid cpu_before_ns"),
                         cases[i].whole_ms < 0);
    }
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
        cmocka_unit_test(test_failures_of_shared_names),
        cmocka_unit_test(test_gungraun),
        cmocka_unit_test(test_what_did_not_run),
        cmocka_unit_test(test_other_tools),
        cmocka_unit_test(test_gungraun_that_is_wrong),
        cmocka_unit_test_setup_teardown(test_proc_is_hidden, make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(test_processor_time_of_the_calls, make_test_folder,
                                        remove_test_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
