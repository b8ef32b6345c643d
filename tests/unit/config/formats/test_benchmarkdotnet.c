/* BenchmarkDotNet's JSON, full and brief. */
#include "tests/unit/config/formats/reader.h"

#define FILE_OF(benchmarks)                                                                        \
    "{'Title': 'x', 'HostEnvironmentInfo': {'ProcessorName': 'CPU X', 'ChronometerFrequency':"     \
    " {'Hertz': 1}}, 'Benchmarks': [" benchmarks "]}"
#define RESULT(launch, operations, ns)                                                             \
    "{'IterationMode': 'Workload', 'IterationStage': 'Result', 'LaunchIndex': " launch             \
    ", 'Operations': " operations ", 'Nanoseconds': " ns "}"

static void launches_are_loops(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "benchmarkdotnet",
        FILE_OF("{'FullName': 'N.B.Span(depth: 1)', 'Statistics': {'Mean': 99, 'OriginalValues':"
                " [1]}, 'Memory': {'BytesAllocatedPerOperation': 24}, 'Measurements': ["
                "{'IterationMode': 'Overhead', 'IterationStage': 'Actual', 'LaunchIndex': 1,"
                " 'Operations': 1, 'Nanoseconds': 1000}," RESULT("1", "10", "100") "," RESULT(
                    "1", "10", "120") "," RESULT("2", "10", "130") "]}"));
    expect_values(night, 1, 0);
    const fmt_value *value = value_at(night, 0);
    assert_string_equal(value->name, "N.B.Span(depth: 1)");
    assert_true(value->mean_ns == 12 && value->allocated_bytes == 24);
    expect_loops(value, 2, 3);
    expect_machine(night, "{'ProcessorName': 'CPU X'}");
    fmt_night_free(night);
}

/* Its interval is of 99.9 %, and in the brief file there are no measurements. */
static void one_launch_has_the_tools_mean(void **state) {
    (void)state;
    fmt_night *night =
        night_of("benchmarkdotnet",
                 FILE_OF("{'FullName': 'B.A', 'Statistics': {'OriginalValues': [8, 10], 'Mean': 9,"
                         " 'ConfidenceInterval': {'Level': 12, 'Lower': 1, 'Upper': 20}}}"));
    expect_mean(value_at(night, 0), "B.A", 9, NAN, NAN);
    expect_loops(value_at(night, 0), 0, 2);
    expect_note(night, "BenchmarkDotNet's own interval is not read: it is over iterations of one "
                       "process");
    fmt_night_free(night);
}

static void what_did_not_run_is_left_out(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "benchmarkdotnet",
        FILE_OF("{'FullName': 'B.Failed', 'Statistics': null}, {'Statistics': {}}, {'FullName':"
                " 'B.Empty', 'Statistics': {'Mean': 0}}, {'FullName': 'B.A', 'DisplayInfo': 'A:"
                " .NET 8', 'Statistics': {'Mean': 1}}, {'FullName': 'B.A', 'DisplayInfo':"
                " 'A: .NET 9', 'Statistics': {'Mean': 2}}"));
    expect_values(night, 2, 3);
    expect_left(night, 0, "B.Failed", "did not run to its end");
    expect_left(night, 2, "B.Empty", "is 0: nothing was measured");
    expect_mean(value_at(night, 0), "B.A [A: .NET 8]", 1, NAN, NAN);
    expect_mean(value_at(night, 1), "B.A [A: .NET 9]", 2, NAN, NAN);
    fmt_night_free(night);
}

static void another_tools_json(void **state) {
    (void)state;
    expect_needs("benchmarkdotnet", "HostEnvironmentInfo", "Benchmarks");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_loops),
        cmocka_unit_test(one_launch_has_the_tools_mean),
        cmocka_unit_test(what_did_not_run_is_left_out),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
