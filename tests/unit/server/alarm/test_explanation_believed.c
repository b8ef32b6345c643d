/* Nights that are believed as they are: no commit between them is searched for, and where the
 * change is comes from the two nights themselves. */
#include "trials.h"

#include "config/json_text.h"
#include "config/model/alert.h"
#include "server/alarm/explanation.h"
#include "tests/unit/server/sql_text.h"

static const char able[] = "explain", unable[] = "confirmation";

/* Six nights of one level, nothing is measured again. */
static void calm(fixture *fix, const char *can, unsigned minutes) {
    cfg_project *project = fix_project("kieker");
    project->detection.remeasure = false;
    project->detection.explain_minutes = minutes;
    fix_sync_only(fix, project);
    json_decref(fix->can);
    fix->can = json_pack("[s]", can);
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
}

static json_t *begin(fixture *fix, const char *can, unsigned minutes) {
    calm(fix, can, minutes);
    for (int day = 7; day <= 9 && alerts(fix) == 0; day++)
        night(fix, day, after);
    assert_int_equal(alerts(fix), 1);
    model_list wanted;
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, NULL));
    assert_int_equal(wanted.count, 0);
    model_list_clear(&wanted);
    return fix_lease(fix);
}

static json_t *explanation(fixture *fix) {
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_non_null(alert);
    json_t *view = json_incref(json_object_get(alert, "explanation"));
    json_decref(alert);
    return view;
}

static void append(json_t *profiles, const char *commit, const char *name, const char *stacks) {
    json_array_append_new(profiles,
                          json_pack("{s:s, s:s, s:i, s:i, s:s}", "commit", commit, "configuration",
                                    name, "loop", 1, "calls", 10, "stacks", stacks));
}

static json_t *body_of(const json_t *leased) {
    const json_t *job = json_object_get(leased, "job");
    const char *older = text_of(job, "before"), *newer = text_of(job, "commit");
    json_t *profiles = json_array();
    append(profiles, older, "none", "m 100\n");
    append(profiles, older, "deactivated", "m 100\nm;enter 300\nm;enter;text 2800\n");
    append(profiles, newer, "none", "m 100\n");
    append(profiles, newer, "deactivated", "m 100\nm;enter 300\n");
    return json_pack("{s:O, s:s, s:I, s:I, s:s, s:s, s:o}", "lease",
                     json_object_get(leased, "lease"), "node", "blade1", "started_ms",
                     (json_int_t)1, "finished_ms", (json_int_t)2, "profiler", "callgrind", "unit",
                     "instructions", "profiles", profiles);
}

static void the_job_has_the_two_nights_commits(void **state) {
    fixture *fix = *state;
    json_t *leased = begin(fix, able, 3);
    const json_t *job = json_object_get(leased, "job");
    g_autofree char *older = g_strdup(fix_sha(6));
    assert_string_equal(text_of(job, "kind"), "explain");
    assert_string_equal(text_of(job, "commit"), fix_sha(7));
    assert_string_equal(text_of(job, "before"), older);
    assert_int_equal(number_of(job, "explain_minutes"), 3);
    const json_t *list = json_object_get(json_object_get(job, "benchmark"), "configurations");
    assert_int_equal(json_array_size(list), 2);
    json_decref(leased);
}

static void its_profiles_become_a_sentence_once(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = begin(fix, able, 3), *body = body_of(leased);
    json_t *said =
        srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
    if (!said)
        fail_msg("%s", error->message);
    json_t *view = explanation(fix);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 0);
    assert_string_equal(text_of(view, "state"), "done");
    assert_string_equal(text_of(portion, "portion"), "I");
    assert_non_null(strstr(text_of(portion, "sentence"), " in `text` (gone), called from `enter`"));
    json_decref(view);
    json_decref(said);
    json_decref(body);
    json_decref(leased);
    night(fix, 10, after);
    assert_null(fix_lease(fix));
}

static void an_older_runner_is_told_of(void **state) {
    fixture *fix = *state;
    assert_null(begin(fix, unable, 3));
    json_t *view = explanation(fix);
    assert_string_equal(text_of(view, "state"), "failed");
    assert_non_null(strstr(text_of(view, "reason"), "the runner of node blade1 cannot profile"));
    json_decref(view);
}

static void a_project_may_want_none(void **state) {
    fixture *fix = *state;
    assert_null(begin(fix, able, 0));
    json_t *view = explanation(fix);
    assert_true(json_is_null(view));
    json_decref(view);
}

