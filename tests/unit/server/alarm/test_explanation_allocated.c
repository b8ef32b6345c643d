/* What a change allocates: profiles beside those of time, and what is said of them. */
#include "trials.h"

#include "server/alarm/explanation.h"
#include "server/views/views.h"

#include <math.h>

/* I falls: the configuration deactivated less none, in believed nights. */
static json_t *begin(fixture *fix) {
    cfg_project *project = fix_project("kieker");
    project->detection.remeasure = false;
    project->detection.explain_minutes = 3;
    fix_sync_only(fix, project);
    json_decref(fix->can);
    fix->can = json_pack("[s]", "explain");
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    for (int day = 7; day <= 9 && alerts(fix) == 0; day++)
        night(fix, day, after);
    assert_int_equal(alerts(fix), 1);
    return fix_lease(fix);
}

/* Of both commits and configurations, two loops; a call of the older one allocates 40 bytes less.
 */
static json_t *profiles_of(const json_t *leased, const char *stacks[static 4]) {
    const json_t *job = json_object_get(leased, "job");
    json_t *profiles = json_array();
    for (int loop = 1; loop <= 2; loop++)
        for (int i = 0; i < 4; i++)
            json_array_append_new(profiles,
                                  json_pack("{s:s, s:s, s:i, s:i, s:s}", "commit",
                                            text_of(job, i < 2 ? "before" : "commit"),
                                            "configuration", i % 2 == 0 ? "none" : "deactivated",
                                            "loop", loop, "calls", 10, "stacks", stacks[i]));
    return profiles;
}

/* allocations: taken over. */
static json_t *body_of(const json_t *leased, json_t *allocations) {
    const char *times[] = {"m 100\n", "m 100\nm;enter 3000\n", "m 100\n", "m 100\nm;enter 300\n"};
    return json_pack("{s:O, s:s, s:I, s:I, s:s, s:s, s:o, s:o}", "lease",
                     json_object_get(leased, "lease"), "node", "blade1", "started_ms",
                     (json_int_t)1, "finished_ms", (json_int_t)2, "profiler", "JFR", "unit", "ns",
                     "profiles", profiles_of(leased, times), "allocations", allocations);
}

static const char *bytes[] = {"", "m;enter;new byte[] 800\n", "",
                              "m;enter;new byte[] 800\nm;enter;text;new byte[] 400\n"};

static json_t *allocated(const json_t *leased) {
    return json_pack("{s:s, s:s, s:o}", "profiler", "async-profiler", "unit", "bytes", "profiles",
                     profiles_of(leased, bytes));
}

static json_t *answer(fixture *fix, const json_t *leased, json_t *body, GError **error) {
    bool created;
    return srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, error);
}

static json_t *taken(fixture *fix, const json_t *leased, json_t *allocations) {
    GError *error = NULL;
    json_t *body = body_of(leased, allocations);
    json_t *said = answer(fix, leased, body, &error);
    if (!said)
        fail_msg("%s", error->message);
    json_decref(said);
    json_decref(body);
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_t *view = json_incref(json_object_get(alert, "explanation"));
    json_decref(alert);
    assert_string_equal(text_of(view, "state"), "done");
    assert_int_equal(json_array_size(json_object_get(view, "portions")), 1);
    assert_int_equal(json_array_size(json_object_get(view, "profiles")), 4);
    assert_null(json_object_get(view, "allocated_profiler"));
    assert_null(json_object_get(view, "allocated_reason"));
    return view;
}

static void bytes_have_a_sentence_and_functions_of_their_own(void **state) {
    fixture *fix = *state;
    json_t *leased = begin(fix), *view = taken(fix, leased, allocated(leased));
    const json_t *of = json_object_get(view, "allocations");
    assert_string_equal(text_of(of, "profiler"), "async-profiler");
    assert_string_equal(text_of(of, "unit"), "bytes");
    assert_true(json_is_null(json_object_get(of, "reason")));
    const json_t *portion = json_array_get(json_object_get(of, "portions"), 0);
    assert_string_equal(text_of(portion, "sentence"),
                        "I allocates 40.0 bytes a call more: about +40.0 bytes in `text` (not "
                        "seen before), called from `enter` (from samples in 2 loops)");
    assert_true(json_is_null(json_object_get(portion, "change_ns")));
    assert_float_equal(json_number_value(json_object_get(portion, "before_units")), 80, 1e-9);
    assert_float_equal(json_number_value(json_object_get(portion, "after_units")), 120, 1e-9);
    const json_t *first = json_array_get(json_object_get(portion, "functions"), 0);
    assert_string_equal(text_of(first, "name"), "text");
    const json_t *change = json_object_get(first, "change");
    assert_float_equal(json_number_value(json_object_get(change, "mean_units")), 40, 1e-9);
    assert_null(json_object_get(change, "mean_ns"));
    const json_t *profile = json_array_get(json_object_get(of, "profiles"), 0);
    assert_string_equal(text_of(profile, "url"),
                        "/api/v1/alerts/1/profiles/deactivated/before?dimension=bytes");
    json_decref(view);
    json_decref(leased);
}

