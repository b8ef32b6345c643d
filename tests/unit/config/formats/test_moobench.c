/* MooBench's results.yaml. */
#include "tests/unit/config/formats/reader.h"

static void means_are_in_microseconds(void **state) {
    (void)state;
    fmt_night *night =
        night_of("moobench", "\nkind: Kieker-java\nexperiments:\n- timestamp: 1700000000\n"
                             "  measurements:\n    No instrumentation: [0.1, 1, 1, 1, 1, 1, 1, "
                             "1]\n    Broken: [.NAN, 1, 1, 1, 1, 1, 1, 1]\n");
    assert_string_equal(night->suite, "Kieker-java");
    assert_true(night->time_ms == INT64_C(1700000000000));
    expect_values(night, 1, 1);
    expect_mean(value_at(night, 0), "No instrumentation", 100, NAN, NAN); /* ci95 is of calls */
    expect_left(night, 0, "Broken", "not a number");
    fmt_night_free(night);
    expect_wrong("moobench", "kind: x\nexperiments: 3\n", "results.yaml");
    expect_wrong("moobench", "kind: x\nexperiments:\n- timestamp: 1\n", "measurements");
    expect_wrong("moobench",
                 "kind: x\nexperiments:\n- timestamp: 7\n  measurements:\n"
                 "    a: [1, 1, 1, 1, 1, 1, 1, 1]\n    a: [2, 1, 1, 1, 1, 1, 1, 1]\n",
                 "\"a\" is there twice in the experiment of 7");
    expect_refused("moobench", "name: x\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_in_microseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
