/* Answers that are kept: made once for all who ask, until something has changed. */
#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/listener.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* How often a handler ran, and a gate it may be held at; the handlers' app. */
typedef struct {
    atomic_uint made;
    atomic_bool fails;
    pthread_mutex_t gate;
} memory;

static memory *of(srv_app *app) {
    return (memory *)(void *)app;
}

/* The path and how often something was made before, with enough text to be packed. */
static srv_reply *make(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    memory *m = of(app);
    const unsigned n = atomic_fetch_add(&m->made, 1) + 1;
    pthread_mutex_lock(&m->gate);
    pthread_mutex_unlock(&m->gate);
    if (atomic_load(&m->fails))
        return srv_reply_problem(404, "not there");
    g_autofree char *filling = g_strnfill(2000, '.');
    char *text = g_strdup_printf("%s made %u %s", request->path, n, filling);
    return srv_reply_bytes("text/plain", g_bytes_new_take(text, strlen(text)), NULL);
}

static srv_reply *empty(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    (void)request;
    atomic_fetch_add(&of(app)->made, 1);
    return srv_reply_new(204);
}

#define ROUTE(path, scope, run, act, names)                                                        \
    { "GET", path, scope, run, SRV_BODY_NONE, .handler = (act), .query = (names) }
static const srv_route routes[] = {
    ROUTE("/nights/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, make, "limit until -v"),
    ROUTE("/all", SRV_SCOPE_READ, SRV_RUN_KEPT, make, NULL),
    ROUTE("/empty", SRV_SCOPE_READ, SRV_RUN_KEPT, empty, NULL),
    ROUTE("/events", SRV_SCOPE_READ, SRV_RUN_STREAM, NULL, NULL),
};

typedef struct {
    memory memory;
    listener *listener;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    pthread_mutex_init(&at->memory.gate, NULL);
    at->listener = listener_new(routes, G_N_ELEMENTS(routes), &at->memory, NULL);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    listener_free(at->listener);
    pthread_mutex_destroy(&at->memory.gate);
    g_free(at);
    return 0;
}

static char *asked(bench *at, const char *path, const char *headers) {
    g_autofree char *head =
        g_strdup_printf("GET %s HTTP/1.1\r\nHost: localhost\r\n%s", path, headers);
    return listener_ask(at->listener, head);
}

/* On an open connection; the status. */
static unsigned asked_on(int fd, const char *path) {
    g_autofree char *head = g_strdup_printf("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    assert_true(listener_send(fd, head, strlen(head)));
    g_autofree char *answer = listener_read_one(fd);
    return answer_status(answer);
}

/* Asks for it; it must have been made so many times in all. */
static void expect_made(bench *at, const char *path, unsigned made) {
    g_autofree char *answer = asked(at, path, "");
    assert_int_equal(answer_status(answer), 200);
    if (atomic_load(&at->memory.made) != made)
        fail_msg("%s: made %u times, not %u", path, atomic_load(&at->memory.made), made);
}

static void an_answer_is_made_once_until_something_changes(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    expect_made(at, "/nights/kieker", 1);
    expect_made(at, "/nights/kieker", 1);
    expect_made(at, "/nights/other", 2);
    expect_made(at, "/nights/kieker?limit=3", 3);
    /* the same question in other words */
    expect_made(at, "/nights/kieker?v=77&limit=3", 3);
    expect_made(at, "/nights/kie%6ber?limit=3&limit=4", 3);
    expect_made(at, "/all", 4);
    srv_changes_note(at->listener->changes);
    expect_made(at, "/nights/kieker", 5);
    expect_made(at, "/all", 6);
    expect_made(at, "/all", 6);
}

/* What is kept is counted like what is made; who asks from this machine is not. */
static void kept_answers_count_against_a_clients_limit(void **state) {
    bench *at = *state;
    srv_rate_free(at->listener->options.requests);
    at->listener->options.requests = srv_rate_new(1e-6, 3);
    g_strlcpy(at->listener->listen, "0.0.0.0", sizeof at->listener->listen);
    listener_start(at->listener);
    const int near = listener_connect(at->listener);
    for (int i = 0; i < 10; i++)
        assert_int_equal(asked_on(near, "/all"), 200);
    close(near);
    const int far = listener_connect_far(at->listener);
    if (far < 0)
        skip(); /* no network but loopback */
    for (int i = 0; i < 3; i++)
        assert_int_equal(asked_on(far, "/all"), 200);
    assert_int_equal(asked_on(far, "/all"), 429);
    assert_int_equal(atomic_load(&at->memory.made), 1);
    close(far);
}

/* The form that was chosen for one request is not the next one's. */
static void each_request_of_a_connection_gets_its_own_form(void **state) {
    static const struct {
        const char *headers;
        const char *says;
    } asked_for[] = {{"Accept-Encoding: gzip\r\n", "Content-Encoding: gzip"},
                     {"", "/all made 1"},
                     {"If-None-Match: *\r\n", " 304 "},
                     {"Accept-Encoding: gzip\r\nIf-None-Match: *\r\n", " 304 "},
                     {"Accept-Encoding: gzip;q=0\r\n", "/all made 1"}};
    bench *at = *state;
    listener_start(at->listener);
    const int fd = listener_connect(at->listener);
    assert_int_equal(asked_on(fd, "/all"), 200);
    for (size_t i = 0; i < G_N_ELEMENTS(asked_for); i++) {
        g_autofree char *head =
            g_strdup_printf("GET /all HTTP/1.1\r\nHost: localhost\r\n%s\r\n", asked_for[i].headers);
        assert_true(listener_send(fd, head, strlen(head)));
        g_autofree char *answer = listener_read_one(fd);
        assert_says(answer, asked_for[i].says);
    }
    close(fd);
}

static void failures_and_empty_answers_are_not_kept(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    atomic_store(&at->memory.fails, true);
    for (unsigned i = 1; i <= 2; i++) {
        g_autofree char *answer = asked(at, "/all", "");
        assert_int_equal(answer_status(answer), 404);
        assert_int_equal(atomic_load(&at->memory.made), i);
    }
    atomic_store(&at->memory.fails, false);
    expect_made(at, "/all", 3);
    for (unsigned i = 4; i <= 5; i++) {
        g_autofree char *answer = asked(at, "/empty", "");
        assert_int_equal(answer_status(answer), 204);
        assert_int_equal(atomic_load(&at->memory.made), i);
    }
}

static void who_has_it_gets_no_body(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    g_autofree char *first = asked(at, "/all", "");
    g_autofree char *etag = answer_header(first, "ETag");
    g_autofree char *has = g_strdup_printf("If-None-Match: %s\r\n", etag);
    g_autofree char *again = asked(at, "/all", has);
    assert_int_equal(answer_status(again), 304);
    assert_string_equal(answer_body(again), "");
    g_autofree char *other = asked(at, "/all", "If-None-Match: \"other\"\r\n");
    assert_int_equal(answer_status(other), 200);
    assert_int_equal(atomic_load(&at->memory.made), 1);
}

static void packed_and_plain_are_two_forms_of_one_answer(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    g_autofree char *plain = asked(at, "/all", "");
    g_autofree char *packed = asked(at, "/all", "Accept-Encoding: br, gzip\r\n");
    g_autofree char *encoding = answer_header(packed, "Content-Encoding");
    g_autofree char *vary = answer_header(plain, "Vary");
    g_autofree char *none = answer_header(plain, "Content-Encoding");
    g_autofree char *plain_tag = answer_header(plain, "ETag");
    g_autofree char *packed_tag = answer_header(packed, "ETag");
    assert_string_equal(encoding, "gzip");
    assert_string_equal(vary, "Accept-Encoding");
    assert_null(none);
    assert_string_not_equal(plain_tag, packed_tag);
    assert_int_equal(atomic_load(&at->memory.made), 1);
    /* the plain one's name does not stand for the packed bytes */
    g_autofree char *crossed =
        g_strdup_printf("Accept-Encoding: gzip\r\nIf-None-Match: %s\r\n", plain_tag);
    g_autofree char *answer = asked(at, "/all", crossed);
    assert_int_equal(answer_status(answer), 200);
}

/* Many ask while it is being made: one handler, the same answer for all. */
static void those_who_come_meanwhile_wait_for_it(void **state) {
    bench *at = *state;
    enum { CLIENTS = 8 };
    int fds[CLIENTS];
    static const char head[] = "GET /all HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    listener_start(at->listener);
    pthread_mutex_lock(&at->memory.gate);
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = listener_connect(at->listener);
        assert_true(listener_send(fds[i], head, strlen(head)));
    }
    while (atomic_load(&at->memory.made) == 0)
        g_usleep(1000);
    pthread_mutex_unlock(&at->memory.gate);
    for (int i = 0; i < CLIENTS; i++) {
        g_autofree char *answer = listener_read(fds[i]);
        assert_says(answer_body(answer), "/all made 1 ");
        close(fds[i]);
    }
    assert_int_equal(atomic_load(&at->memory.made), 1);
}

/* A change while it is made: the one who asked gets it, the next one gets a new one. */
static void what_was_made_of_the_past_is_not_kept_for_the_present(void **state) {
    bench *at = *state;
    static const char head[] = "GET /all HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    listener_start(at->listener);
    pthread_mutex_lock(&at->memory.gate);
    const int fd = listener_connect(at->listener);
    assert_true(listener_send(fd, head, strlen(head)));
    while (atomic_load(&at->memory.made) == 0)
        g_usleep(1000);
    srv_changes_note(at->listener->changes);
    pthread_mutex_unlock(&at->memory.gate);
    g_autofree char *answer = listener_read(fd);
    assert_says(answer, "/all made 1 ");
    close(fd);
    expect_made(at, "/all", 2);
    expect_made(at, "/all", 2);
}

static void kept_answers_are_for_those_who_may_read(void **state) {
    bench *at = *state;
    at->listener->config.public_read = false;
    listener_start(at->listener);
    g_autofree char *token = listener_token(at->listener, "reader", "read");
    g_autofree char *runner = listener_token(at->listener, "runner", "runner");
    g_autofree char *good = g_strdup_printf("Authorization: Bearer %s\r\n", token);
    g_autofree char *foreign = g_strdup_printf("Authorization: Bearer %s\r\n", runner);
    const struct {
        const char *headers;
        unsigned status;
    } cases[] = {
        {good, 200},    {"", 401},   {"Authorization: Bearer wrong\r\n", 401},
        {foreign, 403}, {good, 200},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *answer = asked(at, "/all", cases[i].headers);
        assert_int_equal(answer_status(answer), cases[i].status);
    }
    assert_int_equal(atomic_load(&at->memory.made), 1);
}

/* What a stream sends up to and with this text, from where it was read last. */
static void expect_streamed(int fd, const char *text) {
    g_autoptr(GString) got = g_string_new(NULL);
    char byte;
    while (!strstr(got->str, text) && listener_receive(fd, &byte, 1) == 1)
        g_string_append_c(got, byte);
    assert_says(got->str, text);
}

static int streaming(bench *at, const char *headers) {
    const int fd = listener_connect(at->listener);
    g_autofree char *head = g_strdup_printf(
        "GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n", headers);
    assert_true(listener_send(fd, head, strlen(head)));
    return fd;
}

static bool still_good(void *auth, const char *key) {
    return srv_auth_lives(auth, key, 2);
}

static void a_stream_follows_what_happens(void **state) {
    bench *at = *state;
    srv_stream_hub *hub = at->listener->options.hub;
    listener_start(at->listener);
    const int a = streaming(at, ""), b = streaming(at, "");
    expect_streamed(a, "text/event-stream");
    expect_streamed(a, ": moowatch");
    expect_streamed(b, ": moowatch");
    assert_int_equal(srv_stream_count(hub), 2);
    srv_stream_publish(hub, "job", "{\"job\":1}", NULL);
    srv_stream_heartbeat(hub);
    expect_streamed(a, "event: job\ndata: {\"job\":1}\n\n");
    expect_streamed(b, "event: job\ndata: {\"job\":1}\n\n");
    expect_streamed(b, ": hb\n\n");
    srv_stream_close(hub);
    g_free(listener_read(a)); /* comes to an end */
    g_free(listener_read(b));
    close(a);
    close(b);
    g_autofree char *late = asked(at, "/events", "");
    assert_int_equal(answer_status(late), 503);
}

/* What programs print is for those with a token, though anybody may follow. */
static void a_stream_without_a_token_shows_no_details(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    g_autofree char *ada = listener_token(at->listener, "ada", "read");
    g_autofree char *as_ada = g_strdup_printf("Authorization: Bearer %s\r\n", ada);
    const int a = streaming(at, as_ada), b = streaming(at, "");
    expect_streamed(a, ": moowatch");
    expect_streamed(b, ": moowatch");
    srv_stream_publish(at->listener->options.hub, "job", "{\"log\":\"all\"}", "{\"log\":null}");
    expect_streamed(a, "data: {\"log\":\"all\"}\n\n");
    expect_streamed(b, "data: {\"log\":null}\n\n");
    /* Its token may be revoked, then it ends: nobody may go on to see more than others. */
    assert_true(srv_auth_revoke(at->listener->auth, "ada", NULL));
    srv_stream_review(at->listener->options.hub, still_good, at->listener->auth);
    g_free(listener_read(a));
    srv_stream_heartbeat(at->listener->options.hub);
    expect_streamed(b, ": hb");
    close(a);
    close(b);
}

/* One client leaves room for others; this machine is not counted. */
static void a_client_has_so_many_streams(void **state) {
    static const char one[] = "X-Forwarded-For: 192.0.2.1\r\n";
    bench *at = *state;
    int fds[3];
    at->listener->config.behind_proxy = true;
    listener_start(at->listener);
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++) {
        fds[i] = streaming(at, one);
        expect_streamed(fds[i], ": moowatch");
    }
    g_autofree char *refused = asked(at, "/events", one);
    assert_int_equal(answer_status(refused), 503);
    const int other = streaming(at, "X-Forwarded-For: 192.0.2.2:50001\r\n");
    expect_streamed(other, ": moowatch");
    close(other);
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
        close(fds[i]);
}

