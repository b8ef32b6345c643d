/* Nodes that measure one reference commit in turn. */
#include "tests/unit/server/calibrated.h"

static void both_measure_and_the_factors_are_known(void **state) {
    fixture *fix = *state;
    static const double expected[4] = {1, 1.1, 0.9, 1.05};
    run_days(fix, 1);
    is(fix, "unknown", "1 on blade1, 1 on blade2; three of each are needed");
    run_days(fix, 2);
    is(fix, "known", "on blade2 T takes × 1.0");
    is(fix, "known", "it takes over when blade1 is silent for 6 hours");
    json_t *json = view(fix);
    const json_t *one = json_array_get(json_object_get(json, "items"), 0);
    const json_t *portions = json_object_get(one, "portions");
    assert_int_equal(json_array_size(portions), 4);
    for (size_t c = 0; c < 4; c++) {
        const json_t *factor = json_object_get(json_array_get(portions, c), "factor");
        const double mean = json_number_value(json_object_get(factor, "mean"));
        assert_true(fabs(mean - expected[c]) < 0.03);
        assert_true(json_number_value(json_object_get(factor, "low")) <= mean);
        assert_true(mean <= json_number_value(json_object_get(factor, "high")));
    }
    assert_int_equal(number_of(one, "runs"), 3);
    assert_int_equal(number_of(one, "until_ms"),
                     fix->now_ms - 2 * (DAY_MS + HOUR_MS) + 30 * DAY_MS);
    json_decref(json);
}

/* After the first three a week passes; none is queued for a node that is away, paused or alone. */
static void runs_come_in_their_time(void **state) {
    fixture *fix = *state;
    fix->now_ms += DAY_MS;
    json_decref(lease(fix, "blade1"));
    look(fix);
    assert_null(lease(fix, "blade1")); /* alone */
    run_days(fix, 3);
    fix->now_ms += 5 * DAY_MS;
    json_decref(lease(fix, "blade1"));
    json_decref(lease(fix, "blade2"));
    look(fix);
    assert_null(lease(fix, "blade1"));
    fix->now_ms += 2 * DAY_MS;
    json_decref(lease(fix, "blade1"));
    assert_true(srv_node_pause(fix->store, "blade1", "maria: disk", NULL));
    look(fix);
    assert_true(srv_node_pause(fix->store, "blade1", NULL, NULL));
    assert_null(lease(fix, "blade1"));
    assert_null(lease(fix, "blade2")); /* was away when it was looked */
    look(fix);
    look(fix); /* one each */
    assert_string_equal(work(fix, "blade1", here), "worked");
    assert_string_equal(work(fix, "blade2", there), "worked");
    assert_null(lease(fix, "blade2"));
}

/* Runs before do not count: the three that are needed come as fast as the first ones did. */
static void a_new_environment_is_measured_anew(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    fix->now_ms += 6 * DAY_MS;
    for (int run = 0; run < 3; run++) {
        fix->now_ms += DAY_MS + HOUR_MS;
        assert_null(lease(fix, "blade2"));
        look(fix);
        json_t *leased = lease(fix, "blade2");
        assert_non_null(leased);
        (void)hand_in(fix, leased, "blade2", "6.2", there);
    }
    is(fix, "known", "on blade2 T takes × 1.0");
    fix->now_ms += DAY_MS + HOUR_MS;
    assert_null(lease(fix, "blade2"));
    look(fix);
    assert_null(lease(fix, "blade2"));
}

/* A night says that the environment is another one: what is worked out anew, for a run of the other
 * node, does not make the old runs count again. */
static void what_is_void_stays_so(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    hand_in(fix, night_without_blade1(fix, 9), "blade2", "6.6", there);
    is(fix, "unknown", "the environment of blade2 has changed since its runs");
    fix->now_ms += 7 * DAY_MS;
    json_decref(lease(fix, "blade1"));
    look(fix);
    assert_string_equal(work(fix, "blade1", here), "worked");
    is(fix, "unknown", "4 on blade1, 0 on blade2; three of each are needed");
    for (int run = 0; run < 3; run++) {
        fix->now_ms += DAY_MS + HOUR_MS; /* as fast as the first ones */
        json_decref(lease(fix, "blade2"));
        look(fix);
        json_t *leased = lease(fix, "blade2");
        assert_non_null(leased);
        hand_in(fix, leased, "blade2", "6.6", there);
    }
    is(fix, "known", "on blade2 T takes × 1.0");
}

