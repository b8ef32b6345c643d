/* github-action-benchmark: data.js has a list of runs a suite, a custom file has one run's values.
 */
#include "tests/unit/config/formats/reader.h"

static void the_list_of_one_run(void **state) {
    (void)state;
    fmt_night *night =
        night_of("github", "[{'name': 'a', 'value': 2, 'unit': 'us', 'range': '± 0.5'},"
                           " {'name': 'b', 'value': 3, 'unit': 'ns'}]");
    assert_null(night->suite);
    assert_null(night->sha);
    expect_values(night, 2, 0);
    expect_mean(value_at(night, 0), "a", 2000, 1500, 2500);
    expect_mean(value_at(night, 1), "b", 3, NAN, NAN);
    fmt_night_free(night);
}

/* A custom file's "±" is taken for an interval, and that is told; a bare number is a deviation.
 * What is not read to its end is no number: a comma, a thousand's blank, another unit. */
static void every_form_of_a_range(void **state) {
    (void)state;
    static const struct {
        const char *range;
        double half;
        guint notes;
    } cases[] = {
        {"'± 0.09'", 0.09, 1},    {"'+/- 0.09'", 0.09, 1}, {"'+/-3%'", 6, 1},
        {"'± 1.5%'", 3, 1},       {"'±12'", 12, 1},        {"'± .5'", 0.5, 1},
        {"0.25", NAN, 1},         {"'0.3'", NAN, 1},       {"'1e2'", NAN, 1},
        {"'3 %'", NAN, 1},        {"'not known'", NAN, 1}, {"'stddev: 0.0003'", NAN, 1},
        {"'± 0.09 ns'", 0.09, 1}, {"'± 0.09 us'", 90, 1},  {"'± 1e-1'", 0.1, 1},
        {"'± 1,5'", NAN, 1},      {"'±1 234'", NAN, 1},    {"'± 0.5/0.7'", NAN, 1},
        {"'±inf'", NAN, 1},       {"'±'", NAN, 1},         {"'± 3 MB'", NAN, 1},
        {"'± 0x10'", NAN, 1},     {"'± 3 ops/s'", NAN, 1}, {"'about ± 3'", NAN, 1},
        {"''", NAN, 0},           {"null", NAN, 0},        {"'%'", NAN, 1},
        {"true", NAN, 1},         {"[]", NAN, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "[{'name': 'a', 'value': 200, 'unit': 'ns', 'range': %s}]", cases[i].range);
        fmt_night *night = night_of("github", text);
        expect_mean(value_at(night, 0), "a", 200, 200 - cases[i].half, 200 + cases[i].half);
        assert_int_equal(night->notes->len, cases[i].notes);
        fmt_night_free(night);
    }
}

/* A run of a suite whose benches a tool wrote. */
static fmt_night *run_of(const char *tool, const char *benches) {
    g_autofree char *text = g_strdup_printf(
        "{'entries': {'s': [{'date': 1700000000000, 'tool': '%s', 'benches': [%s]}]}}", tool,
        benches);
    return night_of("github", text);
}

