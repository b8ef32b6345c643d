/* The counters that tell when a kept answer is old: beside what answers then really show. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include <string.h>

#include "server/alarm/alerts.h"
#include "server/store/changes.h"
#include "server/views/views.h"

static const double level[4] = {70, 270, 1400, 3000};
static const double faster[4] = {70, 150, 1280, 2880};

/* Whoever keeps an answer is told when it is old: nights that look different have another
 * counter. */
typedef struct {
    srv_changes *changes;
    char *shown;
    uint64_t nights, all;
} kept_answer;

static void look(fixture *fix, kept_answer *w) {
    GError *error = NULL;
    json_t *view =
        srv_view_nights(fix->store, "kieker", (srv_dates){NULL, NULL}, (srv_page){0, NULL}, &error);
    assert_non_null(view);
    g_free(w->shown);
    w->shown = json_dumps(view, JSON_COMPACT | JSON_SORT_KEYS);
    w->nights = srv_changes_now(w->changes, SRV_CHANGES_NIGHTS);
    w->all = srv_changes_now(w->changes, SRV_CHANGES_ALL);
    json_decref(view);
}

/* shown: the nights must look different now. */
static void expect_told(fixture *fix, kept_answer *w, const char *what, bool shown) {
    kept_answer before = *w;
    w->shown = NULL;
    look(fix, w);
    bool differ = strcmp(before.shown, w->shown) != 0;
    if (differ && before.nights == w->nights)
        fail_msg("%s: the nights differ, and nobody was told", what);
    if (shown && !differ)
        fail_msg("%s: the nights were to differ", what);
    if (!shown && before.nights != w->nights)
        fail_msg("%s: told without need", what);
    assert_int_not_equal(before.all, w->all);
    g_free(before.shown);
}

static void changes_of_nights_are_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    kept_answer w = {.changes = srv_changes_open(fix->path, NULL)};
    assert_non_null(w.changes);
    look(fix, &w);
    fix_nights(fix, "kieker", 1, 8, level);
    expect_told(fix, &w, "nights", true);
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    expect_told(fix, &w, "a queued job", false);
    json_t *leased = fix_lease(fix);
    expect_told(fix, &w, "a lease", false);
    json_t *result = fix_result(fix, leased, faster);
    expect_told(fix, &w, "an upload", false);
    json_t *answer = srv_ingest_result(fix->store, number_of(json_object_get(leased, "job"), "id"),
                                       result, fix->now_ms, &created, &error);
    assert_non_null(answer);
    expect_told(fix, &w, "a result", true);
    json_decref(answer);
    json_decref(result);
    json_decref(leased);
    fix_nights(fix, "kieker", 10, 12, faster);
    expect_told(fix, &w, "an alert's nights", true);
    json_t *alerts = srv_view_alerts(fix->store, "kieker", NULL, (srv_page){0, NULL}, &error);
    int64_t alert = number_of(json_array_get(json_object_get(alerts, "items"), 0), "id");
    assert_true(alert > 0);
    json_decref(alerts);
    assert_true(
        srv_alert_set(fix->store, alert, "accepted", "nora", "meant so", fix->now_ms, &error));
    expect_told(fix, &w, "an accepted alert", true);
    g_free(w.shown);
    srv_changes_close(w.changes);
}

/* The project as it is kept: what it shows, and whether that was told. */
static void look_own(fixture *fix, kept_answer *w, const char *project) {
    json_t *view = srv_view_project(fix->store, project, NULL);
    assert_non_null(view);
    g_free(w->shown);
    w->shown = json_dumps(view, JSON_COMPACT | JSON_SORT_KEYS);
    w->all = srv_changes_now(w->changes, srv_changes_own(project));
    json_decref(view);
}

