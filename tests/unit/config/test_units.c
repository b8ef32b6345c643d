#include "tests/unit/test.h"

#include "config/units.h"

static void times(void **state) {
    (void)state;
    const struct {
        const char *unit;
        double ns;
    } rows[] = {{"ns", 1},       {"us", 1e3},        {"µs", 1e3},      {"\u03bcs", 1e3},
                {"ms", 1e6},     {"s", 1e9},         {"min", 60e9},    {"ms/op", 1e6},
                {"s/iter", 1e9}, {"ns per call", 1}, {"seconds", 1e9}, {"parsec", 0},
                {"", 0},         {"MB", 0},          {"n", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(cfg_unit_ns(rows[i].unit) == rows[i].ns);
    assert_true(cfg_unit_ns(NULL) == 0);
}

static void rates(void **state) {
    (void)state;
    assert_true(cfg_unit_rate_ns("ops/s") == 1e9);
    assert_true(cfg_unit_rate_ns("ops/ms") == 1e6);
    assert_true(cfg_unit_rate_ns("ns/op") == 0);
    assert_true(cfg_unit_rate_ns("ops") == 0);
    assert_true(cfg_unit_rate_ns("ops/") == 0);
    assert_true(cfg_unit_rate_ns(NULL) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(times), cmocka_unit_test(rates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
