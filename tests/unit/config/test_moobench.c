#include "tests/unit/test.h"

#include "config/moobench.h"

#define TOO_LONG "raw-1-10-0123456789012345678901234567890123456789012345678901234567890.csv"

static void raw_names(void **state) {
    (void)state;
    cfg_moobench_raw raw;
    assert_true(cfg_moobench_raw_name("raw-3-10-4.csv", &raw));
    assert_int_equal(raw.loop, 3);
    assert_int_equal(raw.depth, 10);
    assert_string_equal(raw.configuration, "4");
    assert_true(cfg_moobench_raw_name("raw-999999999-0-otel.v-2_x.csv", &raw));
    assert_int_equal(raw.loop, 999999999);
    assert_string_equal(raw.configuration, "otel.v-2_x");
}

static void other_names(void **state) {
    (void)state;
    const char *const names[] = {"",
                                 "raw-",
                                 "raw-1-10-.csv",
                                 "raw-1-10-0.csv.bak",
                                 "raw-1-10.csv",
                                 "raw--10-0.csv",
                                 "raw-1-10-../x.csv",
                                 "raw-1-10-a/b.csv",
                                 "raw-1-10--.csv",
                                 "raw-1234567890-10-0.csv",
                                 "raw-1-10-0.csv\n",
                                 "Raw-1-10-0.csv",
                                 TOO_LONG,
                                 "raw-1-10-csv"};
    cfg_moobench_raw raw;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(cfg_moobench_raw_name(names[i], &raw));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(raw_names), cmocka_unit_test(other_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