static void what_a_range_is_the_tool_decides(void **state) {
    (void)state;
    static const struct {
        const char *tool, *range, *unit;
        double mean, low, high;
    } cases[] = {
        {"catch2", "± 5", "ns", 100, NAN, NAN},
        {"cargo", "± 5", "ns/iter", 100, NAN, NAN},
        {"benchmarkdotnet", "± 5", "ns", 100, NAN, NAN},
        {"pytest", "stddev: 0.5", "iter/sec", 1e7, NAN, NAN},
        {"benchmarkjs", "±10%", "ops/sec", 1e7, 9e6, 1.1e7}, /* of a cycle's mean time */
        {"benchmarkjs", "±242.01%", "ops/sec", 1e7, -1.4201e7, 3.4201e7},
        {"customBiggerIsBetter", "±10%", "ops/sec", 1e7, 1e9 / 110, 1e9 / 90},
        {"customBiggerIsBetter", "±242.01%", "ops/sec", 1e7, NAN, NAN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *bench =
            g_strdup_printf("{'name': 'a', 'value': 100, 'unit': '%s', 'range': '%s'}",
                            cases[i].unit, cases[i].range);
        fmt_night *night = run_of(cases[i].tool, bench);
        expect_mean(value_at(night, 0), "a", cases[i].mean, cases[i].low, cases[i].high);
        fmt_night_free(night);
    }
    /* our own export says so */
    fmt_night *night =
        run_of("customSmallerIsBetter", "{'name': 'T', 'value': 90, 'unit': 'ns',"
                                        " 'range': '± 2', 'extra': '95 % interval'}");
    expect_mean(value_at(night, 0), "T", 90, 88, 92);
    assert_int_equal(night->notes->len, 0);
    fmt_night_free(night);
}

/* Portions of our own export may be below 0. */
static void what_is_a_difference_says_so(void **state) {
    (void)state;
    fmt_night *night = run_of(
        "customSmallerIsBetter",
        "{'name': 'T', 'value': 90, 'unit': 'ns', 'extra': '95 % interval'},"
        " {'name': 'I', 'value': -0.2, 'unit': 'ns', 'range': '± 0.5', 'extra': '95 % interval,"
        " portion over T'}, {'name': 'C', 'value': 0, 'unit': 'ns', 'extra': 'portion over I'}");
    expect_values(night, 3, 0);
    assert_int_equal(night->notes->len, 0);
    assert_null(value_at(night, 0)->over);
    expect_mean(value_at(night, 1), "I", -0.2, -0.7, 0.3);
    assert_string_equal(value_at(night, 1)->over, "T");
    assert_string_equal(value_at(night, 2)->over, "I");
    fmt_night_free(night);
}

static void repetitions_are_loops_and_aggregates_are_none(void **state) {
    (void)state;
#define GO(value, procs)                                                                           \
    "{'name': 'BenchmarkA', 'value': " value ", 'unit': 'ns/op', 'extra': '" value                 \
    " times\\n" procs " procs'}"
    fmt_night *night =
        run_of("go", GO("10", "2") "," GO("14", "2") "," GO("30", "1") "," GO("30", "1"));
    expect_values(night, 2, 0);
    assert_string_equal(value_at(night, 0)->name, "BenchmarkA [2 procs]");
    expect_loops(value_at(night, 0), 2, 2);
    expect_mean(value_at(night, 1), "BenchmarkA [1 procs]", 30, 30, 30);
    fmt_night_free(night);
#define CPP(name, value) "{'name': '" name "', 'value': " value ", 'unit': 'us/iter'}"
    night = run_of(
        "googlecpp",
        CPP("a", "1") "," CPP("a", "3") "," CPP("a_mean", "2") "," CPP("a_median", "2") "," CPP(
            "a_stddev", "1.4") "," CPP("a_cv", "0.7") "," CPP("b_mean",
                                                              "5") "," CPP("b_stddev",
                                                                           "1") "," CPP("c_mean",
                                                                                        "6"));
    expect_values(night, 3, 5);
    assert_true(value_at(night, 0)->mean_ns == 2000);
    expect_loops(value_at(night, 0), 2, 2);
    expect_mean(value_at(night, 1), "b", 5000, NAN, NAN);      /* of aggregates alone */
    expect_mean(value_at(night, 2), "c_mean", 6000, NAN, NAN); /* a benchmark called so */
    fmt_night_free(night);
}

/* As go's lines stand in data.js with and without -benchmem: before 1.18 the unit was all of the
 * line, since then each value is a bench, too. Equal names of two packages are not one benchmark.
 */
static void lines_of_go(void **state) {
    (void)state;
#define LINE(name, value, unit)                                                                    \
    "{'name': 'Benchmark" name "', 'value': " value ", 'unit': '" unit "',"                        \
    " 'extra': '9 times\\n2 procs'}"
    fmt_night *night = run_of("go", LINE("A", "10", "ns/op\\t      16 B/op\\t 1 allocs/op"));
    expect_values(night, 1, 0);
    expect_mean(value_at(night, 0), "BenchmarkA", 10, NAN, NAN);
    fmt_night_free(night);
    night = run_of(
        "go",
        LINE("A", "10", "ns/op\\t      16 B/op") "," LINE("A - ns/op", "10", "ns/op") "," LINE(
            "A - B/op", "16", "B/op") "," LINE("B - ns/op", "7",
                                               "ns/op") "," LINE("A - ops/sec", "1e9", "ops/sec"));
    expect_values(night, 3, 1);
    expect_mean(value_at(night, 2), "BenchmarkA - ops/sec", 1, NAN, NAN); /* another value */
    expect_mean(value_at(night, 0), "BenchmarkA", 10, NAN, NAN);
    expect_mean(value_at(night, 1), "BenchmarkB", 7, NAN, NAN); /* in place of it */
    expect_left(night, 0, "BenchmarkA - B/op", "\"B/op\" is not a time per call");
    fmt_night_free(night);
    night = run_of("go", LINE("New", "10", "ns/op") "," LINE("B", "7", "ns/op") "," LINE(
                             "New", "900", "ns/op") "," LINE("C", "8", "ns/op"));
    expect_values(night, 2, 1);
    expect_left(night, 0, "BenchmarkNew", "is there 2 times, and others 1");
    fmt_night_free(night);
}

/* Forks of the action say otherwise whether more is better, and what else tells benches apart. */
static void what_forks_write(void **state) {
    (void)state;
    fmt_night *night =
        night_of("github",
                 "{'entries': {'s': [{'date': 1700000000000, 'bigger_is_better': true, 'benches': ["
                 "{'name': 'a', 'value': 5, 'unit': 'hits', 'platform': 'x'},"
                 " {'name': 'a', 'value': 6, 'unit': 'hits', 'platform': 'y'},"
                 " {'name': 'b', 'value': 7, 'unit': 'bytes', 'biggerIsBetter': false}]}]}}");
    expect_values(night, 3, 0);
    assert_string_equal(value_at(night, 0)->name, "a [hits, x]");
    assert_string_equal(value_at(night, 1)->name, "a [hits, y]");
    assert_true(value_at(night, 0)->higher);
    assert_false(value_at(night, 2)->higher);
    assert_string_equal(value_at(night, 2)->unit, "bytes");
    fmt_night_free(night);
    night = run_of("customSmallerIsBetter", /* units tell them apart, a text of each day does not */
                   "{'name': 'a', 'value': 5, 'unit': 'ns', 'at': 'Monday'},"
                   " {'name': 'a', 'value': 6, 'unit': 'hits', 'at': 'Monday'}");
    assert_string_equal(value_at(night, 0)->name, "a [ns]");
    assert_string_equal(value_at(night, 1)->name, "a [hits]");
    fmt_night_free(night);
    night = run_of("customSmallerIsBetter",
                   "{'name': 'a', 'value': 5, 'unit': 'hits', 'extra': 'e', 'platform': 'x'},"
                   " {'name': 'a', 'value': 6, 'unit': 'hits', 'extra': 'e', 'platform': 'y'}");
    expect_values(night, 2, 0);
    assert_string_equal(value_at(night, 1)->name, "a [hits, e, y]");
    fmt_night_free(night);
#define FORK(value) "{'name': 'a', 'value': " value ", 'unit': 'ns/op', 'biggerIsBetter': false}"
    night = run_of("go", FORK("4") "," FORK("6")); /* still repetitions */
    expect_values(night, 1, 0);
    expect_loops(value_at(night, 0), 2, 2);
    fmt_night_free(night);
    night = run_of("cargo", "{'name': 'a', 'value': 5, 'unit': 'ns/iter', 'range': '± 2',"
                            " 'biggerIsBetter': false}"); /* still a deviation */
    expect_mean(value_at(night, 0), "a", 5, NAN, NAN);
    fmt_night_free(night);
}

/* Between failures: the longer the better, so it is no time of a call. */
static void a_time_of_which_more_is_better(void **state) {
    (void)state;
    fmt_night *night =
        run_of("customBiggerIsBetter", "{'name': 'a', 'value': 3, 'unit': 's'},"
                                       " {'name': 'b', 'value': 2, 'unit': 'ops/us'}");
    expect_mean(value_at(night, 0), "a", 3, NAN, NAN);
    assert_string_equal(value_at(night, 0)->unit, "s");
    assert_true(value_at(night, 0)->higher);
    expect_mean(value_at(night, 1), "b", 500, NAN, NAN);
    assert_null(value_at(night, 1)->unit);
    fmt_night_free(night);
}

static void equal_names_are_told_apart_or_refused(void **state) {
    (void)state;
    fmt_night *night =
        night_of("github", "[{'name': 'a', 'value': 2, 'unit': 'ns', 'extra': 'size=1'},"
                           " {'name': 'a', 'value': 3, 'unit': 'ns', 'extra': 'size=2'}]");
    expect_mean(value_at(night, 0), "a [ns, size=1]", 2, NAN, NAN);
    expect_mean(value_at(night, 1), "a [ns, size=2]", 3, NAN, NAN);
    fmt_night_free(night);
    expect_wrong("github",
                 "[{'name': 'a', 'value': 2, 'unit': 'ns'}, {'name': 'a', 'value': 3, 'unit':"
                 " 'ns'}]",
                 "[1]: \"a\" is there twice");
}

static void a_rate_is_turned_over(void **state) {
    (void)state;
    fmt_night *night =
        night_of("github", "[{'name': 'a', 'value': 4, 'unit': 'ops/us', 'range': '± 1'},"
                           " {'name': 'b', 'value': 2e6, 'unit': 'ops/s'},"
                           " {'name': 'c', 'value': 2, 'unit': 'ops/ms', 'range': '± 2'},"
                           " {'name': 'd', 'value': 50, 'unit': 'Mops/s'},"
                           " {'name': 'e', 'value': 50000, 'unit': 'Kops/s'}]");
    expect_mean(value_at(night, 0), "a", 250, 200, 1000 / 3.0);
    expect_mean(value_at(night, 1), "b", 500, NAN, NAN);
    expect_mean(value_at(night, 2), "c", 5e5, NAN, NAN); /* as wide as itself: no upper end */
    expect_mean(value_at(night, 3), "d", 20, NAN, NAN);
    expect_mean(value_at(night, 4), "e", 20, NAN, NAN);
    fmt_night_free(night);
}

static void numbers_as_text_are_read_and_the_rest_is_left_out(void **state) {
    (void)state;
    fmt_night *night =
        night_of("github", "[{'name': 'size', 'value': 4, 'unit': ''},"
                           " {'name': 'speed', 'value': 4},"
                           " {'name': 'zero', 'value': 0, 'unit': 'ops/s'},"
                           " {'name': 'below', 'value': -1, 'unit': 'ops/s'},"
                           " {'value': 4, 'unit': 'ns'}, {'name': 'text', 'value': 'x', 'unit':"
                           " 'ns'}, {'name': 'nan', 'value': 'NaN', 'unit': 'ns'},"
                           " {'name': 'large', 'value': 1e400, 'unit': 'ns'},"
                           " {'name': '  ', 'value': 4, 'unit': 'ns'},"
                           " {'name': 'good', 'value': '90.31', 'unit': 'median ms'}]");
    expect_values(night, 1, 9);
    expect_left(night, 0, "size", "has no unit");
    expect_left(night, 1, "speed", "has no unit");
    expect_left(night, 3, "text", "not a number");
    expect_left(night, 5, "large", "not a number");
    expect_left(night, 6, "  ", "has no name");
    expect_mean(value_at(night, 0), "good", 90.31e6, NAN, NAN);
    fmt_night_free(night);
}

static void expect_unit(const fmt_value *value, const char *name, double mean, const char *unit,
                        bool higher) {
    expect_mean(value, name, mean, NAN, NAN);
    assert_string_equal(value->unit, unit);
    assert_int_equal(value->higher, higher);
}

/* Many at once: no request took the time that is 1 / rate. Calls of a benchmark are one after the
 * other, and a tool that is known says what its rate is. */
static void a_throughput_is_no_time_of_a_call(void **state) {
    (void)state;
    fmt_night *night =
        run_of("customBiggerIsBetter", "{'name': 'http_reqs', 'value': 1478, 'unit': 'req/s'},"
                                       " {'name': 'add', 'value': 50, 'unit': 'Mops/s'}");
    expect_unit(value_at(night, 0), "http_reqs", 1478, "req/s", true);
    expect_mean(value_at(night, 1), "add", 20, NAN, NAN);
    assert_null(value_at(night, 1)->unit);
    fmt_night_free(night);
    night = run_of("jmh", "{'name': 'o.A.b', 'value': 2000, 'unit': 'ops/s', 'extra': "
                          "'iterations: 5\\nforks: 1\\nthreads: 4'}");
    expect_mean(value_at(night, 0), "o.A.b", 2000000, NAN, NAN);
    fmt_night_free(night);
    night = run_of("customSmallerIsBetter", "{'name': 'lost', 'value': 3, 'unit': 'spans/s'}");
    expect_unit(value_at(night, 0), "lost", 3, "spans/s", false);
    expect_note(night, "\"spans/s\" is a rate, and less of it is better, because the file says "
                       "customSmallerIsBetter");
    fmt_night_free(night);
    night = run_of("customSmallerIsBetter", "{'name': 'add', 'value': 50, 'unit': 'Mops/s'}");
    expect_mean(value_at(night, 0), "add", 20, NAN, NAN);
    expect_note(night,
                "\"Mops/s\" is read as calls a time, of which more is better, though the file "
                "says customSmallerIsBetter");
    fmt_night_free(night);
    night = night_of("github", "[{'name': 'a', 'value': 2, 'unit': 'rps'},"
                               " {'name': 'b', 'value': 3, 'unit': 'requests per hour'},"
                               " {'name': 'c', 'value': 4, 'unit': 'MiB'}]");
    expect_unit(value_at(night, 0), "a", 2, "rps", true);
    expect_unit(value_at(night, 1), "b", 3, "requests per hour", true);
    expect_unit(value_at(night, 2), "c", 4, "MiB", false);
    fmt_night_free(night);
    night = night_of("github", "[{'name': 'sent', 'value': 2, 'unit': 'krecords/ms'}]");
    expect_unit(value_at(night, 0), "sent", 2, "krecords/ms", true);
    fmt_night_free(night);
    night = run_of("benchmarkjs", "{'name': 'a', 'value': 2, 'unit': 'req/s'}");
    expect_mean(value_at(night, 0), "a", 5e8, NAN, NAN);
    fmt_night_free(night);
}

/* As the load tests of the OpenTelemetry Collector publish them: one name, told apart by "extra".
 */
static void other_units_are_kept_as_they_are(void **state) {
    (void)state;
    fmt_night *night =
        run_of("customSmallerIsBetter",
               "{'name': 'cpu', 'value': 10.5, 'unit': '%', 'extra': 'OTLP - Cpu'},"
               " {'name': 'cpu', 'value': 8.6, 'unit': '%', 'extra': 'Zipkin - Cpu'},"
               " {'name': 'dropped', 'value': 0, 'unit': 'spans', 'extra': 'OTLP - Dropped'},"
               " {'name': 'below', 'value': -3, 'unit': 'spans'},"
               " {'name': 'sent', 'value': 7, 'unit': 'MB/s'}");
    expect_unit(value_at(night, 0), "cpu [OTLP - Cpu]", 10.5, "%", false);
    expect_unit(value_at(night, 1), "cpu [Zipkin - Cpu]", 8.6, "%", false);
    expect_unit(value_at(night, 2), "dropped", 0, "spans", false);
    expect_unit(value_at(night, 3), "sent", 7, "MB/s", false);
    expect_left(night, 0, "below", "is negative");
    fmt_night_free(night);
    night = run_of("customBiggerIsBetter", "{'name': 'hits', 'value': 90, 'unit': '%'}");
    expect_unit(value_at(night, 0), "hits", 90, "%", true);
    fmt_night_free(night);
    night = night_of("github", "[{'name': 'sent', 'value': 7, 'unit': 'MB/s'},"
                               " {'name': 'size', 'value': 7, 'unit': 'KiB', 'range': '± 2'},"
                               " {'name': 'size', 'value': 8, 'unit': 'MiB'}]");
    expect_unit(value_at(night, 0), "sent", 7, "MB/s", true); /* a rate, and nobody says */
    expect_mean(value_at(night, 1), "size [KiB]", 7, 5, 9);
    expect_mean(value_at(night, 2), "size [MiB]", 8, NAN, NAN);
    bool guessed = false;
    for (guint i = 0; i < night->notes->len; i++)
        guessed |=
            g_str_equal(night->notes->pdata[i], "less of \"KiB\" is better, as the file does "
                                                "not say otherwise");
    assert_true(guessed);
    fmt_night_free(night);
    night = run_of("go", "{'name': 'a', 'value': 7, 'unit': 'B/op'}");
    expect_left(night, 0, "a", "is not a time per call");
    fmt_night_free(night);
}

/* What MooBench's workflows publish is the deviation of 10 loops: qt(0.975, 9) / sqrt(10) of it is
 * the half width, 0.7153569. */
static void the_deviation_of_moobenchs_loops(void **state) {
    (void)state;
    fmt_night *night = run_of("customSmallerIsBetter",
                              "{'name': 'No instrumentation', 'value': 90, 'range': 0.2, 'unit':"
                              " 'ns'}, {'name': 'Binary file', 'value': 3700, 'range': '58.6',"
                              " 'unit': 'ns'}");
    const fmt_value *first = value_at(night, 0), *second = value_at(night, 1);
    assert_true(fabs(first->high_ns - 90 - 0.2 * 0.7153569) < 1e-6);
    assert_true(fabs(second->high_ns - 3700 - 58.6 * 0.7153569) < 1e-4);
    assert_int_equal(night->notes->len, 1);
    fmt_night_free(night);
}

#define BENCH(name, value, range)                                                                  \
    "{'name': '" name "', 'value': " value ", 'range': '" range "', 'unit': 'ns'}"

/* Half of each mean, and a deviation as large as itself: only where that is so in every series. */
static void upstreams_halved_values_are_doubled(void **state) {
    (void)state;
    fmt_night *night =
        run_of("customSmallerIsBetter",
               BENCH("No instrumentation", "40", "40.01") "," BENCH("Binary file", "900", "910"));
    expect_mean(value_at(night, 0), "No instrumentation", 80, NAN, NAN);
    expect_mean(value_at(night, 1), "Binary file", 1800, NAN, NAN);
    assert_int_equal(night->notes->len > 0, 1);
    assert_string_equal(night->notes->pdata[0], FMT_HALVED);
    fmt_night_free(night);
    static const char *const whole[] = {
        BENCH("No instrumentation", "40", "0.2") "," BENCH("Binary file", "900", "910"),
        BENCH("encode", "40", "40.01") "," BENCH("decode", "900", "910"),
        BENCH("No instrumentation", "40", "40.01")};
    for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
        night = run_of("customSmallerIsBetter", whole[i]);
        assert_true(value_at(night, 0)->mean_ns == 40);
        fmt_night_free(night);
    }
}

