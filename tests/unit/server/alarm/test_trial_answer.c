/* What a trial has shown so far: each portion is told when it has its answer, and a job says how
 * its trial stands. */
#include "server/alarm/trial_rows.h"
#include "tests/unit/server/sql_text.h"
#include "trials.h"

/* Supposed of the night: I +200, C +800, W +1000. */
static const double dearer[4] = {70, 670, 2600, 5200};
/* In truth W rose by less than the minimum effect of 5 %, and ten loops do not tell. */
static const double partly[4] = {70, 670, 2600, 4230};

static int64_t night_of_three(fixture *fix) {
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    return night(fix, 7, dearer);
}

/* Lease and answer one job; the job's number. */
static int64_t batch(fixture *fix, const double older[4], const double newer[4]) {
    GError *error = NULL;
    bool created;
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    int64_t job = job_id(leased);
    json_t *body = fix_trial(fix, leased, older, newer);
    json_t *answer = srv_ingest_result(fix->store, job, body, fix->now_ms, &created, &error);
    if (!answer)
        fail_msg("%s", error->message);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
    return job;
}

static json_t *job_view(fixture *fix, int64_t job) {
    GError *error = NULL;
    json_t *view = srv_view_job(fix->store, job, &error);
    if (!view)
        fail_msg("%s", error->message);
    return view;
}

static const json_t *question(const json_t *trial, const char *portion) {
    json_t *one;
    size_t i;
    json_array_foreach (json_object_get(trial, "questions"), i, one)
        if (g_strcmp0(text_of(one, "portion"), portion) == 0)
            return one;
    return NULL;
}

static size_t portions_told(fixture *fix) {
    GError *error = NULL;
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_non_null(alert);
    size_t count = json_array_size(json_object_get(alert, "portions"));
    json_decref(alert);
    return count;
}

static void what_is_decided_is_told_at_once(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = night_of_three(fix);
    batch(fix, before, partly);
    batch(fix, before, partly);
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    assert_int_equal(portions_told(fix), 2);
    model_list wanted;
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_int_equal(wanted.count, 1);
    model_list_clear(&wanted);
    json_t *leased = fix_lease(fix); /* W alone is measured on */
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    assert_int_equal(json_array_size(json_object_get(benchmark, "configurations")), 2);
    json_decref(leased);
    batch(fix, before, dearer);
    while (run_trial(fix, before, dearer, seen) > 0)
        continue;
    assert_int_equal(alerts(fix), 1);
    assert_int_equal(portions_told(fix), 3); /* it joined */
}

static void a_portion_that_is_cleared_later_joins_nothing(void **state) {
    fixture *fix = *state;
    int64_t seen = night_of_three(fix);
    run_trial(fix, before, partly, seen);
    assert_int_equal(alerts(fix), 1);
    assert_int_equal(portions_told(fix), 2);
    json_t *view = srv_view_experiment(fix->store, seen, NULL);
    const json_t *writing = json_array_get(json_object_get(view, "portions"), 3);
    assert_string_equal(text_of(json_object_get(writing, "confirmation"), "state"), "cleared");
    json_decref(view);
}

static const json_t *portion_of(const json_t *view, size_t i) {
    return json_array_get(json_object_get(view, "portions"), i);
}

/* The machine takes four fifths, and I a tenth more: the night shows a fall, both commits in turn a
 * rise. The next nights say no more than what the machine did. */