static void there_are_so_many_streams_at_once(void **state) {
    bench *at = *state;
    int fds[4];
    listener_start(at->listener);
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++) {
        fds[i] = streaming(at, "");
        expect_streamed(fds[i], ": moowatch");
    }
    g_autofree char *refused = asked(at, "/events", "");
    assert_int_equal(answer_status(refused), 503);
    assert_says(refused,
                "the limit of event streams is reached (stream_limit, client_stream_limit)");
    g_autofree char *head =
        listener_ask(at->listener, "HEAD /events HTTP/1.1\r\nHost: localhost\r\n");
    assert_int_equal(answer_status(head), 200);
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
        close(fds[i]);
}

static void a_secret_that_is_no_longer_good_ends_its_streams(void **state) {
    bench *at = *state;
    at->listener->config.public_read = false;
    listener_start(at->listener);
    g_autofree char *ada = listener_token(at->listener, "ada", "read");
    g_autofree char *bob = listener_token(at->listener, "bob", "read");
    g_autofree char *as_ada = g_strdup_printf("Authorization: Bearer %s\r\n", ada);
    g_autofree char *as_bob = g_strdup_printf("Authorization: Bearer %s\r\n", bob);
    const int a = streaming(at, as_ada), b = streaming(at, as_bob);
    expect_streamed(a, ": moowatch");
    expect_streamed(b, ": moowatch");
    g_autofree char *new_bob = srv_auth_rotate(at->listener->auth, "bob", 0, 0, 2, NULL);
    assert_non_null(new_bob);
    srv_stream_review(at->listener->options.hub, still_good, at->listener->auth);
    g_free(listener_read(b));
    srv_stream_publish(at->listener->options.hub, "job", "{}", NULL);
    expect_streamed(a, "event: job");
    close(a);
    close(b);
}

