/* One request and its answer: what is bounded, what ends it, and what is read of the headers. */
#include "tests/unit/test.h"

#include "tests/unit/server/receiver.h"

#include "config/http.h"

#include <string.h>

typedef struct {
    receiver *server;
    char *url;
    cfg_http *http;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->server = receiver_new();
    at->url = g_strdup_printf("http://127.0.0.1:%u/x", receiver_port(at->server));
    at->http = cfg_http_new();
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    cfg_http_free(at->http);
    receiver_free(at->server);
    g_free(at->url);
    g_free(at);
    return 0;
}

static cfg_http_call call_of(const bench *at) {
    return (cfg_http_call){
        .url = at->url, .agent = "test", .timeout_s = 30, .answer_bytes_max = 10};
}

/* What is asked for is what the server sees. */
static void methods_and_bodies(void **state) {
    bench *at = *state;
    FILE *file = tmpfile();
    assert_true(file && fputs("0123456789", file) >= 0 && fseek(file, 2, SEEK_SET) == 0);
    const struct {
        const char *method, *body;
        FILE *file;
        const char *line, *sent;
    } cases[] = {{NULL, NULL, NULL, "GET /x", ""},
                 {NULL, "{}", NULL, "POST /x", "{}"},
                 {"PATCH", "{}", NULL, "PATCH /x", "{}"},
                 {"DELETE", NULL, NULL, "DELETE /x", ""},
                 {NULL, NULL, file, "PUT /x", "2345"}};
    const char *const headers[] = {"Authorization: Bearer t", NULL};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        cfg_http_call call = call_of(at);
        call.method = cases[i].method;
        call.header = headers;
        call.body = cases[i].body;
        call.file = cases[i].file;
        call.file_bytes = 4;
        g_auto(cfg_http_answer) answer = {0};
        assert_true(cfg_http_send(at->http, &call, &answer));
        const receiver_request *one = receiver_get(at->server, i);
        assert_string_equal(one->line, cases[i].line);
        assert_string_equal(one->body ? one->body : "", cases[i].sent);
        assert_string_equal(one->authorization, "Bearer t");
    }
    (void)fclose(file);
}

static void an_answer_has_its_bounds(void **state) {
    bench *at = *state;
    static const struct {
        receiver_answer answer;
        const char *body; /* NULL: there is a problem */
    } cases[] = {{{200, NULL, NULL, "0123456789"}, "0123456789"},
                 {{200, NULL, NULL, "0123456789a"}, NULL},
                 {{204, NULL, NULL, NULL}, ""},
                 {{404, NULL, NULL, "0123456789abc"}, "0123456789"}, /* cut, and yet an answer */
                 {{500, NULL, NULL, "no"}, "no"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const cfg_http_call call = call_of(at);
        g_auto(cfg_http_answer) answer = {0};
        receiver_script(at->server, &cases[i].answer, 1);
        const bool good = cfg_http_send(at->http, &call, &answer);
        assert_int_equal(good, cases[i].body != NULL);
        assert_int_equal(good, answer.problem == NULL);
        assert_int_equal(answer.status, cases[i].answer.status);
        if (good)
            assert_string_equal(answer.body->str, cases[i].body);
    }
}

static void what_headers_say(void **state) {
    bench *at = *state;
    static const struct {
        receiver_answer answer;
        const char *etag, *redirect;
        int64_t retry_after_ms;
    } cases[] = {
        {{200, "ETag", "\"a\"", "x"}, "\"a\"", NULL, 0},
        {{302, "Location", "http://127.0.0.1:1/y?z", NULL}, NULL, "http://127.0.0.1:1/y?z", 0},
        {{429, "Retry-After", "7", NULL}, NULL, NULL, 7000},
        {{429, "Retry-After", "99999999", NULL}, NULL, NULL, 86400000},
        {{429, "Retry-After", "-5", NULL}, NULL, NULL, 0},
        {{429, "Retry-After", "soon", NULL}, NULL, NULL, 0},
        {{503, "Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT", NULL}, NULL, NULL, 0},
        {{503, "Retry-After", "Fri, 31 Dec 2199 00:00:00 GMT", NULL}, NULL, NULL, 86400000}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const cfg_http_call call = call_of(at);
        g_auto(cfg_http_answer) answer = {0};
        receiver_script(at->server, &cases[i].answer, 1);
        assert_true(cfg_http_send(NULL, &call, &answer));
        assert_int_equal(answer.status, cases[i].answer.status); /* no redirect is followed */
        assert_int_equal(g_strcmp0(answer.etag, cases[i].etag), 0);
        assert_int_equal(g_strcmp0(answer.redirect, cases[i].redirect), 0);
        assert_int_equal(answer.retry_after_ms, cases[i].retry_after_ms);
        assert_true(answer.date_s > 1700000000);
    }
    assert_int_equal(receiver_count(at->server), G_N_ELEMENTS(cases));
}

static bool note_and(void *user, const char *bytes, gsize size) {
    GString *taken = user;
    g_string_append_len(taken, bytes, (gssize)size);
    return taken->str[0] != '!';
}

/* Of a good answer alone, however long it is; who takes it may end it. */
static void who_takes_it_gets_it(void **state) {
    bench *at = *state;
    static const struct {
        receiver_answer answer;
        const char *taken, *body;
        bool good;
    } cases[] = {{{200, NULL, NULL, "0123456789abcdef"}, "0123456789abcdef", "", true},
                 {{200, NULL, NULL, "!"}, "!", "", false},
                 {{403, NULL, NULL, "refused"}, "", "refused", true}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) taken = g_string_new(NULL);
        cfg_http_call call = call_of(at);
        call.take = note_and;
        call.user = taken;
        g_auto(cfg_http_answer) answer = {0};
        receiver_script(at->server, &cases[i].answer, 1);
        assert_int_equal(cfg_http_send(at->http, &call, &answer), cases[i].good);
        assert_int_equal(answer.ended, !cases[i].good);
        assert_string_equal(taken->str, cases[i].taken);
        assert_string_equal(answer.body->str, cases[i].body);
    }
}

static bool at_once(void *user) {
    (void)user;
    return true;
}

static void what_cannot_be_says_why(void **state) {
    bench *at = *state;
    static const char *const urls[] = {"ftp://127.0.0.1/x", "file:///etc/passwd",
                                       "http://127.0.0.1:1/secret", "http://"};
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
        cfg_http_call call = call_of(at);
        call.url = urls[i];
        g_auto(cfg_http_answer) answer = {0};
        assert_false(cfg_http_send(at->http, &call, &answer));
        assert_int_equal(answer.status, 0);
        assert_null(strstr(answer.problem, "secret"));
        assert_string_not_equal(answer.detail, "");
    }
    cfg_http_call call = call_of(at);
    call.stop = at_once;
    g_auto(cfg_http_answer) answer = {0};
    assert_false(cfg_http_send(at->http, &call, &answer));
    assert_true(answer.ended);
}

int main(void) {
#define ASKED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        ASKED(methods_and_bodies),   ASKED(an_answer_has_its_bounds), ASKED(what_headers_say),
        ASKED(who_takes_it_gets_it), ASKED(what_cannot_be_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
