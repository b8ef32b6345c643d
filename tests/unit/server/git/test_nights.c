/* Nights: which commit belongs to which date. Times are UTC throughout, so no zone can matter. */
#include "tests/unit/test.h"

#include "server/git/nights.h"
#include "server/ground/clock.h"

#include <string.h>

/* Seconds of "YYYY-MM-DD HH:MM". */
static int64_t at(const char *text) {
    char date[11];
    g_strlcpy(date, text, sizeof date);
    int64_t day = 0;
    assert_true(srv_day_read(date, &day));
    int hour = (text[11] - '0') * 10 + text[12] - '0';
    int minute = (text[14] - '0') * 10 + text[15] - '0';
    return day * 86400 + hour * 3600 + minute * 60;
}

typedef struct {
    const char *name;
    const char *commits[8]; /* committer times, newest first */
    const char *since;
    bool brand_new;
    const char *now;
    const char *expected; /* "date=index …", oldest first */
} night_case;

static const night_case cases[] = {
    {"no commits", {NULL}, NULL, true, "2013-04-10 12:00", ""},
    {"one commit before the moment",
     {"2013-04-09 12:00"},
     "2013-04-01",
     false,
     "2013-04-10 12:00",
     "2013-04-10=0"},
    {"the moment itself belongs to the next night",
     {"2013-04-10 03:00"},
     "2013-04-01",
     false,
     "2013-04-12 12:00",
     "2013-04-11=0"},
    {"one minute before the moment",
     {"2013-04-10 02:59"},
     "2013-04-01",
     false,
     "2013-04-12 12:00",
     "2013-04-10=0"},
    {"several commits a day: the last counts",
     {"2013-04-09 20:00", "2013-04-09 12:00", "2013-04-09 04:00", "2013-04-08 12:00"},
     "2013-04-01",
     false,
     "2013-04-10 12:00",
     "2013-04-09=3 2013-04-10=0"},
    {"equal times: the newest on the line counts",
     {"2013-04-09 12:00", "2013-04-09 12:00"},
     "2013-04-01",
     false,
     "2013-04-10 12:00",
     "2013-04-10=0"},
    {"none for weeks: no entry between",
     {"2013-04-09 12:00", "2013-03-01 12:00"},
     "2013-01-01",
     false,
     "2013-04-20 12:00",
     "2013-03-02=1 2013-04-10=0"},
    {"the coming night is not complete",
     {"2013-04-10 11:00", "2013-04-09 12:00"},
     "2013-04-01",
     false,
     "2013-04-10 12:00",
     "2013-04-10=1"},
    {"complete exactly at the moment",
     {"2013-04-09 12:00"},
     "2013-04-01",
     false,
     "2013-04-10 03:00",
     "2013-04-10=0"},
    {"since leaves out older nights",
     {"2013-04-09 12:00", "2013-03-01 12:00"},
     "2013-03-03",
     false,
     "2013-04-20 12:00",
     "2013-04-10=0"},
    {"without since only the latest",
     {"2013-04-09 12:00", "2013-03-01 12:00"},
     NULL,
     false,
     "2013-04-20 12:00",
     "2013-04-10=0"},
    {"brand new also takes the newest",
     {"2013-04-20 11:00", "2013-03-01 12:00"},
     NULL,
     true,
     "2013-04-20 12:00",
     "2013-03-02=1 2013-04-21=0"},
    {"brand new, newest is the latest night",
     {"2013-04-09 12:00"},
     NULL,
     true,
     "2013-04-20 12:00",
     "2013-04-10=0"},
    {"brand new with since: the past first",
     {"2013-04-20 11:00", "2013-03-01 12:00"},
     "2013-01-01",
     true,
     "2013-04-20 12:00",
     "2013-03-02=1"},
    {"brand new, since brings nothing",
     {"2013-04-20 11:00"},
     "2013-04-20",
     true,
     "2013-04-20 12:00",
     "2013-04-21=0"},
    {"a clock set back counts as its parent",
     {"2013-04-11 12:00", "1999-01-01 00:00", "2013-04-09 12:00"},
     "1990-01-01",
     false,
     "2013-04-20 12:00",
     "2013-04-10=1 2013-04-12=0"},
    {"a clock ahead of now counts as its child",
     {"2013-04-11 12:00", "2038-01-01 00:00", "2013-04-09 12:00"},
     "1990-01-01",
     false,
     "2013-04-20 12:00",
     "2013-04-10=2 2013-04-12=0"},
    {"a head in the future counts as now",
     {"2038-01-01 00:00", "2013-04-09 12:00"},
     "1990-01-01",
     false,
     "2013-04-20 12:00",
     "2013-04-10=1"},
    {"before 1970", {"1969-12-30 12:00"}, "1960-01-01", false, "2013-04-20 12:00", "1969-12-31=0"},
    {"across a leap day",
     {"2012-02-29 12:00", "2012-02-28 12:00"},
     "2012-01-01",
     false,
     "2013-04-20 12:00",
     "2012-02-29=1 2012-03-01=0"},
};

