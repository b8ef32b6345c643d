/* What a night tells is as old as the night. */
#include "tests/unit/test.h"

#include "server/ground/clock.h"

static void a_night_is_over_at_noon_of_the_next_day(void **state) {
    (void)state;
    static const struct {
        const char *night;
        int64_t over_ms;
    } cases[] = {{"1970-01-01", INT64_C(129600000)},
                 {"2013-03-15", INT64_C(1363435200000)}, /* date -ud 2013-03-16T12:00 +%s */
                 {"2024-02-29", INT64_C(1709294400000)}, /* date -ud 2024-03-01T12:00 +%s */
                 {"2026-11-21", INT64_C(1795348800000)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(srv_night_over_ms(cases[i].night, INT64_MAX), cases[i].over_ms);
}

static void a_night_that_is_not_over_is_as_old_as_now(void **state) {
    (void)state;
    assert_int_equal(srv_night_over_ms("2026-11-21", 77), 77);
    assert_int_equal(srv_night_over_ms("yesterday", 77), 77);
    assert_int_equal(srv_night_over_ms("2026-02-30", 77), 77);
    assert_int_equal(srv_night_over_ms(NULL, 77), 77);
}

static void dates_survive_there_and_back(void **state) {
    (void)state;
    for (int64_t day = -800000 + 81000; day < 2000000; day += 137) {
        char text[11];
        srv_day_text(day, text);
        int64_t back = 0;
        assert_true(srv_day_read(text, &back));
        assert_int_equal(back, day);
    }
}

static void a_moment_is_told_to_the_minute(void **state) {
    (void)state;
    g_autofree char *text = srv_minute_text(INT64_C(1709294459999));
    assert_string_equal(text, "2024-03-01 12:00 UTC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_night_is_over_at_noon_of_the_next_day),
        cmocka_unit_test(a_night_that_is_not_over_is_as_old_as_now),
        cmocka_unit_test(dates_survive_there_and_back),
        cmocka_unit_test(a_moment_is_told_to_the_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
