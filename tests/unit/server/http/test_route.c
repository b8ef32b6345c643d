/* Which pattern fits which path. */
#include "server/http/route.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "server/routes/routes.h"

#include <string.h>

static void patterns_fit_whole_paths(void **state) {
    (void)state;
    const struct {
        const char *pattern;
        const char *path;
        const char *params; /* joined by '|'; NULL: no match */
    } cases[] = {
        {"/a", "/a", ""},
        {"/a", "/a/", NULL},
        {"/a", "/ab", NULL},
        {"/a/{}", "/a/b", "b"},
        {"/a/{}", "/a/", NULL},
        {"/a/{}", "/a/b/c", NULL},
        {"/a/{}/c/{}", "/a/b/c/d", "b|d"},
        {"/a/{}/c", "/a/b/d", NULL},
        {"/s/{*}", "/s/a/b.css", "a/b.css"},
        {"/s/{*}", "/s/", NULL},
        {"/", "/", ""},
        {"/", "", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *params[SRV_REQUEST_PARAMS + 1] = {NULL};
        bool fits = route_match(cases[i].pattern, cases[i].path, params);
        g_autofree char *joined = g_strjoinv("|", params);
        if (fits != (cases[i].params != NULL) || (fits && strcmp(joined, cases[i].params) != 0))
            fail_msg("%s on %s: %s", cases[i].pattern, cases[i].path, joined);
        for (size_t k = 0; k < SRV_REQUEST_PARAMS; k++)
            g_free(params[k]);
    }
}

/* Fails when a target is refused, or as != its key; as NULL: it must be refused. */
static void expect_key(const char *target, const char *as) {
    size_t n = 0;
    const srv_route *routes = srv_routes(&n);
    srv_request request = {.method = g_strdup("GET")};
    g_autofree char *allowed = NULL;
    g_autoptr(GError) error = NULL;
    assert_true(srv_request_parse_target(&request, target, NULL));
    request.route = srv_route_find(routes, n, &request, &allowed);
    assert_non_null(request.route);
    bool ok = srv_route_query_check(request.route, &request, &error);
    g_autofree char *key = srv_route_key(request.route, &request);
    if (ok != (as != NULL) || (ok && strcmp(key, as) != 0))
        fail_msg("%s: %s", target, ok ? key : error->message);
    srv_request_clear(&request);
}

static void an_answer_hangs_on_known_parameters_alone(void **state) {
    (void)state;
    expect_key("/api/v1/alerts", "/api/v1/alerts");
    expect_key("/api/v1/alerts?limit=2&state=open&limit=3", "/api/v1/alerts?state=open&limit=2");
    expect_key("/api/v1/alerts?&&state=%6fpen", "/api/v1/alerts?state=open");
    expect_key("/api/v1/alerts?x=1", NULL);
    expect_key("/api/v1/alerts?stat=1", NULL);
    expect_key("/api/v1/alerts?=1", NULL);
    expect_key("/api/v1/projects?limit=1", "/api/v1/projects?limit=1");
    expect_key("/api/v1/compare?b=5&a=4", "/api/v1/compare?a=4&b=5");
    /* A page has its picture loaded again by another v; it makes no other answer. */
    expect_key("/charts/p.svg?nights=3&v=365", "/charts/p.svg?nights=3");
    expect_key("/charts/p.svg?-v=365", NULL);
    /* Nor do the marks of what is expensive belong to a name. */
    expect_key("/api/v1/jobs?limit=501", "/api/v1/jobs?limit=501");
    expect_key("/api/v1/jobs?limit>500=1", NULL);
    expect_key("/api/v1/projects/p/commits?>=1", NULL);
    expect_key("/api/v1/projects/p/commits?=1", NULL);
    /* What looks like another's key is escaped. */
    expect_key("/charts/p.svg%3Fnights=3", "/charts/p.svg%3Fnights%3D3");
    expect_key("/charts/p.svg?leaf=a%26theme%3Ddark", "/charts/p.svg?leaf=a%26theme%3Ddark");
    expect_key("/?utm_source=mail", "/");
}

static void words_are_chosen_from_a_few(void **state) {
    (void)state;
    static const char query[] = "branch view=all|some|none state=queued|done format=csv limit>5";
    const struct {
        const char *target;
        int chosen; /* of view; -1: it is refused */
        const char *why;
    } cases[] = {{"/a", 0, NULL},
                 {"/a?view=all&format=csv", 0, NULL},
                 {"/a?view=some&state=done", 1, NULL},
                 {"/a?view=none&branch=x", 2, NULL},
                 {"/a?view=", -1, "view must be all, some or none"},
                 {"/a?view=al", -1, "view must be all, some or none"},
                 {"/a?view=all%7Csome", -1, "view must be all, some or none"},
                 {"/a?state=%27+OR+1", -1, "state must be queued or done"},
                 {"/a?format=done2", -1, "format must be csv, or left out"},
                 {"/a?view=all&all=1", -1,
                  "there is no parameter \"all\" here; this address takes branch, view, state, "
                  "format, limit"}};
    const srv_route route = {"GET", "/a", .query = query};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        srv_request request = {.route = &route};
        g_autoptr(GError) error = NULL;
        assert_true(srv_request_parse_target(&request, cases[i].target, NULL));
        const bool ok = srv_route_query_check(&route, &request, &error);
        if (ok != (cases[i].chosen >= 0) || (!ok && strcmp(error->message, cases[i].why) != 0))
            fail_msg("%s: %s", cases[i].target, ok ? "taken" : error->message);
        if (ok)
            assert_int_equal(srv_route_choice(&request, "view"), cases[i].chosen);
        srv_request_clear(&request);
    }
}

