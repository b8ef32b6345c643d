/* Measuring again has its minutes, and no new night waits for it. */
#include "tests/unit/server/alarm/trials.h"

#include "server/views/views.h"

#define MINUTE_MS INT64_C(60000)
#define DAY_MS (1440 * MINUTE_MS)

/* In truth I moved by less than is asked for: batch follows batch. */
static const double hardly[4] = {70, 460, 1590, 3190};

static void allow(fixture *fix, double minutes) {
    cfg_project *project = fix_project("kieker");
    project->detection.remeasure_minutes = minutes;
    fix_sync_only(fix, project);
}

/* The next job, which takes so long; its kind, "" when there is none. */
static const char *work(fixture *fix, int64_t takes_ms) {
    json_t *leased = fix_lease(fix);
    if (!leased)
        return "";
    bool trial = json_is_string(json_object_get(json_object_get(leased, "job"), "before"));
    fix->now_ms += takes_ms;
    json_t *body = trial ? fix_trial(fix, leased, before, hardly) : fix_result(fix, leased, before);
    (void)fix_ingest(fix, leased, body);
    return trial ? "trial" : "night";
}

/* "held" of the only job that is queued; owned. */
static char *held(fixture *fix) {
    GError *error = NULL;
    json_t *page =
        srv_view_list(fix->store, &srv_list_jobs, NULL, "queued", (srv_page){0, NULL}, &error);
    json_t *items = json_object_get(page, "items");
    assert_int_equal(json_array_size(items), 1);
    assert_true(srv_view_jobs_held(fix->store, items, 60000, fix->now_ms, &error));
    char *text = g_strdup(text_of(json_array_get(items, 0), "held"));
    json_decref(page);
    return text;
}

static void a_new_night_goes_before_a_doubt(void **state) {
    fixture *fix = *state;
    suspicious_night(fix);
    fix_add(fix, "kieker", 8, "2013-04-08", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 9, "2013-03-01", SRV_KIND_BACKFILL);
    assert_string_equal(work(fix, 1000), "night");
    assert_string_equal(work(fix, 1000), "trial");
}

static void its_minutes_are_kept(void **state) {
    fixture *fix = *state;
    allow(fix, 1); /* for each of seven nights */
    suspicious_night(fix);
    assert_string_equal(work(fix, 4 * MINUTE_MS), "trial");
    g_autofree char *free_now = held(fix);
    assert_null(free_now);
    assert_string_equal(work(fix, 4 * MINUTE_MS), "trial");
    assert_string_equal(work(fix, 0), "");
    g_autofree char *text = held(fix);
    assert_non_null(strstr(text, "8 of its 7 minutes"));
    assert_non_null(strstr(text, "remeasure_minutes"));
}

static void a_night_brings_new_ones(void **state) {
    fixture *fix = *state;
    allow(fix, 1);
    suspicious_night(fix);
    assert_string_equal(work(fix, 7 * MINUTE_MS), "trial");
    assert_string_equal(work(fix, 0), "");
    night(fix, 8, before);
    assert_string_equal(work(fix, 0), "trial");
}

static void a_day_later_it_goes_on(void **state) {
    fixture *fix = *state;
    allow(fix, 1);
    suspicious_night(fix);
    assert_string_equal(work(fix, 30 * MINUTE_MS), "trial");
    assert_string_equal(work(fix, 0), "");
    fix->now_ms += DAY_MS + 1;
    assert_string_equal(work(fix, 0), "trial");
}

static void half_an_hour_where_nothing_is_said(void **state) {
    fixture *fix = *state;
    suspicious_night(fix); /* nights that took no time */
    assert_string_equal(work(fix, 29 * MINUTE_MS), "trial");
    assert_string_equal(work(fix, MINUTE_MS), "trial");
    assert_string_equal(work(fix, 0), "");
}

static void half_of_the_nights_where_that_is_more(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    fix_add(fix, "kieker", 8, "2013-03-08", SRV_KIND_NIGHTLY);
    assert_string_equal(work(fix, 200 * MINUTE_MS), "night");
    night(fix, 7, after);
    assert_string_equal(work(fix, 99 * MINUTE_MS), "trial");
    assert_string_equal(work(fix, MINUTE_MS), "trial");
    assert_string_equal(work(fix, 0), "");
}

/* A loop takes 1.5 s here. */
static void a_trial_rests_no_longer_than_it_helps(void **state) {
    static const struct { unsigned asked, given; } cases[] = {{30, 1}, {1, 1}, {0, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        teardown(state);
        setup(state);
        fixture *fix = *state;
        cfg_project *project = fix_project("kieker");
        project->benchmark.rest_s = cases[i].asked;
        fix_sync_only(fix, project);
        suspicious_night(fix);
        json_t *leased = fix_lease(fix);
        const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
        assert_int_equal(number_of(benchmark, "rest_seconds"), cases[i].given);
        json_decref(leased);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_night_goes_before_a_doubt, setup, teardown),
        cmocka_unit_test_setup_teardown(its_minutes_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(a_night_brings_new_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(a_day_later_it_goes_on, setup, teardown),
        cmocka_unit_test_setup_teardown(half_an_hour_where_nothing_is_said, setup, teardown),
        cmocka_unit_test_setup_teardown(half_of_the_nights_where_that_is_more, setup, teardown),
        cmocka_unit_test_setup_teardown(a_trial_rests_no_longer_than_it_helps, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