/* Nothing is read: what waits for it is bounded, and then it is let go. */
static void a_client_that_does_not_read_is_dropped(void **state) {
    bench *at = *state;
    srv_stream_hub *hub = at->listener->options.hub;
    listener_start(at->listener);
    const int slow = streaming(at, "");
    expect_streamed(slow, ": moowatch");
    g_autofree char *text = g_strnfill(100000, 'e');
    const int64_t until_us = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    char block[4096];
    /* the kernel takes some megabytes before it is seen that nobody reads; dropped at the latest
     * when the rest has been read */
    for (int i = 0; i < 400; i++)
        srv_stream_publish(hub, "job", text, NULL);
    while (listener_receive(slow, block, sizeof block) > 0 && g_get_monotonic_time() < until_us) {
    }
    while (srv_stream_count(hub) > 0 && g_get_monotonic_time() < until_us)
        g_usleep(1000);
    assert_int_equal(srv_stream_count(hub), 0);
    close(slow);
}

int main(void) {
#define LISTENING(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        LISTENING(an_answer_is_made_once_until_something_changes),
        LISTENING(kept_answers_count_against_a_clients_limit),
        LISTENING(each_request_of_a_connection_gets_its_own_form),
        LISTENING(failures_and_empty_answers_are_not_kept),
        LISTENING(who_has_it_gets_no_body),
        LISTENING(packed_and_plain_are_two_forms_of_one_answer),
        LISTENING(those_who_come_meanwhile_wait_for_it),
        LISTENING(what_was_made_of_the_past_is_not_kept_for_the_present),
        LISTENING(kept_answers_are_for_those_who_may_read),
        LISTENING(a_stream_follows_what_happens),
        LISTENING(a_stream_without_a_token_shows_no_details),
        LISTENING(a_client_has_so_many_streams),
        LISTENING(there_are_so_many_streams_at_once),
        LISTENING(a_secret_that_is_no_longer_good_ends_its_streams),
        LISTENING(a_client_that_does_not_read_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