/* What was done is shown by kieker, whose answers are old now; the other's are not. */
static void expect_own(fixture *fix, kept_answer *w, kept_answer *other, const char *what,
                       bool shown) {
    kept_answer before = *w, other_before = *other;
    w->shown = other->shown = NULL;
    look_own(fix, w, "kieker");
    look_own(fix, other, "opentelemetry");
    if (strcmp(other_before.shown, other->shown) != 0 || other_before.all != other->all)
        fail_msg("%s: the other project changed", what);
    if ((strcmp(before.shown, w->shown) != 0) != shown)
        fail_msg("%s: shown is not %d", what, shown);
    if (shown && before.all == w->all)
        fail_msg("%s: it differs, and nobody was told", what);
    g_free(before.shown);
    g_free(other_before.shown);
}

static void what_happens_often_is_told_to_one_project(void **state) {
    fixture *fix = *state;
    kept_answer w = {.changes = srv_changes_open(fix->path, NULL)}, other = {.changes = w.changes};
    fix_sync(fix, "kieker", "opentelemetry", NULL);
    json_t *nothing = NULL;
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    look_own(fix, &w, "kieker");
    look_own(fix, &other, "opentelemetry");
    assert_true(srv_project_polled(fix->store, "kieker", 1234, 5678, "gone", NULL));
    expect_own(fix, &w, &other, "a poll", true);
    json_t *leased = fix_lease(fix);
    expect_own(fix, &w, &other, "a lease", true);
    assert_true(srv_queue_lease(fix->store, &fix_rules,
                                &(srv_node){.name = "blade9", .version = "0.1", .can = fix->can},
                                fix->now_ms, &nothing, NULL));
    assert_null(nothing);
    expect_own(fix, &w, &other, "a node that asks", false);
    json_t *body = json_pack("{s:O,s:s,s:s,s:i,s:i,s:i,s:i,s:s}", "lease",
                             json_object_get(leased, "lease"), "phase", "measure", "configuration",
                             "none", "loop", 1, "loops", 2, "done", 1, "total", 8, "message", "");
    json_t *answer =
        srv_queue_progress(fix->store, &fix_rules, number_of(json_object_get(leased, "job"), "id"),
                           body, fix->now_ms, NULL);
    assert_non_null(answer);
    expect_own(fix, &w, &other, "progress", true);
    json_decref(answer);
    json_decref(body);
    body = fix_result(fix, leased, level);
    expect_own(fix, &w, &other, "raw files", false);
    json_decref(body);
    json_decref(leased);
    /* what says nothing of whose it is changes everybody's */
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    assert_int_not_equal(srv_changes_now(other.changes, srv_changes_own("opentelemetry")),
                         other.all);
    g_free(w.shown);
    g_free(other.shown);
    srv_changes_close(w.changes);
}

/* A result and an import are shown by their own project. */
static void a_night_is_told_to_one_project(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_changes) changes = srv_changes_open(fix->path, NULL);
    const unsigned own = srv_changes_nights("kieker.svg", strlen("kieker")),
                   other = srv_changes_nights("opentelemetry", strlen("opentelemetry"));
    assert_int_equal(own, srv_changes_nights("kieker", strlen("kieker")));
    fix_nights(fix, "kieker", 1, 2, level);
    fix_add(fix, "kieker", 3, "2013-04-03", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *result = fix_result(fix, leased, faster);
    const uint64_t before = srv_changes_now(changes, own), others = srv_changes_now(changes, other);
    bool created;
    json_t *answer = srv_ingest_result(fix->store, number_of(json_object_get(leased, "job"), "id"),
                                       result, fix->now_ms, &created, NULL);
    assert_non_null(answer);
    assert_true(srv_changes_now(changes, own) > before);
    assert_int_equal(srv_changes_now(changes, other), others);
    json_decref(answer);
    json_decref(result);
    json_decref(leased);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(changes_of_nights_are_told),
        FIX_TEST(what_happens_often_is_told_to_one_project),
        FIX_TEST(a_night_is_told_to_one_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
