/* Raw data that go by a policy, step by step; what was computed from them stays. */
#include "kept.h"

#include "server/alarm/alerts.h"
#include "server/views/views.h"
#include "tests/unit/server/alarm/trials.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/sql_text.h"

#include <glib/gstdio.h>
#include <unistd.h>

static const cfg_storage a_day = {.keep_raw_days = 1};

static char *sha_of(fixture *fix, int64_t experiment) {
    GError *error = NULL;
    char *sha = srv_view_raw(fix->store, experiment, "none", 1, &error);
    assert_no_error(error);
    return sha;
}

static bool is_on_disk(fixture *fix, const char *sha) {
    uint64_t bytes;
    const int fd = srv_raw_read(fix->raw, sha, &bytes, NULL);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* What a night shows, without what says where its raw data are. */
static char *figures(fixture *fix, int64_t experiment) {
    json_t *view = srv_view_experiment(fix->store, experiment, NULL), *configuration, *loop;
    size_t i, k;
    assert_non_null(view);
    json_object_del(view, "raw_removed");
    json_array_foreach (json_object_get(view, "configurations"), i, configuration)
        json_array_foreach (json_object_get(configuration, "loop_results"), k, loop) {
            json_object_del(json_object_get(loop, "raw"), "url");
            json_object_del(json_object_get(loop, "raw"), "calls_url");
        }
    char *text = json_dumps(view, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(view);
    return text;
}

static void what_is_old_goes_and_figures_stay(void **state) {
    fixture *fix = *state;
    const int64_t old = night(fix, 3, before);
    fix->now_ms += 2 * DAY_MS;
    const int64_t young = night(fix, 5, before);
    g_autofree char *sha = sha_of(fix, old), *shown = figures(fix, old);
    const int64_t now_ms = fix->now_ms + HOUR_MS;
    pass(fix, &a_day, now_ms);
    assert_false(has_raw(fix, old));
    assert_true(has_raw(fix, young));
    there(fix, JOB_FILES, JOB_FILES, 1);
    g_autofree char *now = figures(fix, old);
    assert_string_equal(now, shown);
    /* an hour later the files go */
    assert_true(is_on_disk(fix, sha));
    pass(fix, &a_day, now_ms + HOUR_MS);
    assert_true(is_on_disk(fix, sha));
    pass(fix, &a_day, now_ms + HOUR_MS + 1);
    assert_false(is_on_disk(fix, sha));
    there(fix, JOB_FILES, 0, 1);
}

static void a_night_says_that_its_raw_data_have_gone(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    const int64_t old = night(fix, 3, before), young = night(fix, 4, before);
    const cfg_storage budget = {.raw_budget_bytes = 1};
    pass(fix, &a_day, fix->now_ms + DAY_MS); /* the first is an hour older than the second */
    json_t *view = srv_view_experiment(fix->store, old, NULL);
    const json_t *removed = json_object_get(view, "raw_removed");
    assert_string_equal(text_of(removed, "rule"), "age");
    assert_int_equal(number_of(removed, "at_ms"), fix->now_ms + DAY_MS);
    assert_says(text_of(removed, "sentence"),
                "The raw data of this night were removed on 2013-04-18 by the server's policy "
                "(storage.keep_raw_days); what was computed from them stays.");
    const json_t *loop = json_array_get(
        json_object_get(json_array_get(json_object_get(view, "configurations"), 0), "loop_results"),
        0);
    assert_true(json_is_null(json_object_get(json_object_get(loop, "raw"), "url")));
    assert_non_null(text_of(json_object_get(loop, "raw"), "sha256"));
    json_decref(view);
    assert_null(srv_view_raw(fix->store, old, "none", 1, &error));
    assert_srv_error(error, GONE, "were removed on 2013-04-18");
    view = srv_view_experiment(fix->store, young, NULL);
    assert_true(json_is_null(json_object_get(view, "raw_removed")));
    json_decref(view);
    pass(fix, &budget, fix->now_ms + DAY_MS);
    assert_null(srv_view_raw(fix->store, young, "none", 1, &error));
    assert_srv_error(error, GONE, "(storage.raw_budget_bytes)");
}

static void without_a_policy_nothing_goes(void **state) {
    fixture *fix = *state;
    const cfg_storage none = {.keeps = {true, true, true}};
    night(fix, 3, before);
    assert_int_equal(pass(fix, &none, fix->now_ms + 10000 * DAY_MS), 2);
    there(fix, JOB_FILES, 0, 0);
}

static void the_first_of_each_month_stays(void **state) {
    static const struct {
        const char *date;
        bool stays;
    } nights[] = {{"2013-04-03", true}, {"2013-04-17", false}, {"2013-04-30", false},
                  {"2013-05-01", true}, {"2013-05-02", false}, {"2014-05-02", true}};
    fixture *fix = *state;
    const cfg_storage policy = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_FIRST_OF_MONTH] = true}};
    int64_t experiments[G_N_ELEMENTS(nights)];
    for (size_t i = 0; i < G_N_ELEMENTS(nights); i++)
        experiments[i] = fix_measure(fix, "kieker", (int)i + 1, nights[i].date, before);
    pass(fix, &policy, fix->now_ms + 2 * DAY_MS);
    for (size_t i = 0; i < G_N_ELEMENTS(nights); i++)
        if (has_raw(fix, experiments[i]) != nights[i].stays)
            fail_msg("%s", nights[i].date);
}

