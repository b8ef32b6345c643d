/* An alert keeps its number when nights come in late and are measured again. */
#include "trials.h"

static const double middle[4] = {70, 480, 1600, 3200}; /* as before: no change yet */

static json_t *alert_of(fixture *fix, int64_t id) {
    GError *error = NULL;
    json_t *alert = srv_view_alert(fix->store, id, &error);
    if (!alert)
        fail_msg("%s", error->message);
    return alert;
}

static void spans(fixture *fix, int64_t id, const char *state, const char *from, const char *to) {
    json_t *alert = alert_of(fix, id);
    assert_string_equal(text_of(alert, "state"), state);
    assert_string_equal(text_of(json_object_get(alert, "from"), "night"), from);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), to);
    json_decref(alert);
}

/* How often its audit lines say that. */
static int said(fixture *fix, int64_t id, const char *state) {
    json_t *alert = alert_of(fix, id), *line;
    int count = 0;
    size_t i;
    json_array_foreach (json_object_get(alert, "audit"), i, line)
        count += g_strcmp0(text_of(line, "to"), state) == 0;
    json_decref(alert);
    return count;
}

/* Nights 1 to 6, then the 10th, which changed and was measured again: one alert, 6th to 10th. */
static int64_t told(fixture *fix) {
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    int64_t seen = night(fix, 10, after);
    run_trial(fix, before, after, seen);
    assert_int_equal(alerts(fix), 1);
    spans(fix, 1, "open", "2013-04-06", "2013-04-10");
    return seen;
}

/* Wherever the detector dates the change meanwhile. */
static void it_stands_while_a_night_between_is_asked(void **state) {
    static const double levels[][4] = {
        {70, 190, 1320, 2920}, {70, 187, 1317, 2917}, {70, 193, 1323, 2923}};
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        teardown(state);
        setup(state);
        fixture *fix = *state;
        told(fix);
        int64_t between = night(fix, 8, levels[i]);
        verdict_is(fix, between, "suspect");
        spans(fix, 1, "open", "2013-04-06", "2013-04-10");
        run_trial(fix, before, levels[i], between);
        verdict_is(fix, between, "anomaly");
        assert_int_equal(alerts(fix), 1);
        spans(fix, 1, "open", "2013-04-06", "2013-04-08");
        assert_int_equal(said(fix, 1, "withdrawn"), 0);
    }
}

static void it_stands_when_the_night_between_is_cleared(void **state) {
    fixture *fix = *state;
    int64_t seen = told(fix);
    int64_t between = night(fix, 8, after);
    run_trial(fix, before, before, between);
    verdict_is(fix, between, "cleared");
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    assert_int_equal(said(fix, 1, "withdrawn"), 0);
}

static void a_night_as_before_narrows_it_at_once(void **state) {
    fixture *fix = *state;
    told(fix);
    night(fix, 8, middle);
    assert_int_equal(alerts(fix), 1);
    spans(fix, 1, "open", "2013-04-08", "2013-04-10");
}

/* Ten nights in the order of a demo: the newest first, then from the oldest on. */
static void the_newest_night_first_is_one_alert(void **state) {
    fixture *fix = *state;
    int64_t id = night(fix, 10, after);
    for (int day = 1; day <= 9; day++) {
        id = night(fix, day, day < 9 ? before : after);
        run_trial(fix, before, after, day < 9 ? 1 : id);
    }
    assert_int_equal(alerts(fix), 1);
    spans(fix, 1, "open", "2013-04-08", "2013-04-09");
    assert_int_equal(said(fix, 1, "withdrawn"), 0);
}

/* Withdrawn, since nothing showed it any more; then two nights within its span do. */
static void it_comes_back_under_its_number(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_clear_pointer(&fix->can, json_decref); /* nights are believed */
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    night(fix, 20, after);
    night(fix, 21, after);
    spans(fix, 1, "open", "2013-04-06", "2013-04-20");
    assert_true(srv__begin(fix->store, &error));
    assert_true(srv__alert_note(fix->store, 1, "withdrawn", SRV__DETECTOR, "for a test",
                                fix->now_ms, &error));
    assert_true(srv__end(fix->store, true, &error));
    night(fix, 12, after);
    night(fix, 13, after);
    assert_int_equal(alerts(fix), 1);
    spans(fix, 1, "open", "2013-04-06", "2013-04-12");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_stands_while_a_night_between_is_asked, setup, teardown),
        cmocka_unit_test_setup_teardown(it_stands_when_the_night_between_is_cleared, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_night_as_before_narrows_it_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(the_newest_night_first_is_one_alert, setup, teardown),
        cmocka_unit_test_setup_teardown(it_comes_back_under_its_number, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
