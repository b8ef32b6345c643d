/* Levels that people set: a new one, an alert's moved or removed; judged, shown, audited, undone.
 */
#include "trials.h"

#include "server/alarm/alerts.h"
#include "server/alarm/baselines.h"

static const double higher[4] = {70, 494, 1624, 3224}; /* I by 6 %: neither clear nor as before */

/* Nights that nobody can measure again: what the detector sees is believed. */
static int believed(void **state) {
    fixture *fix = fix_new();
    fix_sync(fix, "kieker", NULL);
    *state = fix;
    return 0;
}

static void days(fixture *fix, int first, int last, const double means[4]) {
    for (int day = first; day <= last; day++)
        (void)night(fix, day, means);
}

static int64_t set(fixture *fix, const srv_baseline *b) {
    GError *error = NULL;
    int64_t id = 0;
    if (!srv_baseline_set(fix->store, "kieker", b, fix->now_ms, &id, &error))
        fail_msg("%s", error->message);
    return id;
}

static void undo(fixture *fix, int64_t id) {
    GError *error = NULL;
    if (!srv_baseline_undo(fix->store, id, "ada", "it was not", fix->now_ms, &error))
        fail_msg("%s", error->message);
}

static void refused(fixture *fix, const srv_baseline *b, srv_error code, const char *why) {
    g_autoptr(GError) error = NULL;
    int64_t id = 0;
    assert_false(srv_baseline_set(fix->store, "kieker", b, fix->now_ms, &id, &error));
    if (!g_error_matches(error, SRV_ERROR, (int)code) || !strstr(error->message, why))
        fail_msg("%s", error->message);
}

/* The night of a day of April, a portion of it. Owned by the view, which is to be freed. */
static json_t *seen(fixture *fix, int day, size_t portion, json_t **view) {
    *view = srv_view_experiment(fix->store, day, NULL);
    assert_non_null(*view);
    return json_array_get(json_object_get(*view, "portions"), portion);
}

static void judged(fixture *fix, int day, size_t portion, const char *verdict, const char *why) {
    json_auto_t *view = NULL;
    const json_t *p = seen(fix, day, portion, &view);
    if (strcmp(text_of(p, "verdict"), verdict) != 0 || !strstr(text_of(p, "reason"), why))
        fail_msg("day %d: %s: %s", day, text_of(p, "verdict"), text_of(p, "reason"));
}

static int64_t reference(fixture *fix, int day, size_t portion) {
    json_auto_t *view = NULL;
    return number_of(json_object_get(seen(fix, day, portion, &view), "reference"), "nights");
}

static void alert_is(fixture *fix, const char *state, const char *from, const char *to) {
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(alert, "state"), state);
    assert_string_equal(text_of(json_object_get(alert, "from"), "night"), from);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), to);
}

static json_t *listed(fixture *fix) {
    json_t *page = srv_view_list(fix->store, &srv_list_baselines, "kieker", NULL,
                                 (srv_page){.limit = 10}, NULL);
    assert_non_null(page);
    json_t *items = json_incref(json_object_get(page, "items"));
    json_decref(page);
    return items;
}

/* The audit log's newest row of this kind. */
static void audited(fixture *fix, const char *what, const char *why) {
    json_auto_t *log =
        srv_view_list(fix->store, &srv_list_audit, NULL, "baseline", (srv_page){.limit = 1}, NULL);
    const json_t *row = json_array_get(json_object_get(log, "items"), 0);
    assert_string_equal(text_of(row, "who"), "ada");
    assert_string_equal(text_of(row, "what"), what);
    assert_string_equal(text_of(row, "why"), why);
}

static const srv_baseline fifth = {
    .night = "2013-04-05", .reason = "new compiler", .author = "ada"};

