/* Announced changes: who may announce, and how large a change needs a person all the same. */
#include "trials.h"

#include "server/alarm/expectations.h"
#include "tests/unit/server/sql_text.h"

/* The settings of the project as its file would have them. */
static void settings(fixture *fix, double percent, const char *announcer) {
    cfg_project *project = fix_project("kieker");
    char *list[] = {g_strdup(announcer), NULL};
    project->detection.announced_percent = percent;
    project->detection.announcers = list;
    project->detection.announcers_count = announcer ? 1 : 0;
    fix_sync_only(fix, project);
    g_free(list[0]);
}

static void announce(fixture *fix, const char *text) {
    json_t *list =
        json_pack("[{s:i, s:s, s:{s:s, s:s, s:s, s:s, s:I}}]", "place", 7, "text", text, "commit",
                  "sha", fix_sha(7), "author", "Ada", "author_email", "Ada@example.org", "subject",
                  "a cheaper probe", "time_ms", (json_int_t)7000);
    g_autoptr(GError) error = NULL;
    if (!srv_expectations_take(fix->store, "kieker", list, false, &error))
        fail_msg("%s", error->message);
    json_decref(list);
}

/* Instrumentation falls from 400 to 120 ns, by 70 %, with this announced; the alert. */
static json_t *answered(fixture *fix, const char *text) {
    const int64_t seen = suspicious_night(fix);
    assert_true(
        srv__run(fix->store, sql_text("UPDATE revision SET place=id", ""), SRV__NO_ARGS, NULL));
    announce(fix, text);
    run_trial(fix, before, after, seen);
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_non_null(alert);
    return alert;
}

static void a_large_change_needs_a_person(void **state) {
    fixture *fix = *state;
    settings(fix, 50, NULL);
    json_t *alert = answered(fix, "* of course");
    assert_string_equal(text_of(alert, "state"), "open");
    const json_t *audit = json_object_get(alert, "audit");
    const json_t *last = json_array_get(audit, json_array_size(audit) - 1);
    assert_non_null(strstr(text_of(last, "reason"), "detection.announced_percent"));
    json_decref(alert);
}

static void up_to_the_bound_nobody_is_asked(void **state) {
    fixture *fix = *state;
    settings(fix, 80, NULL);
    json_t *alert = answered(fix, "* of course");
    assert_string_equal(text_of(alert, "state"), "accepted");
    json_decref(alert);
}

static void only_who_may_announces(void **state) {
    const struct {
        const char *announcer, *state;
    } cases[] = {{"bob@example.org", "open"}, {"ada@EXAMPLE.org", "accepted"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        teardown(state);
        setup(state);
        fixture *fix = *state;
        settings(fix, 80, cases[i].announcer);
        json_t *alert = answered(fix, "I -75%");
        assert_string_equal(text_of(alert, "state"), cases[i].state);
        json_t *night = srv_view_experiment(
            fix->store, number_of(json_object_get(alert, "to"), "experiment"), NULL);
        const json_t *said = json_array_get(json_object_get(night, "expectations"), 0);
        const char *problem = text_of(said, "problem");
        if (i == 0)
            assert_string_equal(problem, "Ada@example.org is not among detection.announcers");
        else
            assert_null(problem);
        json_decref(night);
        json_decref(alert);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_large_change_needs_a_person, setup, teardown),
        cmocka_unit_test_setup_teardown(up_to_the_bound_nobody_is_asked, setup, teardown),
        cmocka_unit_test_setup_teardown(only_who_may_announces, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
