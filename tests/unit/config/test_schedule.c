/* Cron expressions, time zones and clock changes. Expected moments were read off a calendar; those
 * around clock changes agree with `TZ=Europe/Berlin date -d …`. */
#include "tests/unit/test.h"

#include "config/schedule.h"

#include <string.h>

static int64_t utc(const char *text) {
    g_autofree char *moment = g_strconcat(text, ":00Z", NULL);
    g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(moment, NULL);
    assert_non_null(time);
    return g_date_time_to_unix(time);
}

static void next_moments(void **state) {
    (void)state;
    const struct {
        const char *cron;
        const char *zone;
        const char *after;
        const char *expected;
    } cases[] = {
        {"0 3 * * *", NULL, "2013-04-10T02:59", "2013-04-10T03:00"},
        {"0 3 * * *", NULL, "2013-04-10T03:00", "2013-04-11T03:00"},
        {"0 0 * * *", NULL, "2013-12-31T23:59", "2014-01-01T00:00"},
        {"*/15 * * * *", NULL, "2013-04-10T03:01", "2013-04-10T03:15"},
        {"5/20 * * * *", NULL, "2013-04-10T03:26", "2013-04-10T03:45"},
        {"0 3 * * mon-fri", NULL, "2013-04-12T04:00", "2013-04-15T03:00"},
        {"0 3 * * 7", NULL, "2013-04-12T04:00", "2013-04-14T03:00"},
        {"0 3 * * 0", NULL, "2013-04-12T04:00", "2013-04-14T03:00"},
        {"0 3 * * 5-7", NULL, "2013-04-13T04:00", "2013-04-14T03:00"},
        {"0 3 29 2 *", NULL, "2013-04-10T00:00", "2016-02-29T03:00"},
        {"0 3 29 2 *", NULL, "2097-01-01T00:00", "2104-02-29T03:00"},
        {"0 3 31 * *", NULL, "2013-04-10T00:00", "2013-05-31T03:00"},
        /* both days restricted: either is enough */
        {"0 3 13 * fri", NULL, "2013-04-10T04:00", "2013-04-12T03:00"},
        {"0 3 13 * fri", NULL, "2013-04-12T04:00", "2013-04-13T03:00"},
        {"0 3 1,15 JAN-Mar,dec *", NULL, "2013-04-10T04:00", "2013-12-01T03:00"},
        {"@weekly", NULL, "2013-04-10T04:00", "2013-04-14T00:00"},
        {"@monthly", NULL, "2013-04-10T04:00", "2013-05-01T00:00"},
        {"  0   3  *  *  * ", NULL, "2013-04-10T02:59", "2013-04-10T03:00"},
        {"0 3 * * *", "Europe/Berlin", "2013-01-10T00:00", "2013-01-10T02:00"},
        {"0 3 * * *", "Europe/Berlin", "2013-07-10T00:00", "2013-07-10T01:00"},
        /* 2013-03-31 02:30 does not exist in Berlin: the clock goes from 02:00 to 03:00, which
           counts */
        {"30 2 * * *", "Europe/Berlin", "2013-03-30T12:00", "2013-03-31T01:00"},
        /* 2013-10-27 02:30 comes twice: the first time counts, the second does not fire again */
        {"30 2 * * *", "Europe/Berlin", "2013-10-26T12:00", "2013-10-27T00:30"},
        {"30 2 * * *", "Europe/Berlin", "2013-10-27T00:30", "2013-10-28T01:30"},
        {"0 3 * * *", "Asia/Kolkata", "2013-07-10T00:00", "2013-07-10T21:30"},
        {"0 3 * * *", "+02:00", "2013-07-10T00:00", "2013-07-10T01:00"},
        {"0 3 * * *", "-05", "2013-07-10T00:00", "2013-07-10T08:00"},
        {"0 3 * * *", "GMT+0", "2013-07-10T00:00", "2013-07-10T03:00"},
        /* the time zone database's own names, which have POSIX's sign */
        {"0 3 * * *", "Etc/GMT+2", "2013-07-10T00:00", "2013-07-10T05:00"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_schedule) schedule =
            cfg_schedule_new(NULL, cases[i].cron, cases[i].zone, &error);
        if (!schedule)
            fail_msg("%s: %s", cases[i].cron, error->message);
        int64_t got = cfg_schedule_next(schedule, utc(cases[i].after));
        if (got != utc(cases[i].expected)) {
            g_autoptr(GDateTime) moment = g_date_time_new_from_unix_utc(got);
            g_autofree char *text = g_date_time_format_iso8601(moment);
            fail_msg("%s after %s: %s, expected %s", cases[i].cron, cases[i].after, text,
                     cases[i].expected);
        }
    }
}

