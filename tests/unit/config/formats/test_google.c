/*
 * Google Benchmark's --benchmark_format=json. The interval over repetitions is Student's, from R:
 *   x <- c(10, 12, 14);  t.test(x)$conf.int     # 7.031725 16.968275
 */
#include "tests/unit/config/formats/reader.h"

#define CONTEXT                                                                                    \
    "'context': {'date': '2024-03-05T23:59:59+00:00', 'host_name': 'blade', 'num_cpus': 2,"        \
    " 'cpu_scaling_enabled': false, 'caches': [{'type': 'Data'}]}"
#define LIST(runs) "{" CONTEXT ", 'benchmarks': [" runs "]}"

static void repetitions_are_one_value(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "google",
        LIST("{'name': 'A', 'run_name': 'A', 'run_type': 'iteration', 'real_time': 10, "
             "'time_unit': 'ns'},"
             "{'name': 'A', 'run_name': 'A', 'run_type': 'iteration', 'real_time': 12, "
             "'time_unit': 'ns'},"
             "{'name': 'B', 'real_time': 2, 'time_unit': 'us'},"
             "{'name': 'A', 'run_name': 'A', 'run_type': 'iteration', 'real_time': 14, "
             "'time_unit': 'ns', 'allocated_bytes_per_call': 48, 'spans': 7, 'label': 'x'},"
             "{'name': 'A_mean', 'run_name': 'A', 'run_type': 'aggregate', "
             "'aggregate_name': 'mean', 'real_time': 99}"));
    assert_string_equal(night->format, "google");
    assert_true(night->time_ms == INT64_C(1709683199000));
    expect_machine(night, "{'host_name': 'blade', 'num_cpus': 2, 'cpu_scaling_enabled': false}");
    expect_note(night, "beside the times, not read: spans");
    expect_values(night, 2, 0);
    const fmt_value *a = value_at(night, 0);
    expect_loops(a, 3, 3);
    assert_true(a->mean_ns == 12 && a->allocated_bytes == 48);
    assert_true(fabs(a->low_ns - 7.031725) < 1e-5 && fabs(a->high_ns - 16.968275) < 1e-5);
    expect_mean(value_at(night, 1), "B", 2000, NAN, NAN); /* one repetition: no interval */
    fmt_night_free(night);
}

/* --benchmark_report_aggregates_only: the mean, and its interval by the deviation of 4 repetitions:
 * qt(0.975, 3) * 2 / sqrt(4) = 3.182446; of 3 that have values qt(0.975, 2) * 2 / sqrt(3)
 * = 4.968275. */
static void aggregates_alone(void **state) {
    (void)state;
#define AGGREGATE(kind, time)                                                                      \
    "{'name': 'A_" kind "', 'run_name': 'A', 'run_type': 'aggregate', 'aggregate_name': '" kind    \
    "', %s 'real_time': " time ", 'time_unit': 'us'}"
    static const struct {
        const char *counts;
        double half;
        const char *note;
    } cases[] = {
        {"'repetitions': 4, 'iterations': 4,", 3182.446, NULL},
        {"'repetitions': 4, 'iterations': 3,", 4968.275, "A: 3 of 4 repetitions have values"},
        {"'repetitions': 4, 'iterations': 1,", NAN, "A: 1 of 4 repetitions have values"},
        {"'iterations': 4,", 3182.446, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *counts = cases[i].counts;
        g_autofree char *text = g_strdup_printf(LIST(AGGREGATE("mean", "50") "," AGGREGATE(
                                                    "median", "49") "," AGGREGATE("stddev", "2")),
                                                counts, counts, counts);
        fmt_night *night = night_of("google", text);
        expect_values(night, 1, 0);
        const fmt_value *a = value_at(night, 0);
        assert_string_equal(a->name, "A");
        assert_true(a->mean_ns == 50000);
        assert_true(isnan(cases[i].half) ? isnan(a->high_ns)
                                         : fabs(a->high_ns - 50000 - cases[i].half) < 1e-2);
        assert_non_null(strstr(a->no_values, "aggregates only"));
        assert_int_equal(night->notes->len, cases[i].note != NULL);
        if (cases[i].note)
            expect_note(night, cases[i].note);
        fmt_night_free(night);
    }
}

/* A sleep of 2 ms in four threads: 0.5 ms up to 1.8.5, and 2 ms since. */
static void real_time_of_threads_is_the_files(void **state) {
    (void)state;
    static const struct {
        const char *context, *threads;
        bool told;
    } cases[] = {{"", "1", false},
                 {"", "4", true},
                 {"'library_version': 'v1.8.5'", "4", true},
                 {"'library_version': '1.8.4'", "1", false},
                 {"'library_version': 'v1.9.5'", "4", false},
                 {"'library_version': '1.10.0'", "4", false},
                 {"'library_version': ''", "4", true},
                 {"'library_version': 'v0.0.0'", "4", true},
                 {"'library_version': ''", "1", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "{'context': {%s}, 'benchmarks': [{'name': 'A', 'threads': %s, 'real_time': 500,"
            " 'time_unit': 'us'}]}",
            cases[i].context, cases[i].threads);
        fmt_night *night = night_of("google", text);
        expect_mean(value_at(night, 0), "A", 500000, NAN, NAN);
        assert_int_equal(night->notes->len, cases[i].told);
        fmt_night_free(night);
    }
}

/* Of one name but not of one registration: two benchmarks, and of no two nights the same ones. */
static void places_name_no_benchmark(void **state) {
    (void)state;
#define OF(name, family, time)                                                                     \
    "{'name': '" name "', 'run_name': '" name "', 'family_index': " family                         \
    ", 'per_family_instance_index': 0, 'real_time': " time "}"
    fmt_night *night =
        night_of("google", LIST(OF("A", "0", "5") "," OF("A", "1", "9") "," OF(
                               "B", "2", "3") "," OF("A", "0", "7") "," OF("B", "2", "4")));
    expect_values(night, 1, 1);
    expect_left(night, 0, "A", "several benchmarks have this name");
    assert_string_equal(value_at(night, 0)->name, "B");
    assert_null(value_at(night, 0)->full);
    expect_loops(value_at(night, 0), 2, 2);
    fmt_night_free(night);
}

static void what_did_not_run_is_left_out(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "google",
        LIST("{'name': 'A', 'real_time': 0, 'skipped': true, 'skip_message': 'no collector'},"
             "{'name': 'B', 'real_time': 0, 'error_occurred': true, 'error_message': 'no file'},"
             "{'name': 'C', 'real_time': 0, 'error_occurred': true, 'error_message': ''},"
             "{'name': 'D', 'real_time': 0}, {'name': 'E', 'real_time': 3, 'skipped': false}"));
    expect_values(night, 1, 4);
    expect_left(night, 0, "A", "no collector");
    expect_left(night, 1, "B", "no file");
    expect_left(night, 2, "C", "skipped with an error");
    expect_left(night, 3, "D", "is 0: nothing was measured");
    expect_mean(value_at(night, 0), "E", 3, NAN, NAN);
    fmt_night_free(night);
}

