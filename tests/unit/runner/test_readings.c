#include "tests/unit/runner/test.h"

#include "runner/readings.h"

#include <unistd.h>

static void test_stat(void **state) {
    (void)state;
    const struct {
        const char *text;
        uint64_t expected;
    } cases[] = {{"cpu  100 20 30 4000 500 6 7 8 90 0\ncpu0 1 2 3\n", 100 + 20 + 30 + 6 + 7 + 8},
                 {"cpu  100 20 30 4000\n", 150}, /* Linux 2.4 had only four */
                 {"cpu  100 20\n", 0},
                 {"nonsense", 0},
                 {"", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run_readings_parse_stat(cases[i].text), cases[i].expected);
    }
}

static void test_between(void **state) {
    (void)state;
    uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
    const struct {
        double busy_s, own_s, expected_percent;
    } cases[] = {{10, 10, 0}, {10.5, 10, 5}, {20, 10, 100}, {9.9, 10, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_readings before = {
            .at_us = 5000000, .busy_ticks = 1000, .own_cpu_seconds = 3, .load1 = 0.25};
        run_readings after = {.at_us = 15000000,
                              .busy_ticks = 1000 + (uint64_t)(cases[i].busy_s * (double)ticks),
                              .own_cpu_seconds = 3 + cases[i].own_s,
                              .load1 = 1};
        json_t *out = run_readings_between(&before, &after);
        assert_float_equal(json_real_value(json_object_get(out, "others_cpu_percent")),
                           cases[i].expected_percent, 1e-9);
        assert_float_equal(json_real_value(json_object_get(out, "load1")), 0.25, 0);
        json_decref(out);
    }
}

static void test_take_moves_on(void **state) {
    (void)state;
    run_readings before, after;
    run_readings_take(&before);
    run_readings_take(&after);
    assert_true(before.busy_ticks > 0);
    assert_true(after.at_us >= before.at_us && after.busy_ticks >= before.busy_ticks);
    assert_true(after.own_cpu_seconds >= before.own_cpu_seconds);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stat), cmocka_unit_test(test_between),
                                       cmocka_unit_test(test_take_moves_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
