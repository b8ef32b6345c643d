/* What is decided of a request before its body is read: by whom, from where, and how much. */
#include "server/http/http_gate.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#define OWN "http://127.0.0.1:8300"

static srv_reply *nothing(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    (void)store;
    (void)request;
    return NULL;
}

#define ROUTE(method, path, scope, body)                                                           \
    { method, path, scope, SRV_RUN_READ, body, .handler = nothing, .query = "limit" }
static const srv_route routes[] = {
    ROUTE("GET", "/api/open", SRV_SCOPE_NONE, SRV_BODY_NONE),
    ROUTE("GET", "/api/read", SRV_SCOPE_READ, SRV_BODY_NONE),
    ROUTE("POST", "/api/run", SRV_SCOPE_RUN, SRV_BODY_JSON),
    ROUTE("POST", "/api/hook", SRV_SCOPE_NONE, SRV_BODY_HOOK),
    ROUTE("PUT", "/api/raw", SRV_SCOPE_SUBMIT | SRV_SCOPE_RUNNER, SRV_BODY_RAW),
};

typedef struct {
    char *dir;
    srv_http_options options;
    cfg_server config;
    char listen[sizeof "127.0.0.1"];
    char *admin, *reader, *runner, *run, *submit;
} bench;

static char *token(bench *at, const char *scope) {
    g_autofree char *made = srv_auth_create(
        at->options.auth, &(srv_auth_wish){.name = scope, .scopes = scope}, 1, NULL);
    assert_non_null(made);
    return g_strconcat("Bearer ", made, NULL);
}

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->dir = folder_new();
    g_autofree char *tokens = g_build_filename(at->dir, SRV_AUTH_FILE, NULL);
    g_strlcpy(at->listen, "127.0.0.1", sizeof at->listen);
    at->config = (cfg_server){.listen = at->listen, .body_limit_bytes = 1000};
    at->options = (srv_http_options){.config = &at->config,
                                     .auth = srv_auth_open(tokens, NULL),
                                     .requests = srv_rate_new(0, 0),
                                     .failures = srv_rate_new(0, 0),
                                     .routes = routes,
                                     .routes_count = G_N_ELEMENTS(routes)};
    at->admin = token(at, "admin");
    at->reader = token(at, "read");
    at->runner = token(at, "runner");
    at->run = token(at, "run");
    at->submit = token(at, "submit");
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    srv_auth_close(at->options.auth);
    srv_rate_free(at->options.requests);
    srv_rate_free(at->options.failures);
    folder_free(at->dir);
    char *const texts[] = {at->admin, at->reader, at->runner, at->run, at->submit};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(at);
    return 0;
}

/* Headers as name, value, …, NULL. */
typedef const char *header_list[9];

static srv_request request_of(const char *method, const char *target, const char *client,
                              const header_list headers) {
    srv_request request = {.method = g_strdup(method), .client = g_strdup(client)};
    request.headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (size_t i = 0; headers[i]; i += 2)
        if (headers[i + 1])
            g_hash_table_insert(request.headers, g_strdup(headers[i]), g_strdup(headers[i + 1]));
    assert_true(srv_request_parse_target(&request, target, NULL));
    return request;
}

/* The gate's refusal, owned; NULL: it may go on. */
static srv_reply *gate(bench *at, const char *method, const char *target,
                       const header_list headers) {
    srv_request request = request_of(method, target, "192.0.2.1", headers);
    srv_reply *refusal = srv__http_gate(&at->options, OWN, &request);
    srv_request_clear(&request);
    return refusal;
}

/* 0: it goes on. */
static void expect_gate(bench *at, const char *method, const char *target,
                        const header_list headers, unsigned status, const char *says) {
    g_autoptr(srv_reply) refusal = gate(at, method, target, headers);
    const unsigned got = refusal ? refusal->status : 0;
    if (got != status)
        fail_msg("%s %s: %u, not %u", method, target, got, status);
    if (says)
        assert_says(g_bytes_get_data(refusal->body, NULL), says);
}

static const char *reply_header(const srv_reply *reply, const char *name) {
    for (guint i = 0; i + 1 < reply->headers->len; i += 2)
        if (strcmp(reply->headers->pdata[i], name) == 0)
            return reply->headers->pdata[i + 1];
    return NULL;
}