static void a_level_begins_where_somebody_says_so(void **state) {
    fixture *fix = *state;
    days(fix, 1, 8, before);
    assert_int_equal(reference(fix, 8, 1), 7);
    assert_int_equal(set(fix, &fifth), 1);
    for (size_t p = 0; p < 4; p++)
        judged(fix, 5, p, "first", "a new level begins here, set by hand (ada): new compiler");
    json_auto_t *view = NULL;
    assert_string_equal(text_of(seen(fix, 5, 1, &view), "words"), "a new level, set by hand");
    assert_string_equal(text_of(view, "headline"), "a new level, set by hand");
    judged(fix, 4, 1, "ok", "");
    judged(fix, 6, 1, "ok", "");
    assert_int_equal(reference(fix, 8, 1), 3); /* the nights before do not count any more */
    assert_int_equal(alerts(fix), 0);
    audited(fix, "baseline 1 made: kieker, from 2013-04-05 on", "new compiler");
    json_auto_t *nightly = srv_view_experiment(fix->store, 5, NULL);
    assert_string_equal(text_of(nightly, "baseline"), "new compiler");
    json_auto_t *items = listed(fix);
    assert_int_equal(json_array_size(items), 1);
    assert_string_equal(text_of(json_array_get(items, 0), "night"), "2013-04-05");
}