static void releases_stay_while_they_are_releases(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_RELEASES] = true}};
    const int64_t release = night(fix, 3, before), other = night(fix, 4, before);
    const char *set = "UPDATE revision SET release=$1 WHERE sha=$2";
    assert_true(srv__run(fix->store, sql_text(set, "tt"),
                         SRV__ARGS(SRV__T("v1.0"), SRV__T(fix_sha(3))), NULL, NULL));
    pass(fix, &policy, fix->now_ms + 2 * DAY_MS);
    assert_true(has_raw(fix, release));
    assert_false(has_raw(fix, other));
    assert_true(srv__run(fix->store, sql_text(set, "tt"),
                         SRV__ARGS(SRV__T(NULL), SRV__T(fix_sha(3))), NULL, NULL));
    pass(fix, &policy, fix->now_ms + 2 * DAY_MS);
    assert_false(has_raw(fix, release));
}

/* What people are to look at, and what was a real change; their trials, too. */
static void nights_and_trials_of_alerts_stay(void **state) {
    fixture *fix = *state;
    const cfg_storage keeps = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_ALERTS] = true}};
    const int64_t about = suspicious_night(fix);
    const int64_t now_ms = fix->now_ms + 2 * DAY_MS;
    pass(fix, &a_day, now_ms); /* while its trial waits */
    assert_true(has_raw(fix, about));
    there(fix, JOB_FILES, 6 * JOB_FILES, 6);
    run_trial(fix, before, after, about);
    assert_int_equal(alerts(fix), 1);
    const int64_t trials = counted(fix, "SELECT count(*) FROM raw");
    assert_true(trials > 0);
    assert_int_equal(alerts(fix), 1);
    pass(fix, &a_day, now_ms); /* open: in use */
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), trials);
    assert_true(srv_alert_set(fix->store, 1, "fixed", "ada", "done", now_ms, NULL));
    pass(fix, &keeps, now_ms);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), trials);
    pass(fix, &a_day, now_ms);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), 0);
}

static void of_a_false_alert_nothing_stays(void **state) {
    fixture *fix = *state;
    const cfg_storage keeps = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_ALERTS] = true}};
    const int64_t about = suspicious_night(fix);
    run_trial(fix, before, after, about);
    assert_true(srv_alert_set(fix->store, 1, "false", "ada", "noise", fix->now_ms, NULL));
    pass(fix, &keeps, fix->now_ms + 2 * DAY_MS);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), 0);
}

/* However old: its result is still to come. */
static void a_job_that_is_not_over_keeps_its_files(void **state) {
    fixture *fix = *state;
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    json_decref(fix_upload(fix, job_id(leased), text_of(leased, "lease"), 100));
    json_decref(leased);
    pass(fix, &a_day, fix->now_ms + 1000 * DAY_MS);
    there(fix, 1, 0, 0);
}