/* Of one all of whose repetitions failed, how many these are. */
static void failed_repetitions_are_counted(void **state) {
    (void)state;
#define FAILED(why)                                                                                \
    "{'name': 'A', 'real_time': 0, 'error_occurred': true, 'error_message': '" why "'}"
    fmt_night *night = night_of(
        "google", LIST(FAILED("refused") "," FAILED("timeout") ",{'name': 'E', 'real_time': 3}"));
    expect_values(night, 1, 2);
    const GArray *failed = ((const fmt_left *)night->left->pdata[0])->failed;
    assert_true(failed && failed->len == 2);
    assert_int_equal(g_array_index(failed, fmt_failed, 1).loop, 2);
    assert_string_equal(g_array_index(failed, fmt_failed, 1).why, "timeout");
    assert_null(((const fmt_left *)night->left->pdata[1])->failed);
    fmt_night_free(night);
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
        fmt_night *night = night_of("google", text);
        expect_mean(value_at(night, 0), "A", cases[i].ns, NAN, NAN);
        fmt_night_free(night);
    }
}

static void what_has_no_time_is_left_out(void **state) {
    (void)state;
    fmt_night *night =
        night_of("google", LIST("{'real_time': 1}, {'name': 'A'}, {'name': 'A', 'real_time': 'x'},"
                                "{'name': 'A', 'real_time': 1, 'time_unit': 'furlongs'}"));
    expect_values(night, 0, 4);
    expect_left(night, 3, "A", "\"furlongs\" is not a unit of time");
    fmt_night_free(night);
}

static void a_date_in_another_zone(void **state) {
    (void)state;
    static const struct {
        const char *date;
        gint64 ms;
    } cases[] = {{"2024-03-05T23:30:00-05:00", INT64_C(1709699400000)},
                 {"2024-03-05T00:30:00+02:00", INT64_C(1709591400000)},
                 {"2024-03-05T12:00:00", INT64_C(1709640000000)},
                 {"yesterday", -1},
                 {"", -1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("{'context': {'date': '%s'}, 'benchmarks': []}", cases[i].date);
        fmt_night *night = night_of("google", text);
        assert_true(night->time_ms == cases[i].ms);
        fmt_night_free(night);
    }
}

static void another_tools_json(void **state) {
    (void)state;
    expect_needs("google", "context", "benchmarks");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetitions_are_one_value),
        cmocka_unit_test(aggregates_alone),
        cmocka_unit_test(real_time_of_threads_is_the_files),
        cmocka_unit_test(places_name_no_benchmark),
        cmocka_unit_test(what_did_not_run_is_left_out),
        cmocka_unit_test(failed_repetitions_are_counted),
        cmocka_unit_test(the_unit_is_ns_unless_it_is_said),
        cmocka_unit_test(what_has_no_time_is_left_out),
        cmocka_unit_test(a_date_in_another_zone),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
