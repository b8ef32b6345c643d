/* A token for some projects alone: what is theirs it gets, all else is refused, also where only the
 * store knows whose it is, and what is kept for others. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"
#include "tests/unit/server/expect.h"

#include "server/queue/queue.h"

static char *token_for(desk *at, const char *scopes, const char *project) {
    const char *const projects[] = {project, NULL};
    const srv_auth_wish wish = {.name = project, .scopes = scopes, .projects = projects};
    g_autofree char *token = srv_auth_create(at->listener->auth, &wish, 1, NULL);
    assert_non_null(token);
    return g_strdup_printf("Authorization: Bearer %s\r\n", token);
}

/* Sweep 1, of kieker. */
static void sweep(desk *at) {
    static uint64_t values[] = {1, 2};
    GError *error = NULL;
    cfg_project *project = fix_project("kieker");
    project->benchmark.sweep =
        (cfg_sweep){.of = CFG_SWEEP_DEPTH, .values = values, .count = G_N_ELEMENTS(values)};
    const srv_commit commit = {fix_sha(1), "Ada", "ada@example.org", 1000, "One", NULL, 0};
    const srv_sweep_wanted wanted = {&commit, "2013-04-07", "maria"};
    int64_t id = 0;
    bool queued = false;
    if (!srv_sweep_add(at->fix->store, project, &wanted, at->fix->now_ms, &queued, &id, &error))
        fail_msg("%s", error->message);
    assert_int_equal(id, 1);
    project->benchmark.sweep = (cfg_sweep){0};
    fix_project_free(project);
}

static void a_sweep_and_a_picture_are_of_a_project(void **state) {
    desk *at = *state;
    g_autofree char *own = token_for(at, "read", "kieker");
    g_autofree char *foreign = token_for(at, "read", "otel");
    desk_measure(at);
    sweep(at);
    const struct {
        const char *target;
        unsigned own;
    } cases[] = {{"/api/v1/sweeps/1", 200},
                 {"/api/v1/projects/kieker/sweeps", 200},
                 /* without profiles yet; whose it is, is known */
                 {"/flames/1/none.svg", 404},
                 {"/api/v1/alerts/1/profiles/none/before", 404}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_free(desk_call(at, "GET", cases[i].target, at->admin, NULL, cases[i].own));
        g_free(desk_call(at, "GET", cases[i].target, own, NULL, cases[i].own));
        g_free(desk_call(at, "GET", cases[i].target, foreign, NULL, 403));
    }
}

static void what_is_of_its_project_it_gets(void **state) {
    desk *at = *state;
    g_autofree char *own = token_for(at, "run", "kieker");
    const int64_t experiment = desk_measure(at);
    g_autofree char *night = g_strdup_printf("/api/v1/experiments/%" G_GINT64_FORMAT, experiment);
    g_autofree char *compare =
        g_strdup_printf("/api/v1/compare?a=1&b=%" G_GINT64_FORMAT, experiment);
    const char *const targets[] = {"/api/v1/projects/kieker",
                                   "/api/v1/projects/kieker/nights",
                                   "/api/v1/alerts?project=kieker",
                                   "/api/v1/jobs?project=kieker",
                                   "/api/v1/alerts/1",
                                   "/api/v1/jobs/1",
                                   "/charts/kieker.svg",
                                   "/embed/kieker",
                                   "/healthz",
                                   night,
                                   compare};
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++)
        g_free(desk_call(at, "GET", targets[i], own, NULL, 200));
    g_free(desk_call(at, "POST", "/api/v1/alerts/1/state", own,
                     "{\"state\":\"accepted\",\"reason\":\"x\"}", 200));
}

