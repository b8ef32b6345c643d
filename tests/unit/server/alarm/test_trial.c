#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include <string.h>

#include "server/alarm/bisection.h"
#include "server/ground/error.h"
#include "server/views/views.h"

static const double before[4] = {70, 470, 1600, 3200};
static const double after[4] = {70, 190, 1320, 2920}; /* I down from 400 to 120 */

static int setup(void **state) {
    fixture *fix = fix_new();
    fix_sync(fix, "kieker", NULL);
    fix->can = json_pack("[s]", "confirmation");
    *state = fix;
    return 0;
}

static int teardown(void **state) {
    fix_free(*state);
    return 0;
}

static int64_t night(fixture *fix, int day, const double means[4]) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix->now_ms += 3600000;
    return fix_measure(fix, "kieker", day, date, means);
}

static size_t alerts(fixture *fix) {
    GError *error = NULL;
    json_t *page = srv_view_alerts(fix->store, "kieker", NULL, (srv_page){0, NULL}, &error);
    assert_non_null(page);
    size_t count = json_array_size(json_object_get(page, "items"));
    json_decref(page);
    return count;
}

static void verdict_is(fixture *fix, int64_t experiment, const char *expected) {
    json_t *view = srv_view_experiment(fix->store, experiment, NULL);
    json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
    assert_string_equal(text_of(portion, "verdict"), expected);
    json_decref(view);
}

/* Take the open trial's jobs until there are none; how many there were. */
static int run_trial(fixture *fix, const double old_means[4], const double new_means[4],
                     int64_t about) {
    int jobs = 0;
    for (json_t *leased; (leased = fix_lease(fix)); jobs++) {
        GError *error = NULL;
        bool created;
        const json_t *job = json_object_get(leased, "job");
        assert_string_equal(text_of(job, "kind"), "confirmation");
        json_t *body = fix_trial(fix, leased, old_means, new_means);
        for (int i = 0; i < 2; i++) { /* the second is a lost answer's repetition */
            json_t *answer = srv_ingest_result(fix->store, number_of(job, "id"), body, fix->now_ms,
                                               &created, &error);
            if (!answer)
                fail_msg("%s", error->message);
            assert_int_equal(created, i == 0);
            assert_int_equal(number_of(answer, "experiment"), about);
            json_decref(answer);
        }
        json_decref(body);
        json_decref(leased);
    }
    return jobs;
}

static int64_t suspicious_night(fixture *fix) {
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    return night(fix, 7, after);
}

static void a_suspicion_is_no_alert_but_a_job(void **state) {
    fixture *fix = *state;
    int64_t seen = suspicious_night(fix);
    verdict_is(fix, seen, "suspect");
    assert_int_equal(alerts(fix), 0);
    json_t *leased = fix_lease(fix);
    const json_t *job = json_object_get(leased, "job");
    assert_string_equal(text_of(job, "kind"), "confirmation");
    assert_string_equal(text_of(job, "commit"), fix_sha(7));
    assert_string_not_equal(text_of(job, "before"), fix_sha(7));
    const json_t *benchmark = json_object_get(job, "benchmark");
    const json_t *list = json_object_get(benchmark, "configurations");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(text_of(json_array_get(list, 0), "name"), "none");
    assert_string_equal(text_of(json_array_get(list, 1), "name"), "deactivated");
    assert_int_equal(number_of(benchmark, "loops"), 10);
    json_decref(leased);
}

static void confirmed_becomes_an_alert(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    assert_true(run_trial(fix, before, after, seen) >= 1);
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_string_equal(text_of(alert, "portion"), "I");
    assert_string_equal(text_of(alert, "direction"), "down");
    assert_string_equal(text_of(json_object_get(alert, "confirmation"), "state"), "confirmed");
    assert_true(number_of(json_object_get(alert, "confirmation"), "loops") >= 10);
    assert_int_equal(number_of(json_object_get(alert, "to"), "experiment"), seen);
    json_decref(alert);
    for (int day = 8; day <= 12; day++)
        night(fix, day, after);
    assert_int_equal(alerts(fix), 1);
}

/* I +200, C +800, W +1000 with one commit. */
static const double dearer[4] = {70, 670, 2600, 5200};

static int64_t night_of_three(fixture *fix) {
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    return night(fix, 7, dearer);
}

