/* Connections that are held without being used are ended, one that waits for us is not. */
#include "server/http/connections.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/listener.h"

#include <arpa/inet.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static srv_reply *echo(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    (void)store;
    return srv_reply_json(200,
                          json_pack("{s:i}", "size", request->body ? (int)request->body->len : 0));
}

static srv_reply *park(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    atomic_store((srv_request * _Atomic *)(void *)app, request);
    return NULL;
}

static const srv_route routes[] = {
    {"POST", "/json", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_JSON, .handler = echo},
    {"GET", "/park", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_NONE, .handler = park},
};

typedef struct {
    srv_request *_Atomic parked;
    listener *listener;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->listener = listener_new(routes, G_N_ELEMENTS(routes), &at->parked, NULL);
    *state = at;
    return 0;
}

/* Head and body must come within a second. */
static int setup_hurried(void **state) {
    setup(state);
    bench *at = *state;
    at->listener->config.head_timeout_s = 1;
    at->listener->config.body_timeout_s = 1;
    listener_start(at->listener);
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    listener_free(at->listener);
    g_free(at);
    return 0;
}

/* What comes until the other side ends the connection, after these bytes. */
static char *held(const bench *at, const char *bytes) {
    const int fd = listener_connect(at->listener);
    assert_true(listener_send(fd, bytes, strlen(bytes)));
    char *answer = listener_read(fd);
    close(fd);
    return answer;
}

static void what_does_not_come_to_an_end_is_ended(void **state) {
    static const char *const beginnings[] = {
        "",
        "GET /pa",
        "GET /park HTTP/1.1\r\nHost: loc",
        "POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"half\":",
    };
    bench *at = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
        g_autofree char *answer = held(at, beginnings[i]);
        assert_says_not(answer, " 200 ");
    }
}

static void an_address_is_written_as_text(void **state) {
    (void)state;
    static const struct {
        int family;
        const char *text;
    } cases[] = {{AF_INET, "192.0.2.7"},
                 {AF_INET6, "2001:db8::7"},
                 {AF_INET6, "::ffff:192.0.2.7"},
                 {AF_INET6, "::1"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct sockaddr_in v4 = {.sin_family = AF_INET};
        struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
        const bool is_v6 = cases[i].family == AF_INET6;
        void *bytes = is_v6 ? (void *)&v6.sin6_addr : (void *)&v4.sin_addr;
        assert_int_equal(inet_pton(cases[i].family, cases[i].text, bytes), 1);
        g_autofree char *text =
            connections_text(is_v6 ? (const struct sockaddr *)&v6 : (const struct sockaddr *)&v4);
        assert_string_equal(text, cases[i].text);
    }
    const struct sockaddr other = {.sa_family = AF_UNIX};
    g_autofree char *of_other = connections_text(&other);
    g_autofree char *of_none = connections_text(NULL);
    assert_string_equal(of_other, "");
    assert_string_equal(of_none, "");
}

/* The one that is too many ends before it is answered; those of this machine are not counted. */
static void one_client_has_so_many_connections(void **state) {
    static const char head[] = "GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    static const char stay[] = "GET /none HTTP/1.1\r\nHost: x\r\n\r\n";
    bench *at = *state;
    g_strlcpy(at->listener->listen, "0.0.0.0", sizeof at->listener->listen);
    at->listener->config.client_connection_limit = 1;
    listener_start(at->listener);
    const int first = listener_connect_far(at->listener);
    if (first < 0)
        skip(); /* no network but loopback */
    /* several threads accept: once it was answered, it is the one that came first */
    assert_true(listener_send(first, stay, strlen(stay)));
    g_autofree char *before = listener_read_one(first);
    assert_int_equal(answer_status(before), 404);
    const int second = listener_connect_far(at->listener);
    g_autofree char *refused = listener_read(second);
    assert_string_equal(refused, "");
    assert_true(listener_send(first, head, strlen(head)));
    g_autofree char *answer = listener_read(first);
    assert_int_equal(answer_status(answer), 404);
    const int near[] = {listener_connect(at->listener), listener_connect(at->listener)};
    for (size_t i = 0; i < G_N_ELEMENTS(near); i++) {
        assert_true(listener_send(near[i], head, strlen(head)));
        g_autofree char *own = listener_read(near[i]);
        assert_int_equal(answer_status(own), 404);
        close(near[i]);
    }
    close(first);
    close(second);
}

/* The answer is ours to make: longer than a head or a body may take. */
static void who_waits_for_us_is_not_ended(void **state) {
    static const char head[] = "GET /park HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    bench *at = *state;
    const int fd = listener_connect(at->listener);
    assert_true(listener_send(fd, head, strlen(head)));
    /* another that is held meanwhile is ended by the same look at all connections */
    g_free(held(at, "GET /pa"));
    g_free(held(at, "GET /pa"));
    srv_request *request = NULL;
    while (!(request = atomic_load(&at->parked)))
        g_usleep(1000);
    srv_http_answer(request, srv_reply_json(200, json_pack("{s:s}", "at", "last")));
    g_autofree char *answer = listener_read(fd);
    assert_int_equal(answer_status(answer), 200);
    assert_says(answer, "last");
    close(fd);
}

/* Of as many as there may be, who waits for nothing ends; who waits for us stays. */
static void idle_ones_make_room(void **state) {
    enum { LIMIT = 4 };
    static const char stay[] = "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n";
    static const char parked[] = "GET /park HTTP/1.1\r\nHost: localhost\r\n\r\n";
    bench *at = *state;
    at->listener->config.connection_limit = LIMIT;
    listener_start(at->listener);
    int fds[LIMIT + 1];
    for (size_t i = 0; i < LIMIT; i++) {
        fds[i] = listener_connect(at->listener);
        assert_true(listener_send(fds[i], stay, strlen(stay)));
        g_free(listener_read_one(fds[i]));
    }
    fds[LIMIT] = listener_connect(at->listener);
    assert_true(listener_send(fds[LIMIT], stay, strlen(stay)));
    g_autofree char *answer = listener_read_one(fds[LIMIT]);
    assert_int_equal(answer_status(answer), 404);
    g_autofree char *first = listener_read(fds[0]); /* the one that was idle for longest */
    assert_string_equal(first, "");
    srv_request *held[LIMIT];
    for (size_t i = 1; i <= LIMIT; i++) {
        assert_true(listener_send(fds[i], parked, strlen(parked)));
        while (!(held[i - 1] = atomic_exchange(&at->parked, NULL)))
            g_usleep(1000);
    }
    const int refused = listener_connect(at->listener);
    g_autofree char *nothing = listener_read(refused);
    assert_string_equal(nothing, "");
    for (size_t i = 0; i < LIMIT; i++)
        srv_http_answer(held[i], srv_reply_json(200, json_pack("{s:s}", "at", "last")));
    for (size_t i = 1; i <= LIMIT; i++) {
        g_autofree char *last = listener_read_one(fds[i]);
        assert_says(last, "last");
        close(fds[i]);
    }
    close(fds[0]);
    close(refused);
}

int main(void) {
#define LISTENING(test) cmocka_unit_test_setup_teardown(test, setup_hurried, teardown)
    const struct CMUnitTest tests[] = {
        LISTENING(what_does_not_come_to_an_end_is_ended),
        LISTENING(who_waits_for_us_is_not_ended),
        cmocka_unit_test_setup_teardown(one_client_has_so_many_connections, setup, teardown),
        cmocka_unit_test_setup_teardown(idle_ones_make_room, setup, teardown),
        cmocka_unit_test(an_address_is_written_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