static void picks_as_the_table_says(void **state) {
    (void)state;
    for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
        srv_nights_commit commits[8];
        memset(commits, 0, sizeof commits);
        size_t n = 0;
        for (; n < 8 && cases[c].commits[n]; n++)
            commits[n].time_s = at(cases[c].commits[n]);
        g_autoptr(cfg_schedule) schedule = cfg_schedule_new("03:00", NULL, NULL, NULL);
        srv_nights_rule rule = {.schedule = schedule,
                                .since = cases[c].since,
                                .brand_new = cases[c].brand_new,
                                .now_s = at(cases[c].now)};
        g_autoptr(GError) error = NULL;
        g_autoptr(GArray) nights = srv_nights_pick(commits, n, &rule, &error);
        assert_non_null(nights);
        g_autoptr(GString) got = g_string_new("");
        for (guint i = 0; i < nights->len; i++) {
            const srv_night *night = &g_array_index(nights, srv_night, i);
            g_string_append_printf(got, "%s%s=%zu", i > 0 ? " " : "", night->date, night->commit);
        }
        if (strcmp(got->str, cases[c].expected) != 0)
            fail_msg("%s: got \"%s\", expected \"%s\"", cases[c].name, got->str, cases[c].expected);
    }
}

/* As "now" it was of a night to come, again and again, and never measured. */
static void a_head_in_the_future_is_of_the_night_after_it_was_seen(void **state) {
    (void)state;
    static const char *const nows[] = {"2013-04-20 03:00", "2013-04-25 12:00"};
    const srv_nights_commit commits[] = {{.time_s = at("2038-01-01 00:00")},
                                         {.time_s = at("2037-01-01 00:00")},
                                         {.time_s = at("2013-04-09 12:00")}};
    g_autoptr(cfg_schedule) schedule = cfg_schedule_new("03:00", NULL, NULL, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(nows); i++) {
        const srv_nights_rule rule = {.schedule = schedule,
                                      .since = "1990-01-01",
                                      .now_s = at(nows[i]),
                                      .head_s = at("2013-04-19 10:00")};
        g_autoptr(GArray) nights = srv_nights_pick(commits, 3, &rule, NULL);
        assert_int_equal(nights->len, 2);
        assert_string_equal(g_array_index(nights, srv_night, 1).date, "2013-04-20");
        assert_int_equal(g_array_index(nights, srv_night, 1).commit, 0);
    }
}

static void refuses_what_is_not_a_date(void **state) {
    (void)state;
    g_autoptr(cfg_schedule) schedule = cfg_schedule_new("03:00", NULL, NULL, NULL);
    const char *dates[] = {"2013-02-29", "2013-13-01", "2013-00-01", "13-01-01", "2013/01/01", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(dates); i++) {
        g_autoptr(GError) error = NULL;
        srv_nights_rule rule = {.schedule = schedule, .since = dates[i], .now_s = 0};
        assert_null(srv_nights_pick(NULL, 0, &rule, &error));
        assert_non_null(strstr(error->message, "YYYY-MM-DD"));
    }
}

static void twice_a_day_gives_two_nights_of_one_date(void **state) {
    (void)state;
    g_autoptr(cfg_schedule) schedule = cfg_schedule_new(NULL, "0 3,15 * * *", NULL, NULL);
    srv_nights_commit commits[] = {{.time_s = at("2013-04-10 12:00")},
                                   {.time_s = at("2013-04-10 02:00")}};
    srv_nights_rule rule = {
        .schedule = schedule, .since = "2013-01-01", .now_s = at("2013-04-11 00:00")};
    g_autoptr(GArray) nights = srv_nights_pick(commits, 2, &rule, NULL);
    assert_int_equal(nights->len, 2);
    assert_string_equal(g_array_index(nights, srv_night, 0).date, "2013-04-10");
    assert_string_equal(g_array_index(nights, srv_night, 1).date, "2013-04-10");
    assert_int_equal(g_array_index(nights, srv_night, 0).commit, 1);
}

static void wanted_commits_have_the_night_they_belong_to(void **state) {
    (void)state;
    g_autoptr(cfg_schedule) schedule = cfg_schedule_new("03:00", NULL, NULL, NULL);
    srv_nights_commit commits[] = {{.time_s = at("2013-04-10 12:00")},
                                   {.time_s = at("2013-04-10 04:00")},
                                   {.time_s = at("2013-04-09 02:00")},
                                   {.time_s = at("2013-04-08 02:00")}};
    const bool wanted[] = {false, true, true, true};
    srv_nights_rule rule = {
        .schedule = schedule, .since = "2013-04-09", .now_s = at("2013-04-10 13:00")};
    g_autoptr(GArray) nights = srv_nights_of(commits, 4, &rule, wanted, NULL);
    assert_int_equal(nights->len, 2);
    assert_string_equal(g_array_index(nights, srv_night, 0).date, "2013-04-09");
    assert_int_equal(g_array_index(nights, srv_night, 0).commit, 2);
    /* still to come: a release does not wait for it */
    assert_string_equal(g_array_index(nights, srv_night, 1).date, "2013-04-11");
    assert_int_equal(g_array_index(nights, srv_night, 1).commit, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picks_as_the_table_says),
        cmocka_unit_test(a_head_in_the_future_is_of_the_night_after_it_was_seen),
        cmocka_unit_test(refuses_what_is_not_a_date),
        cmocka_unit_test(twice_a_day_gives_two_nights_of_one_date),
        cmocka_unit_test(wanted_commits_have_the_night_they_belong_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