/* That one of them failed leaves the others half of what they were. */
static void a_failed_series_hides_no_halving(void **state) {
    (void)state;
    fmt_night *night =
        run_of("customSmallerIsBetter",
               BENCH("No instrumentation", "40", "40.01") "," BENCH(
                   "Binary file", "900",
                   "910") ","
                          "{'name': 'Text file', 'value': null, 'range': null, 'unit': 'ns'}");
    expect_values(night, 2, 1);
    expect_mean(value_at(night, 0), "No instrumentation", 80, NAN, NAN);
    expect_mean(value_at(night, 1), "Binary file", 1800, NAN, NAN);
    fmt_night_free(night);
}

#define RUN(date, benches) "{'date': " date ", 'benches': [" benches "]}"

/* A history is not lost with one of its runs; a date in seconds is no date of 1970. */
static void a_bad_run_is_left_out_alone(void **state) {
    (void)state;
    g_autoptr(GPtrArray) nights =
        nights_of("github",
                  "{'entries': {'s': [" RUN("1700000000000", BENCH("a", "1", "")) "," RUN(
                      "1700100000000",
                      BENCH("a", "1", "") "," BENCH(
                          "a", "2", "")) "," RUN("1700200000",
                                                 BENCH("", "1", "") "," BENCH("a", "3", "")) "]}}",
                  NULL);
    assert_int_equal(nights->len, 3);
    const fmt_night *bad = nights->pdata[1], *early = nights->pdata[2];
    assert_int_equal(bad->values->len, 0);
    expect_left(bad, 0, "its run", "entries.s[1].benches[1]: \"a\" is there twice");
    expect_left(early, 0, "", "has no name");
    expect_mean(value_at(early, 0), "a", 3, NAN, NAN);
    assert_int_equal(early->time_ms, -1);
}