/* Each is asked by the administrator first: what is kept for him is not given out. */
static void all_else_is_refused(void **state) {
    desk *at = *state;
    char public_url[] = "https://moo.example";
    at->watched->config.public_url = public_url;
    g_autofree char *foreign = token_for(at, "run", "otel");
    const int64_t experiment = desk_measure(at);
    g_autofree char *night = g_strdup_printf("/api/v1/experiments/%" G_GINT64_FORMAT, experiment);
    g_autofree char *compare =
        g_strdup_printf("/api/v1/compare?a=1&b=%" G_GINT64_FORMAT, experiment);
    const char *const targets[] = {"/api/v1/projects/kieker",
                                   "/api/v1/projects/kieker/nights",
                                   "/api/v1/projects",
                                   "/api/v1/status",
                                   "/api/v1/alerts",
                                   "/api/v1/alerts?project=kieker",
                                   "/api/v1/jobs",
                                   "/api/v1/alerts/1",
                                   "/api/v1/jobs/1",
                                   "/charts/kieker.svg",
                                   "/embed/kieker",
                                   "/feed.atom",
                                   "/metrics",
                                   night,
                                   compare};
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        g_free(desk_call(at, "GET", targets[i], at->admin, NULL, 200));
        g_autofree char *answer = desk_call(at, "GET", targets[i], foreign, NULL, 403);
        assert_says(answer, "this token is only for otel");
    }
    g_autofree char *feed = desk_call(at, "GET", "/feed.atom", at->admin, NULL, 200);
    assert_says(feed, "<link rel=\"self\" href=\"https://moo.example/feed.atom\"/>");
    g_free(desk_call(at, "GET", "/api/v1/events", foreign, NULL, 403));
    static const desk_refusal writes[] = {
        {"/api/v1/alerts/1/state", "{\"state\":\"accepted\",\"reason\":\"x\"}", 403, "for otel"},
        {"/api/v1/jobs/1/cancel", "{\"reason\":\"x\"}", 403, "for otel"},
        {"/api/v1/nodes/blade1", "{\"paused\":false}", 403, "for otel"},
        {"/api/v1/projects/kieker/jobs", "{\"commit\":\"abcdef1\"}", 403, "for otel"},
        {"/api/v1/projects/kieker/poll", "{}", 403, "for otel"}};
    desk_refuses(at, "POST", foreign, writes, G_N_ELEMENTS(writes));
    json_t *alert = desk_get(at, "/api/v1/alerts/1");
    assert_string_equal(text_of(alert, "state"), "open");
    json_decref(alert);
}

static void what_is_not_there_is_told_as_to_others(void **state) {
    desk *at = *state;
    g_autofree char *own = token_for(at, "run", "kieker");
    static const desk_refusal cases[] = {{"/api/v1/jobs/999", NULL, 404, "999"},
                                         {"/api/v1/alerts/x", NULL, 400, ""},
                                         {"/api/v1/compare", NULL, 400, "a must be"}};
    desk_refuses(at, "GET", own, cases, G_N_ELEMENTS(cases));
}

/* A project that goes for another one's name, and what that one had, is two projects' matter. */
static void a_project_takes_no_name_of_others(void **state) {
    desk *at = *state;
    g_autofree char *own = token_for(at, "admin", "gone");
    fix_sync(at->fix, "gone", "otel", NULL);
    fix_sync(at->fix, "otel", NULL);
    desk_refuses(
        at, "POST", own,
        (const desk_refusal[]){
            {"/api/v1/projects/gone/rename", "{\"reason\":\"r\",\"name\":\"otel\"}", 403,
             "this token is only for gone: a new name needs a token that is for otel, too, "
             "or for all projects"}},
        1);
    const char *const both[] = {"gone", "otel", NULL};
    const srv_auth_wish wish = {.name = "both", .scopes = "admin", .projects = both};
    g_autofree char *token = srv_auth_create(at->listener->auth, &wish, 1, NULL);
    assert_non_null(token);
    g_autofree char *header = g_strdup_printf("Authorization: Bearer %s\r\n", token);
    fix_sync(at->fix, NULL);
    g_free(desk_call(at, "POST", "/api/v1/projects/gone/rename", header,
                     "{\"reason\":\"r\",\"name\":\"otel\"}", 200));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(what_is_of_its_project_it_gets),
        DESK_TEST(a_sweep_and_a_picture_are_of_a_project),
        DESK_TEST(all_else_is_refused),
        DESK_TEST(a_project_takes_no_name_of_others),
        DESK_TEST(what_is_not_there_is_told_as_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
