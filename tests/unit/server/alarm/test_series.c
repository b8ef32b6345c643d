#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include <string.h>

#include "server/ground/error.h"

#include "server/alarm/alerts.h"
#include "server/views/views.h"
#include "tests/unit/server/sql_text.h"

static const double before[4] = {70, 470, 1600, 3200};
static const double after[4] = {70, 190, 1320, 2920}; /* I down from 400 to 120 */

static int64_t night(fixture *fix, int day, const double means[4]) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix->now_ms += 3600000;
    return fix_measure(fix, "kieker", day, date, means);
}

static json_t *alerts(fixture *fix, const char *state) {
    GError *error = NULL;
    json_t *page =
        srv_view_list(fix->store, &srv_list_alerts, "kieker", state, (srv_page){0, NULL}, &error);
    assert_non_null(page);
    json_t *items = json_incref(json_object_get(page, "items"));
    json_decref(page);
    return items;
}

static int64_t end_of(const json_t *alert, const char *key) {
    return json_integer_value(json_object_get(json_object_get(alert, key), "experiment"));
}

static void a_drop_of_one_portion_is_one_alert(void **state) {
    fixture *fix = *state;
    int64_t last = 0, first = 0;
    for (int day = 1; day <= 6; day++)
        last = night(fix, day, before);
    for (int day = 7; day <= 12; day++) {
        int64_t id = night(fix, day, after);
        first = first != 0 ? first : id;
    }
    json_t *list = alerts(fix, NULL);
    assert_int_equal(json_array_size(list), 1);
    json_t *alert = json_array_get(list, 0);
    assert_string_equal(text_of(alert, "portion"), "I");
    assert_string_equal(text_of(alert, "direction"), "down");
    assert_string_equal(text_of(alert, "state"), "open");
    assert_int_equal(end_of(alert, "from"), last);
    assert_int_equal(end_of(alert, "to"), first);
    double percent =
        json_number_value(json_object_get(json_object_get(alert, "difference"), "percent"));
    assert_true(percent < -60 && percent > -80);
    json_decref(list);
}

static void equal_nights_raise_nothing(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 20; day++)
        night(fix, day, before);
    json_t *list = alerts(fix, NULL);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

static void a_restart_between_nights_changes_nothing(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 4; day++) {
        night(fix, day, before);
        fix_reopen(fix);
    }
    night(fix, 5, after);
    fix_reopen(fix);
    night(fix, 6, after);
    json_t *list = alerts(fix, NULL);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
}

/* Levels are learnt anew by the loops that count now, and what was said stays. */
static void another_trim_is_taken_up(void **state) {
    fixture *fix = *state;
    int64_t last = 0;
    for (int day = 1; day <= 6; day++)
        last = night(fix, day, before);
    cfg_project *project = fix_project("kieker");
    project->detection.trim = DET_TRIM_SLOW;
    fix_sync_only(fix, project);
    for (int day = 7; day <= 9; day++)
        night(fix, day, after);
    json_t *list = alerts(fix, NULL);
    assert_int_equal(json_array_size(list), 1);
    const json_t *alert = json_array_get(list, 0);
    assert_int_equal(end_of(alert, "from"), last);
    assert_non_null(strstr(text_of(alert, "reason"), "judged by the fastest loops"));
    json_decref(list);
}

static void an_earlier_night_narrows_the_alert(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 5; day++)
        night(fix, day, before);
    int64_t last = night(fix, 10, before);
    night(fix, 20, after);
    night(fix, 21, after);
    json_t *list = alerts(fix, NULL);
    assert_int_equal(json_array_size(list), 1);
    int64_t id = json_integer_value(json_object_get(json_array_get(list, 0), "id"));
    assert_int_equal(end_of(json_array_get(list, 0), "from"), last);
    json_decref(list);
    int64_t middle = night(fix, 15, after);
    list = alerts(fix, NULL);
    assert_int_equal(json_array_size(list), 1);
    json_t *alert = json_array_get(list, 0);
    assert_int_equal(json_integer_value(json_object_get(alert, "id")), id);
    assert_int_equal(end_of(alert, "from"), last);
    assert_int_equal(end_of(alert, "to"), middle);
    json_decref(list);
}

/* The change was seen between the 1st and the 8th; then the 2nd to 7th come in, all as the 8th. */
static void back_fill_before_the_change_moves_nothing(void **state) {
    fixture *fix = *state;
    for (int day = 10; day <= 15; day++)
        night(fix, day, before);
    night(fix, 16, after);
    night(fix, 17, after);
    for (int day = 5; day >= 1; day--)
        night(fix, day, before);
    json_t *list = alerts(fix, NULL);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text_of(json_array_get(list, 0), "state"), "open");
    json_decref(list);
}