static void runs_of_every_suite(void **state) {
    (void)state;
    g_autoptr(GPtrArray) nights = nights_of(
        "github",
        "window.BENCHMARK_DATA = {'entries': {'first': [{'commit': {'id': 'abc', 'message':"
        " 'a change', 'timestamp': '2023-11-13T00:00:00Z', 'author': {'name': 'N. N.'}}, 'date':"
        " 1700000000000, 'benches': [{'name': 'x', 'value': 1, 'unit': 'ns'}]}, {'benches': []}],"
        " 'second': [{'date': -5, 'benches': [{'name': 'y', 'value': 2, 'unit': 's'}]}], 'none':"
        " []}};\n",
        NULL);
    assert_int_equal(nights->len, 3);
    const fmt_night *one = nights->pdata[0];
    assert_string_equal(one->suite, "first");
    assert_true(one->time_ms == INT64_C(1700000000000));
    assert_true(one->commit_ms == INT64_C(1699833600000));
    assert_string_equal(one->sha, "abc");
    assert_string_equal(one->subject, "a change");
    assert_string_equal(one->author, "N. N.");
    expect_values(nights->pdata[1], 0, 0);
    assert_string_equal(((fmt_night *)nights->pdata[2])->suite, "second");
    assert_true(((fmt_night *)nights->pdata[2])->time_ms == -1);
}

