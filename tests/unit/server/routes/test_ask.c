/* What this server answers without a connection: the same as over HTTP to a reader without a token.
 */
#include "tests/unit/test.h"

#include "server/routes/ask.h"
#include "tests/unit/server/desk.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {DESK_TEST(as_over_http), DESK_TEST(what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