/* A ramp: of two nights that show it, a little each, the first one's commit had done it all. */
static void a_slow_shift_is_no_single_commits(void **state) {
    static const char *const puts[] = {
        "UPDATE revision SET place=id", "UPDATE alert SET seen_experiment=8",
        "UPDATE portion SET rule='slow-shift' WHERE experiment_id=8"};
    fixture *fix = *state;
    assert_null(begin(fix, able, 0));
    night(fix, 8, after);
    assert_true(srv__run(fix->store, sql_text(puts[0], ""), SRV__NO_ARGS, NULL));
    json_auto_t *named = srv_view_alert(fix->store, 1, NULL);
    assert_int_equal(number_of(named, "commits"), 1);
    assert_true(json_equal(json_object_get(named, "until"), json_object_get(named, "to")));
    assert_null(json_object_get(named, "slow"));
    for (size_t i = 1; i < G_N_ELEMENTS(puts); i++)
        assert_true(srv__run(fix->store, sql_text(puts[i], ""), SRV__NO_ARGS, NULL));
    json_auto_t *slow = srv_view_alert(fix->store, 1, NULL);
    assert_true(json_is_true(json_object_get(slow, "slow")));
    assert_int_equal(number_of(slow, "commits"), 2);
    assert_int_equal(number_of(json_object_get(slow, "until"), "experiment"),
                     number_of(json_object_get(named, "to"), "experiment") + 1);
}

/* One night alone shows a step of a ramp: its commit did not do it all. A search among one commit
 * measures nothing, and finds nothing. */
static void nor_is_one_that_one_night_shows(void **state) {
    static const char *const puts[] = {
        "UPDATE revision SET place=id",
        "UPDATE portion SET rule='slow-shift' WHERE experiment_id=7"};
    fixture *fix = *state;
    GError *error = NULL;
    assert_null(begin(fix, able, 0));
    const srv_commit only = {.sha = fix_sha(7), .author = "", .author_email = "", .subject = ""};
    assert_true(srv_bisection_begin(fix->store, 1, &only, 1, NULL, fix->now_ms, &error));
    json_auto_t *found = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(json_string_value(cfg_json_at(found, "bisection.culprit.sha")), fix_sha(7));
    for (size_t i = 0; i < G_N_ELEMENTS(puts); i++)
        assert_true(srv__run(fix->store, sql_text(puts[i], ""), SRV__NO_ARGS, NULL));
    json_auto_t *slow = srv_view_alert(fix->store, 1, NULL);
    assert_true(json_is_true(json_object_get(slow, "slow")));
    assert_true(json_is_null(json_object_get(slow, "bisection")));
    g_auto(cfg_alert) alert = cfg_alert_of(slow);
    assert_int_equal(cfg_alert_commits(&alert), 1);
    assert_null(cfg_alert_culprit(&alert));
    json_auto_t *night = srv_view_experiment(fix->store, 7, NULL);
    const json_t *portion = json_array_get(json_object_get(night, "portions"), 1);
    assert_true(json_is_true(json_object_get(portion, "slow")));
}

static void commits_are(fixture *fix, int older_day, int newer_day) {
    json_t *leased = fix_lease(fix);
    const json_t *job = json_object_get(leased, "job");
    g_autofree char *older = g_strdup(fix_sha(older_day));
    assert_string_equal(text_of(job, "kind"), "explain");
    assert_string_equal(text_of(job, "before"), older);
    assert_string_equal(text_of(job, "commit"), fix_sha(newer_day));
    json_decref(leased);
}

/* A project's first nights are measured newest first: the range becomes smaller until all are in.
 */
static void it_waits_for_the_nights_between(void **state) {
    fixture *fix = *state;
    calm(fix, able, 3);
    night(fix, 20, after);
    night(fix, 21, after);
    assert_int_equal(alerts(fix), 1);
    night(fix, 10, before);
    night(fix, 12, after);
    night(fix, 13, after);
    assert_int_equal(alerts(fix), 1);
    commits_are(fix, 10, 12);
    json_t *view = explanation(fix);
    assert_string_equal(text_of(view, "state"), "waiting");
    json_decref(view);
}

static void what_is_withdrawn_is_not_profiled_until_it_is_back(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    calm(fix, able, 3);
    night(fix, 20, after);
    night(fix, 21, after);
    assert_true(srv__begin(fix->store, &error));
    assert_true(srv__alert_note(fix->store, 1, "withdrawn", SRV__DETECTOR, "for a test",
                                fix->now_ms, &error));
    for (int i = 0; i < 2; i++) /* the second finds nothing */
        assert_true(srv__explanation_drop(fix->store, 1, "for a test", fix->now_ms, &error));
    assert_true(srv__end(fix->store, true, &error));
    json_t *view = explanation(fix);
    assert_true(json_is_null(view));
    json_decref(view);
    assert_null(fix_lease(fix));
    night(fix, 12, after);
    night(fix, 13, after);
    assert_int_equal(alerts(fix), 1);
    commits_are(fix, 6, 12);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_job_has_the_two_nights_commits),
        TEST(its_profiles_become_a_sentence_once),
        TEST(an_older_runner_is_told_of),
        TEST(a_project_may_want_none),
        TEST(a_slow_shift_is_no_single_commits),
        TEST(nor_is_one_that_one_night_shows),
        TEST(it_waits_for_the_nights_between),
        TEST(what_is_withdrawn_is_not_profiled_until_it_is_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