static void the_oldest_beyond_the_budget_go(void **state) {
    fixture *fix = *state;
    int64_t experiments[6];
    for (int i = 0; i < 6; i++)
        experiments[i] = night(fix, i + 1, before);
    const int64_t all = counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw");
    const cfg_storage policy = {.raw_budget_bytes = (uint64_t)all / 2 + 50,
                                .keeps = {[CFG_KEEP_FIRST_OF_MONTH] = true}};
    pass(fix, &policy, fix->now_ms);
    const int64_t rest = counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw");
    assert_true(rest <= (int64_t)policy.raw_budget_bytes);
    static const bool stays[] = {true, false, false, false, true, true}; /* the first is kept */
    for (int i = 0; i < 6; i++)
        assert_int_equal(has_raw(fix, experiments[i]), stays[i]);
    pass(fix, &policy, fix->now_ms);
    there(fix, 3 * JOB_FILES, 3 * JOB_FILES, 3);
}

/* The budget is of each. */
static void a_project_does_not_pay_for_another(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "otel", NULL);
    const int64_t small = fix_measure(fix, "otel", 1, "2013-04-01", before);
    for (int day = 1; day <= 4; day++)
        night(fix, day, before);
    const int64_t all = counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw");
    const cfg_storage policy = {.raw_budget_bytes = (uint64_t)all / 2};
    pass(fix, &policy, fix->now_ms);
    assert_true(has_raw(fix, small));
    assert_true(counted(fix, "SELECT count(*) FROM raw_job WHERE pruned_ms IS NOT NULL") > 0);
}

/* Many nights: many steps, and each writes a bounded number of rows. */
static void a_step_is_small(void **state) {
    enum { NIGHTS = 20, JOBS_A_STEP = 16 };
    fixture *fix = *state;
    g_autoptr(srv_retention) retention = srv_retention_new(&a_day);
    bool more = true;
    int64_t rows = (int64_t)NIGHTS * JOB_FILES;
    for (int day = 1; day <= NIGHTS; day++)
        night(fix, day, before);
    while (more) {
        assert_true(srv_retention_step(retention, fix->store, fix->raw, fix->now_ms + 9 * DAY_MS,
                                       &more, NULL));
        const int64_t left = counted(fix, "SELECT count(*) FROM raw");
        assert_in_range(rows - left, 0, JOBS_A_STEP * JOB_FILES);
        rows = left;
    }
    assert_int_equal(rows, 0);
    more = true;
    for (int steps = 0; more; steps++) {
        assert_true(srv_retention_step(retention, fix->store, fix->raw, fix->now_ms + 10 * DAY_MS,
                                       &more, NULL));
        assert_in_range(steps, 0, 20);
    }
    there(fix, 0, 0, NIGHTS);
}

/* A file that cannot be removed is tried again, and nothing is forgotten. */
static void what_cannot_be_removed_is_tried_again(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_retention) retention = srv_retention_new(&a_day);
    const int64_t now_ms = fix->now_ms + 9 * DAY_MS;
    const int64_t old = night(fix, 3, before);
    g_autofree char *sha = sha_of(fix, old);
    g_autofree char *name = g_strconcat(sha + 2, ".csv.zst", NULL);
    g_autofree char *path = g_strdup_printf("%s/raw/%.2s/%s", fix->dir, sha, name);
    pass(fix, &a_day, now_ms);
    /* a folder in its place */
    assert_int_equal(g_unlink(path), 0);
    assert_int_equal(g_mkdir(path, 0700), 0);
    bool more = true, good = true;
    GError *error = NULL;
    for (int i = 0; i < 10 && good && more; i++)
        good = srv_retention_step(retention, fix->store, fix->raw, now_ms + 2 * HOUR_MS, &more,
                                  &error);
    assert_false(good);
    assert_false(more);
    assert_srv_error(error, INTERNAL, "cannot remove");
    assert_true(counted(fix, "SELECT count(*) FROM gone") > 0);
    assert_int_equal(g_rmdir(path), 0);
    pass(fix, &a_day, now_ms + 2 * HOUR_MS);
    there(fix, 0, 0, 1);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(what_is_old_goes_and_figures_stay),
        CASE(a_night_says_that_its_raw_data_have_gone),
        CASE(without_a_policy_nothing_goes),
        CASE(the_first_of_each_month_stays),
        CASE(releases_stay_while_they_are_releases),
        CASE(nights_and_trials_of_alerts_stay),
        CASE(of_a_false_alert_nothing_stays),
        CASE(a_job_that_is_not_over_keeps_its_files),
        CASE(the_oldest_beyond_the_budget_go),
        CASE(a_project_does_not_pay_for_another),
        CASE(a_step_is_small),
        CASE(what_cannot_be_removed_is_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
