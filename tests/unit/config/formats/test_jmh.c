/* JMH -rf json: rawData has a list of iterations for every fork; a fork's mean is one value. */
#include "tests/unit/config/formats/reader.h"

static fmt_night *metric(const char *metric) {
    g_autofree char *text =
        g_strdup_printf("[{'benchmark': 'o.Bench.run', 'primaryMetric': {%s}}]", metric);
    return night_of("jmh", text);
}

/* JMH's own interval is of 99.9 % over iterations; ours is of 95 % over forks, from R:
 * t.test(c(1500, 2000, 3000))$conf.int: 269.3751 4063.9582 */
static void forks_are_the_loops(void **state) {
    (void)state;
    fmt_night *night = metric("'score': 99, 'scoreUnit': 'us/op', 'scoreConfidence': [1.5, 2.5],"
                              " 'rawData': [[1, 2], [2, 2, 2], [3]]");
    assert_string_equal(night->format, "jmh");
    const fmt_value *value = value_at(night, 0);
    expect_loops(value, 3, 6);
    assert_true(is_near(value->mean_ns, (1500 + 2000 + 3000) / 3.0));
    assert_true(fabs(value->low_ns - 269.3751) < 1e-3 && fabs(value->high_ns - 4063.9582) < 1e-3);
    fmt_night_free(night);
}

static void without_raw_data_the_score_counts(void **state) {
    (void)state;
    fmt_night *night = metric("'score': 0.25, 'scoreUnit': 'ms/op', 'scoreConfidence': [0.2, 0.3]");
    expect_mean(value_at(night, 0), "o.Bench.run", 2.5e5, NAN, NAN);
    expect_loops(value_at(night, 0), 0, 0);
    fmt_night_free(night);
}

static void the_interval_of_one_fork_is_told(void **state) {
    (void)state;
    fmt_night *night = metric("'score': 2, 'scoreUnit': 'ns/op', 'scoreError': 'NaN', 'rawData':"
                              " [[2]]");
    assert_int_equal(night->notes->len, 0);
    fmt_night_free(night);
    night = metric("'score': 2, 'scoreUnit': 'ns/op', 'scoreError': 0.5, 'rawData': [[1, 3]]");
    expect_mean(value_at(night, 0), "o.Bench.run", 2, NAN, NAN);
    expect_note(night, "JMH's own interval is not read: it is of 99.9 %, over iterations of one "
                       "process");
    fmt_night_free(night);
}

/* Mode sample: [time, calls] of each iteration of a fork. */
static void samples_of_calls_are_weighed(void **state) {
    (void)state;
    fmt_night *night = metric("'score': 99, 'scoreUnit': 'us/op', 'rawDataHistogram':"
                              " [[[[1, 3], [5, 1]], [[4, 4]]], [[[7, 1]]]]");
    const fmt_value *value = value_at(night, 0);
    expect_loops(value, 2, 2);
    assert_true(is_near(value->mean_ns, (1000 * (3 + 5 + 16) / 8.0 + 7000) / 2));
    fmt_night_free(night);
    night = metric("'score': 9, 'scoreUnit': 'us/op', 'rawDataHistogram': [[[['NaN', 3]]]]");
    expect_values(night, 0, 1);
    fmt_night_free(night);
}

/* With -foe false a fork that failed is missing. */
static void forks_that_failed_are_told(void **state) {
    (void)state;
    static const struct {
        const char *raw;
        guint loop; /* that failed; 0: none did */
    } cases[] = {{"[[1], [2], [3]]", 0}, {"[[1], [3]]", 3}, {"[[1], [], [3]]", 2}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("[{'benchmark': 'b', 'forks': 3, 'primaryMetric': {'score': 2,"
                            " 'scoreUnit': 'ns/op', 'rawData': %s}}]",
                            cases[i].raw);
        fmt_night *night = night_of("jmh", text);
        assert_true(value_at(night, 0)->mean_ns == 2);
        const GArray *failed = value_at(night, 0)->failed;
        assert_int_equal(failed->len, cases[i].loop > 0);
        if (cases[i].loop > 0) {
            assert_int_equal(g_array_index(failed, fmt_failed, 0).loop, cases[i].loop);
            assert_string_equal(g_array_index(failed, fmt_failed, 0).why, "the fork has no values");
            assert_string_equal(night->notes->pdata[0], "b: 2 of 3 forks have values");
        }
        fmt_night_free(night);
    }
}