static void three_portions_are_one_change(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = night_of_three(fix);
    run_trial(fix, before, dearer, seen);
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    const json_t *portions = json_object_get(alert, "portions");
    assert_int_equal(json_array_size(portions), 3);
    static const char *const order[] = {"W", "C", "I"};
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
        const json_t *portion = json_array_get(portions, i);
        assert_string_equal(text_of(portion, "portion"), order[i]);
        assert_string_equal(text_of(portion, "direction"), "up");
        assert_string_equal(text_of(json_object_get(portion, "confirmation"), "state"),
                            "confirmed");
    }
    assert_string_equal(text_of(alert, "portion"), "W");
    assert_int_equal(number_of(json_object_get(alert, "to"), "experiment"), seen);
    json_decref(alert);
    json_t *wanted = srv_bisections_wanted(fix->store, "kieker", &error);
    assert_int_equal(json_array_size(wanted), 1);
    json_decref(wanted);
    for (int day = 8; day <= 14; day++)
        night(fix, day, dearer);
    assert_int_equal(alerts(fix), 1);
    assert_null(fix_lease(fix));
}

/* What lies under another portion's change is not measured again for nothing. */
static void a_change_below_asks_for_itself_only(void **state) {
    fixture *fix = *state;
    suspicious_night(fix);
    json_t *leased = fix_lease(fix);
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    assert_int_equal(json_array_size(json_object_get(benchmark, "configurations")), 2);
    json_decref(leased);
}

static void a_portion_that_is_cleared_is_not_part_of_it(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    static const double really[4] = {70, 470, 1600, 4200}; /* only W */
    int64_t seen = night_of_three(fix);
    run_trial(fix, before, really, seen);
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 1);
    assert_string_equal(text_of(alert, "portion"), "W");
    json_decref(alert);
}

static void cleared_is_counted_and_not_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    assert_true(run_trial(fix, before, before, seen) >= 1);
    verdict_is(fix, seen, "cleared");
    assert_int_equal(alerts(fix), 0);
    json_t *project = srv_view_project(fix->store, "kieker", &error);
    assert_int_equal(number_of(project, "cleared"), 1);
    assert_int_equal(number_of(project, "suspicions"), 0);
    json_decref(project);
    for (int day = 8; day <= 14; day++)
        night(fix, day, before);
    assert_int_equal(alerts(fix), 0);
}

static void a_node_that_cannot_tells_at_once(void **state) {
    fixture *fix = *state;
    g_clear_pointer(&fix->can, json_decref);
    suspicious_night(fix);
    night(fix, 8, after);
    assert_int_equal(alerts(fix), 1);
    assert_null(fix_lease(fix));
}

static void a_node_that_learns_it_keeps_what_was_told(void **state) {
    fixture *fix = *state;
    g_clear_pointer(&fix->can, json_decref);
    suspicious_night(fix);
    night(fix, 8, after);
    assert_int_equal(alerts(fix), 1);
    fix->can = json_pack("[s]", "confirmation");
    for (int day = 9; day <= 12; day++)
        night(fix, day, after);
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(alert, "state"), "open");
    json_decref(alert);
}

static void what_cannot_be_measured_again_is_believed(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    json_t *leased = fix_lease(fix);
    json_t *body = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                             "phase", "prepare", "reason", "does not build", "retry", 0);
    assert_true(srv_queue_failure(fix->store, &fix_rules,
                                  number_of(json_object_get(leased, "job"), "id"), body,
                                  fix->now_ms, &error));
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_non_null(strstr(text_of(alert, "reason"), "prepare: does not build"));
    assert_string_equal(text_of(json_object_get(alert, "confirmation"), "state"), "believed");
    json_decref(alert);
    json_t *nights =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, &error);
    assert_int_equal(json_array_size(json_object_get(nights, "items")), 7);
    json_decref(nights);
    json_decref(body);
    json_decref(leased);
}

static void a_node_that_stays_away_is_not_waited_for(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    fix->now_ms += INT64_C(2) * 86400000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, NULL, &error));
    verdict_is(fix, seen, "suspect");
    fix->now_ms += INT64_C(2) * 86400000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, NULL, &error));
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    assert_null(fix_lease(fix));
}

static void a_night_while_waiting_asks_no_second_time(void **state) {
    fixture *fix = *state;
    int64_t seen = suspicious_night(fix);
    json_t *leased = fix_lease(fix); /* the trial's job, still running */
    GError *error = NULL;
    json_t *project = srv_view_project(fix->store, "kieker", &error);
    int64_t waiting = number_of(project, "suspicions");
    json_decref(project);
    json_t *other = NULL;
    bool created;
    fix_add(fix, "kieker", 8, "2013-04-08", SRV_KIND_NIGHTLY);
    json_t *beat =
        json_pack("{s:O,s:s}", "lease", json_object_get(leased, "lease"), "phase", "measure");
    json_decref(srv_queue_progress(fix->store, &fix_rules, 8, beat, fix->now_ms, &error));
    assert_true(srv_queue_lease(fix->store, &fix_rules, "blade1", "0.1", NULL, fix->can,
                                fix->now_ms, &other, &error));
    json_t *body = fix_result(fix, other, after);
    json_t *answer = srv_ingest_result(fix->store, 9, body, fix->now_ms, &created, &error);
    assert_non_null(answer);
    project = srv_view_project(fix->store, "kieker", &error);
    assert_int_equal(number_of(project, "suspicions"), waiting);
    json_decref(project);
    json_decref(answer);
    json_decref(body);
    json_decref(other);
    body = fix_trial(fix, leased, before, after);
    answer = srv_ingest_result(fix->store, 8, body, fix->now_ms, &created, &error);
    assert_non_null(answer);
    json_decref(answer);
    json_decref(body);
    run_trial(fix, before, after, seen);
    assert_int_equal(alerts(fix), 1);
    verdict_is(fix, seen, "anomaly");
    json_decref(beat);
    json_decref(leased);
}

