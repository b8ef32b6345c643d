/* Alerts that nobody answers grow old, and that is a change in the store like any other. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/alarm/alerts.h"
#include "server/store/changes.h"
#include "server/views/views.h"

static const double level[4] = {70, 270, 1400, 3000};
static const double faster[4] = {70, 150, 1280, 2880};

static size_t count_of(fixture *fix, const char *state) {
    json_t *page =
        srv_view_list(fix->store, &srv_list_alerts, "kieker", state, (srv_page){0, NULL}, NULL);
    size_t count = json_array_size(json_object_get(page, "items"));
    json_decref(page);
    return count;
}

static void expect_ages(fixture *fix, bool aged, const char *last_author) {
    GError *error = NULL;
    json_t *project = srv_view_project(fix->store, "kieker", &error);
    assert_null(error);
    assert_int_equal(number_of(project, "open_alerts"), !aged);
    assert_int_equal(number_of(project, "aged_alerts"), aged);
    assert_int_equal(json_is_null(json_object_get(project, "alert")), aged);
    json_decref(project);
    assert_int_equal(count_of(fix, "open"), 1);
    assert_int_equal(count_of(fix, "aged"), aged);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_non_null(alert);
    assert_string_equal(text_of(alert, "state"), "open");
    assert_int_equal(json_is_true(json_object_get(alert, "aged")), aged);
    json_t *audit = json_object_get(alert, "audit");
    assert_string_equal(text_of(json_array_get(audit, json_array_size(audit) - 1), "author"),
                        last_author);
    json_decref(alert);
}

/* As the daemon does it in time: views ask the store alone. */
static int64_t alerts_age(fixture *fix) {
    int64_t next_ms = 0;
    assert_true(srv_alerts_age(fix->store, g_get_real_time() / 1000, &next_ms, NULL));
    return next_ms;
}

static void ageing_after(fixture *fix, unsigned days) {
    cfg_project *project = fix_project("kieker");
    project->detection.ageing_days = days;
    fix_sync_only(fix, project);
    alerts_age(fix);
}

/* The fixture's nights are years ago, so is their alert. */
static void an_open_alert_ages_until_it_is_touched(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    expect_ages(fix, false, "detector"); /* no days are given: never */
    ageing_after(fix, 30);
    expect_ages(fix, true, "ageing");
    const int64_t now_ms = g_get_real_time() / 1000;
    assert_true(srv_alert_set(fix->store, 1, "open", "ada", "look at it again", now_ms, NULL));
    expect_ages(fix, false, "ada");
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_t *audit = json_object_get(alert, "audit");
    json_t *aged = json_array_get(audit, json_array_size(audit) - 2);
    assert_string_equal(text_of(aged, "author"), "ageing"); /* history keeps that it had */
    json_decref(alert);
    assert_true(srv_alert_set(fix->store, 1, "acknowledged", "ada", "mine", 77, NULL));
    assert_int_equal(count_of(fix, "aged"), 0); /* somebody has it */
}

/* The store says so, nobody asks for the time: a kept answer stays right. */
static void ageing_is_a_change_in_the_store(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    srv_changes *changes = srv_changes_open(fix->path, NULL);
    ageing_after(fix, 36500);
    expect_ages(fix, false, "detector");
    uint64_t before = srv_changes_now(changes);
    int64_t next_ms = alerts_age(fix);
    assert_true(next_ms > g_get_real_time() / 1000 && next_ms < INT64_MAX);
    assert_int_equal(srv_changes_now(changes), before); /* nothing to say */
    assert_true(srv_alerts_age(fix->store, next_ms - 1, &(int64_t){0}, NULL));
    expect_ages(fix, false, "detector");
    assert_true(srv_alerts_age(fix->store, next_ms, &next_ms, NULL));
    assert_int_equal(next_ms, INT64_MAX);
    assert_int_not_equal(srv_changes_now(changes), before);
    expect_ages(fix, true, "ageing");
    ageing_after(fix, 0);
    expect_ages(fix, false, "detector");
    srv_changes_close(changes);
}

static void expect_aged(fixture *fix, const char *when, bool aged) {
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    if (json_is_true(json_object_get(alert, "aged")) != aged)
        fail_msg("%s: aged is %d", when, !aged);
    json_decref(alert);
}

/* What is measured today of nights of 2013 is no news of today. */
static void a_back_filled_night_raises_an_aged_alert(void **state) {
    fixture *fix = *state;
    const int64_t now_ms = g_get_real_time() / 1000, day_ms = INT64_C(86400000);
    fix->now_ms = now_ms;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    fix->now_ms = now_ms;
    ageing_after(fix, 30);
    expect_ages(fix, true, "ageing");
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_t *audit = json_object_get(alert, "audit");
    assert_true(number_of(alert, "raised_ms") >= now_ms); /* and it says so */
    assert_int_equal(number_of(json_array_get(audit, json_array_size(audit) - 1), "at_ms"),
                     number_of(alert, "raised_ms"));
    json_decref(alert);
    assert_true(srv_alert_set(fix->store, 1, "open", "ada", "still so", now_ms, NULL));
    int64_t next_ms;
    assert_true(srv_alerts_age(fix->store, now_ms, &next_ms, NULL));
    expect_aged(fix, "decided today", false);
    assert_int_equal(next_ms, now_ms + 30 * day_ms);
    assert_true(srv_alerts_age(fix->store, next_ms, &next_ms, NULL));
    expect_aged(fix, "decided a month ago", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(an_open_alert_ages_until_it_is_touched),
        FIX_TEST(ageing_is_a_change_in_the_store),
        FIX_TEST(a_back_filled_night_raises_an_aged_alert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
