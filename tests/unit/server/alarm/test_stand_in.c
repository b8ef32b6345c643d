/* A calibrated node measures the nights of one that is away. */
#include "tests/unit/server/calibrated.h"

static const double dearer_there[4] = {70, 730, 1747, 3427}; /* I by 220 there: 200 on blade1 */

static void verdict_is(const json_t *experiment, size_t portion, const char *verdict) {
    const json_t *p = json_array_get(json_object_get(experiment, "portions"), portion);
    if (strcmp(text_of(p, "verdict"), verdict) != 0)
        fail_msg("%s: %s", text_of(p, "portion"), text_of(p, "reason"));
}

static double judged(const json_t *experiment, size_t portion) {
    const json_t *p = json_array_get(json_object_get(experiment, "portions"), portion);
    return json_number_value(json_object_get(json_object_get(p, "judged"), "mean_ns"));
}

static double mean_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(json_object_get(object, key), "mean_ns"));
}

static void a_calibrated_node_takes_over_and_says_so(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    json_t *leased = night_without_blade1(fix, 9);
    assert_non_null(leased);
    json_t *night = experiment_of(fix, hand_in(fix, leased, "blade2", "6.1", there));
    const char *says = text_of(night, "stand_in");
    assert_non_null(says);
    assert_true(g_str_has_prefix(says, "measured on blade2 instead of blade1, which was silent; "
                                       "there T takes × 1.0"));
    assert_non_null(strstr(says, "judged as blade1 would have shown it"));
    for (size_t c = 0; c < 4; c++)
        verdict_is(night, c, "ok");
    assert_true(fabs(judged(night, 1) - 400) < 20); /* as blade1 would have shown it */
    assert_true(json_is_null(json_object_get(night, "incident")));
    json_decref(night);
    /* and back: the series goes on, without an alarm */
    fix->now_ms += DAY_MS;
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    json_t *back = lease(fix, "blade1");
    assert_non_null(back);
    night = experiment_of(fix, hand_in(fix, back, "blade1", "6.1", here));
    assert_true(json_is_null(json_object_get(night, "stand_in")));
    for (size_t c = 0; c < 4; c++)
        verdict_is(night, c, "ok");
    json_decref(night);
}

/* What the code does while another node measures is the code's, in the usual node's time. */
static void a_change_on_the_other_node_is_told(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    hand_in(fix, night_without_blade1(fix, 9), "blade2", "6.1", there);
    fix->now_ms += DAY_MS;
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    json_t *leased = lease(fix, "blade2");
    assert_non_null(leased);
    json_t *night = experiment_of(fix, hand_in(fix, leased, "blade2", "6.1", dearer_there));
    verdict_is(night, 0, "ok");
    verdict_is(night, 1, "anomaly");
    assert_true(fabs(judged(night, 1) - 600) < 30);
    json_decref(night);
    json_t *alerts = srv_view_alerts(fix->store, "kieker", NULL, (srv_page){0, NULL}, NULL);
    const json_t *alert = json_array_get(json_object_get(alerts, "items"), 0);
    assert_true(fabs(mean_of(alert, "difference") - 200) < 20);
    json_decref(alerts);
}

/* Both commits in turn on the node that measured the night; told in the usual node's time. */
static void a_change_is_measured_again_where_it_was_seen(void **state) {
    fixture *fix = *state;
    fix->can = json_pack("[s]", "confirmation");
    run_days(fix, 3);
    hand_in(fix, night_without_blade1(fix, 9), "blade2", "6.1", there);
    fix->now_ms += DAY_MS;
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    json_t *leased = lease(fix, "blade2");
    assert_non_null(leased);
    hand_in(fix, leased, "blade2", "6.1", dearer_there);
    int batches = 0;
    for (; (leased = lease(fix, "blade2")); batches++) {
        assert_null(lease(fix, "blade1"));
        json_t *body = fix_trial(fix, leased, there, dearer_there);
        json_object_set_new(body, "node", json_string("blade2"));
        (void)fix_ingest(fix, leased, body);
    }
    assert_true(batches > 0);
    json_t *alerts = srv_view_alerts(fix->store, "kieker", NULL, (srv_page){0, NULL}, NULL);
    const json_t *alert = json_array_get(json_object_get(alerts, "items"), 0);
    assert_string_equal(text_of(alert, "portion"), "I");
    assert_true(fabs(mean_of(alert, "difference") - 200) < 20);
    assert_true(fabs(mean_of(alert, "before") - 400) < 25);
    assert_true(fabs(mean_of(alert, "after") - 600) < 35);
    json_decref(alerts);
}