/* Of a pull request "timestamp" is its repository's. */
static void when_a_commit_was_made(void **state) {
    (void)state;
    static const char *const urls[] = {"https://h/o/r/commit/abc",
                                       "https://h/o/r/pull/1/commits/abc"};
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
        g_autofree char *text = g_strdup_printf(
            "{'entries': {'s': [{'date': 1700000000000, 'commit': {'id': 'abc', 'url': '%s',"
            " 'timestamp': '1970-01-02T00:00:00Z'},"
            " 'benches': [{'name': 'a', 'value': 1, 'unit': 'ns'}]}]}}",
            urls[i]);
        fmt_night *night = night_of("github", text);
        assert_int_equal(night->commit_ms, i == 0 ? 86400000 : -1);
        assert_int_equal(night->notes->len, i);
        fmt_night_free(night);
    }
}

/* A date is milliseconds; beyond the year 33658 it is a mistake and not taken for one, and before
 * 1973 it is one in seconds. */
static void dates_at_the_edge(void **state) {
    (void)state;
    static const struct {
        const char *date;
        gint64 ms;
    } cases[] = {{"0", -1},
                 {"1", -1},
                 {"1700000000", -1},
                 {"100000000001", INT64_C(100000000001)},
                 {"1e15", -1},
                 {"'2024-01-01'", -1},
                 {"null", -1},
                 {"-8", -1},
                 {"1704067199999", INT64_C(1704067199999)}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("{'entries': {'s': [{'date': %s, 'benches': []}]}}", cases[i].date);
        fmt_night *night = night_of("github", text);
        assert_true(night->time_ms == cases[i].ms);
        fmt_night_free(night);
    }
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "[3]",
                                        "[{'name': 'a'}]",
                                        "[{'value': 3}]",
                                        "{'entries': []}",
                                        "{'entries': 3}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("github", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_one_run),
        cmocka_unit_test(every_form_of_a_range),
        cmocka_unit_test(what_a_range_is_the_tool_decides),
        cmocka_unit_test(what_is_a_difference_says_so),
        cmocka_unit_test(repetitions_are_loops_and_aggregates_are_none),
        cmocka_unit_test(a_time_of_which_more_is_better),
        cmocka_unit_test(a_throughput_is_no_time_of_a_call),
        cmocka_unit_test(lines_of_go),
        cmocka_unit_test(what_forks_write),
        cmocka_unit_test(equal_names_are_told_apart_or_refused),
        cmocka_unit_test(a_rate_is_turned_over),
        cmocka_unit_test(numbers_as_text_are_read_and_the_rest_is_left_out),
        cmocka_unit_test(other_units_are_kept_as_they_are),
        cmocka_unit_test(the_deviation_of_moobenchs_loops),
        cmocka_unit_test(upstreams_halved_values_are_doubled),
        cmocka_unit_test(a_failed_series_hides_no_halving),
        cmocka_unit_test(a_bad_run_is_left_out_alone),
        cmocka_unit_test(runs_of_every_suite),
        cmocka_unit_test(when_a_commit_was_made),
        cmocka_unit_test(dates_at_the_edge),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
