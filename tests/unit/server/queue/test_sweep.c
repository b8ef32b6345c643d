/* A sweep: a job for each value, all on one node, and what they measure is no night. */
#include "tests/unit/server/fixture.h"
#include "tests/unit/test.h"

#include "server/ground/error.h"
#include "server/queue/sweep.h"
#include "server/views/views.h"

#include <math.h>
#include <string.h>

static const double at_1[4] = {10, 110, 310, 1010}, at_2[4] = {11, 211, 611, 2011};
static const double at_8[4] = {17, 817, 2417, 8017};

/* The fixture's project with this sweep; to fix_project_free. */
static cfg_project *swept(const uint64_t *values, unsigned count) {
    cfg_project *project = fix_project("kieker");
    project->benchmark.sweep = (cfg_sweep){
        .of = CFG_SWEEP_DEPTH, .values = g_memdup2(values, count * sizeof *values), .count = count};
    return project;
}

static void done_with(cfg_project *project) {
    g_clear_pointer(&project->benchmark.sweep.values, g_free);
    fix_project_free(project);
}

static int64_t ask(fixture *fix, const cfg_project *project, bool *queued) {
    const srv_commit commit = {.sha = fix_sha(7),
                               .author = "Ada",
                               .author_email = "a@b",
                               .time_ms = 1000,
                               .subject = "seven"};
    const srv_sweep_wanted wanted = {&commit, "2013-04-07", "maria"};
    int64_t sweep = 0;
    g_autoptr(GError) error = NULL;
    if (!srv_sweep_add(fix->store, project, &wanted, fix->now_ms, queued, &sweep, &error))
        fail_msg("%s", error->message);
    return sweep;
}

/* Leases the next job, which must be of this value, and hands in these means. */
static void measure(fixture *fix, int64_t value, const double means[4]) {
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    const json_t *job = json_object_get(leased, "job");
    assert_string_equal(text_of(job, "kind"), "sweep");
    assert_int_equal(number_of(json_object_get(job, "benchmark"), "recursion_depth"), value);
    json_t *result = fix_result(fix, leased, means);
    (void)fix_ingest(fix, leased, result);
}

static json_t *view(fixture *fix, int64_t sweep) {
    g_autoptr(GError) error = NULL;
    json_t *json = srv_view_sweep(fix->store, sweep, &error);
    if (!json)
        fail_msg("%s", error->message);
    return json;
}

static size_t nights(fixture *fix) {
    json_t *page = srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0}, NULL);
    const size_t count = json_array_size(json_object_get(page, "items"));
    json_decref(page);
    return count;
}

static double real_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static void a_job_for_each_value_and_a_line_for_each_portion(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2, 8}, 3);
    bool queued;
    const int64_t sweep = ask(fix, project, &queued);
    assert_true(queued);
    assert_int_equal(ask(fix, project, &queued), sweep); /* under way already */
    assert_false(queued);
    measure(fix, 1, at_1);
    json_t *half = view(fix, sweep);
    assert_string_equal(text_of(half, "state"), "running");
    assert_int_equal(json_array_size(json_object_get(half, "fits")), 0);
    json_decref(half);
    measure(fix, 2, at_2);
    measure(fix, 8, at_8);
    assert_null(fix_lease(fix));

    json_t *whole = view(fix, sweep);
    assert_string_equal(text_of(whole, "state"), "done");
    assert_string_equal(text_of(whole, "parameter"), "recursion_depth");
    assert_string_equal(text_of(whole, "author"), "maria");
    assert_string_equal(text_of(json_object_get(whole, "commit"), "subject"), "seven");
    const json_t *values = json_object_get(whole, "values"), *fits = json_object_get(whole, "fits");
    assert_int_equal(json_array_size(values), 3);
    assert_int_equal(json_array_size(json_object_get(json_array_get(values, 2), "portions")), 4);
    assert_string_equal(text_of(json_array_get(values, 2), "state"), "measured");
    assert_int_equal(json_array_size(fits), 4);
    const json_t *collecting = json_array_get(fits, 2),
                 *slope = json_object_get(collecting, "slope");
    assert_string_equal(text_of(collecting, "portion"), "C");
    assert_true(fabs(real_of(slope, "mean_ns") - 200) < 1);
    assert_true(real_of(slope, "low_ns") < real_of(slope, "high_ns"));
    assert_int_equal(json_array_size(json_object_get(collecting, "residuals")), 3);
    json_decref(whole);
    done_with(project);
}

/* It is in no series, not in the list of nights, and does not stand in for a night of its commit.
 */