static void throughput_is_turned_over(void **state) {
    (void)state;
    fmt_night *night = metric("'score': 2.5, 'scoreUnit': 'ops/us'");
    expect_mean(value_at(night, 0), "o.Bench.run", 400, NAN, NAN);
    fmt_night_free(night);
    night = metric("'score': 2, 'scoreUnit': 'ops/ms', 'rawData': [[1, 3], [4]]");
    assert_true(is_near(value_at(night, 0)->mean_ns, (5e5 + 2.5e5) / 2));
    fmt_night_free(night);
}

static void the_runtime_is_kept(void **state) {
    (void)state;
    fmt_night *night =
        night_of("jmh", "[{'benchmark': 'b', 'mode': 'avgt', 'jvm': '/usr/bin/java',"
                        " 'vmVersion': '21+35', 'primaryMetric': {'score': 1, 'scoreUnit':"
                        " 'ns/op'}}]");
    expect_machine(night, "{'jvm': '/usr/bin/java', 'vmVersion': '21+35'}");
    fmt_night_free(night);
}

/* Methods of a group, counters, and what profilers say but for what a call allocates. */
static void what_stands_beside_the_score_is_told(void **state) {
    (void)state;
    fmt_night *night =
        night_of("jmh", "[{'benchmark': 'b', 'primaryMetric': {'score': 1, 'scoreUnit': 'ns/op'},"
                        " 'secondaryMetrics': {'reader': {'score': 2, 'scoreUnit': 'ns/op'},"
                        " 'gc.count': {'score': 3}, 'p0.50': {'score': 1}, 'reader:p1.00': "
                        "{'score': 1}, 'gc.alloc.rate.norm': {'score': 48, 'scoreUnit':"
                        " 'B/op'}}}]");
    assert_true(value_at(night, 0)->allocated_bytes == 48);
    expect_note(night, "beside the times, not read: reader, gc.count");
    fmt_night_free(night);
}

static void parameters_are_in_the_name(void **state) {
    (void)state;
    fmt_night *night = night_of("jmh", "[{'benchmark': 'b', 'params': {'size': '10', 'kind': 'x',"
                                       " 'odd': 3}, 'primaryMetric': {'score': 1, 'scoreUnit':"
                                       " 'ns/op'}}, {'primaryMetric': {'score': 2, 'scoreUnit':"
                                       " 'ns/op'}}]");
    expect_values(night, 1, 1);
    assert_string_equal(value_at(night, 0)->name, "b size=10 kind=x odd=?");
    expect_left(night, 0, "", "without benchmark");
    fmt_night_free(night);
}

#define RUN(mode, threads, score, unit)                                                            \
    "{'benchmark': 'b', 'mode': '" mode "', 'threads': " threads                                   \
    ", 'primaryMetric': {'score': " score ", 'scoreUnit': '" unit "'}}"

static void one_method_in_two_modes_is_two(void **state) {
    (void)state;
    fmt_night *night =
        night_of("jmh", "[" RUN("avgt", "1", "8", "ns/op") "," RUN(
                            "thrpt", "1", "0.5", "ops/ns") "," RUN("avgt", "4", "9", "ns/op") "]");
    expect_mean(value_at(night, 0), "b [mode=avgt threads=1]", 8, NAN, NAN);
    expect_mean(value_at(night, 1), "b [mode=thrpt threads=1]", 2, NAN, NAN);
    expect_mean(value_at(night, 2), "b [mode=avgt threads=4]", 9, NAN, NAN);
    fmt_night_free(night);
    expect_wrong("jmh", "[" RUN("avgt", "1", "8", "ns/op") "," RUN("avgt", "1", "8", "ns/op") "]",
                 "[1]: \"b\" is there twice");
}

