/* What people change: jobs, alerts, nodes, each with whoever answers for it. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#define JOBS "/api/v1/projects/kieker/jobs"

static void a_commit_is_measured_because_somebody_asks(void **state) {
    desk *at = *state;
    g_autofree char *sha = repository_commit(at->watched->repository, 864000 + 5, "a");
    watched_fetch(at->watched);
    const struct {
        int digits;
        const char *night;
        unsigned status;
        const char *stored;
    } cases[] = {
        {10, NULL, 201, "1970-01-12"},
        {40, NULL, 200, "1970-01-12"}, /* queued already */
        {40, "2013-04-01", 200, "1970-01-12"},
    };
    int64_t first = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *body = json_pack("{s:s%, s:s*}", "commit", sha, (size_t)cases[i].digits, "night",
                                 cases[i].night);
        g_autofree char *text = json_dumps(body, 0);
        json_decref(body);
        json_t *answer = desk_json(at, "POST", JOBS, at->admin, text, cases[i].status);
        const int64_t job = number_of(answer, "job");
        first = i == 0 ? job : first;
        assert_int_equal(job, first);
        assert_int_equal(json_is_true(json_object_get(answer, "queued")), cases[i].status == 201);
        json_decref(answer);
        g_autofree char *target = g_strdup_printf("/api/v1/jobs/%d", (int)job);
        json_t *view = desk_get(at, target);
        assert_string_equal(text_of(view, "night"), cases[i].stored);
        assert_string_equal(text_of(view, "kind"), "manual");
        assert_string_equal(text_of(json_object_get(view, "commit"), "sha"), sha);
        json_decref(view);
    }
}

static void a_job_that_cannot_be_is_refused(void **state) {
    desk *at = *state;
    g_free(repository_commit(at->watched->repository, 5, "a"));
    watched_fetch(at->watched);
    static const desk_refusal cases[] = {
        {"/api/v1/projects/nobody/jobs", "{\"commit\":\"0123456\"}", 404,
         "no project of that name is configured"},
        {JOBS, "{}", 400, "commit: 7 to 40 hexadecimal digits are needed"},
        {JOBS, "{\"commit\":7}", 400, "commit: 7 to 40"},
        {JOBS, "{\"commit\":\"HEAD\"}", 400, "commit: 7 to 40"},
        {JOBS, "{\"commit\":\"012345\"}", 400, "commit: 7 to 40"},
        {JOBS, "{\"commit\":\"0123456\",\"night\":\"2013-02-30\"}", 400,
         "night: must be a date, YYYY-MM-DD"},
        {JOBS, "{\"commit\":\"0123456\",\"night\":5}", 400, "night: must be a date"},
        {JOBS, "{\"commit\":\"0123456\"}", 400, "commit 0123456 is not on the watched branch"},
        {JOBS, "[]", 400, "object"},
        {JOBS, "{\"commit\"", 400, "line 1"},
        {JOBS, "", 400, ""},
    };
    desk_refuses(at, "POST", at->admin, cases, G_N_ELEMENTS(cases));
    desk_refuses(at, "POST", NULL, &(desk_refusal){JOBS, "{}", 401, "a token is needed"}, 1);
}

static void without_git_a_job_is_not_queued(void **state) {
    desk *at = *state;
    at->app->context.program = "/nonexistent/moowatchd";
    json_decref(desk_json(at, "POST", JOBS, at->admin, "{\"commit\":\"0123456\"}", 404));
    json_t *jobs = desk_get(at, "/api/v1/jobs");
    assert_int_equal(json_array_size(json_object_get(jobs, "items")), 0);
    json_decref(jobs);
}

static void a_poll_needs_a_project_that_is_watched(void **state) {
    desk *at = *state;
    const desk_refusal nobody = {"/api/v1/projects/nobody/poll", "{}", 404,
                                 "no enabled project of that name is configured"};
    const desk_refusal disabled = {"/api/v1/projects/kieker/poll", "{}", 404, "no enabled project"};
    desk_refuses(at, "POST", at->admin, &nobody, 1);
    at->watched->project->enabled = false;
    desk_refuses(at, "POST", at->admin, &disabled, 1);
}