static void its_stacks_and_its_picture_are_in_bytes(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = begin(fix);
    json_decref(taken(fix, leased, allocated(leased)));
    srv_profile_name name = {1, SRV_PROFILE_BYTES, "deactivated", true};
    g_autofree char *text = srv_view_profile(fix->store, &name, &error);
    assert_string_equal(text, "m;enter;new byte[] 800\nm;enter;new byte[] 800\n");
    srv_flame flame;
    assert_true(srv_flame_load(&flame, fix->store, &name, &error));
    assert_string_equal(flame.unit, "bytes");
    assert_true(g_str_has_prefix(flame.title, "I allocates "));
    assert_true(isnan(flame.scale_ns));
    assert_int_equal(flame.plan.loops, 2);
    srv_flame_clear(&flame);
    name.dimension = SRV_PROFILE_TIME;
    g_autofree char *times = srv_view_profile(fix->store, &name, &error);
    assert_true(g_str_has_prefix(times, "m 100\n"));
    assert_true(srv_flame_load(&flame, fix->store, &name, &error));
    assert_string_equal(flame.unit, "ns");
    srv_flame_clear(&flame);
    json_decref(leased);
}

static void why_there_are_none_is_kept(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = begin(fix);
    json_t *view = taken(fix, leased, json_pack("{s:s}", "reason", "async-profiler 4.6 is away"));
    const json_t *of = json_object_get(view, "allocations");
    assert_string_equal(text_of(of, "reason"), "async-profiler 4.6 is away");
    assert_true(json_is_null(json_object_get(of, "profiler")));
    assert_int_equal(json_array_size(json_object_get(of, "portions")), 0);
    const srv_profile_name name = {1, SRV_PROFILE_BYTES, "deactivated", true};
    srv_flame flame;
    assert_false(srv_flame_load(&flame, fix->store, &name, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_error_free(error);
    srv_flame_clear(&flame);
    json_decref(view);
    json_decref(leased);
}

static void refused(fixture *fix, const json_t *leased, json_t *allocations, const char *says) {
    g_autoptr(GError) error = NULL;
    json_t *body = body_of(leased, allocations);
    assert_null(answer(fix, leased, body, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    if (!strstr(error->message, says))
        fail_msg("%s", error->message);
    json_decref(body);
}

static void what_is_wrong_with_them_is_said(void **state) {
    fixture *fix = *state;
    json_t *leased = begin(fix), *one = allocated(leased);
    json_object_set_new(json_array_get(json_object_get(one, "profiles"), 3), "calls",
                        json_integer(0));
    refused(fix, leased, one, "allocations.profiles[3].calls");
    one = allocated(leased);
    json_object_del(one, "unit");
    refused(fix, leased, one, "allocations.unit");
    one = allocated(leased);
    json_object_set_new(one, "unit", json_string("objects"));
    refused(fix, leased, one, "allocations.unit: must be bytes");
    one = allocated(leased);
    json_array_clear(json_object_get(one, "profiles"));
    refused(fix, leased, one, "allocations.profiles");
    one = allocated(leased);
    json_array_remove(json_object_get(one, "profiles"), 7);
    refused(fix, leased, one, "allocations.profiles: no profile of deactivated, after, loop 2");
    one = allocated(leased);
    json_object_set_new(json_array_get(json_object_get(one, "profiles"), 7), "stacks",
                        json_string("m;enter 1\nm;enter\n"));
    refused(fix, leased, one, "allocations.profiles: stacks of deactivated, line 2: ");
    refused(fix, leased, json_array(), "allocations");
    refused(fix, leased, json_pack("{s:i}", "reason", 1), "allocations.reason");
    /* the same job may still be answered, and well */
    json_decref(taken(fix, leased, allocated(leased)));
    json_decref(leased);
}

static void they_are_removed_with_the_others(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = begin(fix);
    json_decref(taken(fix, leased, allocated(leased)));
    assert_true(srv__begin(fix->store, &error));
    assert_true(srv__alert_note(fix->store, 1, "withdrawn", SRV__DETECTOR, "for a test",
                                fix->now_ms, &error));
    assert_true(srv__end(fix->store, true, &error));
    unsigned removed = 0;
    assert_true(srv__explanations_remove(fix->store, 1, fix->now_ms + INT64_C(3) * 24 * 3600 * 1000,
                                         &removed, &error));
    assert_int_equal(removed, 1);
    const srv_profile_name name = {1, SRV_PROFILE_BYTES, "deactivated", true};
    assert_null(srv_view_profile(fix->store, &name, &error));
    g_error_free(error);
    json_decref(leased);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(bytes_have_a_sentence_and_functions_of_their_own),
        TEST(its_stacks_and_its_picture_are_in_bytes),
        TEST(why_there_are_none_is_kept),
        TEST(what_is_wrong_with_them_is_said),
        TEST(they_are_removed_with_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
