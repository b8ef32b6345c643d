/* pytest-benchmark's --benchmark-json: seconds. Its rounds share a process: no loops of ours. */
#include "tests/unit/config/formats/reader.h"

static void a_run_with_its_commit(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "pytest",
        "{'machine_info': {}, 'datetime': '2024-02-29T22:10:00.123456+00:00', 'commit_info':"
        " {'id': 'abcdef', 'time': '2024-02-28T20:00:00+01:00'}, 'benchmarks': [{'name': 'test_a',"
        " 'fullname': 'tests/x.py::test_a', 'stats': {'mean': 0.0025, 'rounds': 2, 'data': [0.002,"
        " 0.003]}}, {'name': 'test_b', 'stats': {'mean': 1e-9}}]}");
    assert_true(night->time_ms == INT64_C(1709244600000));
    assert_true(night->commit_ms == INT64_C(1709146800000));
    assert_string_equal(night->sha, "abcdef");
    expect_values(night, 2, 0);
    expect_mean(value_at(night, 0), "tests/x.py::test_a", 2.5e6, NAN, NAN);
    expect_loops(value_at(night, 0), 0, 2);
    expect_mean(value_at(night, 1), "test_b", 1, NAN, NAN);
    fmt_night_free(night);
}

static void where_it_ran_and_what_it_is_of(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "pytest", "{'machine_info': {'node': 'blade', 'python_version': '3.13.1',"
                  " 'python_build': ['main', 'x'], 'cpu': {'brand_raw': 'CPU X', 'count': 4,"
                  " 'flags': ['a']}}, 'commit_info': {'id': 'abc', 'dirty': true},"
                  " 'benchmarks': [{'name': 'a', 'extra_info': {'spans': 7, 'who': 'x'},"
                  " 'stats': {'mean': 1}}]}");
    expect_machine(night, "{'node': 'blade', 'python_version': '3.13.1', 'brand_raw': 'CPU X',"
                          " 'count': 4}");
    assert_string_equal(night->notes->pdata[0],
                        "what was measured had changes that its commit does "
                        "not have (commit_info.dirty)");
    expect_note(night, "beside the times, not read: spans");
    fmt_night_free(night);
}

static void what_is_not_there_is_left_out(void **state) {
    (void)state;
    fmt_night *night =
        night_of("pytest", "{'machine_info': {}, 'commit_info': {'id': null}, 'benchmarks':"
                           " [{'name': 'a'}, {'stats': {'mean': 1}}, {'name': 'b', 'stats':"
                           " {'mean': 'x'}}, 3, {'name': 'c', 'stats': {'mean': Infinity}}]}");
    expect_values(night, 0, 5);
    assert_true(night->time_ms == -1);
    assert_null(night->sha);
    fmt_night_free(night);
}

static void no_value_takes_anothers_place(void **state) {
    (void)state;
    expect_wrong("pytest",
                 "{'machine_info': {}, 'benchmarks': [{'fullname': 'a', 'stats': {'mean': 1}},"
                 " {'fullname': 'a', 'stats': {'mean': 2}}]}",
                 "benchmarks[1]: \"a\" is there twice");
    fmt_night *night = night_of(
        "pytest", "{'machine_info': {}, 'benchmarks': [{'fullname': 'a', 'group': 'g', 'stats':"
                  " {'mean': 1, 'data': [1, NaN, 'x', 1]}}, {'fullname': 'a', 'group': 'h',"
                  " 'stats': {'mean': 2}}]}");
    expect_values(night, 2, 2);
    expect_mean(value_at(night, 0), "a [g]", 1e9, NAN, NAN);
    expect_loops(value_at(night, 0), 0, 2);
    expect_left(night, 0, "a [g]", "value 2 is not a number");
    expect_left(night, 1, "a [g]", "value 3 is not a number");
    fmt_night_free(night);
}

/* --benchmark-timer: ns of some, and processor time is in no series of the wall clock. */
static void a_timer_has_its_unit_and_its_name(void **state) {
    (void)state;
    static const struct {
        const char *timer, *number, *name;
    } cases[] = {{"perf_counter", "3e-6", "a"},
                 {"monotonic", "3e-6", "a"},
                 {"perf_counter_ns", "3000", "a"},
                 {"process_time", "3e-6", "a [process_time]"},
                 {"process_time_ns", "3000", "a [process_time_ns]"},
                 {"ticks", "3e-6", "a [ticks]"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *number = cases[i].number;
        g_autofree char *text = g_strdup_printf(
            "{'machine_info': {}, 'benchmarks': [{'fullname': 'a', 'options': {'timer': '%s'},"
            " 'stats': {'mean': %s, 'data': [%s, %s]}}]}",
            cases[i].timer, number, number, number);
        fmt_night *night = night_of("pytest", text);
        expect_mean(value_at(night, 0), cases[i].name, 3000, NAN, NAN);
        assert_true(is_near(g_array_index(value_at(night, 0)->values_ns, double, 1), 3000));
        fmt_night_free(night);
    }
}

static void another_tools_json(void **state) {
    (void)state;
    expect_needs("pytest", "machine_info", "benchmarks");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_its_commit),
        cmocka_unit_test(where_it_ran_and_what_it_is_of),
        cmocka_unit_test(what_is_not_there_is_left_out),
        cmocka_unit_test(no_value_takes_anothers_place),
        cmocka_unit_test(a_timer_has_its_unit_and_its_name),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
