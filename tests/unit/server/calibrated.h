#pragma once
/* Two nodes that measure one reference commit in turn, for the tests of calibration and of nights
 * on another node. */
#include "tests/unit/server/fixture.h"
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "server/queue/calibration.h"
#include "server/views/job_held.h"
#include "server/views/views.h"

#define HOUR_MS INT64_C(3600000)
#define DAY_MS (24 * HOUR_MS)

static const double here[4] = {70, 470, 1600, 3200};
/* T as on blade1, I × 1.1, C × 0.9, W × 1.05 */
static const double there[4] = {70, 510, 1527, 3207};

static inline void calibrate(fixture *fix, const char *commit, unsigned take_over_hours) {
    GError *error = NULL;
    cfg_project *project = fix_project("kieker");
    g_autofree char *text = g_strdup(commit);
    project->calibration = (cfg_calibration){
        .commit = text, .every_days = 7, .limit_days = 30, .take_over_hours = take_over_hours};
    g_autoptr(GPtrArray) projects =
        g_ptr_array_new_with_free_func((GDestroyNotify)fix_project_free);
    g_ptr_array_add(projects, project);
    if (!srv_projects_sync(fix->store, projects, &error))
        fail_msg("%s", error->message);
}

static inline json_t *lease(fixture *fix, const char *node) {
    GError *error = NULL;
    json_t *answer = NULL;
    if (!srv_queue_lease(fix->store, &fix_rules,
                         &(srv_node){.name = node, .version = "0.1", .can = fix->can}, fix->now_ms,
                         &answer, &error))
        fail_msg("%s", error->message);
    return answer;
}

static inline void look(fixture *fix) {
    GError *error = NULL;
    if (!srv_calibrations_look(fix->store, fix->now_ms, &error))
        fail_msg("%s", error->message);
}

/* What a node hands in; kernel: of its environment. The experiment's number. */
static inline int64_t hand_in(fixture *fix, json_t *leased, const char *node, const char *kernel,
                              const double means[4]) {
    json_t *body = fix_result(fix, leased, means);
    json_t *environment = json_object_get(body, "environment");
    json_object_set_new(body, "node", json_string(node));
    json_object_set_new(environment, "node", json_string(node));
    json_object_set_new(environment, "kernel", json_string(kernel));
    return fix_ingest(fix, leased, body);
}

/* The next job of this node; "" when there is none. */
static const char *work(fixture *fix, const char *node, const double means[4]) {
    json_t *leased = lease(fix, node);
    if (!leased)
        return "";
    hand_in(fix, leased, node, "6.1", means);
    return "worked";
}

/* Nights of April on blade1: commits first … last. */
static inline void nights(fixture *fix, int first, int last) {
    for (int day = first; day <= last; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix->now_ms += DAY_MS;
        fix_add(fix, "kieker", day, date, SRV_KIND_NIGHTLY);
        assert_string_equal(work(fix, "blade1", here), "worked");
    }
}

/* A run of each node a day, so many days. */
static inline void run_days(fixture *fix, int days) {
    for (int day = 0; day < days; day++) {
        fix->now_ms += DAY_MS + HOUR_MS;
        json_decref(lease(fix, "blade1")); /* both are there */
        json_decref(lease(fix, "blade2"));
        look(fix);
        assert_string_equal(work(fix, "blade1", here), "worked");
        assert_string_equal(work(fix, "blade2", there), "worked");
        assert_null(lease(fix, "blade1"));
        assert_null(lease(fix, "blade2"));
    }
}

static inline json_t *view(fixture *fix) {
    GError *error = NULL;
    json_t *json = srv_view_calibrations(fix->store, fix->now_ms, &error);
    if (!json)
        fail_msg("%s", error->message);
    return json;
}

/* Of the only one there is: state and words in the sentence. */
static inline void is(fixture *fix, const char *state, const char *words) {
    json_t *json = view(fix);
    const json_t *items = json_object_get(json, "items");
    assert_int_equal(json_array_size(items), 1);
    const json_t *one = json_array_get(items, 0);
    if (strcmp(text_of(one, "state"), state) != 0 || !strstr(text_of(one, "sentence"), words))
        fail_msg("%s: %s", text_of(one, "state"), text_of(one, "sentence"));
    json_decref(json);
}

static inline int setup(void **state) {
    fixture *fix = fix_new();
    fix->now_ms = 100 * DAY_MS;
    calibrate(fix, fix_sha(3), 6);
    nights(fix, 1, 8);
    *state = fix;
    return 0;
}

static inline size_t shown_nights(fixture *fix) {
    json_t *page = srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0}, NULL);
    const size_t count = json_array_size(json_object_get(page, "items"));
    json_decref(page);
    return count;
}

/* blade1 is away: the night waits, and goes to blade2 after six hours. */
static inline json_t *night_without_blade1(fixture *fix, int day) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix_add(fix, "kieker", day, date, SRV_KIND_NIGHTLY);
    assert_null(lease(fix, "blade2"));
    fix->now_ms += 6 * HOUR_MS + 60000;
    return lease(fix, "blade2");
}

static inline json_t *experiment_of(fixture *fix, int64_t experiment) {
    json_t *json = srv_view_experiment(fix->store, experiment, NULL);
    assert_non_null(json);
    return json;
}
