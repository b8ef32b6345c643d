#include "tests/unit/test.h"

#include "config/number.h"

static void digits_only(void **state) {
    (void)state;
    const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"007", 7},
                {"18446744073709551615", UINT64_MAX},
                {"00000000000000000000000000000000005", 5}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t value = 1;
        assert_true(cfg_number_unsigned(good[i].text, 0, UINT64_MAX, &value));
        assert_true(value == good[i].value);
    }
    const char *const bad[] = {NULL, "",   " 1", "1 ", "+1",  "-1",
                               "0x", "1.", "1e", "１", "1\n", "18446744073709551616"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t value = 7;
        if (cfg_number_unsigned(bad[i], 0, UINT64_MAX, &value))
            fail_msg("accepted %s", bad[i]);
        assert_int_equal(value, 7);
    }
}

static void bounds_belong_to_it(void **state) {
    (void)state;
    uint64_t value = 9;
    assert_true(cfg_number_unsigned("5", 5, 5, &value));
    assert_int_equal(value, 5);
    assert_false(cfg_number_unsigned("4", 5, 6, &value));
    assert_false(cfg_number_unsigned("7", 5, 6, &value));
}

static void signed_ones(void **state) {
    (void)state;
    int64_t value = 1;
    assert_true(cfg_number_signed("-9223372036854775808", INT64_MIN, INT64_MAX, &value));
    assert_true(value == INT64_MIN);
    assert_true(cfg_number_signed("9223372036854775807", INT64_MIN, INT64_MAX, &value));
    assert_true(value == INT64_MAX);
    assert_true(cfg_number_signed("-0", 0, 1, &value));
    assert_int_equal(value, 0);
    const char *const bad[] = {
        NULL, "", "-", "--1", "+1", "9223372036854775808", "-9223372036854775809"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cfg_number_signed(bad[i], INT64_MIN, INT64_MAX, &value));
    assert_false(cfg_number_signed("-1", 0, 9, &value));
}

static void hexadecimal_ones(void **state) {
    (void)state;
    g_autofree char *forty = g_strnfill(40, 'a'), *sixty_four = g_strnfill(64, '0');
    assert_true(cfg_is_commit(forty) && cfg_is_commit(sixty_four) && cfg_is_sha256(sixty_four));
    assert_false(cfg_is_sha256(forty));
    forty[39] = 'g';
    sixty_four[0] = 'A';
    assert_false(cfg_is_commit(forty) || cfg_is_commit(sixty_four) || cfg_is_sha256(sixty_four));
    assert_false(cfg_is_commit("") || cfg_is_commit("HEAD") || cfg_is_commit(sixty_four + 1));
    assert_false(cfg_is_commit(NULL) || cfg_is_sha256(NULL) || cfg_is_sha256(sixty_four + 1));
}

static void times_of_day(void **state) {
    (void)state;
    static const struct {
        const char *text;
        char end;
        int minute;
    } cases[] = {{"00:00", '\0', 0},   {"23:59", '\0', 1439}, {"07:05-08:00", '-', 425},
                 {"24:00", '\0', -1},  {"12:60", '\0', -1},   {"7:05", '\0', -1},
                 {"07:05 ", '\0', -1}, {"07:05", '-', -1},    {"", '\0', -1},
                 {NULL, '\0', -1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_int_equal(cfg_clock_read(cases[i].text, cases[i].end), cases[i].minute);
    assert_true(cfg_is_clock("03:00"));
    assert_false(cfg_is_clock("03:00-04:00"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_only), cmocka_unit_test(hexadecimal_ones),
        cmocka_unit_test(bounds_belong_to_it), cmocka_unit_test(signed_ones),
        cmocka_unit_test(times_of_day)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
