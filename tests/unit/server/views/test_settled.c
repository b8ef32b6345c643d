/* From a night that is queued to the commit that is found: what is
 * still open. */
#include "tests/unit/server/alarm/trials.h"

#include "server/hook/hook.h"
#include "sql/hook.h"

/* The project's "open", joined by commas; "" when it is settled. */
static char *open_of(fixture *fix, const char *name) {
    GError *error = NULL;
    json_t *project = srv_view_project(fix->store, name, &error), *word;
    assert_non_null(project);
    g_autoptr(GString) text = g_string_new(NULL);
    size_t i;
    json_array_foreach (json_object_get(project, "open"), i, word)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", json_string_value(word));
    assert_int_equal(json_is_true(json_object_get(project, "settled")), text->len == 0);
    json_decref(project);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void open_is(fixture *fix, const char *expected) {
    g_autofree char *open = open_of(fix, "kieker");
    assert_string_equal(open, expected);
}

static void jobs_are_named_until_they_are_measured(void **state) {
    fixture *fix = *state;
    open_is(fix, "");
    fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 2, "2013-04-02", SRV_KIND_NIGHTLY);
    open_is(fix, "2 jobs queued");
    json_t *leased = fix_lease(fix);
    open_is(fix, "1 job queued, 1 job running");
    GError *error = NULL;
    bool created;
    json_t *body = fix_result(fix, leased, before);
    json_decref(srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error));
    json_decref(body);
    json_decref(leased);
    open_is(fix, "1 job queued");
}

static void a_suspicion_is_open_until_its_commit_is_found(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    open_is(fix, "1 job queued, 1 trial of two commits running");
    run_trial(fix, before, after, seen);
    open_is(fix, "1 search for a commit to begin");
    char middle[41], newest[41];
    g_strlcpy(middle, fix_sha(100), sizeof middle);
    g_strlcpy(newest, fix_sha(7), sizeof newest);
    const srv_commit commits[] = {{middle, "Ada", "ada@example.org", 1000, "One of two", NULL, 0},
                                  {newest, "Ada", "ada@example.org", 1000, "The other", NULL, 0}};
    assert_true(srv_bisection_begin(fix->store, 1, commits, 2, NULL, fix->now_ms, &error));
    open_is(fix, "1 job queued, 1 trial of two commits running, 1 search for a commit running");
    json_t *leased;
    while ((leased = fix_lease(fix))) {
        bool created;
        json_t *body = fix_trial(fix, leased, before, before);
        json_decref(
            srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error));
        json_decref(body);
        json_decref(leased);
    }
    open_is(fix, "");
}

static void a_cleared_suspicion_leaves_nothing_open(void **state) {
    fixture *fix = *state;
    int64_t seen = suspicious_night(fix);
    run_trial(fix, before, before, seen);
    open_is(fix, "");
}

static void a_webhook_whose_commit_is_not_there_yet_is_open(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_delivery delivery = {
        .provider = "github", .id = "1", .project = "kieker", .sha = fix_sha(3)};
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    g_ptr_array_add(list, &delivery);
    assert_true(srv_delivery_take(fix->store, list, fix->now_ms, &error));
    open_is(fix, "1 webhook waiting for its commit");
    assert_true(srv__run(fix->store, SQL(delivery_close),
                         SRV__ARGS(SRV__T("kieker"), SRV__T(fix_sha(3)), SRV__T("dead"), SRV__ID(0),
                                   SRV__T("no such commit")),
                         NULL, &error));
    open_is(fix, "");
}

static void one_project_does_not_keep_another_open(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "other", NULL);
    fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    g_autofree char *open = open_of(fix, "other");
    assert_string_equal(open, "");
    open_is(fix, "1 job queued");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(jobs_are_named_until_they_are_measured, setup, teardown),
        cmocka_unit_test_setup_teardown(a_suspicion_is_open_until_its_commit_is_found, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_cleared_suspicion_leaves_nothing_open, setup, teardown),
        cmocka_unit_test_setup_teardown(a_webhook_whose_commit_is_not_there_yet_is_open, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_project_does_not_keep_another_open, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