static void refuses_what_is_no_schedule(void **state) {
    (void)state;
    const char *bad[] = {"",
                         "0 3 * *",
                         "0 3 * * * *",
                         "60 3 * * *",
                         "0 24 * * *",
                         "0 3 0 * *",
                         "0 3 32 * *",
                         "0 3 * 13 *",
                         "0 3 * * 8",
                         "a 3 * * *",
                         "0 3 * * x",
                         "0 3 * * mo",
                         "5-1 3 * * *",
                         "*/0 3 * * *",
                         "1,,2 3 * * *",
                         "-1 3 * * *",
                         "0 3 30 2 *",
                         "0 3 31 4 *",
                         "@reboot",
                         "0x1 3 * * *",
                         "99999999999999999999 * * * *",
                         "* * * * *;id"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        if (cfg_schedule_new(NULL, bad[i], NULL, &error))
            fail_msg("accepted \"%s\"", bad[i]);
        assert_non_null(strstr(error->message, "schedule"));
    }
    const char *times[] = {"3:00", "24:00", "03:60", "03-00", "", "03:000", "ab:cd", NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(cfg_schedule_new(times[i], NULL, NULL, &error));
        assert_non_null(strstr(error->message, "HH:MM"));
    }
    g_autoptr(GError) error = NULL;
    assert_null(cfg_schedule_new("03:00", NULL, "Mars/Olympus", &error));
    assert_non_null(strstr(error->message, "time_zone"));
}

/* POSIX's sign is not what people mean by it. */
static void a_zone_that_can_be_read_in_two_ways_is_refused(void **state) {
    (void)state;
    static const char *const zones[] = {"UTC+2", "UTC-5", "GMT+1", "utc+2",
                                        "CET-1", "MSK-3", "UTC2",  "UTC+05:30"};
    for (size_t i = 0; i < G_N_ELEMENTS(zones); i++) {
        g_autoptr(GError) error = NULL;
        if (cfg_schedule_new(NULL, "0 3 * * *", zones[i], &error))
            fail_msg("accepted \"%s\"", zones[i]);
        assert_non_null(strstr(error->message, zones[i]));
        assert_non_null(strstr(error->message, "+02:00, which is east"));
    }
}

static void dates_are_local(void **state) {
    (void)state;
    char date[11];
    g_autoptr(cfg_schedule) kolkata = cfg_schedule_new(NULL, "0 3 * * *", "Asia/Kolkata", NULL);
    cfg_schedule_date(kolkata, utc("2013-07-10T21:30"), date);
    assert_string_equal(date, "2013-07-11");
    g_autoptr(cfg_schedule) plain = cfg_schedule_new("03:00", NULL, NULL, NULL);
    cfg_schedule_date(plain, utc("2013-07-10T03:00"), date);
    assert_string_equal(date, "2013-07-10");
}

static void extreme_times_do_no_harm(void **state) {
    (void)state;
    g_autoptr(cfg_schedule) schedule = cfg_schedule_new("03:00", NULL, NULL, NULL);
    char date[11];
    const int64_t times[] = {INT64_MIN, -62135596801, 0, 253402300800, INT64_MAX};
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
        cfg_schedule_date(schedule, cfg_schedule_next(schedule, times[i]), date);
        assert_int_equal(strlen(date), 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_moments),
        cmocka_unit_test(refuses_what_is_no_schedule),
        cmocka_unit_test(a_zone_that_can_be_read_in_two_ways_is_refused),
        cmocka_unit_test(dates_are_local),
        cmocka_unit_test(extreme_times_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