static void methods_decide_between_404_and_405(void **state) {
    (void)state;
    const struct {
        const char *method;
        const char *path;
        bool found;
        const char *allowed;
    } cases[] = {
        {"GET", "/api/v1/status", true, NULL},
        {"HEAD", "/api/v1/status", true, NULL},
        {"DELETE", "/api/v1/status", false, "GET, HEAD"},
        {"GET", "/api/v1/projects/p/jobs", false, "POST"},
        {"GET", "/api/v1/nope", false, NULL},
        {"get", "/api/v1/status", false, "GET, HEAD"},
    };
    size_t n = 0;
    const srv_route *routes = srv_routes(&n);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        srv_request request = {.method = g_strdup(cases[i].method),
                               .path = g_strdup(cases[i].path)};
        g_autofree char *allowed = NULL;
        const srv_route *route = srv_route_find(routes, n, &request, &allowed);
        if ((route != NULL) != cases[i].found || g_strcmp0(allowed, cases[i].allowed) != 0)
            fail_msg("%s %s: allowed %s", cases[i].method, cases[i].path, allowed);
        srv_request_clear(&request);
    }
}

static void every_row_is_complete(void **state) {
    (void)state;
    size_t n = 0;
    const srv_route *routes = srv_routes(&n);
    for (size_t i = 0; i < n; i++) {
        assert_true(routes[i].handler || routes[i].run == SRV_RUN_STREAM);
        assert_true((routes[i].body == SRV_BODY_RAW || routes[i].body == SRV_BODY_LINES) ==
                    (routes[i].upload != NULL));
        /* Whatever writes needs more than reading; webhooks and jobs bring their own proof. */
        if (strcmp(routes[i].method, "GET") != 0 && routes[i].body != SRV_BODY_HOOK &&
            strcmp(routes[i].pattern, "/api/v1/job-tokens") != 0)
            assert_true((routes[i].scope & ~(unsigned)SRV_SCOPE_READ) != 0);
    }
}

static void what_is_expensive(void **state) {
    (void)state;
    const struct {
        const char *target;
        bool expensive;
    } cases[] = {{"/api/v1/jobs", false},
                 {"/api/v1/jobs?limit=500", false},
                 {"/api/v1/jobs?limit=501", true},
                 {"/api/v1/jobs?limit=5000", true},
                 {"/api/v1/jobs?limit=x", false},
                 {"/api/v1/jobs/7", false},
                 {"/api/v1/projects/p/nights?limit=5000", true},
                 {"/api/v1/projects/p/alerts?limit=5000", true},
                 {"/api/v1/projects/p/artifacts?limit=5000", true},
                 {"/api/v1/alerts?limit=5000", true},
                 {"/api/v1/alerts/7", false},
                 {"/api/v1/projects/p/commits?after=a&until=b", true},
                 {"/api/v1/experiments/7/calls/c/1", true},
                 {"/api/v1/experiments/7", false},
                 {"/charts/p.png?scale=2", false},
                 {"/charts/p.svg?nights=5000", true},
                 {"/charts/p.svg?nights=30&width=2400", true},
                 {"/charts/p.svg?height=1200", true},
                 {"/flames/7/c.svg", true},
                 {"/flames/7/c.svg?width=1000&v=1", true},
                 {"/api/v1/alerts/7/profiles/c/before", true},
                 {"/embed/p?nights=5000", true}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        size_t n = 0;
        const srv_route *routes = srv_routes(&n);
        srv_request request = {.method = g_strdup("GET")};
        g_autofree char *allowed = NULL;
        assert_true(srv_request_parse_target(&request, cases[i].target, NULL));
        request.route = srv_route_find(routes, n, &request, &allowed);
        assert_non_null(request.route);
        if (srv_route_expensive(request.route, &request) != cases[i].expensive)
            fail_msg("%s", cases[i].target);
        srv_request_clear(&request);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_expensive),
        cmocka_unit_test(patterns_fit_whole_paths),
        cmocka_unit_test(an_answer_hangs_on_known_parameters_alone),
        cmocka_unit_test(words_are_chosen_from_a_few),
        cmocka_unit_test(methods_decide_between_404_and_405),
        cmocka_unit_test(every_row_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
