/* An alert keeps its number when nights come in late and are measured again. */
#include "trials.h"

#include "tests/unit/server/sql_text.h"

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

/* The levels of the days below: I falls with the 4th, and rises by half of that with the 8th. */
static const double *level_of(const json_t *sha) {
    static const double dearer[4] = {70, 330, 1460, 3060};
    for (int day = 1; day <= 10; day++)
        if (g_str_equal(json_string_value(sha), fix_sha(day)))
            return day < 4 ? before : day < 8 ? after : dearer;
    fail_msg("%s is of no day", json_string_value(sha));
    return NULL;
}

/* What a job brings: of a night, or of two in turn. */
static void answer(fixture *fix, json_t *leased) {
    const json_t *job = json_object_get(leased, "job"), *older = json_object_get(job, "before");
    const double *means = level_of(json_object_get(job, "commit"));
    fix_ingest(fix, leased,
               json_is_string(older) ? fix_trial(fix, leased, level_of(older), means)
                                     : fix_result(fix, leased, means));
}

static void both_changes_are_told(fixture *fix) {
    for (json_t *leased; (leased = fix_lease(fix));)
        answer(fix, leased);
    assert_int_equal(alerts(fix), 2); /* and nobody was told that I fell with the 10th */
    spans(fix, 1, "open", "2013-04-03", "2013-04-04");
    spans(fix, 2, "open", "2013-04-07", "2013-04-08");
}

/* All nights are in before the first suspicion, of the newest against the oldest, is measured
 * again: the answer says nothing of the changes between, which had to wait for it. */
static void changes_between_are_asked_when_the_first_answer_is_there(void **state) {
    fixture *fix = *state;
    for (int i = 0; i < 10; i++) {
        json_auto_t *sha = json_string(fix_sha(i == 0 ? 10 : i));
        night(fix, i == 0 ? 10 : i, level_of(sha));
    }
    both_changes_are_told(fix);
}

static int64_t queue(fixture *fix, int day, srv_kind kind) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    return fix_add(fix, "kieker", day, date, kind);
}

static bool next_is(fixture *fix, const char *kind) {
    json_t *leased = fix_lease(fix);
    const bool is = leased && g_str_equal(text_of(json_object_get(leased, "job"), "kind"), kind);
    if (leased)
        answer(fix, leased);
    return is;
}

/* The newest night is the first, and nights of long ago follow: it is not measured again while one
 * before it is still to come. */
static void nights_between_come_before_it_is_measured_again(void **state) {
    fixture *fix = *state;
    g_autofree char *newest = g_strdup(fix_sha(10));
    queue(fix, 10, SRV_KIND_NIGHTLY);
    for (int day = 1; day <= 9; day++)
        queue(fix, day, SRV_KIND_BACKFILL);
    assert_true(next_is(fix, "nightly"));
    int nights = 0;
    for (json_t *leased; (leased = fix_lease(fix)); answer(fix, leased)) {
        const json_t *job = json_object_get(leased, "job");
        nights += g_str_equal(text_of(job, "kind"), "backfill");
        assert_true(nights == 9 || !g_str_equal(text_of(job, "commit"), newest));
    }
    both_changes_are_told(fix);
}