static void a_loop_of_a_third_commit_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    suspicious_night(fix);
    json_t *leased = fix_lease(fix);
    json_t *body = fix_trial(fix, leased, before, after);
    json_object_set_new(json_array_get(json_object_get(body, "loops"), 3), "commit",
                        json_string(fix_sha(99)));
    assert_null(srv_ingest_result(fix->store, 8, body, fix->now_ms, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    assert_non_null(strstr(error->message, "loops[3].commit"));
    g_error_free(error);
    json_decref(body);
    json_decref(leased);
}

static void project_bounds(fixture *fix, unsigned loops) {
    GError *error = NULL;
    cfg_project *project = fix_project("kieker");
    project->detection.remeasure_loops = loops;
    g_autoptr(GPtrArray) projects =
        g_ptr_array_new_with_free_func((GDestroyNotify)fix_project_free);
    g_ptr_array_add(projects, project);
    assert_true(srv_projects_sync(fix->store, projects, &error));
}

/* The portion changed by half of what is tested for (5 % of 400 ns): no look gives an answer, so
 * what the project allows is the end of it. */
static void a_project_bounds_the_loops(void **state) {
    static const double undecided[4] = {70, 460, 1590, 3190};
    const struct {
        unsigned allowed;
        int jobs, loops;
    } cases[] = {{5, 1, 5}, {10, 1, 10}, {25, 3, 30}, {60, 6, 60}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        teardown(state);
        setup(state);
        fixture *fix = *state;
        project_bounds(fix, cases[i].allowed);
        int64_t seen = suspicious_night(fix);
        assert_int_equal(run_trial(fix, before, undecided, seen), cases[i].jobs);
        verdict_is(fix, seen, "cleared");
        json_t *view = srv_view_experiment(fix->store, seen, NULL);
        json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
        assert_int_equal(number_of(json_object_get(portion, "confirmation"), "loops"),
                         cases[i].loops);
        json_decref(view);
    }
}

/* Seven nights, the last of which holds commits 100 … 115 and is itself number 7. */
static void commits_make(srv_commit *list, char (*sha)[41], size_t count) {
    for (size_t i = 0; i < count; i++) {
        g_strlcpy(sha[i], fix_sha(i + 1 == count ? 7 : 100 + (int)i), 41);
        list[i] = (srv_commit){sha[i], "Ada", "ada@example.org", 1000, "One of many", NULL, 0};
    }
}

static size_t place_of(const char (*sha)[41], size_t count, const char *commit) {
    for (size_t i = 0; i < count; i++)
        if (g_str_equal(sha[i], commit))
            return i;
    fail_msg("%s is none of the commits", commit);
    return 0;
}

/* Answer the search's jobs as if commits from culprit on were new; broken ones do not build. */
static int run_search(fixture *fix, const char (*sha)[41], size_t count, size_t culprit,
                      const bool *broken) {
    int trials = 0;
    for (json_t *leased; (leased = fix_lease(fix));) {
        GError *error = NULL;
        bool created;
        const json_t *job = json_object_get(leased, "job");
        size_t place = place_of(sha, count, text_of(job, "commit"));
        assert_string_equal(text_of(job, "kind"), "bisection");
        if (broken && broken[place]) {
            json_t *body = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                                     "phase", "prepare", "reason", "does not build", "retry", 0);
            assert_true(srv_queue_failure(fix->store, &fix_rules, number_of(job, "id"), body,
                                          fix->now_ms, &error));
            json_decref(body);
        } else {
            json_t *body = fix_trial(fix, leased, before, place >= culprit ? after : before);
            json_t *answer = srv_ingest_result(fix->store, number_of(job, "id"), body, fix->now_ms,
                                               &created, &error);
            if (!answer)
                fail_msg("%s", error->message);
            json_decref(answer);
            json_decref(body);
        }
        trials++;
        json_decref(leased);
    }
    return trials;
}

