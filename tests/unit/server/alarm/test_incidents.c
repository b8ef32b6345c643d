/* What happens to machine or harness opens an incident, once; it ends by itself or by a person. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"

#include "server/alarm/incidents.h"
#include "server/ground/error.h"
#include "server/views/views.h"

#include <math.h>
#include <string.h>

static const double usual[4] = {70, 470, 1600, 3200};

/* A night of which every value is that many times the usual; missing: without that configuration;
 * cpu: of the node, NULL: the fixture's. */
typedef struct {
    double factor, of_control;
    const char *missing, *cpu;
} made;

static int64_t night(fixture *fix, int day, made m) {
    g_autoptr(GDateTime) first = g_date_time_new_utc(2013, 4, 1, 0, 0, 0);
    g_autoptr(GDateTime) moment = g_date_time_add_days(first, day);
    g_autofree char *date = g_date_time_format(moment, "%Y-%m-%d");
    double means[4];
    for (int c = 0; c < 4; c++)
        means[c] = usual[c] * m.factor * (c == 0 ? m.of_control : 1);
    fix->now_ms += 3600000;
    fix_add(fix, "kieker", day + 1, date, SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, means);
    json_t *loops = json_object_get(body, "loops");
    for (size_t i = json_array_size(loops); m.missing && i > 0; i--)
        if (g_strcmp0(text_of(json_array_get(loops, i - 1), "configuration"), m.missing) == 0)
            json_array_remove(loops, i - 1);
    if (m.cpu)
        json_object_set_new(json_object_get(body, "environment"), "cpu", json_string(m.cpu));
    return fix_ingest(fix, leased, body);
}

static const made plain = {1, 1, NULL, NULL};

static int64_t nights(fixture *fix, int from, int to, made m) {
    int64_t last = 0;
    for (int day = from; day <= to; day++)
        last = night(fix, day, m);
    return last;
}

static json_t *incidents(fixture *fix, const char *state) {
    json_t *page =
        srv_view_list(fix->store, &srv_list_incidents, "kieker", state, (srv_page){0, NULL}, NULL);
    assert_non_null(page);
    json_t *items = json_incref(json_object_get(page, "items"));
    json_decref(page);
    return items;
}

/* The only one there is, owned. */
static json_t *only(fixture *fix, const char *state) {
    json_t *all = incidents(fix, NULL);
    if (json_array_size(all) != 1)
        fail_msg("%zu incidents: %s", json_array_size(all), json_dumps(all, 0));
    json_t *one = json_incref(json_array_get(all, 0));
    json_decref(all);
    assert_string_equal(text_of(one, "state"), state);
    return one;
}

static void no_alert(fixture *fix) {
    json_t *page =
        srv_view_list(fix->store, &srv_list_alerts, "kieker", NULL, (srv_page){0, NULL}, NULL);
    assert_int_equal(json_array_size(json_object_get(page, "items")), 0);
    json_decref(page);
}

/* What two nights side by side say of it. */
static void moved_is(fixture *fix, int64_t a, int64_t b, const char *headline) {
    web_moved both = {0}, back = {0};
    assert_true(srv_incidents_across(fix->store, a, b, &both, NULL) &&
                srv_incidents_across(fix->store, b, a, &back, NULL));
    g_autofree char *moved = both.words, *again = back.words;
    if (strstr(moved ? moved : "T", "T"))
        assert_int_equal(isnan(both.factor.low), moved != NULL);
    else
        assert_true(fabs(both.factor.low * back.factor.high - 1) < 1e-9 &&
                    both.factor.low <= both.factor.high);
    assert_string_equal(moved ? moved : "", again ? again : "");
    g_autofree char *wanted = headline ? g_strdup_printf("%s since 2013-04-11", headline) : NULL;
    if (g_strcmp0(moved, wanted) != 0)
        fail_msg("%" G_GINT64_FORMAT " and %" G_GINT64_FORMAT ": %s", a, b, moved);
}