static void what_the_trial_shows_is_told_be_it_the_other_way(void **state) {
    static const double older[4] = {56, 376, 1280, 2560}, newer[4] = {56, 414, 1318, 2598};
    fixture *fix = *state;
    for (int day = 1; day <= 12; day++)
        night(fix, day, before);
    const int64_t seen = night(fix, 13, newer);
    run_trial(fix, older, newer, seen);
    json_auto_t *view = srv_view_experiment(fix->store, seen, NULL);
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    verdict_is(fix, seen, "anomaly");
    assert_string_equal(text_of(portion_of(view, 1), "direction"), "up");
    assert_string_equal(text_of(portion_of(alert, 0), "direction"), "up");
    assert_non_null(strstr(text_of(view, "headline"), "Instrumentation (I) rose by 13"));
    assert_non_null(strstr(text_of(alert, "sentence"), "Instrumentation (I) rose from 31"));
    night(fix, 14, newer);
    night(fix, 15, newer);
    verdict_is(fix, night(fix, 16, newer), "ok");
    assert_null(fix_lease(fix));
    assert_int_equal(alerts(fix), 1);
}

static void a_job_says_how_its_trial_stands(void **state) {
    fixture *fix = *state;
    night_of_three(fix);
    json_t *leased = fix_lease(fix);
    json_t *view = job_view(fix, job_id(leased));
    const json_t *trial = json_object_get(view, "trial");
    assert_string_equal(text_of(json_object_get(view, "commit"), "sha"), fix_sha(7));
    assert_non_null(text_of(json_object_get(view, "before"), "sha"));
    assert_int_equal(number_of(trial, "batch"), 1);
    assert_int_equal(number_of(trial, "loops"), 0);
    assert_int_equal(number_of(trial, "maximum"), 300);
    assert_true(json_is_null(json_object_get(trial, "ends_loops")));
    assert_true(json_is_null(json_object_get(question(trial, "W"), "difference")));
    json_decref(view);
    json_decref(leased);
}

static void after_a_batch_it_says_what_is_known(void **state) {
    fixture *fix = *state;
    night_of_three(fix);
    batch(fix, before, partly);
    batch(fix, before, partly);
    json_t *leased = fix_lease(fix);
    json_t *view = job_view(fix, job_id(leased));
    const json_t *trial = json_object_get(view, "trial"), *writing = question(trial, "W");
    assert_int_equal(number_of(trial, "batch"), 3);
    assert_int_equal(number_of(trial, "loops"), 10);
    assert_string_equal(text_of(question(trial, "I"), "state"), "confirmed");
    assert_string_equal(text_of(writing, "state"), "waiting");
    double rose =
        json_number_value(json_object_get(json_object_get(writing, "difference"), "mean_ns"));
    assert_true(rose > 0 && rose < 80);
    assert_true(number_of(writing, "ends_loops") > 10);
    assert_int_equal(number_of(trial, "ends_loops"), number_of(writing, "ends_loops"));
    json_decref(view);
    json_decref(leased);
}

/* The commit that was measured against is the one that the alert and its search begin with. */
static void alert_trial_and_search_begin_with_one_commit(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    night_of_three(fix);
    json_t *view = job_view(fix, batch(fix, before, dearer));
    const char *older = text_of(json_object_get(view, "before"), "sha");
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    const json_t *from = json_object_get(json_object_get(alert, "from"), "commit");
    assert_string_equal(text_of(from, "sha"), older);
    assert_string_equal(text_of(json_object_get(alert, "from"), "night"), "2013-04-06");
    model_list wanted;
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_string_equal(((const srv_search_wanted *)wanted.items)->from, older);
    assert_string_equal(((const srv_search_wanted *)wanted.items)->to, fix_sha(7));
    model_list_clear(&wanted);
    json_decref(alert);
    json_decref(view);
}

/* A small change may be dated to a night before the one that was measured again: the alert names
 * both ends of what its search goes through. */
static void alert_and_search_end_with_one_commit(void **state) {
    fixture *fix = *state;
    night_of_three(fix);
    json_decref(job_view(fix, batch(fix, before, dearer)));
    assert_true(srv__run(
        fix->store,
        sql_text("UPDATE alert SET from_experiment=5, to_experiment=6, dated_experiment=6", ""),
        SRV__NO_ARGS, NULL));
    assert_true(srv__run(fix->store, sql_text("UPDATE suspicion SET to_experiment=6", ""),
                         SRV__NO_ARGS, NULL));
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    model_list wanted;
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, NULL));
    const json_t *until = json_object_get(alert, "until");
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), "2013-04-06");
    assert_string_equal(text_of(until, "night"), "2013-04-07");
    assert_string_equal(text_of(json_object_get(until, "commit"), "sha"),
                        ((const srv_search_wanted *)wanted.items)->to);
    model_list_clear(&wanted);
    json_decref(alert);
}