static json_t *search_of(fixture *fix) {
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_t *search = json_incref(json_object_get(alert, "bisection"));
    json_decref(alert);
    return search;
}

static void begin_search(fixture *fix, srv_commit *list, char (*sha)[41], size_t count) {
    GError *error = NULL;
    run_trial(fix, before, after, suspicious_night(fix));
    json_t *wanted = srv_bisections_wanted(fix->store, "kieker", &error);
    assert_int_equal(json_array_size(wanted), 1);
    assert_string_equal(text_of(json_array_get(wanted, 0), "to"), fix_sha(7));
    json_decref(wanted);
    commits_make(list, sha, count);
    for (int i = 0; i < 2; i++)
        assert_true(srv_bisection_begin(fix->store, 1, list, count, NULL, fix->now_ms, &error));
    wanted = srv_bisections_wanted(fix->store, "kieker", &error);
    assert_int_equal(json_array_size(wanted), 0);
    json_decref(wanted);
}

static void every_culprit_is_found(void **state) {
    (void)state;
    for (size_t culprit = 0; culprit < 16; culprit += 3) {
        void *own;
        setup(&own);
        fixture *fix = own;
        srv_commit list[16];
        char sha[16][41];
        begin_search(fix, list, sha, 16);
        int trials = run_search(fix, (const char(*)[41])sha, 16, culprit, NULL);
        assert_true(trials <= 8); /* four steps, each of one look or two */
        json_t *search = search_of(fix);
        assert_string_equal(text_of(search, "state"), "found");
        assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[culprit]);
        assert_true(json_array_size(json_object_get(search, "steps")) <= 4);
        json_decref(search);
        teardown(&own);
    }
}

static void commits_that_do_not_build_leave_a_range(void **state) {
    fixture *fix = *state;
    srv_commit list[8];
    char sha[8][41];
    const bool broken[8] = {false, false, false, true, true, false, false, false};
    begin_search(fix, list, sha, 8);
    run_search(fix, (const char(*)[41])sha, 8, 4, broken);
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "range");
    assert_string_equal(text_of(json_object_get(search, "first"), "sha"), sha[3]);
    assert_string_equal(text_of(json_object_get(search, "last"), "sha"), sha[5]);
    assert_string_equal(text_of(search, "reason"),
                        "2 commits between the two could not be measured");
    json_decref(search);
}

static void a_single_commit_is_the_culprit(void **state) {
    fixture *fix = *state;
    srv_commit list[1];
    char sha[1][41];
    begin_search(fix, list, sha, 1);
    assert_null(fix_lease(fix));
    json_t *search = search_of(fix);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[0]);
    json_decref(search);
}

static void a_range_that_git_has_not_is_said(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_commit list[2];
    char sha[2][41];
    run_trial(fix, before, after, suspicious_night(fix));
    commits_make(list, sha, 2);
    assert_false(srv_bisection_begin(fix->store, 1, list, 1, NULL, 1, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    g_clear_error(&error);
    assert_false(srv_bisection_begin(fix->store, 9, list, 2, NULL, 1, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    assert_true(srv_bisection_begin(fix->store, 1, NULL, 0, "history was rewritten", 1, &error));
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "failed");
    assert_string_equal(text_of(search, "reason"), "history was rewritten");
    json_decref(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_suspicion_is_no_alert_but_a_job, setup, teardown),
        cmocka_unit_test_setup_teardown(confirmed_becomes_an_alert, setup, teardown),
        cmocka_unit_test_setup_teardown(three_portions_are_one_change, setup, teardown),
        cmocka_unit_test_setup_teardown(a_change_below_asks_for_itself_only, setup, teardown),
        cmocka_unit_test_setup_teardown(a_portion_that_is_cleared_is_not_part_of_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(cleared_is_counted_and_not_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_node_that_cannot_tells_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_node_that_learns_it_keeps_what_was_told, setup, teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_measured_again_is_believed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_node_that_stays_away_is_not_waited_for, setup, teardown),
        cmocka_unit_test_setup_teardown(a_night_while_waiting_asks_no_second_time, setup, teardown),
        cmocka_unit_test_setup_teardown(a_project_bounds_the_loops, setup, teardown),
        cmocka_unit_test_setup_teardown(a_loop_of_a_third_commit_is_refused, setup, teardown),
        cmocka_unit_test(every_culprit_is_found),
        cmocka_unit_test_setup_teardown(commits_that_do_not_build_leave_a_range, setup, teardown),
        cmocka_unit_test_setup_teardown(a_single_commit_is_the_culprit, setup, teardown),
        cmocka_unit_test_setup_teardown(a_range_that_git_has_not_is_said, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