static void order_of_arrival_does_not_matter(void **state) {
    fixture *fix = *state;
    static const int days[] = {12, 3, 9, 1, 14, 6, 8, 2, 13, 4, 10, 5, 7, 11};
    for (size_t i = 0; i < G_N_ELEMENTS(days); i++)
        night(fix, days[i], days[i] <= 8 ? before : after);
    json_t *list = alerts(fix, "open");
    assert_int_equal(json_array_size(list), 1);
    json_t *alert = json_array_get(list, 0);
    assert_string_equal(text_of(alert, "portion"), "I");
    assert_string_equal(text_of(json_object_get(alert, "from"), "night"), "2013-04-08");
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), "2013-04-09");
    json_decref(list);
}

#define LONG 135 /* nights: kept states of every distance are gone through */

static void long_night(fixture *fix, int n) {
    g_autofree char *date =
        g_strdup_printf("%04d-%02d-%02d", 2013 + n / 280, 1 + n / 28 % 10, 1 + n % 28);
    static const double dear[4] = {70, 470, 1900, 3500};
    fix_measure(fix, "kieker", n, date, n < 40 || n >= 90 ? before : n < 100 ? dear : after);
}

/* Every verdict and alert of a project. */
static char *everything(fixture *fix) {
    GString *text = g_string_new(NULL);
    json_t *page =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){500, NULL}, NULL);
    size_t i, k;
    json_t *night, *portion, *alert;
    json_array_foreach (json_object_get(page, "items"), i, night) {
        json_array_foreach (json_object_get(night, "portions"), k, portion)
            g_string_append_printf(text, "%s %s %s\n", text_of(night, "night"),
                                   text_of(portion, "verdict"), text_of(portion, "reason"));
    }
    json_decref(page);
    json_t *list = alerts(fix, NULL);
    json_array_foreach (list, i, alert)
        g_string_append_printf(text, "%s %s %s\n", text_of(alert, "portion"),
                               text_of(alert, "direction"),
                               text_of(json_object_get(alert, "to"), "night"));
    json_decref(list);
    return g_string_free(text, FALSE);
}

/* As if all had come in order, wherever the late night lies between the states that are kept. */
static void a_late_night_in_a_long_history(void **state) {
    (void)state;
    static const int late[] = {0, 20, 130, 134};
    g_autofree char *expected = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(late); i++) {
        void *own;
        fix_setup(&own);
        fixture *fix = own;
        for (int n = 1; n <= LONG; n++)
            if (n != late[i])
                long_night(fix, n);
        if (late[i] > 0)
            long_night(fix, late[i]);
        char *text = everything(fix);
        if (expected)
            assert_string_equal(text, expected);
        g_free(expected);
        expected = text;
        fix_teardown(&own);
    }
    assert_non_null(strstr(expected, "anomaly"));
}

static void people_answer_an_alert(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    for (int day = 1; day <= 4; day++)
        night(fix, day, before);
    night(fix, 5, after);
    night(fix, 6, after);
    assert_true(srv_alert_set(fix->store, 1, "accepted", "ada", "ticket #996", 5, &error));
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_string_equal(text_of(alert, "state"), "accepted");
    json_t *audit = json_object_get(alert, "audit");
    assert_int_equal(json_array_size(audit), 2);
    assert_string_equal(text_of(json_array_get(audit, 1), "author"), "ada");
    assert_string_equal(text_of(json_array_get(audit, 1), "reason"), "ticket #996");
    json_decref(alert);
    static const struct {
        int64_t id;
        const char *state, *author, *reason;
        int code;
    } cases[] = {
        {9, "accepted", "ada", "why", SRV_ERROR_NOT_FOUND},
        {1, "gone", "ada", "why", SRV_ERROR_INVALID},
        {1, "withdrawn", "ada", "why", SRV_ERROR_INVALID},
        {1, "false", "", "why", SRV_ERROR_INVALID},
        {1, "false", "ada", "", SRV_ERROR_INVALID},
        {1, "false", "ada", NULL, SRV_ERROR_INVALID},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_false(srv_alert_set(fix->store, cases[i].id, cases[i].state, cases[i].author,
                                   cases[i].reason, 6, &error));
        assert_true(g_error_matches(error, SRV_ERROR, cases[i].code));
        g_clear_error(&error);
    }
}