static void a_night_has_no_trial(void **state) {
    fixture *fix = *state;
    night(fix, 1, before);
    json_t *view = job_view(fix, 1);
    assert_true(json_is_null(json_object_get(view, "trial")));
    assert_true(json_is_null(json_object_get(view, "before")));
    json_decref(view);
}

/* Another commit would be named for the one that a search clears. */
static void a_search_clears_less_easily(void **state) {
    (void)state;
    det_confirm_policy policy;
    det_confirm_policy_init(&policy);
    const det_confirm_policy night = srv__confirm_of(&policy, "time", false),
                             search = srv__confirm_of(&policy, "time", true);
    assert_true(night.beta == policy.beta && search.beta == 0.1 * policy.beta);
    assert_true(search.alpha == policy.alpha);
}

/* W rose by a tenth with the 8th commit; the night of the 7th was above its level by chance. */
static const double chance[4] = {70, 470, 1600, 3275};
static const double risen[4] = {70, 470, 1600, 3360};

/* Its search is among the 7th commit and the 8th. */
static void search_of_two(fixture *fix) {
    char sha[2][41];
    srv_commit list[2];
    for (int i = 0; i < 2; i++) {
        g_strlcpy(sha[i], fix_sha(7 + i), 41);
        list[i] = (srv_commit){sha[i], "Ada", "ada@example.org", 1000, "One of two", NULL, 0};
    }
    assert_true(srv_bisection_begin(fix->store, 1, list, 2, NULL, fix->now_ms, NULL));
    for (json_t *leased; (leased = fix_lease(fix));)
        fix_ingest(fix, leased, fix_trial(fix, leased, before, before));
}

static void is_dated(fixture *fix, const char *date) {
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), date);
}

static void is_compared_with(fixture *fix, int64_t experiment, int64_t first) {
    json_auto_t *view = srv_view_experiment(fix->store, experiment, NULL);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 3);
    const json_t *reference = json_object_get(portion, "reference");
    assert_int_equal(number_of(reference, "from_experiment"), first);
}

/* Seen: what nights of the old level showed was the new one's reference, and its next night was
 * told as the same step once more. Nights that came in while it was searched are judged again. */
static void a_level_begins_where_its_search_says(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    const int64_t seventh = night(fix, 7, chance), eighth = night(fix, 8, risen);
    run_trial(fix, before, risen, eighth);
    is_dated(fix, "2013-04-07");
    const int64_t ninth = night(fix, 9, risen);
    is_compared_with(fix, ninth, seventh);
    search_of_two(fix);
    is_dated(fix, "2013-04-08");
    is_compared_with(fix, ninth, eighth);
    is_compared_with(fix, night(fix, 10, risen), eighth);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_decided_is_told_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_portion_that_is_cleared_later_joins_nothing, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_the_trial_shows_is_told_be_it_the_other_way, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_job_says_how_its_trial_stands, setup, teardown),
        cmocka_unit_test_setup_teardown(after_a_batch_it_says_what_is_known, setup, teardown),
        cmocka_unit_test_setup_teardown(alert_and_search_end_with_one_commit, setup, teardown),
        cmocka_unit_test_setup_teardown(alert_trial_and_search_begin_with_one_commit, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_level_begins_where_its_search_says, setup, teardown),
        cmocka_unit_test_setup_teardown(a_night_has_no_trial, setup, teardown),
        cmocka_unit_test(a_search_clears_less_easily),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
