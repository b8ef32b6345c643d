/* libtest, as cargo bench prints it. */
#include "tests/unit/config/formats/reader.h"

static void times_without_their_deviations(void **state) {
    (void)state;
    fmt_night *night = night_of("libtest", "     Running benches/lt.rs (target/release/deps/lt-7)\n"
                                           "test counter            ... bench:   2.10 ns/iter"
                                           " (+/- 80.74)\n"
                                           "test old                ... bench:       1,234 ns/iter"
                                           " (+/- 12) = 8 MB/s\r\n"
                                           "test slow               ... bench:  3 ms/iter (+/- 1)\n"
                                           "test bad                ... FAILED\n"
                                           "test odd                ... bench:  3 cycles/iter\n"
                                           "test it_works           ... ok\n");
    expect_values(night, 3, 2);
    expect_mean(value_at(night, 0), "counter", 2.1, NAN, NAN);
    expect_mean(value_at(night, 1), "old", 1234, NAN, NAN);
    expect_mean(value_at(night, 2), "slow", 3e6, NAN, NAN);
    expect_left(night, 0, "bad", "has failed");
    expect_left(night, 1, "odd", "cannot be read");
    fmt_night_free(night);
}

#define RUNNING(file) "     Running unittests src/lib.rs (target/release/deps/" file ")\n\n"
#define TEST(ns) "running 1 test\ntest t ... bench: " ns " ns/iter (+/- 0)\n"

/* Two crates have the same source path; only the binary tells. */
static void binaries_tell_equal_names_apart(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "libtest",
        RUNNING("crate_a-61035ce61707a8e1") TEST("1") RUNNING("crate_b-757b6eddfd7cf3c9.exe")
            TEST("2") RUNNING("crate_a-61035ce61707a8e1")
                TEST("3") "   Running `/x/deps/c-757b6eddfd7cf3c9 --bench`\n"
                          "Running 3 more\n" TEST("4")
                              RUNNING("d-757b6eddfd7cf3c9") "test t ... FAILED\n");
    expect_values(night, 3, 1);
    expect_left(night, 0, "t [d]", "has failed");
    assert_string_equal(value_at(night, 0)->name, "t [crate_a]");
    expect_loops(value_at(night, 0), 2, 2); /* run again: its loops */
    expect_mean(value_at(night, 1), "t [crate_b]", 2, NAN, NAN);
    expect_mean(value_at(night, 2), "t [c]", 4, NAN, NAN);
    fmt_night_free(night);
}

/* Nobody says whether these are two benchmarks or one that ran twice. */
static void equal_names_without_a_cause(void **state) {
    (void)state;
    static const char *const texts[] = {
        TEST("1") TEST("2"),
        RUNNING("a-61035ce61707a8e1") TEST("1") "test t ... bench: 2 ns/iter (+/- 0)\n",
        RUNNING("a-61035ce61707a8e1") TEST("1") RUNNING("a-757b6eddfd7cf3c9") TEST("2")};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_wrong("libtest", texts[i], "\"t\" is there twice");
    fmt_night *night = night_of("libtest", RUNNING("a-61035ce61707a8e1") TEST("1") TEST("2"));
    expect_mean(value_at(night, 0), "t [a]", 1, NAN, NAN); /* the second one is of another */
    expect_mean(value_at(night, 1), "t", 2, NAN, NAN);
    fmt_night_free(night);
}

static void another_tools_text(void **state) {
    (void)state;
    static const char *const texts[] = {"", "bench:           6 ns/iter (+/- 0)\n",
                                        "test a ... ok\n", "x ... bench: 1 ns/iter\n"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("libtest", texts[i]);
}

/* A benchmark that prints breaks its own line. */
static void a_broken_line_is_told(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "libtest", "running 4 tests\ntest a ... hello\nbench:         100 ns/iter (+/- 5)\n"
                   "test b ... ok\ntest c ... ignored, slow\n"
                   "test d ... bench:         200 ns/iter (+/- 5)\n");
    expect_values(night, 1, 1);
    expect_mean(value_at(night, 0), "d", 200, NAN, NAN);
    expect_left(night, 0, "a", "no result in its line: \"hello\"");
    fmt_night_free(night);
    night =
        night_of("libtest", "test a ... bench: 1 ns/iter (+/- 0)\nbench:     6 ns/iter (+/- 0)\n");
    expect_values(night, 1, 1);
    expect_left(night, 0, "", "has a result without a name: \"bench:     6 ns/iter");
    fmt_night_free(night);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_line_is_told),
        cmocka_unit_test(times_without_their_deviations),
        cmocka_unit_test(binaries_tell_equal_names_apart),
        cmocka_unit_test(equal_names_without_a_cause),
        cmocka_unit_test(another_tools_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