static void it_holds_for_nights_to_come_and_is_undone(void **state) {
    fixture *fix = *state;
    days(fix, 1, 8, before);
    json_auto_t *view = NULL;
    g_autofree char *was = json_dumps(seen(fix, 8, 1, &view), JSON_SORT_KEYS);
    const int64_t id = set(fix, &fifth);
    days(fix, 9, 9, before);
    assert_int_equal(reference(fix, 9, 1), 4);
    undo(fix, id);
    audited(fix, "baseline 1 undone", "it was not");
    assert_int_equal(reference(fix, 9, 1), 8);
    json_auto_t *again = NULL;
    g_autofree char *now = json_dumps(seen(fix, 8, 1, &again), JSON_SORT_KEYS);
    assert_string_equal(now, was); /* as if it had not been said */
    json_auto_t *items = listed(fix);
    assert_int_equal(json_array_size(items), 0);
    g_autoptr(GError) error = NULL;
    assert_false(srv_baseline_undo(fix->store, id, "ada", "again", fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
}

/* A step that is there from the fifth night on is no anomaly when its level begins there. */
static void a_step_there_is_told_to_nobody(void **state) {
    fixture *fix = *state;
    days(fix, 1, 4, before);
    days(fix, 5, 5, higher);
    assert_int_equal(alerts(fix), 0);
    (void)set(fix, &fifth);
    days(fix, 6, 20, higher);
    assert_int_equal(alerts(fix), 0);
    judged(fix, 20, 1, "ok", "");
}

static void only_of_the_portions_that_are_named(void **state) {
    fixture *fix = *state;
    days(fix, 1, 8, before);
    json_auto_t *names = json_pack("[s,s]", "I", fix_names[1]); /* twice the same */
    srv_baseline some = fifth;
    some.portions = names;
    (void)set(fix, &some);
    judged(fix, 5, 1, "first", "set by hand");
    judged(fix, 5, 3, "ok", "");
    assert_int_equal(reference(fix, 8, 1), 3);
    assert_int_equal(reference(fix, 8, 3), 7);
    json_auto_t *items = listed(fix);
    const json_t *portions = json_object_get(json_array_get(items, 0), "portions");
    assert_int_equal(json_array_size(portions), 1);
    assert_string_equal(text_of(json_array_get(portions, 0), "portion"), "I");
    /* Another portion may begin there, too; the same one may not. */
    refused(fix, &some, SRV_ERROR_CONFLICT, "baseline 1 begins with 2013-04-05 already");
    refused(fix, &fifth, SRV_ERROR_CONFLICT, "baseline 1 begins with 2013-04-05 already");
    json_auto_t *other = json_pack("[s]", "W");
    some.portions = other;
    assert_int_equal(set(fix, &some), 2);
    judged(fix, 5, 3, "first", "set by hand");
}

static const srv_baseline removed = {.alert = 1, .reason = "noise", .author = "ada"};

/* One odd night: told, and told again when it was over. */
static void odd_night(fixture *fix) {
    days(fix, 1, 6, before);
    days(fix, 7, 7, after);
    days(fix, 8, 12, before);
    alert_is(fix, "open", "2013-04-06", "2013-04-07");
    assert_int_equal(alerts(fix), 2);
}

/* Of what stands on another level nobody reads that nothing changed, but who says that none begins.
 */
static void it_is_no_night_as_before(fixture *fix, int day, const char *figures) {
    json_auto_t *view = NULL;
    const json_t *p = seen(fix, day, 1, &view);
    assert_string_equal(text_of(p, "rule"), "set-by-hand");
    assert_string_equal(text_of(p, "words"), "no change here, as somebody said");
    assert_true(json_is_null(json_object_get(p, "direction")));
    if (!g_str_has_prefix(text_of(p, "reason"), figures))
        fail_msg("%s", text_of(p, "reason"));
    assert_string_equal(text_of(view, "headline"), "no change here, as somebody said");
}

static void a_wrong_level_is_removed_and_comes_back(void **state) {
    fixture *fix = *state;
    odd_night(fix);
    const int64_t id = set(fix, &removed);
    alert_is(fix, "withdrawn", "2013-04-06", "2013-04-07");
    judged(fix, 7, 1, "ok", ": no level begins here, set by hand (ada): noise");
    it_is_no_night_as_before(fix, 7, "I is ");
    judged(fix, 8, 1, "ok", "");
    assert_int_equal(reference(fix, 12, 1), 11); /* one level before and after */
    json_auto_t *end = srv_view_alert(fix->store, 2, NULL);
    assert_string_equal(text_of(end, "state"), "withdrawn");
    const json_t *told = json_object_get(end, "audit");
    assert_string_equal(text_of(json_array_get(told, json_array_size(told) - 1), "reason"),
                        "nights were judged again, and the change is no longer seen");
    audited(fix, "baseline 1 made: kieker, alert 1 of 2013-04-07 removed", "noise");
    refused(fix, &removed, SRV_ERROR_CONFLICT, "alert 1 was set by hand already: undo baseline 1");
    undo(fix, id);
    alert_is(fix, "open", "2013-04-06", "2013-04-07");
    judged(fix, 7, 1, "anomaly", "");
    judged(fix, 8, 1, "anomaly", "");
    assert_int_equal(alerts(fix), 2);
}

static void a_decision_comes_back_with_it(void **state) {
    fixture *fix = *state;
    days(fix, 1, 6, before);
    days(fix, 7, 9, after);
    assert_true(srv_alert_set(fix->store, 1, "accepted", "bob", "wanted", fix->now_ms, NULL));
    undo(fix, set(fix, &removed));
    alert_is(fix, "accepted", "2013-04-06", "2013-04-07");
}

/* Where both commits can be measured again nothing is asked once a person has answered. */
static void a_suspicion_that_a_person_answered_is_not_measured(void **state) {
    fixture *fix = *state;
    const int64_t suspicious = suspicious_night(fix);
    run_trial(fix, before, after, suspicious);
    alert_is(fix, "open", "2013-04-06", "2013-04-07");
    (void)set(fix, &removed);
    alert_is(fix, "withdrawn", "2013-04-06", "2013-04-07");
    judged(fix, 7, 1, "ok", "no level begins here");
    json_auto_t *leased = fix_lease(fix);
    if (leased)
        fail_msg("%s", json_dumps(leased, 0));
}

static void a_level_is_moved_to_a_later_night_and_back(void **state) {
    fixture *fix = *state;
    days(fix, 1, 6, before);
    days(fix, 7, 12, after);
    const srv_baseline moved = {
        .alert = 1, .night = "2013-04-09", .reason = "the flag came then", .author = "ada"};
    const int64_t id = set(fix, &moved);
    alert_is(fix, "open", "2013-04-08", "2013-04-09");
    judged(fix, 7, 1, "ok", "belongs to a level that begins on another night, set by hand (ada)");
    it_is_no_night_as_before(fix, 7, "I is ");
    judged(fix, 9, 1, "first", "a new level begins here, set by hand (ada): the flag came then");
    assert_int_equal(reference(fix, 12, 1), 3);
    assert_int_equal(alerts(fix), 1);
    audited(fix, "baseline 1 made: kieker, alert 1 moved from 2013-04-07 to 2013-04-09",
            "the flag came then");
    days(fix, 13, 14, after); /* it stays where it is */
    alert_is(fix, "open", "2013-04-08", "2013-04-09");
    undo(fix, id);
    alert_is(fix, "open", "2013-04-06", "2013-04-07");
    judged(fix, 7, 1, "anomaly", "");
    assert_int_equal(alerts(fix), 1);
}

/* W rose while the moved alert, which is of I alone, was believed: its own alert still tells of it.
 */
static void what_another_alert_tells_stays_while_a_level_is_moved(void **state) {
    static const double later[4] = {70, 190, 1320, 3620};
    fixture *fix = *state;
    days(fix, 1, 6, before);
    days(fix, 7, 7, after);
    days(fix, 8, 12, later);
    assert_int_equal(alerts(fix), 2);
    const srv_baseline moved = {
        .alert = 1, .night = "2013-04-10", .reason = "the flag came then", .author = "ada"};
    (void)set(fix, &moved);
    alert_is(fix, "open", "2013-04-09", "2013-04-10");
    judged(fix, 8, 3, "anomaly", "");
    assert_int_equal(alerts(fix), 2);
}

static void a_level_is_moved_to_an_earlier_night(void **state) {
    fixture *fix = *state;
    days(fix, 1, 6, before);
    days(fix, 7, 9, after);
    const srv_baseline moved = {
        .alert = 1, .night = "2013-04-05", .reason = "it crept in", .author = "ada"};
    (void)set(fix, &moved);
    alert_is(fix, "open", "2013-04-04", "2013-04-05");
    judged(fix, 5, 1, "first", "it crept in");
    judged(fix, 7, 1, "ok", "belongs to a level that begins on another night");
    assert_int_equal(alerts(fix), 1);
}

/* Else the other alert went, and what somebody had decided about it. */
static void a_level_is_not_moved_onto_another_alert_of_its_portions(void **state) {
    fixture *fix = *state;
    odd_night(fix);
    assert_true(srv_alert_set(fix->store, 2, "accepted", "bob", "it is", fix->now_ms, NULL));
    const srv_baseline moved = {
        .alert = 1, .night = "2013-04-08", .reason = "later", .author = "ada"};
    refused(fix, &moved, SRV_ERROR_CONFLICT, "that of alert 2: move or remove that first");
    alert_is(fix, "open", "2013-04-06", "2013-04-07");
    json_auto_t *other = srv_view_alert(fix->store, 2, NULL);
    assert_string_equal(text_of(other, "state"), "accepted");
}

static void what_makes_no_sense_is_refused(void **state) {
    fixture *fix = *state;
    days(fix, 1, 6, before);
    days(fix, 7, 9, after);
    fix->now_ms = INT64_C(1366000000000); /* 2013-04-15 */
    g_autofree char *much = g_strnfill(SRV_BASELINE_BYTES + 1, 'x');
    json_auto_t *none = json_array(), *odd = json_pack("[i]", 3), *unknown = json_pack("[s]", "X");
    const struct {
        srv_baseline said;
        srv_error code;
        const char *why;
    } bad[] = {
        {{NULL, NULL, 0, "x", "ada"}, SRV_ERROR_INVALID, "say with which night"},
        {{"2013-02-30", NULL, 0, "x", "ada"}, SRV_ERROR_INVALID, "must be a date"},
        {{"2013-04-12", NULL, 0, "x", "ada"}, SRV_ERROR_INVALID, "2013-04-12 was not measured"},
        {{"2013-04-16", NULL, 0, "x", "ada"}, SRV_ERROR_INVALID, "2013-04-16 is in the future"},
        {{"2013-04-12", NULL, 1, "x", "ada"}, SRV_ERROR_INVALID, "in the series of the alert"},
        {{"2013-04-01", NULL, 0, "x", "ada"}, SRV_ERROR_INVALID, "is the first of its series"},
        {{"2013-04-07", NULL, 0, "x", "ada"}, SRV_ERROR_CONFLICT, "that of alert 1: accept it"},
        {{"2013-04-07", NULL, 1, "x", "ada"}, SRV_ERROR_CONFLICT, "begins with 2013-04-07 already"},
        {{"2013-04-05", NULL, 2, "x", "ada"}, SRV_ERROR_NOT_FOUND, "has no alert 2"},
        {{"2013-04-05", odd, 1, "x", "ada"}, SRV_ERROR_INVALID, "an alert has its own"},
        {{"2013-04-05", none, 0, "x", "ada"}, SRV_ERROR_INVALID, "must be a list of names"},
        {{"2013-04-05", odd, 0, "x", "ada"}, SRV_ERROR_INVALID, "no portion \"(not a name)\""},
        {{"2013-04-05", unknown, 0, "x", "ada"}, SRV_ERROR_INVALID, "no portion \"X\""},
        {{"2013-04-05", NULL, 0, "", "ada"}, SRV_ERROR_INVALID, "reason"},
        {{"2013-04-05", NULL, 0, NULL, "ada"}, SRV_ERROR_INVALID, "reason"},
        {{"2013-04-05", NULL, 0, "a\nb", "ada"}, SRV_ERROR_INVALID, "one line"},
        {{"2013-04-05", NULL, 0, much, "ada"}, SRV_ERROR_INVALID, "at most 300 bytes"},
        {{"2013-04-05", NULL, 0, "x", ""}, SRV_ERROR_INVALID, "author"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        refused(fix, &bad[i].said, bad[i].code, bad[i].why);
    g_autoptr(GError) error = NULL;
    int64_t id;
    assert_false(srv_baseline_set(fix->store, "none", &fifth, fix->now_ms, &id, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    assert_false(srv_baseline_undo(fix->store, 1, "ada", "", fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    json_auto_t *items = listed(fix);
    assert_int_equal(json_array_size(items), 0);
    alert_is(fix, "open", "2013-04-06", "2013-04-07");
}

static void a_withdrawn_alert_has_no_level(void **state) {
    fixture *fix = *state;
    days(fix, 1, 6, before);
    days(fix, 7, 9, after);
    assert_true(srv__begin(fix->store, NULL));
    assert_true(srv__end(
        fix->store,
        srv__alert_note(fix->store, 1, "withdrawn", SRV__DETECTOR, "gone", fix->now_ms, NULL),
        NULL));
    refused(fix, &removed, SRV_ERROR_CONFLICT, "alert 1 was withdrawn");
}

#define BELIEVED(test) cmocka_unit_test_setup_teardown(test, believed, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        BELIEVED(a_level_begins_where_somebody_says_so),
        BELIEVED(it_holds_for_nights_to_come_and_is_undone),
        BELIEVED(a_step_there_is_told_to_nobody),
        BELIEVED(only_of_the_portions_that_are_named),
        BELIEVED(a_wrong_level_is_removed_and_comes_back),
        BELIEVED(a_decision_comes_back_with_it),
        cmocka_unit_test_setup_teardown(a_suspicion_that_a_person_answered_is_not_measured, setup,
                                        teardown),
        BELIEVED(a_level_is_moved_to_a_later_night_and_back),
        BELIEVED(what_another_alert_tells_stays_while_a_level_is_moved),
        BELIEVED(a_level_is_moved_to_an_earlier_night),
        BELIEVED(a_level_is_not_moved_onto_another_alert_of_its_portions),
        BELIEVED(what_makes_no_sense_is_refused),
        BELIEVED(a_withdrawn_alert_has_no_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