/* Four threads whose calls take 2 ms make two calls a ms; ten calls in a batch take 20. */
static void a_call_is_one_threads_and_no_batch(void **state) {
    (void)state;
    static const struct {
        const char *metric, *note; /* NULL: there is nothing to tell */
    } cases[] = {
        {"'threads': 1, 'primaryMetric': {'score': 0.5, 'scoreUnit': 'ops/ms'", NULL},
        {"'threads': 4, 'primaryMetric': {'score': 2, 'scoreUnit': 'ops/ms'", "threads / rate"},
        {"'threads': 4, 'primaryMetric': {'score': 7, 'scoreUnit': 'ops/ms', 'rawData': [[1, 3]]",
         "threads / rate"},
        {"'threads': 4, 'primaryMetric': {'score': 2, 'scoreUnit': 'ms/op'", NULL},
        {"'measurementBatchSize': 1, 'primaryMetric': {'score': 2, 'scoreUnit': 'ms/op'", NULL},
        {"'measurementBatchSize': 10, 'primaryMetric': {'score': 7, 'scoreUnit': 'ms/op',"
         " 'rawData': [[16, 24]]",
         "measurementBatchSize"},
        {"'threads': 4, 'measurementBatchSize': 10, 'primaryMetric': {'score': 0.2, 'scoreUnit':"
         " 'ops/ms'",
         "measurementBatchSize"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("[{'benchmark': 'b', 'secondaryMetrics': {'gc.alloc.rate.norm':"
                            " {'score': 480, 'scoreUnit': 'B/op'}}, %s}}]",
                            cases[i].metric);
        fmt_night *night = night_of("jmh", text);
        const bool batch = strstr(text, "Size': 10") != NULL;
        assert_true(value_at(night, 0)->allocated_bytes == (batch ? 48 : 480));
        expect_mean(value_at(night, 0), "b", 2e6, NAN, NAN);
        assert_int_equal(night->notes->len > 0, cases[i].note != NULL);
        if (cases[i].note)
            assert_non_null(strstr(night->notes->pdata[night->notes->len - 1], cases[i].note));
        fmt_night_free(night);
    }
}

/* JMH writes "NaN" as text where a fork has too few iterations. */
static void broken_numbers_are_left_out(void **state) {
    (void)state;
    static const struct {
        const char *metric, *why; /* NULL: it is read */
    } cases[] = {
        {"'score': 1, 'scoreUnit': 'B/op'", "\"B/op\" is not a time"},
        {"'score': 1, 'scoreUnit': 'MB/sec'", "\"MB/sec\" is not a time"},
        {"'score': 1", "without benchmark, primaryMetric or scoreUnit"},
        {"'score': 'NaN', 'scoreUnit': 'ns/op'", "not a number"},
        {"'score': NaN, 'scoreUnit': 'ns/op'", "not a number"},
        {"'score': 1, 'scoreUnit': 'ns/op', 'rawData': [['NaN'], [1]]", "fork 1, iteration 1"},
        {"'score': 1, 'scoreUnit': 'ns/op', 'rawData': [[3], [-1]]", "is negative"},
        {"'score': 0, 'scoreUnit': 'ops/s'", "not a number"},
        {"'score': 0, 'scoreUnit': 'ns/op'", "is 0"},
        {"'score': 1, 'scoreUnit': 'ns/op', 'rawData': [[]]", NULL},
        {"'score': '1.0', 'scoreUnit': 'ns/op'", NULL},
        {"'score': 1, 'scoreUnit': 'ns/op', 'scoreConfidence': ['NaN', 'NaN']", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        fmt_night *night = metric(cases[i].metric);
        expect_values(night, cases[i].why == NULL, cases[i].why != NULL);
        if (cases[i].why)
            expect_left(night, 0, "o.Bench.run", cases[i].why);
        else
            expect_mean(value_at(night, 0), "o.Bench.run", 1, NAN, NAN);
        fmt_night_free(night);
    }
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {"{}", "[]", "[3]", "[{'benchmark': 'b'}]",
                                        "{'primaryMetric': {}}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("jmh", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forks_are_the_loops),
        cmocka_unit_test(without_raw_data_the_score_counts),
        cmocka_unit_test(the_interval_of_one_fork_is_told),
        cmocka_unit_test(samples_of_calls_are_weighed),
        cmocka_unit_test(forks_that_failed_are_told),
        cmocka_unit_test(throughput_is_turned_over),
        cmocka_unit_test(the_runtime_is_kept),
        cmocka_unit_test(what_stands_beside_the_score_is_told),
        cmocka_unit_test(parameters_are_in_the_name),
        cmocka_unit_test(one_method_in_two_modes_is_two),
        cmocka_unit_test(a_call_is_one_threads_and_no_batch),
        cmocka_unit_test(broken_numbers_are_left_out),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