static void a_night_between_that_never_comes_holds_nothing_up(void **state) {
    fixture *fix = *state;
    queue(fix, 10, SRV_KIND_NIGHTLY);
    queue(fix, 1, SRV_KIND_BACKFILL);
    queue(fix, 2, SRV_KIND_BACKFILL);
    const int64_t last = queue(fix, 3, SRV_KIND_BACKFILL);
    assert_true(next_is(fix, "nightly"));
    assert_true(next_is(fix, "backfill"));
    assert_true(next_is(fix, "backfill"));
    assert_true(srv_queue_cancel(fix->store, last, "for a test", fix->now_ms, NULL));
    assert_true(srv_queue_expire(fix->store, &(srv_queue_rules){.lease_s = 600, .attempts = 3},
                                 fix->now_ms, NULL, NULL));
    assert_true(next_is(fix, "confirmation"));
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

/* A portion moved with the 10th night, as night `seen` showed. */
static srv__anomaly anomaly_of(const char *configuration, const char *dimension, int direction,
                               int64_t to, int64_t seen) {
    const det_interval level = {.mean = 100, .low = 90, .high = 110};
    return (srv__anomaly){.configuration = 3,
                          .configuration_name = configuration,
                          .portion = "W",
                          .dimension = dimension,
                          .weight = 0.1,
                          .direction = direction,
                          .from = 6,
                          .to = to,
                          .seen = seen,
                          .before = level,
                          .after = level,
                          .difference = level,
                          .reason = "why"};
}

/* W rose. */
static void joins(fixture *fix, const char *dimension, int64_t to, int64_t seen) {
    g_autoptr(GArray) anomalies = g_array_new(FALSE, FALSE, sizeof(srv__anomaly));
    const srv__anomaly one = anomaly_of("writing", dimension, 1, to, seen);
    g_array_append_val(anomalies, one);
    assert_true(srv__begin(fix->store, NULL));
    assert_true(
        srv__end(fix->store, srv__alerts_add(fix->store, 1, anomalies, fix->now_ms, NULL), NULL));
}

/* Seen live: processor time was measured again five nights later, with six commits between, and
 * stood under the one commit that was found for the time of a call. */
static void what_was_there_by_another_commit_is_an_alert_of_its_own(void **state) {
    fixture *fix = *state;
    const int64_t to = told(fix), seen = night(fix, 11, after);
    joins(fix, "peak_mb", to, seen); /* the nights alone say so, of the same commits */
    assert_int_equal(alerts(fix), 1);
    assert_true(srv__run(
        fix->store,
        sql_text("INSERT INTO suspicion(series_id,configuration,direction,seen_experiment,"
                 "to_experiment,from_experiment,question_id,state,raised_ms,dimension) "
                 "SELECT series_id,'writing',1,$1,to_experiment,from_experiment,question_id,"
                 "'confirmed',raised_ms,'cpu_ms' FROM suspicion WHERE state='confirmed' LIMIT 1",
                 "i"),
        SRV__ARGS(seen), NULL));
    joins(fix, "cpu_ms", to, seen);
    assert_int_equal(alerts(fix), 2);
}

/* Processor time that is believed with the time of a call has its commit. */
static void what_follows_from_a_time_is_of_its_alert(void **state) {
    static const char *const rows[] = {
        "UPDATE suspicion SET seen_experiment=$1, configuration='writing' WHERE state='confirmed'",
        "UPDATE alert SET seen_experiment=$1, configuration='writing'"};
    fixture *fix = *state;
    const int64_t to = told(fix), seen = night(fix, 11, after);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        assert_true(srv__run(fix->store, sql_text(rows[i], "i"), SRV__ARGS(seen), NULL));
    joins(fix, "cpu_ms", to, seen);
    assert_int_equal(alerts(fix), 1);
}

static void came_slowly(fixture *fix, int64_t seen) {
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE portion SET rule='slow-shift' "
                                  "WHERE experiment_id=$1 AND configuration='writing'",
                                  "i"),
                         SRV__ARGS(seen), NULL));
}

/* One alert names a commit, which is not accused of what came slowly; and the other names none. */
static void two_are_told(fixture *fix) {
    assert_int_equal(alerts(fix), 2);
    json_auto_t *named = alert_of(fix, 1), *slow = alert_of(fix, 2);
    assert_int_equal(json_array_size(json_object_get(named, "portions")), 1);
    assert_null(json_object_get(named, "slow"));
    assert_true(json_is_true(json_object_get(slow, "slow")));
}

static void what_came_slowly_is_an_alert_of_its_own(void **state) {
    fixture *fix = *state;
    const int64_t to = told(fix), seen = night(fix, 11, after);
    came_slowly(fix, seen);
    joins(fix, "time", to, seen);
    two_are_told(fix);
}

/* Nights were judged again, of which one tells now that it came slowly. */
static void so_is_what_turns_out_so(void **state) {
    fixture *fix = *state;
    const int64_t to = told(fix), seen = night(fix, 11, after);
    joins(fix, "time", to, seen);
    assert_int_equal(alerts(fix), 1);
    came_slowly(fix, seen);
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
    for (int64_t id = 1; id <= seen; id++)
        g_array_append_val(ids, id);
    g_autoptr(GArray) anomalies = g_array_new(FALSE, FALSE, sizeof(srv__anomaly));
    const srv__anomaly all[] = {anomaly_of("deactivated", "time", -1, to, to),
                                anomaly_of("writing", "time", 1, to, seen)};
    g_array_append_vals(anomalies, all, G_N_ELEMENTS(all));
    assert_true(srv__begin(fix->store, NULL));
    const bool good = srv__alerts_reconcile(fix->store, (srv__watched){1, "time"}, anomalies, ids,
                                            0, fix->now_ms, NULL) &&
                      srv__alerts_add(fix->store, 1, anomalies, fix->now_ms, NULL);
    assert_true(srv__end(fix->store, good, NULL));
    two_are_told(fix);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_follows_from_a_time_is_of_its_alert, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_there_by_another_commit_is_an_alert_of_its_own,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(what_came_slowly_is_an_alert_of_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(so_is_what_turns_out_so, setup, teardown),
        cmocka_unit_test_setup_teardown(it_stands_while_a_night_between_is_asked, setup, teardown),
        cmocka_unit_test_setup_teardown(it_stands_when_the_night_between_is_cleared, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_night_as_before_narrows_it_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(the_newest_night_first_is_one_alert, setup, teardown),
        cmocka_unit_test_setup_teardown(changes_between_are_asked_when_the_first_answer_is_there,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(nights_between_come_before_it_is_measured_again, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_night_between_that_never_comes_holds_nothing_up, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(it_comes_back_under_its_number, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