/* What a node hands in without the loops of one configuration. */
static void hand_in_without(fixture *fix, const char *node, const char *configuration,
                            const double means[4]) {
    json_t *leased = lease(fix, node);
    json_t *body = fix_result(fix, leased, means), *loop;
    json_t *loops = json_object_get(body, "loops"), *kept = json_array();
    size_t i;
    json_array_foreach (loops, i, loop)
        if (strcmp(text_of(loop, "configuration"), configuration) != 0)
            json_array_append(kept, loop);
    json_object_set_new(body, "loops", kept);
    json_object_set_new(body, "node", json_string(node));
    json_object_set_new(json_object_get(body, "environment"), "node", json_string(node));
    json_object_set_new(json_object_get(body, "environment"), "kernel", json_string("6.1"));
    (void)fix_ingest(fix, leased, body);
}

/* Three runs of each, and still no factor. */
static void a_configuration_that_failed_in_a_run_is_said(void **state) {
    fixture *fix = *state;
    run_days(fix, 2);
    fix->now_ms += DAY_MS + HOUR_MS;
    json_decref(lease(fix, "blade1"));
    json_decref(lease(fix, "blade2"));
    look(fix);
    assert_string_equal(work(fix, "blade1", here), "worked");
    hand_in_without(fix, "blade2", "writing", there);
    is(fix, "unknown", "of 3 runs on blade2 only 2 have a value of the configuration writing");
}

/* It comes after all other work, and is not begun when a night would have to wait for it. */
static void no_measurement_waits_for_it(void **state) {
    fixture *fix = *state;
    fix->now_ms += DAY_MS;
    json_decref(lease(fix, "blade1"));
    json_decref(lease(fix, "blade2"));
    look(fix);
    fix_add(fix, "kieker", 20, "2013-04-20", SRV_KIND_BACKFILL);
    json_t *first = lease(fix, "blade1");
    assert_string_equal(text_of(json_object_get(first, "job"), "kind"), "backfill");
    fix->now_ms += HOUR_MS; /* so long a job takes */
    hand_in(fix, first, "blade1", "6.1", here);
    assert_true(srv_project_polled(fix->store, "kieker", fix->now_ms, fix->now_ms + HOUR_MS / 2,
                                   NULL, NULL));
    json_t *run = lease(fix, "blade1");
    /* commit 3 was measured in no time: the run ends before the night */
    assert_string_equal(text_of(json_object_get(run, "job"), "kind"), "manual");
    fix->now_ms += HOUR_MS;
    hand_in(fix, run, "blade1", "6.1", here);
    assert_true(srv_project_polled(fix->store, "kieker", fix->now_ms, fix->now_ms + HOUR_MS / 2,
                                   NULL, NULL));
    assert_null(lease(fix, "blade2")); /* the last one took an hour */
    fix->now_ms += HOUR_MS;
    assert_string_equal(work(fix, "blade2", there), "worked");
}

static void a_run_is_no_night(void **state) {
    fixture *fix = *state;
    srv_project_span span;
    run_days(fix, 3);
    assert_int_equal(shown_nights(fix), 8);
    assert_true(srv_project_nights(fix->store, "kieker", &span, NULL));
    assert_string_equal(span.newest, "2013-04-08");
    bool queued;
    int64_t job;
    const srv_commit commit = {.sha = fix_sha(3),
                               .author = "Ada",
                               .author_email = "a@b",
                               .time_ms = 3000,
                               .subject = "three"};
    assert_true(srv_night_add(fix->store, "kieker",
                              &(srv_measurement){&commit, "2013-04-03", SRV_KIND_NIGHTLY},
                              fix->now_ms, &queued, &job, NULL));
    assert_false(queued); /* measured as a night, and the runs changed nothing in it */
}

/* Its runs ended in 1970, it says (fixture.c): what counts is when they came in. */
static void a_clock_that_is_wrong_changes_nothing(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    json_t *json = view(fix);
    const json_t *one = json_array_get(json_object_get(json, "items"), 0);
    assert_true(number_of(one, "until_ms") > fix->now_ms);
    assert_string_equal(text_of(one, "state"), "known");
    json_decref(json);
}

