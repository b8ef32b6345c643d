/* A configuration that is missing, or came later, leaves the portions of the others as they were.
 */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/views/views.h"

#include <string.h>

static const double before[4] = {70, 470, 1600, 3200};
static const double after[4] = {70, 190, 1320, 2920}; /* I down from 400 to 120 */

/* The project with its first `count` configurations. */
static void sync_with(fixture *fix, unsigned count) {
    cfg_project *project = fix_project("kieker");
    for (unsigned i = count; i < project->benchmark.configurations_count; i++) {
        cfg_configuration *c = &project->benchmark.configurations[i];
        g_free(c->name);
        g_free(c->label);
        g_free(c->portion);
        g_free(c->parent);
    }
    project->benchmark.configurations_count = count;
    fix_sync_only(fix, project);
}

static void drop(json_t *body, const char *configuration) {
    json_t *loops = json_object_get(body, "loops");
    for (size_t i = json_array_size(loops); i > 0; i--)
        if (g_strcmp0(text_of(json_array_get(loops, i - 1), "configuration"), configuration) == 0)
            json_array_remove(loops, i - 1);
}

/* A night without that configuration; NULL: with all. Its experiment as the API shows it, owned. */
static json_t *night_without(fixture *fix, int day, const double means[4], const char *missing) {
    GError *error = NULL;
    bool created;
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix->now_ms += 3600000;
    fix_add(fix, "kieker", day, date, SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, means);
    if (missing)
        drop(body, missing);
    json_t *answer =
        srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
    if (!answer)
        fail_msg("%s", error->message);
    json_t *view = srv_view_experiment(fix->store, number_of(answer, "experiment"), &error);
    assert_non_null(view);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
    return view;
}

static const json_t *portion_of(const json_t *night, size_t place) {
    return json_array_get(json_object_get(night, "portions"), place);
}

static void says(const json_t *night, size_t place, const char *verdict, const char *rule) {
    assert_string_equal(text_of(portion_of(night, place), "verdict"), verdict);
    if (rule)
        assert_string_equal(text_of(portion_of(night, place), "rule"), rule);
}

static json_t *alerts(fixture *fix) {
    json_t *page =
        srv_view_list(fix->store, &srv_list_alerts, "kieker", NULL, (srv_page){0, NULL}, NULL);
    json_t *items = json_incref(json_object_get(page, "items"));
    json_decref(page);
    return items;
}

static void a_missing_leaf_is_unjudged_alone(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 5; day++)
        json_decref(night_without(fix, day, before, NULL));
    json_t *night = night_without(fix, 6, after, "writing");
    assert_string_equal(text_of(night, "state"), "measured");
    says(night, 3, "harness", "configuration-missing");
    assert_true(json_is_null(json_object_get(portion_of(night, 3), "mean_ns")));
    says(night, 1, "anomaly", "night-interval");
    assert_string_equal(text_of(portion_of(night, 2), "verdict"), "ok");
    json_decref(night);
    json_t *project = srv_view_project(fix->store, "kieker", NULL);
    char *text = json_dumps(project, 0);
    assert_non_null(strstr(text, "The last result has a gap: configuration writing has no result"));
    free(text);
    json_decref(project);
    json_t *list = alerts(fix);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
}

static void an_added_configuration_begins_alone(void **state) {
    fixture *fix = *state;
    sync_with(fix, 3);
    for (int day = 1; day <= 6; day++)
        json_decref(night_without(fix, day, before, "writing"));
    sync_with(fix, 4);
    json_t *night = night_without(fix, 7, before, NULL);
    says(night, 1, "ok", "within-noise");
    says(night, 3, "first", "first-night");
    const json_t *reference = json_object_get(portion_of(night, 2), "reference");
    assert_int_equal(number_of(reference, "nights"), 6);
    json_decref(night);
    night = night_without(fix, 8, before, NULL);
    says(night, 3, "ok", "within-noise");
    json_decref(night);
    /* and what changes is told with the nights of before as its reference */
    json_decref(night_without(fix, 9, after, NULL));
    json_t *list = alerts(fix);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text_of(json_array_get(list, 0), "portion"), "I");
    json_decref(list);
}

static void one_taken_away_ends_alone(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        json_decref(night_without(fix, day, before, NULL));
    sync_with(fix, 3);
    json_t *night = night_without(fix, 7, before, "writing");
    assert_int_equal(json_array_size(json_object_get(night, "portions")), 3);
    says(night, 2, "ok", "within-noise");
    json_decref(night);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_missing_leaf_is_unjudged_alone),
        FIX_TEST(an_added_configuration_begins_alone),
        FIX_TEST(one_taken_away_ends_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