static void an_alert_is_answered_by_whoever_has_the_token(void **state) {
    desk *at = *state;
    desk_measure(at);
    json_t *alert = desk_json(at, "POST", "/api/v1/alerts/1/state", at->admin,
                              "{\"state\":\"accepted\",\"reason\":\"known, ticket 7\"}", 200);
    assert_string_equal(text_of(alert, "state"), "accepted");
    const json_t *audit = json_object_get(alert, "audit");
    const json_t *last = json_array_get(audit, json_array_size(audit) - 1);
    assert_string_equal(text_of(last, "author"), "ada");
    assert_string_equal(text_of(last, "reason"), "known, ticket 7");
    json_decref(alert);
    static const desk_refusal cases[] = {
        {"/api/v1/alerts/1/state", "{\"state\":\"accepted\"}", 400, "reason: must not be empty"},
        {"/api/v1/alerts/1/state", "{\"state\":\"accepted\",\"reason\":\"\"}", 400,
         "reason: must not be empty"},
        {"/api/v1/alerts/1/state", "{\"state\":\"gone\",\"reason\":\"r\"}", 400, "state"},
        {"/api/v1/alerts/1/state", "{\"reason\":\"r\"}", 400, "state"},
        {"/api/v1/alerts/1/state", "{\"state\":\"open\",\"reason\":\"r\",\"author\":\"bob\"}", 400,
         "author: leave it out; the token's name, ada, is stored"},
        {"/api/v1/alerts/9/state", "{\"state\":\"open\",\"reason\":\"r\"}", 404, "9"},
        {"/api/v1/alerts/x/state", "{\"state\":\"open\",\"reason\":\"r\"}", 400, ""},
    };
    desk_refuses(at, "POST", at->admin, cases, G_N_ELEMENTS(cases));
}

