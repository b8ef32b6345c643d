/* go test -bench, as text and as -json. */
#include "tests/unit/config/formats/reader.h"

static void counts_are_loops(void **state) {
    (void)state;
    fmt_night *night = night_of("gotest", "goos: linux\npkg: example.org/a\ncpu: AMD EPYC\r\n"
                                          "BenchmarkNone-2      \t 1795507\t        38.5 ns/op\n"
                                          "BenchmarkNone-2      \t 5430406\t        24.5 ns/op\r\n"
                                          "BenchmarkSpan/depth=8-2   19592   3165 ns/op  12.5 MB/s"
                                          "   48 B/op   2 allocs/op\n"
                                          "--- SKIP: BenchmarkSkipped\n--- FAIL: BenchmarkBad-2\n"
                                          "BenchmarkOdd-2 \t 10 \t 5 records/op\nPASS\nok a 1s\n");
    expect_values(night, 2, 3);
    assert_true(value_at(night, 0)->mean_ns == 31.5);
    expect_loops(value_at(night, 0), 2, 2);
    expect_mean(value_at(night, 1), "BenchmarkSpan/depth=8-2", 3165, NAN, NAN);
    assert_true(value_at(night, 1)->allocated_bytes == 48);
    expect_left(night, 0, "BenchmarkSkipped", "was skipped");
    expect_left(night, 1, "BenchmarkBad-2", "has failed");
    expect_left(night, 2, "BenchmarkOdd-2", "no ns/op");
    expect_machine(night, "{'goos': 'linux', 'cpu': 'AMD EPYC'}");
    fmt_night_free(night);
}

static void packages_tell_equal_names_apart(void **state) {
    (void)state;
    fmt_night *night = night_of("gotest", "pkg: a\nBenchmarkX 1 2 ns/op\npkg: b\n"
                                          "BenchmarkX 1 3 ns/op\n");
    expect_mean(value_at(night, 0), "BenchmarkX [a]", 2, NAN, NAN);
    expect_mean(value_at(night, 1), "BenchmarkX [b]", 3, NAN, NAN);
    fmt_night_free(night);
}

/* Go says the machine before its benchmarks: those of another one are no loops of these. */
static void machines_tell_equal_names_apart(void **state) {
    (void)state;
#define ON(arch, ns) "goos: linux\ngoarch: " arch "\npkg: a\ncpu: X\nBenchmarkX-2 1 " ns " ns/op\n"
    fmt_night *night = night_of("gotest", ON("amd64", "2") ON("arm64", "9") ON("amd64", "4"));
    expect_values(night, 2, 0);
    assert_string_equal(value_at(night, 0)->name, "BenchmarkX-2 [a, goarch: amd64]");
    assert_true(value_at(night, 0)->mean_ns == 3);
    expect_mean(value_at(night, 1), "BenchmarkX-2 [a, goarch: arm64]", 9, NAN, NAN);
    fmt_night_free(night);
    night = night_of("gotest", ON("arm64", "9") ON("amd64", "2")); /* in whatever order */
    expect_mean(value_at(night, 0), "BenchmarkX-2 [a, goarch: arm64]", 9, NAN, NAN);
    expect_mean(value_at(night, 1), "BenchmarkX-2 [a, goarch: amd64]", 2, NAN, NAN);
    fmt_night_free(night);
    night = night_of("gotest", "goarch: amd64\npkg: a\n--- FAIL: BenchmarkX-2\n" ON("arm64", "9"));
    expect_mean(value_at(night, 0), "BenchmarkX-2 [a, goarch: arm64]", 9, NAN, NAN);
    fmt_night_free(night);
}

/* Files of several commits, joined for benchstat, are no loops of one. */
static void commits_tell_equal_names_apart(void **state) {
    (void)state;
    fmt_night *night = night_of("gotest", "commit: aa\npkg: x\nBenchmarkX-2 1 5 ns/op\n"
                                          "BenchmarkX-2 1 7 ns/op\n"
                                          "commit: bb\npkg: x\nBenchmarkX-2 1 9 ns/op\n");
    expect_values(night, 2, 0);
    assert_string_equal(value_at(night, 0)->name, "BenchmarkX-2 [x]");
    assert_true(value_at(night, 0)->mean_ns == 6);
    expect_mean(value_at(night, 1), "BenchmarkX-2 [x, commit: bb]", 9, NAN, NAN);
    expect_machine(night, "{}");
    fmt_night_free(night);
}

/* A metric of the benchmark's own may be a time, too: Go sorts them by their names, so that the
 * first one is no better than the next. */
static void a_time_beside_the_time(void **state) {
    (void)state;
    fmt_night *night =
        night_of("gotest", "BenchmarkX 1 7 us/op 100 ns/op 3 spans/op\n"
                           "BenchmarkY 1 5 spans/op 7 us/op 8 p99-us/op\n"
                           "BenchmarkZ 1 7 ms/op 8 us/op\nBenchmarkV 1 2 spans/op\n");
    expect_values(night, 2, 2);
    expect_mean(value_at(night, 0), "BenchmarkX", 100, NAN, NAN);
    expect_mean(value_at(night, 1), "BenchmarkY", 7000, NAN, NAN);
    expect_left(night, 0, "BenchmarkZ", "nor one other time per call");
    expect_left(night, 1, "BenchmarkV", "it has no ns/op");
    expect_note(night, "beside the times, not read: us/op, spans/op, p99-us/op, ms/op");
    fmt_night_free(night);
}

#define EVENT(package, output)                                                                     \
    "{'Time': '2026-11-27T17:16:48.69Z', 'Action': 'output', 'Package': '" package                 \
    "', 'Output': '" output "'}\n"