static void old_runs_do_not_count(void **state) {
    fixture *fix = *state;
    run_days(fix, 3);
    fix->now_ms += 29 * DAY_MS;
    is(fix, "past", "older than calibration.limit_days");
    assert_null(lease(fix, "blade2"));
    assert_null(night_without_blade1(fix, 9));
}

static void a_reference_that_does_not_build_is_said(void **state) {
    fixture *fix = *state;
    fix->now_ms += DAY_MS;
    json_decref(lease(fix, "blade1"));
    json_decref(lease(fix, "blade2"));
    look(fix);
    json_t *leased = lease(fix, "blade2");
    json_t *failure =
        json_pack("{s:s, s:s, s:s, s:s, s:b}", "lease", text_of(leased, "lease"), "phase",
                  "prepare", "reason", "make: exit status 2", "log", "", "retry", 0);
    assert_true(
        srv_queue_failure(fix->store, &fix_rules, job_id(leased), failure, fix->now_ms, NULL));
    json_decref(failure);
    json_decref(leased);
    assert_string_equal(work(fix, "blade1", here), "worked");
    is(fix, "unknown", "could not be measured on blade2: prepare: make: exit status 2");
    assert_int_equal(shown_nights(fix), 8);
    fix->now_ms += 2 * DAY_MS; /* in its turn, not at once */
    json_decref(lease(fix, "blade2"));
    look(fix);
    assert_null(lease(fix, "blade2"));
}

static void what_is_waited_for_is_said(void **state) {
    fixture *fix = *state;
    json_t *json = view(fix);
    const json_t *waiting = json_array_get(json_object_get(json, "waiting"), 0);
    assert_non_null(strstr(text_of(waiting, "sentence"), "no other node"));
    json_decref(json);
    calibrate(fix, "abcdef0", 6);
    json = view(fix);
    waiting = json_array_get(json_object_get(json, "waiting"), 0);
    assert_non_null(strstr(text_of(waiting, "sentence"), "is not among the commits"));
    json_decref(json);
    fix->now_ms += DAY_MS;
    json_decref(lease(fix, "blade1"));
    json_decref(lease(fix, "blade2"));
    look(fix);
    assert_null(lease(fix, "blade1"));
}

/* A run that its node does not come for is given up, and so is one that is not wanted any more. */
static void runs_that_nobody_takes_are_given_up(void **state) {
    fixture *fix = *state;
    for (int round = 0; round < 2; round++) {
        fix->now_ms += 8 * DAY_MS;
        json_decref(lease(fix, "blade1"));
        json_decref(lease(fix, "blade2"));
        look(fix);
        fix->now_ms += round == 0 ? 4 * DAY_MS : HOUR_MS;
        if (round == 1)
            fix_sync(fix, "kieker", NULL);
        look(fix);
        json_t *page = srv_view_jobs(fix->store, NULL, "queued", (srv_page){0, NULL}, NULL);
        assert_int_equal(json_array_size(json_object_get(page, "items")), 0);
        json_decref(page);
    }
}

/* Without the usual node, such as one that was taken away, or has the labels no more, any may. */
static void the_usual_node_binds_only_while_it_is_one(void **state) {
    fixture *fix = *state;
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    assert_null(lease(fix, "blade2"));
    fix_sync(fix, "kieker", NULL); /* not calibrated: as it always was */
    json_t *leased = lease(fix, "blade2");
    assert_non_null(leased);
    json_decref(leased);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fix_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(both_measure_and_the_factors_are_known),
        TEST(runs_come_in_their_time),
        TEST(a_new_environment_is_measured_anew),
        TEST(what_is_void_stays_so),
        TEST(a_configuration_that_failed_in_a_run_is_said),
        TEST(no_measurement_waits_for_it),
        TEST(a_run_is_no_night),
        TEST(a_clock_that_is_wrong_changes_nothing),
        TEST(old_runs_do_not_count),
        TEST(a_reference_that_does_not_build_is_said),
        TEST(what_is_waited_for_is_said),
        TEST(runs_that_nobody_takes_are_given_up),
        TEST(the_usual_node_binds_only_while_it_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