static void it_is_no_night(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 10}, 2); /* 10: as the nights have it */
    bool queued;
    fix_nights(fix, "kieker", 1, 3, at_1);
    ask(fix, project, &queued);
    measure(fix, 1, at_1);
    measure(fix, 10, at_8);
    assert_int_equal(nights(fix), 3);
    json_t *alerts = srv_view_alerts(fix->store, "kieker", NULL, (srv_page){0}, NULL);
    assert_int_equal(json_array_size(json_object_get(alerts, "items")), 0);
    json_decref(alerts);
    fix_measure(fix, "kieker", 7, "2013-04-07", at_1);
    assert_int_equal(nights(fix), 4);
    done_with(project);
}

static void a_node_that_began_goes_on(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2}, 2);
    bool queued;
    ask(fix, project, &queued);
    measure(fix, 1, at_1);
    json_t *answer;
    assert_true(srv_queue_lease(fix->store, &fix_rules, &(srv_node){.name = "other"}, fix->now_ms,
                                &answer, NULL));
    assert_null(answer);
    measure(fix, 2, at_2);
    done_with(project);
}

static void a_value_that_fails_is_told(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2}, 2);
    bool queued;
    const int64_t sweep = ask(fix, project, &queued);
    json_t *leased = fix_lease(fix);
    json_t *report = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                               "phase", "measure", "reason", "too deep", "retry", 0);
    assert_true(
        srv_queue_failure(fix->store, &fix_rules, job_id(leased), report, fix->now_ms, NULL));
    measure(fix, 2, at_2);
    json_t *whole = view(fix, sweep);
    assert_string_equal(text_of(whole, "state"), "incomplete");
    const json_t *first = json_array_get(json_object_get(whole, "values"), 0);
    assert_string_equal(text_of(first, "state"), "failed");
    assert_non_null(strstr(text_of(first, "error"), "too deep"));
    assert_int_equal(json_array_size(json_object_get(whole, "fits")), 0);
    assert_int_equal(nights(fix), 0);
    json_decref(whole);
    json_decref(report);
    json_decref(leased);
    done_with(project);
}

static void what_cannot_be_asked(void **state) {
    fixture *fix = *state;
    const srv_commit commit = {.sha = fix_sha(7), .author = "", .author_email = "", .subject = ""};
    const srv_sweep_wanted wanted = {&commit, "2013-04-07", "maria"};
    cfg_project *project = fix_project("kieker");
    int64_t sweep;
    bool queued;
    g_autoptr(GError) error = NULL;
    assert_false(srv_sweep_add(fix->store, project, &wanted, 1, &queued, &sweep, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    assert_non_null(strstr(error->message, "benchmark.sweep"));
    fix_project_free(project);
    g_clear_error(&error);
    project = swept((uint64_t[]){1, 2}, 2);
    const srv_sweep_wanted no_night = {&commit, "tomorrow", "maria"};
    assert_false(srv_sweep_add(fix->store, project, &no_night, 1, &queued, &sweep, &error));
    g_clear_error(&error);
    fix_sync(fix, "another", NULL);
    assert_false(srv_sweep_add(fix->store, project, &wanted, 1, &queued, &sweep, &error));
    assert_non_null(strstr(error->message, "disabled"));
    g_clear_error(&error);
    assert_null(srv_view_sweep(fix->store, 99, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    done_with(project);
}

static void a_list_of_them(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2}, 2);
    bool queued;
    const int64_t first = ask(fix, project, &queued);
    measure(fix, 1, at_1);
    measure(fix, 2, at_2);
    const int64_t second = ask(fix, project, &queued);
    assert_true(queued && second > first);
    json_t *page = srv_view_sweeps(fix->store, "kieker", (srv_page){.limit = 1}, NULL);
    const json_t *newest = json_array_get(json_object_get(page, "items"), 0);
    assert_int_equal(number_of(newest, "id"), second);
    assert_string_equal(text_of(newest, "state"), "running");
    assert_int_equal(number_of(newest, "points"), 2);
    assert_non_null(text_of(page, "next"));
    json_t *rest =
        srv_view_sweeps(fix->store, "kieker", (srv_page){.cursor = text_of(page, "next")}, NULL);
    assert_int_equal(json_array_size(json_object_get(rest, "items")), 1);
    assert_string_equal(text_of(json_array_get(json_object_get(rest, "items"), 0), "state"),
                        "done");
    json_decref(rest);
    json_decref(page);
    done_with(project);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_job_for_each_value_and_a_line_for_each_portion),
        FIX_TEST(it_is_no_night),
        FIX_TEST(a_node_that_began_goes_on),
        FIX_TEST(a_value_that_fails_is_told),
        FIX_TEST(what_cannot_be_asked),
        FIX_TEST(a_list_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