/* A line comes in pieces, and between those of one package stand others. */
static void events_of_packages_beside_each_other(void **state) {
    (void)state;
    fmt_night *night =
        night_of("gotest", "{'Action': 'start', 'Package': 'a'}\n" EVENT("a", "BenchmarkX-2 \\t")
                               EVENT("b", "BenchmarkX-2 \\t 10 \\t 9 ns/op\\n")
                                   EVENT("a", " 100\\t 154.5 ns/op\\n")
                                       EVENT("a", "BenchmarkX-2 \\t 10 \\t 155.5 ns/op\\n"));
    expect_values(night, 2, 0);
    assert_string_equal(value_at(night, 0)->name, "BenchmarkX-2 [a]");
    assert_true(value_at(night, 0)->mean_ns == 155);
    expect_mean(value_at(night, 1), "BenchmarkX-2 [b]", 9, NAN, NAN);
    assert_true(night->time_ms == INT64_C(1795799808000));
    fmt_night_free(night);
}

/* A history knows by both whose it is: its package is there, be the other one in the file or not.
 */
static void a_name_alone_has_its_package(void **state) {
    (void)state;
    fmt_night *night = night_of("gotest", "pkg: b\nBenchmarkX 1 9 ns/op\nBenchmarkY 1 0 ns/op\n");
    expect_values(night, 1, 1);
    expect_mean(value_at(night, 0), "BenchmarkX", 9, NAN, NAN);
    assert_string_equal(value_at(night, 0)->alone, "BenchmarkX");
    assert_string_equal(value_at(night, 0)->full, "BenchmarkX [b]");
    assert_string_equal(((const fmt_left *)night->left->pdata[0])->full, "BenchmarkY [b]");
    assert_true(night->lasting);
    fmt_night_free(night);
}

/* Since Go 1.24 what the compiler says comes before them, and is of no package. */
static void events_of_a_build(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "gotest", "{'ImportPath': 'b [b.test]', 'Action': 'build-output', 'Output': '# b'}\n"
                  "{'ImportPath': 'b [b.test]', 'Action': 'build-fail'}\n"
                  "{'Action': 'fail', 'Package': 'b', 'FailedBuild': 'b [b.test]'}\n" EVENT(
                      "a", "BenchmarkX-2 \\t 10 \\t 9 ns/op\\n"));
    expect_values(night, 1, 1);
    expect_mean(value_at(night, 0), "BenchmarkX-2", 9, NAN, NAN);
    expect_left(night, 0, "b [b.test]", "was not built");
    fmt_night_free(night);
    expect_refused("gotest", "{'ImportPath': 'b', 'Action': 'build-fail'}\n{'ImportPath': 'c'}");
    expect_wrong("gotest", EVENT("a", "x") "{'Package': 'a'}", "[1]: an event without Action");
}

/* Its name stands on the line before. */
static void a_panic_of_events_is_told(void **state) {
    (void)state;
    fmt_night *night = night_of("gotest", EVENT("a", "BenchmarkV\\nBenchmarkV-2\\t10\\t9 ns/op\\n")
                                              EVENT("a", "BenchmarkP\\npanic: x\\n")
                                                  EVENT("a", "FAIL\\ta\\t1s\\n"));
    expect_values(night, 1, 2);
    expect_left(night, 0, "BenchmarkP", "no result in its line: \"panic: x\"");
    expect_left(night, 1, "a", "has failed");
    fmt_night_free(night);
}

/* A benchmark that prints breaks its own line; with -v its name stands alone before. */
static void a_broken_line_is_told(void **state) {
    (void)state;
    fmt_night *night = night_of("gotest", "pkg: x\nBenchmarkV\nBenchmarkV-2\t10\t9 ns/op\n"
                                          "BenchmarkA-2 \thello\n 100\t 10 ns/op\n"
                                          "BenchmarkB-2 \t100\t 3 MB/s\nBenchmarking it\n"
                                          "BenchmarkC-2 \tpanic: boom\nFAIL\tx\t0.1s\n"
                                          "FAIL\ty [build failed]\nFAIL\n");
    expect_values(night, 1, 5);
    expect_mean(value_at(night, 0), "BenchmarkV-2", 9, NAN, NAN);
    expect_left(night, 0, "BenchmarkA-2", "no result in its line: \" \thello\"");
    expect_left(night, 1, "BenchmarkB-2", "3 MB/s");
    expect_left(night, 2, "BenchmarkC-2", "panic: boom");
    expect_left(night, 3, "x", "has failed: what came after may be missing");
    expect_left(night, 4, "y", "has failed");
    fmt_night_free(night);
}

static void another_tools_text(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "goos: linux\nPASS\n",
                                        "BenchmarkNone-2\n",
                                        "None-2  29.21n ± 261%\n",
                                        "Benchmark 1: true\n",
                                        "{'Action': 'start'}",
                                        "[]"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("gotest", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_loops),
        cmocka_unit_test(packages_tell_equal_names_apart),
        cmocka_unit_test(events_of_packages_beside_each_other),
        cmocka_unit_test(events_of_a_build),
        cmocka_unit_test(a_name_alone_has_its_package),
        cmocka_unit_test(a_panic_of_events_is_told),
        cmocka_unit_test(a_broken_line_is_told),
        cmocka_unit_test(machines_tell_equal_names_apart),
        cmocka_unit_test(commits_tell_equal_names_apart),
        cmocka_unit_test(a_time_beside_the_time),
        cmocka_unit_test(another_tools_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
