/* What this server answers without a connection: the same as over HTTP to a reader without a token.
 */
#include "tests/unit/server/desk.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/test.h"

#include "server/routes/routes.h"

#include <string.h>

static char *body_of(const srv_reply *reply) {
    return reply->body
               ? g_strndup(g_bytes_get_data(reply->body, NULL), g_bytes_get_size(reply->body))
               : g_strdup("");
}

static void expect_as_over_http(const desk *at, const char *address) {
    g_autofree char *whole = desk_call(at, "GET", address, NULL, NULL, 200);
    g_autoptr(srv_reply) reply = srv_routes_ask(at->app, at->fix->store, address);
    g_autofree char *own = body_of(reply);
    assert_int_equal(reply->status, 200);
    assert_non_null(reply->etag);
    assert_non_null(strstr(whole, reply->etag));
    assert_string_equal(strstr(whole, "\r\n\r\n") + 4, own);
}

static void as_over_http(void **state) {
    const desk *at = *state;
    const int64_t newest = desk_measure(*state);
    g_autofree char *night = g_strdup_printf("/api/v1/experiments/%d", (int)newest);
    const char *const addresses[] = {"/api/v1/status",
                                     "/api/v1/projects",
                                     "/api/v1/projects/kieker",
                                     "/api/v1/projects/kieker/nights?limit=5000&portions=columns",
                                     "/api/v1/jobs?state=done&limit=300",
                                     "/api/v1/alerts/1",
                                     "/charts/kieker.svg?theme=dark",
                                     "/projects/kieker/badge.svg",
                                     "/feed.atom",
                                     "/embed/kieker",
                                     night};
    for (size_t i = 0; i < G_N_ELEMENTS(addresses); i++)
        expect_as_over_http(at, addresses[i]);
}

/* As over HTTP, or 404: nobody writes, no token is asked for. */
static void what_is_refused(void **state) {
    const desk *at = *state;
    static const struct {
        const char *address;
        unsigned status;
    } cases[] = {{"/api/v1/projects/none", 404},
                 {"/api/v1/none", 404},
                 {"/api/v1/tokens", 404},
                 {"/api/v1/audit", 404},
                 {"/api/v1/events", 404},
                 {"/api/v1/runner/lease", 404},
                 {"/api/v1/projects?none=1", 400},
                 {"/api/v1/alerts/x", 400},
                 {"no path", 400},
                 {"/api/%zz", 400},
                 {"/charts/kieker.svg?theme=x", 400},
                 {"/api/v1/projects/kieker/jobs", 404}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(srv_reply) reply = srv_routes_ask(at->app, at->fix->store, cases[i].address);
        if (reply->status != cases[i].status)
            fail_msg("%s: %u", cases[i].address, reply->status);
    }
}

/* A project's further branches, by their own names and as a parameter of the project's addresses.
 */

static const double level[4] = {70, 470, 1600, 3200};

static int setup(void **state) {
    if (desk_setup(state) != 0)
        return -1;
    desk *at = *state;
    srv_catalog *catalog = srv_context_catalog(&at->app->context);
    g_ptr_array_add(catalog->projects, fix_branch("kieker", "1.15.x"));
    g_assert_true(srv_projects_sync(at->fix->store, catalog->projects, NULL));
    srv_catalog_free(catalog);
    fix_nights(at->fix, "kieker", 1, 3, level);
    fix_nights(at->fix, "kieker~1.15.x", 1, 2, level);
    return 0;
}

static int teardown(void **state) {
    desk *at = *state;
    srv_catalog *catalog = srv_context_catalog(&at->app->context);
    cfg_project *branch = g_ptr_array_steal_index(catalog->projects, 1);
    srv_catalog_free(catalog);
    fix_project_free(branch);
    return desk_teardown(state);
}