static void another_machine_is_one_incident_and_settles(void **state) {
    (void)state;
    static const struct {
        made m;
        const char *kind, *headline, *says;
    } table[] = {
        {{0.5, 1, NULL, NULL}, "scale", "Everything × 0.5", "a unit or a clock, not the code"},
        {{2, 1, NULL, NULL}, "scale", "Everything × 2", "a unit or a clock, not the code"},
        {{1000, 1, NULL, NULL}, "scale", "Everything × 1000", "a unit or a clock, not the code"},
        {{1.12, 1, NULL, NULL}, "scale", "Everything × 1.1", "the machine, not the code"},
        {{1, 1.1, NULL, NULL}, "control", "T × 1.1", "the method itself, not the monitoring"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        fixture *fix = fix_new();
        fix_sync(fix, "kieker", NULL);
        const int64_t last = nights(fix, 0, 9, plain);
        const int64_t first = night(fix, 10, table[i].m);
        json_t *none = incidents(fix, NULL);
        assert_int_equal(json_array_size(none), 0);
        json_decref(none);
        const int64_t second = night(fix, 11, table[i].m);
        json_t *one = only(fix, "open");
        assert_string_equal(text_of(one, "kind"), table[i].kind);
        if (!g_str_has_prefix(text_of(one, "headline"), table[i].headline))
            fail_msg("%s, not %s", text_of(one, "headline"), table[i].headline);
        assert_non_null(strstr(text_of(one, "sentence"), table[i].says));
        assert_non_null(strstr(text_of(one, "sentence"), "since 2013-04-11"));
        assert_int_equal(number_of(json_object_get(one, "from"), "experiment"), last);
        assert_int_equal(number_of(json_object_get(one, "to"), "experiment"), first);
        assert_int_equal(number_of(json_object_get(one, "seen"), "experiment"), second);
        assert_true(json_is_null(json_object_get(one, "over")));
        json_decref(one);
        const int64_t settled = nights(fix, 12, 18, table[i].m);
        one = only(fix, "closed");
        assert_int_equal(number_of(json_object_get(one, "over"), "experiment"), settled);
        moved_is(fix, settled, last, text_of(one, "headline"));
        moved_is(fix, last, first, text_of(one, "headline"));
        moved_is(fix, first, settled, NULL);
        const json_t *entry = json_array_get(json_object_get(one, "audit"), 0);
        assert_string_equal(text_of(entry, "reason"), "not taken back in the 7 nights since then");
        assert_string_equal(text_of(entry, "author"), "detector");
        json_decref(one);
        no_alert(fix);
        fix_free(fix);
    }
}

static void a_night_that_was_measured_again_settles_nothing(void **state) {
    static const made faster = {1.12, 1, NULL, NULL};
    fixture *fix = *state;
    nights(fix, 0, 9, plain);
    nights(fix, 10, 17, faster);
    assert_true(
        srv__run(fix->store,
                 sql_text("UPDATE experiment SET night='2013-04-17' WHERE night='2013-04-18'", ""),
                 SRV__NO_ARGS, NULL));
    night(fix, 18, faster);
    json_decref(only(fix, "open"));
    night(fix, 19, faster);
    json_decref(only(fix, "closed"));
}

/* "Everything × 0.50" was opened, and mailed, when the level came back from × 2.00. */
static void one_that_goes_back_closes_the_one_before(void **state) {
    fixture *fix = *state;
    nights(fix, 0, 9, plain);
    nights(fix, 10, 12, (made){0.5, 1, NULL, NULL});
    nights(fix, 13, 14, plain);
    json_t *closed = incidents(fix, "closed"), *open = incidents(fix, "open");
    assert_int_equal(json_array_size(closed), 1);
    assert_int_equal(json_array_size(open), 0); /* the way back is no incident of its own */
    const json_t *audit = json_object_get(json_array_get(closed, 0), "audit");
    /* the night that it came back in, not the one that made it sure */
    assert_string_equal(text_of(json_array_get(audit, 0), "reason"), "back since 2013-04-14");
    moved_is(fix, 10, 13, "Everything × 0.50");
    moved_is(fix, 10, 15, NULL);
    moved_is(fix, 12, 15, "back from Everything × 0.50");
    json_decref(closed);
    json_decref(open);
}

/* "Nothing shown to have changed", of the first night on another machine, and of the first one
 * back. */
static void told_later(fixture *fix, int64_t experiment) {
    json_auto_t *view = srv_view_experiment(fix->store, experiment, NULL);
    const json_t *control = json_array_get(json_object_get(view, "portions"), 0);
    assert_string_equal(text_of(control, "verdict"), "environment");
    assert_string_equal(text_of(control, "standing"), "incomparable");
    assert_true(g_str_has_suffix(text_of(control, "reason"), /* "everything" is not its to say */
                                 ", until a later measurement showed that one factor for all "
                                 "portions explains it"));
    assert_null(strstr(text_of(view, "headline"), "nothing"));
}

/* "Nothing shown to have changed", of the first night on another machine and of the first one back,
 * which counted as quiet ones. */
static void the_nights_that_it_is_dated_to_say_so(void **state) {
    fixture *fix = *state;
    nights(fix, 0, 9, plain);
    nights(fix, 10, 12, (made){1.07, 1, NULL, NULL});
    nights(fix, 13, 14, plain);
    told_later(fix, 11);
    told_later(fix, 14);
    moved_is(fix, 10, 13, "Everything × 1.07");
    moved_is(fix, 10, 14, NULL); /* over again: "between them … × 1.07" excused what moved there */
    moved_is(fix, 13, 14, "back from Everything × 1.07");
    moved_is(fix, 14, 15, NULL);
    json_auto_t *columns = srv_view_nights_columns(fix->store, "kieker", (srv_dates){0},
                                                   (srv_page){.limit = 20}, NULL);
    g_autofree char *text = json_dumps(columns, 0);
    assert_non_null(strstr(text, "\"a later measurement showed that "));
    assert_null(strstr(text, "(null)"));
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_int_equal(number_of(project, "quiet_nights"), 10); /* 2 to 10, and 13 */
}

static void a_missing_writer_lasts_until_it_is_back(void **state) {
    fixture *fix = *state;
    nights(fix, 0, 9, plain);
    nights(fix, 10, 14, (made){1, 1, "writing", NULL});
    json_t *one = only(fix, "open");
    assert_string_equal(text_of(one, "headline"), "Writing missing");
    assert_string_equal(text_of(one, "sentence"), "Writing without a result since 2013-04-11");
    assert_true(json_is_true(json_object_get(one, "lasts")));
    json_decref(one);
    nights(fix, 15, 15, plain);
    one = only(fix, "closed");
    assert_false(json_is_true(json_object_get(one, "lasts")));
    assert_string_equal(text_of(json_array_get(json_object_get(one, "audit"), 0), "reason"),
                        "over since 2013-04-16");
    json_decref(one);
}

/* Nobody has seen it come back. */
static void a_writer_that_stays_away_is_taken_as_removed(void **state) {
    fixture *fix = *state;
    nights(fix, 0, 9, plain);
    nights(fix, 10, 41, (made){1, 1, "writing", NULL});
    json_auto_t *one = only(fix, "closed");
    assert_string_equal(text_of(json_array_get(json_object_get(one, "audit"), 0), "reason"),
                        "still without a result on 2013-05-11: taken as removed");
}

static void another_environment_is_one_however_often_it_alternates(void **state) {
    fixture *fix = *state;
    for (int day = 0; day < 24; day++)
        night(fix, day, (made){1, 1, NULL, day % 2 ? "another" : "test"});
    json_t *all = incidents(fix, NULL);
    assert_int_equal(json_array_size(all), 1);
    const json_t *one = json_array_get(all, 0);
    assert_string_equal(text_of(one, "kind"), "environment");
    assert_string_equal(text_of(one, "state"), "closed");
    assert_string_equal(text_of(one, "headline"), "Another environment");
    assert_non_null(strstr(text_of(one, "sentence"), "CPU test → another"));
    assert_true(json_is_null(json_object_get(one, "factor")));
    assert_string_equal(text_of(json_array_get(json_object_get(one, "audit"), 0), "reason"),
                        "back since 2013-04-03");
    assert_string_equal(text_of(json_object_get(one, "over"), "night"), "2013-04-03");
    json_decref(all);
    no_alert(fix);
}

static void one_night_and_a_year_without_any(void **state) {
    fixture *fix = *state;
    night(fix, 0, plain);
    json_t *all = incidents(fix, NULL);
    assert_int_equal(json_array_size(all), 0);
    json_decref(all);
    nights(fix, 1, 9, plain);
    nights(fix, 375, 380, plain);
    all = incidents(fix, NULL);
    assert_int_equal(json_array_size(all), 0);
    json_decref(all);
    no_alert(fix);
}

static void a_person_closes_and_opens_with_a_reason(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, 0, 9, plain);
    nights(fix, 10, 11, (made){0.5, 1, NULL, NULL});
    json_t *one = only(fix, "open");
    const int64_t id = number_of(one, "id");
    json_decref(one);
    static const char *const bad[][2] = {{"acknowledged", "why"}, {"closed", ""}, {"", "why"}};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        assert_false(srv_incident_set(fix->store, id, bad[i][0], "ada", bad[i][1], 5, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        g_clear_error(&error);
    }
    assert_false(srv_incident_set(fix->store, 999, "closed", "ada", "why", 5, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    assert_true(srv_incident_set(fix->store, id, "closed", "ada", "new crystal", 5, &error));
    one = only(fix, "closed");
    const json_t *entry = json_array_get(json_object_get(one, "audit"), 0);
    assert_string_equal(text_of(entry, "author"), "ada");
    assert_string_equal(text_of(entry, "from"), "open");
    assert_string_equal(text_of(entry, "to"), "closed");
    json_decref(one);
    /* and the nights that settle it add nothing to what was decided */
    nights(fix, 12, 20, (made){0.5, 1, NULL, NULL});
    one = only(fix, "closed");
    assert_int_equal(json_array_size(json_object_get(one, "audit")), 1);
    json_decref(one);
}

/* Back-filled nights show that the level was the same before: the incident is none. */
static void nights_that_come_in_late_withdraw_it(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, 20, 24, plain);
    nights(fix, 40, 41, (made){0.5, 1, NULL, NULL});
    json_t *one = only(fix, "open");
    const int64_t id = number_of(one, "id");
    json_decref(one);
    nights(fix, 30, 34, (made){0.5, 1, NULL, NULL});
    json_t *now = only(fix, "open");
    assert_int_not_equal(number_of(now, "id"), id);
    assert_non_null(strstr(text_of(now, "sentence"), "since 2013-05-01"));
    json_decref(now);
    one = srv_view_incident(fix->store, id, &error);
    assert_string_equal(text_of(one, "state"), "withdrawn");
    json_decref(one);
    assert_false(srv_incident_set(fix->store, id, "closed", "ada", "why", 5, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
}

static void the_night_it_begins_with_says_so(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, 0, 9, plain);
    const int64_t first = night(fix, 10, (made){0.5, 1, NULL, NULL});
    night(fix, 11, (made){0.5, 1, NULL, NULL});
    json_t *page =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, &error);
    size_t i;
    json_t *each;
    json_array_foreach (json_object_get(page, "items"), i, each) {
        const json_t *incident = json_object_get(each, "incident");
        assert_int_equal(json_is_object(incident), number_of(each, "experiment") == first);
    }
    json_decref(page);
    json_t *view = srv_view_experiment(fix->store, first, &error);
    assert_string_equal(text_of(json_object_get(view, "incident"), "headline"),
                        "Everything × 0.50");
    json_decref(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_machine_is_one_incident_and_settles),
        FIX_TEST(a_night_that_was_measured_again_settles_nothing),
        FIX_TEST(one_that_goes_back_closes_the_one_before),
        FIX_TEST(the_nights_that_it_is_dated_to_say_so),
        FIX_TEST(a_missing_writer_lasts_until_it_is_back),
        FIX_TEST(a_writer_that_stays_away_is_taken_as_removed),
        FIX_TEST(another_environment_is_one_however_often_it_alternates),
        FIX_TEST(one_night_and_a_year_without_any),
        FIX_TEST(a_person_closes_and_opens_with_a_reason),
        FIX_TEST(nights_that_come_in_late_withdraw_it),
        FIX_TEST(the_night_it_begins_with_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