static void an_improvement_that_takes_it_back_fixes_it(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 5; day++)
        night(fix, day, after);
    for (int day = 6; day <= 11; day++)
        night(fix, day, before);
    for (int day = 12; day <= 16; day++)
        night(fix, day, after);
    json_t *fixed = alerts(fix, "fixed"), *open = alerts(fix, "open");
    assert_int_equal(json_array_size(fixed), 1);
    assert_int_equal(json_array_size(open), 1);
    json_t *old = json_array_get(fixed, 0), *new = json_array_get(open, 0);
    assert_string_equal(text_of(old, "direction"), "up");
    assert_string_equal(text_of(new, "direction"), "down");
    assert_int_equal(json_integer_value(json_object_get(old, "fixed_by")),
                     json_integer_value(json_object_get(new, "id")));
    const json_t *audit = json_object_get(old, "audit");
    const json_t *last = json_array_get(audit, json_array_size(audit) - 1);
    assert_string_equal(text_of(last, "author"), "detector");
    assert_string_equal(text_of(last, "reason"), "I fell from 400 ns to 120 ns (-280 ns, -70.0 %), "
                                                 "as the night 2013-04-12 of 000000000 shows");
    json_decref(fixed);
    json_decref(open);
}

/* No night that it is dated to shows a change that several nights tell. */
static void what_nights_tell_is_fixed_by_them_all(void **state) {
    fixture *fix = *state;
    an_improvement_that_takes_it_back_fixes_it(state);
    assert_true(srv__alert_unfix(fix->store, 2, fix->now_ms, NULL));
    assert_true(srv__run(fix->store, sql_text("UPDATE alert SET seen_experiment=16 WHERE id=2", ""),
                         SRV__NO_ARGS, NULL));
    assert_true(srv__alert_fixes(fix->store, 2, fix->now_ms, NULL));
    json_auto_t *fixed = alerts(fix, "fixed");
    const json_t *audit = json_object_get(json_array_get(fixed, 0), "audit");
    assert_true(
        g_str_has_suffix(text_of(json_array_get(audit, json_array_size(audit) - 1), "reason"),
                         ", as the nights from 2013-04-12 of 000000000 to 2013-04-16 show"));
}

static void measure_sixth(fixture *fix, int first, int last, const double means[4]) {
    for (int day = first; day <= last; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix->now_ms += 3600000;
        fix_measure_again(fix, "kieker", 6, date, means);
    }
}

/* The commit of the change measured again, for as long as it takes to tell: it has not fixed
 * itself. */
static void no_commit_fixes_itself(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 5; day++)
        night(fix, day, after);
    night(fix, 6, before);
    measure_sixth(fix, 7, 11, before);
    measure_sixth(fix, 12, 16, after);
    json_auto_t *open = alerts(fix, "open");
    assert_int_equal(json_array_size(open), 2);
}

static const double dearer[4] = {70, 670, 2600, 5200}; /* I, C and W */
static const double less[4] = {70, 470, 1600, 4200};   /* I and C as before, W half way */

static void part_is(const json_t *alert, size_t i, const char *name, int64_t fixed_by) {
    const json_t *portion = json_array_get(json_object_get(alert, "portions"), i);
    assert_string_equal(text_of(portion, "portion"), name);
    assert_int_equal(json_integer_value(json_object_get(portion, "fixed_by")), fixed_by);
}

static void portions_of_one_night_are_one_alert(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    for (int day = 7; day <= 12; day++)
        night(fix, day, dearer);
    json_t *list = alerts(fix, NULL);
    const json_t *alert = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 3);
    assert_string_equal(text_of(alert, "portion"), "W");
    part_is(alert, 0, "W", 0);
    part_is(alert, 1, "C", 0);
    part_is(alert, 2, "I", 0);
    json_decref(list);
}

static void an_alert_is_fixed_when_every_portion_is(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    for (int day = 7; day <= 12; day++)
        night(fix, day, dearer);
    for (int day = 13; day <= 18; day++)
        night(fix, day, less);
    json_t *open = alerts(fix, "open");
    assert_int_equal(json_array_size(open), 2);
    const json_t *first = json_array_get(open, 1);
    part_is(first, 0, "W", 0);
    part_is(first, 1, "C", 2);
    part_is(first, 2, "I", 2);
    json_decref(open);
    for (int day = 19; day <= 24; day++)
        night(fix, day, before);
    json_t *fixed = alerts(fix, "fixed");
    assert_int_equal(json_array_size(fixed), 1);
    part_is(json_array_get(fixed, 0), 0, "W", 3);
    json_decref(fixed);
}