static void a_job_is_cancelled_once_with_a_reason(void **state) {
    desk *at = *state;
    const int64_t job = fix_add(at->fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    g_autofree char *target = g_strdup_printf("/api/v1/jobs/%d/cancel", (int)job);
    const desk_refusal silent = {target, "{}", 400, "reason: must not be empty"};
    desk_refuses(at, "POST", at->admin, &silent, 1);
    json_t *view = desk_json(at, "POST", target, at->admin, "{\"reason\":\"wrong one\"}", 200);
    assert_string_equal(text_of(view, "state"), "cancelled");
    json_decref(view);
    const desk_refusal again = {target, "{\"reason\":\"again\"}", 409, ""};
    const desk_refusal nobody = {"/api/v1/jobs/999/cancel", "{\"reason\":\"r\"}", 404, "999"};
    desk_refuses(at, "POST", at->admin, &again, 1);
    desk_refuses(at, "POST", at->admin, &nobody, 1);
}

static void a_node_is_paused_and_works_again(void **state) {
    desk *at = *state;
    json_decref(fix_lease(at->fix)); /* so that the node is known */
    json_t *paused = desk_json(at, "POST", "/api/v1/nodes/blade1", at->admin,
                               "{\"paused\":true,\"reason\":\"new fan\"}", 200);
    assert_string_equal(text_of(paused, "paused"), "ada: new fan");
    json_decref(paused);
    json_t *works =
        desk_json(at, "POST", "/api/v1/nodes/blade1", at->admin, "{\"paused\":false}", 200);
    assert_true(json_is_null(json_object_get(works, "paused")));
    json_decref(works);
    g_autofree char *words = g_strnfill(1001, 'w');
    g_autofree char *long_reason = g_strdup_printf("{\"paused\":true,\"reason\":\"%s\"}", words);
    const desk_refusal cases[] = {
        {"/api/v1/nodes/blade1", "{}", 400, "paused: true or false is needed"},
        {"/api/v1/nodes/blade1", "{\"paused\":1}", 400, "paused: true or false"},
        {"/api/v1/nodes/blade1", "{\"paused\":true}", 400, "reason: say why"},
        {"/api/v1/nodes/blade1", "{\"paused\":true,\"reason\":\"\"}", 400, "reason: say why"},
        {"/api/v1/nodes/blade1", long_reason, 400, "in at most 1000 bytes"},
        {"/api/v1/nodes/unknown", "{\"paused\":false}", 404, "unknown"},
    };
    desk_refuses(at, "POST", at->admin, cases, G_N_ELEMENTS(cases));
}

/* The watched project's file is gone, and the server was reloaded. */
static void file_away(desk *at) {
    g_autofree char *empty = folder_new();
    srv_catalog *catalog = srv_catalog_load(empty, NULL);
    assert_non_null(catalog);
    assert_true(srv_projects_sync(at->fix->store, catalog->projects, NULL));
    srv_context_catalog_set(&at->app->context, catalog);
    folder_free(g_steal_pointer(&empty));
}

static void a_project_is_archived_renamed_and_deleted_by_its_name(void **state) {
    desk *at = *state;
    desk_measure(at);
#define KIEKER "/api/v1/projects/kieker/"
    static const desk_refusal measured[] = {
        {KIEKER "archive", "{\"reason\":\"r\"}", 409, "kieker is measured: take its file out of"},
        {KIEKER "rename", "{\"reason\":\"r\",\"name\":\"b\"}", 409, "kieker has a file in"},
        {KIEKER "delete", "{\"reason\":\"r\",\"confirm\":\"kieker\"}", 409, "kieker has a file"},
        {KIEKER "delete", "{\"confirm\":\"kieker\"}", 400, "reason: must not be empty"},
    };
    desk_refuses(at, "POST", at->admin, measured, G_N_ELEMENTS(measured));
    file_away(at);
    json_decref(desk_json(at, "POST", KIEKER "archive", at->admin, "{\"reason\":\"r\"}", 200));
    json_t *listed = desk_get(at, "/api/v1/projects");
    assert_int_equal(json_array_size(json_object_get(listed, "items")), 0);
    json_decref(listed);
    listed = desk_get(at, "/api/v1/projects?archived=true");
    assert_int_equal(json_array_size(json_object_get(listed, "items")), 1);
    json_decref(listed);
    json_decref(desk_json(at, "POST", KIEKER "archive", at->admin,
                          "{\"reason\":\"r\",\"archived\":false}", 200));
    json_decref(desk_json(at, "POST", KIEKER "rename", at->admin,
                          "{\"reason\":\"r\",\"name\":\"trace\"}", 200));
    static const desk_refusal gone[] = {
        {"/api/v1/projects/kieker", NULL, 404, "it has been called trace since"},
        {"/api/v1/projects/kieker/nights", NULL, 404, "it has been called trace since"},
        {"/projects/kieker/badge.svg", NULL, 404, "it has been called trace since"},
    };
    desk_refuses(at, "GET", NULL, gone, G_N_ELEMENTS(gone));
    static const desk_refusal unsure[] = {
        {"/api/v1/projects/trace/delete", "{\"reason\":\"r\"}", 409, "results 7, jobs 7, alerts 1"},
        {"/api/v1/projects/trace/delete", "{\"reason\":\"r\",\"confirm\":\"kieker\"}", 409,
         "confirm it by the name trace"}};
    desk_refuses(at, "POST", at->admin, unsure, G_N_ELEMENTS(unsure));
    json_t *answer = desk_json(at, "POST", "/api/v1/projects/trace/delete", at->admin,
                               "{\"reason\":\"moved\",\"confirm\":\"trace\"}", 200);
    assert_int_equal(number_of(answer, "nights"), 7);
    json_decref(answer);
    json_t *audit = desk_json(at, "GET", "/api/v1/audit?kind=project", at->admin, NULL, 200);
    const json_t *rows = json_object_get(audit, "items"), *last = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 4);
    assert_string_equal(text_of(last, "who"), "ada");
    assert_string_equal(text_of(last, "why"), "moved");
    assert_says(text_of(last, "what"), "trace deleted, 7 results, ");
    json_decref(audit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(a_commit_is_measured_because_somebody_asks),
        DESK_TEST(a_job_that_cannot_be_is_refused),
        DESK_TEST(without_git_a_job_is_not_queued),
        DESK_TEST(a_poll_needs_a_project_that_is_watched),
        DESK_TEST(an_alert_is_answered_by_whoever_has_the_token),
        DESK_TEST(a_job_is_cancelled_once_with_a_reason),
        DESK_TEST(a_node_is_paused_and_works_again),
        DESK_TEST(a_project_is_archived_renamed_and_deleted_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