/* blade1 dies with the night's job, blade2 takes it over, blade1 comes back and hands it in. */
static void a_node_that_comes_back_with_an_old_job_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    run_days(fix, 3);
    fix->now_ms += DAY_MS;
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    json_t *dead = lease(fix, "blade1");
    assert_non_null(dead);
    fix->now_ms += 61000;
    unsigned expired;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, &expired, NULL));
    assert_int_equal(expired, 1);
    fix->now_ms += HOUR_MS;
    assert_null(lease(fix, "blade2")); /* not silent for long enough */
    fix->now_ms += 6 * HOUR_MS;
    json_t *leased = lease(fix, "blade2");
    assert_int_equal(job_id(leased), job_id(dead));
    g_autofree char *fresh = g_strdup(text_of(leased, "lease"));
    json_t *late = fix_result(fix, leased, here);
    json_object_set_new(late, "lease", json_string(text_of(dead, "lease")));
    assert_null(srv_ingest_result(fix->store, job_id(dead), late, fix->now_ms, &created, &error));
    assert_non_null(strstr(error->message, "was given to another runner"));
    g_clear_error(&error);
    /* nor with the other one's lease */
    json_object_set_new(late, "lease", json_string(fresh));
    assert_null(srv_ingest_result(fix->store, job_id(dead), late, fix->now_ms, &created, &error));
    assert_non_null(strstr(error->message, "the job was given to blade2"));
    g_clear_error(&error);
    json_decref(late);
    json_decref(dead);
    json_t *night = experiment_of(fix, hand_in(fix, leased, "blade2", "6.1", there));
    assert_non_null(text_of(night, "stand_in"));
    json_decref(night);
}

/* A night that is back-filled before it has the series gone over: all is judged as before. */
static void going_over_the_series_scales_again(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    const int64_t stood_in = hand_in(fix, night_without_blade1(fix, 12), "blade2", "6.1", there);
    fix->now_ms += DAY_MS;
    fix_add(fix, "kieker", 11, "2013-04-11", SRV_KIND_BACKFILL);
    json_t *leased = lease(fix, "blade1");
    assert_non_null(leased);
    hand_in(fix, leased, "blade1", "6.1", here);
    json_t *night = experiment_of(fix, stood_in);
    for (size_t c = 0; c < 4; c++)
        verdict_is(night, c, "ok");
    assert_true(fabs(judged(night, 2) - 1130) < 40);
    json_decref(night);
}

static void nobody_takes_over_uncalibrated(void **state) {
    fixture *fix = *state;
    assert_null(lease(fix, "blade2"));
    assert_null(night_without_blade1(fix, 9));
    calibrate(fix, fix_sha(3), 0); /* calibrated, but it is not wanted */
    assert_null(lease(fix, "blade2"));
    assert_string_equal(work(fix, "blade1", here), "worked");
    run_days(fix, 3);
    assert_null(night_without_blade1(fix, 10));
    is(fix, "known", "calibration.take_over_hours is 0");
}

static void a_night_that_waits_says_for_whom(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    assert_null(lease(fix, "blade2"));
    assert_null(night_without_blade1(fix, 9));
    json_t *page = srv_view_jobs(fix->store, NULL, "queued", (srv_page){0, NULL}, &error);
    json_t *items = json_object_get(page, "items");
    assert_true(srv_view_jobs_held(fix->store, items, 60000, fix->now_ms, &error));
    const char *held = text_of(json_array_get(items, 0), "held");
    assert_non_null(strstr(held, "blade1 has been silent since"));
    assert_null(strstr(held, "blade2"));
    json_decref(page);
}

/* The node got a new kernel: what it measures is a series of its own, and its factors are void. */
static void a_node_that_changed_stands_in_for_nobody(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    json_t *night =
        experiment_of(fix, hand_in(fix, night_without_blade1(fix, 9), "blade2", "6.6", there));
    assert_true(json_is_null(json_object_get(night, "stand_in")));
    verdict_is(night, 1, "environment");
    json_decref(night);
    is(fix, "unknown", "the environment of blade2 has changed since its runs");
    assert_null(night_without_blade1(fix, 10));
    /* so did the usual node */
    fix->now_ms += DAY_MS;
    json_t *leased = lease(fix, "blade1");
    assert_non_null(leased);
    hand_in(fix, leased, "blade1", "6.6", here);
    is(fix, "unknown", "0 on blade1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fix_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_calibrated_node_takes_over_and_says_so),
        TEST(a_change_on_the_other_node_is_told),
        TEST(a_change_is_measured_again_where_it_was_seen),
        TEST(a_node_that_comes_back_with_an_old_job_is_refused),
        TEST(going_over_the_series_scales_again),
        TEST(nobody_takes_over_uncalibrated),
        TEST(a_night_that_waits_says_for_whom),
        TEST(a_node_that_changed_stands_in_for_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
