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

static void binaries_tell_equal_names_apart(void **state) {
    (void)state;
    fmt_night *night = night_of("libtest", "Running benches/a.rs (x)\n"
                                           "test t ... bench: 1 ns/iter (+/- 0)\n"
                                           "Running benches/b.rs (y)\n"
                                           "test t ... bench: 2 ns/iter (+/- 0)\n");
    expect_mean(value_at(night, 0), "t [benches/a.rs]", 1, NAN, NAN);
    expect_mean(value_at(night, 1), "t [benches/b.rs]", 2, NAN, NAN);
    fmt_night_free(night);
}

static void another_tools_text(void **state) {
    (void)state;
    static const char *const texts[] = {"", "bench:           6 ns/iter (+/- 0)\n",
                                        "test a ... ok\n", "x ... bench: 1 ns/iter\n"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("libtest", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_without_their_deviations),
        cmocka_unit_test(binaries_tell_equal_names_apart),
        cmocka_unit_test(another_tools_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