static void a_branch_is_asked_for_in_two_ways(void **state) {
    desk *at = *state;
    const struct {
        const char *target;
        size_t nights;
    } cases[] = {{"/api/v1/projects/kieker/nights", 3},
                 {"/api/v1/projects/kieker/nights?branch=main", 3},
                 {"/api/v1/projects/kieker/nights?branch=1.15.x", 2},
                 {"/api/v1/projects/kieker~1.15.x/nights", 2},
                 {"/api/v1/projects/kieker/nights?limit=1&branch=1.15.x", 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *list = desk_get(at, cases[i].target);
        if (json_array_size(json_object_get(list, "items")) != cases[i].nights)
            fail_msg("%s", cases[i].target);
        json_decref(list);
    }
    json_t *project = desk_get(at, "/api/v1/projects/kieker?branch=1.15.x");
    assert_string_equal(text_of(project, "name"), "kieker~1.15.x");
    json_decref(project);
    g_free(desk_call(at, "GET", "/projects/kieker/badge.svg?branch=1.15.x", NULL, NULL, 200));
    g_free(desk_call(at, "GET", "/charts/kieker~1.15.x.svg", NULL, NULL, 200));
}

/* "branch limit>500": the names of a route's parameters. */
static bool takes_branch(const srv_route *route) {
    g_auto(GStrv) names = g_strsplit(route->query ? route->query : "", " ", -1);
    return g_strv_contains((const char *const *)names, "branch");
}

static void every_address_of_a_project_takes_a_branch(void **state) {
    (void)state;
    size_t count;
    const srv_route *routes = srv_routes(&count);
    for (size_t i = 0; i < count; i++) {
        const bool of_project = strstr(routes[i].pattern, "projects/{}") != NULL;
        if (!srv_route_is_page(&routes[i]) && of_project != takes_branch(&routes[i]))
            fail_msg("%s %s", routes[i].method, routes[i].pattern);
    }
}

/* What is kept of one is not given out for the other, nor kept when it changes. */
static void an_answer_is_kept_for_its_own_branch(void **state) {
    desk *at = *state;
    for (int night = 3; night <= 4; night++) {
        json_t *list = desk_get(at, "/api/v1/projects/kieker/nights?branch=1.15.x");
        assert_int_equal(json_array_size(json_object_get(list, "items")), night - 1);
        json_decref(list);
        fix_nights(at->fix, "kieker~1.15.x", night, night, level);
    }
}

static void a_branch_that_is_not_followed_is_told(void **state) {
    desk *at = *state;
    static const desk_refusal cases[] = {
        {"/api/v1/projects/kieker?branch=1.14.x", NULL, 404, "there is no project kieker~1.14.x"},
        {"/api/v1/alerts?branch=1.15.x", NULL, 400, "there is no parameter \"branch\" here"}};
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
}

static void a_token_for_a_project_is_for_its_branches(void **state) {
    desk *at = *state;
    const char *const projects[] = {"kieker", NULL};
    const srv_auth_wish wish = {.name = "own", .scopes = "run", .projects = projects};
    g_autofree char *token = srv_auth_create(at->listener->auth, &wish, 1, NULL);
    assert_non_null(token);
    g_autofree char *header = g_strdup_printf("Authorization: Bearer %s\r\n", token);
    g_free(desk_call(at, "GET", "/api/v1/projects/kieker~1.15.x", header, NULL, 200));
    g_free(desk_call(at, "GET", "/api/v1/projects/kieker?branch=1.15.x", header, NULL, 200));
    g_free(desk_call(at, "GET", "/api/v1/projects/otel?branch=1.15.x", header, NULL, 403));
}

int main(void) {
#define BRANCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        DESK_TEST(as_over_http),
        DESK_TEST(what_is_refused),

        BRANCH_TEST(a_branch_is_asked_for_in_two_ways),
        cmocka_unit_test(every_address_of_a_project_takes_a_branch),
        BRANCH_TEST(an_answer_is_kept_for_its_own_branch),
        BRANCH_TEST(a_branch_that_is_not_followed_is_told),
        BRANCH_TEST(a_token_for_a_project_is_for_its_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