static void each_call_asks_for_its_scope(void **state) {
    bench *at = *state;
    const struct {
        const char *method, *target, *token;
        unsigned closed, open; /* without and with public_read */
    } cases[] = {
        {"GET", "/api/open", NULL, 0, 0},          {"GET", "/api/open", "Bearer wrong", 0, 0},
        {"GET", "/api/read", NULL, 401, 0},        {"GET", "/api/read", "Bearer wrong", 401, 0},
        {"GET", "/api/read", at->reader, 0, 0},    {"GET", "/api/read", at->submit, 0, 0},
        {"GET", "/api/read", at->runner, 403, 0},  {"GET", "/api/read", at->admin, 0, 0},
        {"POST", "/api/run", NULL, 401, 401},      {"POST", "/api/run", at->reader, 403, 403},
        {"POST", "/api/run", at->run, 0, 0},       {"POST", "/api/run", at->admin, 0, 0},
        {"PUT", "/api/raw", at->runner, 0, 0},     {"PUT", "/api/raw", at->submit, 0, 0},
        {"PUT", "/api/raw", at->reader, 403, 403},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        for (int open = 0; open < 2; open++) {
            at->config.public_read = open != 0;
            expect_gate(at, cases[i].method, cases[i].target,
                        (header_list){"authorization", cases[i].token},
                        open ? cases[i].open : cases[i].closed, NULL);
        }
}

static void who_lacks_a_scope_is_told_which(void **state) {
    bench *at = *state;
    const header_list reader = {"authorization", at->reader};
    expect_gate(at, "POST", "/api/run", reader, 403, "a token with the scope run, and read has");
    expect_gate(at, "PUT", "/api/raw", reader, 403, "the scope submit or runner, and");
}

static void a_browser_is_asked_for_the_token_where_people_read(void **state) {
    bench *at = *state;
    g_autoptr(srv_reply) read = gate(at, "GET", "/api/read", (header_list){NULL});
    g_autoptr(srv_reply) run = gate(at, "POST", "/api/run", (header_list){NULL});
    assert_string_equal(reply_header(run, "WWW-Authenticate"), "Bearer realm=\"moowatch\"");
    assert_int_equal(read->headers->len, 4);
    assert_says(read->headers->pdata[3], "Basic realm=");
    assert_int_equal(run->headers->len, 2);
    assert_says(g_bytes_get_data(read->body, NULL), "send Authorization: Bearer TOKEN");
}

static void whoever_guesses_is_slowed_down_and_a_good_token_never(void **state) {
    bench *at = *state;
    srv_rate_free(at->options.failures);
    at->options.failures = srv_rate_new(1e-9, 2);
    const header_list wrong = {"authorization", "Bearer wrong"};
    const header_list good = {"authorization", at->reader};
    expect_gate(at, "GET", "/api/read", wrong, 401, "it may have been revoked");
    expect_gate(at, "GET", "/api/read", wrong, 401, NULL);
    expect_gate(at, "GET", "/api/read", wrong, 429, "too many wrong tokens from this address");
    expect_gate(at, "GET", "/api/read", good, 0, NULL);
    expect_gate(at, "GET", "/api/read", (header_list){NULL}, 401, NULL);
    expect_gate(at, "GET", "/api/open", wrong, 429, NULL);
}

static void requests_of_one_client_are_counted(void **state) {
    bench *at = *state;
    srv_rate_free(at->options.requests);
    at->options.requests = srv_rate_new(1e-9, 2);
    const struct {
        const char *client;
        unsigned status;
    } cases[] = {
        {"192.0.2.1", 0}, {"192.0.2.1", 0}, {"192.0.2.1", 429}, {"192.0.2.2", 0},
        {"127.0.0.1", 0}, {"127.0.0.1", 0}, {"127.0.0.1", 0},   {"::1", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        srv_request request = request_of("GET", "/api/open", cases[i].client, (header_list){NULL});
        g_autoptr(srv_reply) refusal = srv__http_gate(&at->options, OWN, &request);
        assert_int_equal(refusal ? refusal->status : 0, cases[i].status);
        if (refusal)
            assert_string_equal(reply_header(refusal, "Retry-After"), "1");
        srv_request_clear(&request);
    }
}

static void another_sites_page_may_not_write(void **state) {
    bench *at = *state;
    static const struct {
        const char *public_url, *origin, *site;
        bool may;
    } cases[] = {
        {NULL, NULL, NULL, true}, /* no browser */
        {NULL, OWN, "same-origin", true},
        {NULL, OWN, NULL, true},
        {NULL, "http://localhost:8300", NULL, true},
        {NULL, "http://127.0.0.1:8300", NULL, true},
        {NULL, "https://127.0.0.1:8300", NULL, false},
        {NULL, "http://localhost:8301", NULL, false},
        {NULL, "https://evil.example", NULL, false},
        {NULL, "null", NULL, false},
        {NULL, OWN, "cross-site", false},
        {NULL, NULL, "cross-site", false},
        {NULL, NULL, "same-site", false},
        {NULL, NULL, "none", true}, /* typed by the person */
        {"https://moo.example", "https://moo.example", NULL, true},
        {"https://moo.example/watch", "https://moo.example", NULL, true},
        {"https://moo.example", "https://MOO.example", NULL, true},
        {"https://moo.example", "https://moo.example.evil", NULL, false},
        {"https://moo.example.evil", "https://moo.example", NULL, false},
        {"https://moo.example", "http://moo.example", NULL, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *url = g_strdup(cases[i].public_url);
        at->config.public_url = url;
        const header_list headers = {"authorization", at->run,          "origin",
                                     cases[i].origin, "sec-fetch-site", cases[i].site};
        g_autoptr(srv_reply) refusal = gate(at, "POST", "/api/run", headers);
        if ((refusal == NULL) != cases[i].may)
            fail_msg("case %zu: %u", i, refusal ? refusal->status : 0);
        expect_gate(at, "GET", "/api/read",
                    (header_list){"authorization", at->run, "origin", cases[i].origin}, 0, NULL);
    }
}

static void bodies_are_announced_as_they_may_be(void **state) {
    bench *at = *state;
    static const struct {
        const char *method, *target, *type, *length, *chunked;
        unsigned status;
        const char *says;
    } cases[] = {
        {"POST", "/api/run", "application/json", "1000", NULL, 0, NULL},
        {"POST", "/api/run", "application/json", "1001", NULL, 413,
         "1001 bytes; the limit is 1000"},
        {"POST", "/api/run", "APPLICATION/JSON ;charset=x", "10", NULL, 0, NULL},
        {"POST", "/api/run", "text/plain", "10", NULL, 415, "application/json"},
        {"POST", "/api/run", NULL, "10", NULL, 415, NULL},
        {"POST", "/api/run", "application/jsonx", "10", NULL, 415, NULL},
        {"POST", "/api/run", NULL, "0", NULL, 0, NULL},
        {"POST", "/api/run", NULL, NULL, "chunked", 415, NULL},
        {"POST", "/api/run", "application/json", NULL, "chunked", 0, NULL},
        {"POST", "/api/run", "application/json", "x", NULL, 400, "Content-Length is not a number"},
        {"POST", "/api/run", "application/json", "-1", NULL, 400, NULL},
        {"POST", "/api/run", "application/json", "99999999999999999999", NULL, 400, NULL},
        {"POST", "/api/hook", "text/plain", "1000", NULL, 0, NULL},
        {"POST", "/api/hook", NULL, "1001", NULL, 413, NULL},
        {"PUT", "/api/raw", NULL, "99999999999", NULL, 0, NULL}, /* the route's own limit */
        {"GET", "/api/read", NULL, "1", NULL, 413, "this call takes no body"},
        {"GET", "/api/read", NULL, "0", NULL, 0, NULL},
        {"GET", "/api/read", NULL, NULL, "chunked", 413, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const header_list headers = {"authorization",     at->admin,        "content-type",
                                     cases[i].type,       "content-length", cases[i].length,
                                     "transfer-encoding", cases[i].chunked};
        expect_gate(at, cases[i].method, cases[i].target, headers, cases[i].status, cases[i].says);
    }
}

/* What a header says of a body's bytes is not ignored, whatever the body is. */
static void a_packed_body_is_told_so(void **state) {
    bench *at = *state;
    static const struct {
        const char *method, *target, *coding;
        unsigned status;
    } cases[] = {
        {"POST", "/api/run", "gzip", 415},    {"POST", "/api/hook", "br", 415},
        {"PUT", "/api/raw", "deflate", 415},  {"POST", "/api/run", "Identity", 0},
        {"POST", "/api/hook", "identity", 0}, {"POST", "/api/run", "", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const header_list headers = {"authorization",    at->admin,        "content-type",
                                     "application/json", "content-length", "10",
                                     "content-encoding", cases[i].coding};
        expect_gate(at, cases[i].method, cases[i].target, headers, cases[i].status,
                    cases[i].status ? "Content-Encoding is not read here" : NULL);
    }
}

static void what_is_not_there_is_told_in_the_askers_form(void **state) {
    bench *at = *state;
    const header_list browser = {"accept", "text/html,*/*"}, program = {"accept", "*/*"};
    const struct {
        const char *method, *target;
        const header_list *headers;
        unsigned status;
        const char *type;
    } cases[] = {
        {"GET", "/nowhere", &browser, 404, "text/html; charset=utf-8"},
        {"GET", "/nowhere", &program, 404, "application/problem+json"},
        {"GET", "/api/nowhere", &browser, 404, "application/problem+json"},
        {"POST", "/nowhere", &browser, 404, "application/problem+json"},
        {"DELETE", "/api/read", &browser, 405, "application/problem+json"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(srv_reply) refusal =
            gate(at, cases[i].method, cases[i].target, *cases[i].headers);
        assert_int_equal(refusal->status, cases[i].status);
        assert_string_equal(refusal->content_type, cases[i].type);
        assert_string_equal(refusal->cache, "no-store");
        if (refusal->status == 405)
            assert_string_equal(reply_header(refusal, "Allow"), "GET, HEAD");
    }
    expect_gate(at, "GET", "/api/open?limit=1&colour=red", program, 400, "colour");
}

/* Another site's name may be made to point to this machine; what listens here alone would show it
 * what only this machine should see. */
static void a_listener_on_loopback_goes_by_its_own_names(void **state) {
    (void)state;
    static const struct {
        const char *listen, *public_url;
        bool behind_proxy;
        const char *host;
        bool ok;
    } cases[] = {
        {"127.0.0.1", NULL, false, NULL, true},
        {"127.0.0.1", NULL, false, "localhost:8300", true},
        {"127.0.0.1", NULL, false, "LocalHost", true},
        {"127.0.0.1", NULL, false, "127.0.0.1:8300", true},
        {"127.0.0.1", NULL, false, "127.5.5.5", true},
        {"127.0.0.1", NULL, false, "[::1]:8300", true},
        {"127.0.0.1", NULL, false, "[::ffff:127.0.0.1]", true},
        {"127.0.0.1", NULL, false, "LOCALHOST/path", true},
        {"127.0.0.1", NULL, false, "127.0.0.1:8301", true},
        {"::1", NULL, false, "[::1]:8300", true},
        {"::1", NULL, false, "[::1]:8301", true},
        {"127.0.0.1", NULL, false, "127.0.0.", false},
        {"127.0.0.1", NULL, false, "localhos", false},
        {"127.0.0.1", NULL, false, "localhostx", false},
        {"127.0.0.1", NULL, false, "127.0.0.1.evil.example", false},
        {"127.0.0.1", NULL, false, "[2001:db8::1]", false},
        {"127.0.0.1", NULL, false, "a-name-longer-than-any-address-in-text-could-be.example",
         false},
        {"127.0.0.1", NULL, false, "evil.example", false},
        {"127.0.0.1", NULL, false, "evil.example:8300", false},
        {"127.0.0.1", NULL, false, "localhost.evil.example", false},
        {"127.0.0.1", NULL, false, "", false},
        {"::1", NULL, false, "evil.example", false},
        {"127.0.0.1", "https://moo.example/x", false, "moo.example", true},
        {"127.0.0.1", "https://moo.example/x", false, "MOO.example:443", true},
        {"127.0.0.1", "https://moo.example/x", false, "evil.example", false},
        {"127.0.0.1", "https://moo.example/x", false, "moo.example.evil", false},
        {"127.0.0.1", "https://moo.example/x", false, "moo", false},
        {"127.0.0.1", "moo.example", false, "moo.example", false},
        {"127.0.0.1", NULL, true, "moo.example", true},
        {"0.0.0.0", NULL, false, "moo.example", true},
        {"192.0.2.1", NULL, false, "moo.example", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *own_url = g_strdup_printf(
            strchr(cases[i].listen, ':') ? "http://[%s]:8300" : "http://%s:8300", cases[i].listen);
        g_autofree char *listen = g_strdup(cases[i].listen);
        g_autofree char *url = g_strdup(cases[i].public_url);
        const cfg_server config = {
            .listen = listen, .public_url = url, .behind_proxy = cases[i].behind_proxy};
        if (http_host_ok(&config, own_url, cases[i].host) != cases[i].ok)
            fail_msg("case %zu: %s", i, cases[i].host);
    }
    bench *at = *state;
    expect_gate(at, "GET", "/api/open", (header_list){"host", "evil.example"}, 403,
                "the Host header does not name this server");
}

int main(void) {
#define AT_GATE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        AT_GATE(each_call_asks_for_its_scope),
        AT_GATE(who_lacks_a_scope_is_told_which),
        AT_GATE(a_browser_is_asked_for_the_token_where_people_read),
        AT_GATE(whoever_guesses_is_slowed_down_and_a_good_token_never),
        AT_GATE(requests_of_one_client_are_counted),
        AT_GATE(another_sites_page_may_not_write),
        AT_GATE(bodies_are_announced_as_they_may_be),
        AT_GATE(a_packed_body_is_told_so),
        AT_GATE(what_is_not_there_is_told_in_the_askers_form),
        AT_GATE(a_listener_on_loopback_goes_by_its_own_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