/* A commit between the two turns up: C and W moved with it, I with the later one. */
static void an_earlier_night_parts_what_was_one(void **state) {
    fixture *fix = *state;
    static const double between[4] = {70, 470, 2400, 5000}; /* C and W */
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    for (int day = 8; day <= 13; day++)
        night(fix, day, dearer);
    json_t *list = alerts(fix, "open");
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(list, 0), "portions")), 3);
    json_decref(list);
    night(fix, 7, between);
    list = alerts(fix, "open");
    assert_int_equal(json_array_size(list), 2);
    const json_t *kept = json_array_get(list, 1), *parted = json_array_get(list, 0);
    assert_int_equal(json_integer_value(json_object_get(kept, "id")), 1);
    assert_int_equal(json_array_size(json_object_get(kept, "portions")), 2);
    assert_string_equal(text_of(json_object_get(kept, "to"), "night"), "2013-04-07");
    part_is(parted, 0, "I", 0);
    assert_string_equal(text_of(json_object_get(parted, "to"), "night"), "2013-04-08");
    json_decref(list);
}

/* As its state and its portions say: "2013-04-07 C 2 I 2 fixed", each by which alert it went back.
 */
static char *told_of(fixture *fix, int64_t id) {
    json_auto_t *alert = srv_view_alert(fix->store, id, NULL);
    GString *text = g_string_new(text_of(json_object_get(alert, "to"), "night"));
    size_t i;
    const json_t *part;
    json_array_foreach (json_object_get(alert, "portions"), i, part)
        g_string_append_printf(text, " %s %" G_GINT64_FORMAT, text_of(part, "portion"),
                               (gint64)number_of(part, "fixed_by"));
    g_string_append_printf(text, " %s", text_of(alert, "state"));
    return g_string_free(text, FALSE);
}

/* A night that comes in late parts an alert of which a part went back: that stays so. */
static void what_went_back_before_it_was_parted_is_fixed(void **state) {
    static const struct {
        double back[4], between[4]; /* as of the fourteenth and of the seventh night */
        const char *first, *parted; /* of the alerts 1 and 3 */
    } cases[] = {
        {{70, 470, 1600, 4200},
         {70, 670, 2600, 4200},
         "2013-04-08 W 0 open",
         "2013-04-07 C 2 I 2 fixed"},
        {{70, 470, 1600, 4200},
         {70, 470, 1600, 4200},
         "2013-04-07 W 0 open",
         "2013-04-08 C 2 I 2 fixed"},
        {{70, 670, 1800, 3400},
         {70, 470, 2400, 5000},
         "2013-04-07 W 2 C 2 fixed",
         "2013-04-08 I 0 open"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        fixture *fix = *state;
        for (int day = 1; day <= 19; day++)
            if (day != 7)
                night(fix, day, day < 7 ? before : day < 14 ? dearer : cases[i].back);
        night(fix, 7, cases[i].between);
        g_autofree char *first = told_of(fix, 1), *parted = told_of(fix, 3);
        assert_string_equal(first, cases[i].first);
        assert_string_equal(parted, cases[i].parted);
        fix_teardown(state);
        fix_setup(state);
    }
}

/* Who opened it again knows better than a night that comes in late. */
static void what_somebody_opened_again_stays_open(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 16; day++)
        if (day != 8)
            night(fix, day, day < 6 || day > 11 ? after : before);
    assert_true(srv_alert_set(fix->store, 1, "open", "ada", "not all of it", fix->now_ms, NULL));
    night(fix, 8, before);
    g_autofree char *told = told_of(fix, 1);
    assert_string_equal(told, "2013-04-06 I 2 open");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_drop_of_one_portion_is_one_alert),
        FIX_TEST(equal_nights_raise_nothing),
        FIX_TEST(a_restart_between_nights_changes_nothing),
        FIX_TEST(another_trim_is_taken_up),
        FIX_TEST(an_earlier_night_narrows_the_alert),
        FIX_TEST(back_fill_before_the_change_moves_nothing),
        FIX_TEST(order_of_arrival_does_not_matter),
        cmocka_unit_test(a_late_night_in_a_long_history),
        FIX_TEST(people_answer_an_alert),
        FIX_TEST(portions_of_one_night_are_one_alert),
        FIX_TEST(an_earlier_night_parts_what_was_one),
        FIX_TEST(an_alert_is_fixed_when_every_portion_is),
        FIX_TEST(an_improvement_that_takes_it_back_fixes_it),
        FIX_TEST(what_nights_tell_is_fixed_by_them_all),
        FIX_TEST(what_went_back_before_it_was_parted_is_fixed),
        FIX_TEST(what_somebody_opened_again_stays_open),
        FIX_TEST(no_commit_fixes_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
