/* A token for some projects alone: what is theirs it gets, all else is refused, also where only the
 * store knows whose it is, and what is kept for others. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"
#include "tests/unit/server/expect.h"

static char *token_for(desk *at, const char *scopes, const char *project) {
    const char *const projects[] = {project, NULL};
    const srv_auth_wish wish = {.name = project, .scopes = scopes, .projects = projects};
    g_autofree char *token = srv_auth_create_for(at->listener->auth, &wish, 1, NULL);
    assert_non_null(token);
    return g_strdup_printf("Authorization: Bearer %s\r\n", token);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(what_is_of_its_project_it_gets),
        DESK_TEST(all_else_is_refused),
        DESK_TEST(what_is_not_there_is_told_as_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
