#include "tests/unit/test.h"

#include "config/number.h"

static void days_of_the_calendar(void **state) {
    (void)state;
    /* R: as.integer(as.Date("2013-04-17")) and so on; GDate counts from 0001-01-01 = 1 */
    const struct {
        const char *text;
        int days; /* since 1970-01-01 */
    } cases[] = {{"1970-01-01", 0},     {"2013-04-17", 15812},  {"2000-02-29", 11016},
                 {"2100-02-28", 47540}, {"1969-12-31", -1},     {"0001-01-01", -719162},
                 {"2026-11-22", 20779}, {"9999-12-31", 2932896}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GDate date;
        assert_true(cfg_date_read(cases[i].text, &date));
        assert_int_equal((int)g_date_get_julian(&date) - 719163, cases[i].days);
    }
}

static void what_is_no_day(void **state) {
    (void)state;
    const char *const texts[] = {NULL,         "",           "2013-04-1",   "2013-04-171",
                                 "2013-4-17",  "2013/04/17", "2013-02-29",  "2100-02-29",
                                 "2013-00-10", "2013-13-10", "2013-04-31",  "2013-04-00",
                                 "0000-01-01", "+013-04-17", " 2013-04-17", "2013-04-17 "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        GDate date;
        assert_false(cfg_date_read(texts[i], &date));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(days_of_the_calendar),
                                       cmocka_unit_test(what_is_no_day)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
