/* The listener against a client that sends bytes: limits, bodies, routes, and its end. */
#include "tests/unit/test.h"

#include "server/ground/error.h"
#include "server/store/files.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/listener.h"

#include <gio/gio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the handlers of this file remember; given to them as their app. */
typedef struct {
    GString *uploaded;
    atomic_uint finished, completed, sent;
    srv_request *_Atomic parked;
    srv__place *uploads;
} memory;

static memory *of(srv_app *app) {
    return (memory *)(void *)app;
}

static srv_reply *text_reply(const char *text) {
    return srv_reply_bytes("text/plain", g_bytes_new(text, strlen(text)), NULL);
}

/* "METHOD path client body" */
static srv_reply *echo(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    (void)store;
    g_autofree char *body =
        request->body ? g_strndup((const char *)request->body->data, request->body->len) : NULL;
    g_autofree char *text = g_strdup_printf("%s %s %s [%s]", request->method, request->path,
                                            request->client, body ? body : "");
    return text_reply(text);
}

/* The answer lies above them in memory. */
static srv_reply *make_values(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    (void)store;
    json_t *values = json_loadb((const char *)request->body->data, request->body->len, 0, NULL);
    g_autofree char *text = g_strdup_printf("%zu values", json_array_size(values));
    srv_reply *reply = text_reply(text);
    json_decref(values);
    return reply;
}

static srv_reply *park(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    request->held = app;
    atomic_store(&of(app)->parked, request);
    return NULL;
}

static void completed(srv_app *app, srv_request *request, bool sent) {
    (void)request;
    atomic_fetch_add(&of(app)->sent, sent ? 1 : 0);
    atomic_fetch_add(&of(app)->completed, 1);
}

static srv_reply *upload_begin(srv_app *app, srv_request *request, int64_t length) {
    GError *error = NULL;
    request->upload = srv__incoming_new(of(app)->uploads, NULL, length, &error);
    return request->upload ? NULL : srv_reply_error(error);
}

static bool no_room(const srv__place *place, const void *head, size_t size, GError **error) {
    (void)place;
    (void)head;
    (void)size;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_FULL, "no room");
}

static srv_reply *upload_finish(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    char block[4096];
    FILE *file = srv__incoming_reopen(request->upload, NULL);
    for (size_t n; file && (n = fread(block, 1, sizeof block, file)) > 0;)
        g_string_append_len(of(app)->uploaded, block, (gssize)n);
    if (file)
        (void)fclose(file);
    srv__incoming_free(g_steal_pointer(&request->upload));
    atomic_fetch_add(&of(app)->finished, 1);
    return text_reply("taken");
}

#define ROUTE(method, path, run, body, act)                                                        \
    { method, path, SRV_SCOPE_NONE, run, body, .handler = (act) }
static const srv_route routes[] = {
    ROUTE("GET", "/here", SRV_RUN_HERE, SRV_BODY_NONE, echo),
    ROUTE("GET", "/read/{}", SRV_RUN_READ, SRV_BODY_NONE, echo),
    ROUTE("POST", "/json", SRV_RUN_WRITE, SRV_BODY_JSON, echo),
    ROUTE("POST", "/take", SRV_RUN_TAKE, SRV_BODY_JSON, echo),
    ROUTE("POST", "/values", SRV_RUN_TAKE, SRV_BODY_JSON, make_values),
    ROUTE("POST", "/hook", SRV_RUN_READ, SRV_BODY_HOOK, echo),
    {"POST", "/raw", SRV_SCOPE_NONE, SRV_RUN_WRITE, SRV_BODY_RAW, .handler = upload_finish,
     .upload = upload_begin},
    {"POST", "/lines", SRV_SCOPE_NONE, SRV_RUN_WRITE, SRV_BODY_LINES, .handler = upload_finish,
     .upload = upload_begin},
    {"GET", "/park", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_NONE, .handler = park,
     .completed = completed},
};

typedef struct {
    memory memory;
    listener *listener;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->memory.uploaded = g_string_new(NULL);
    at->listener = listener_new(routes, G_N_ELEMENTS(routes), &at->memory, NULL);
    const srv__place uploads = {.dir = g_strdup(at->listener->dir),
                                .what = "upload",
                                .limit_key = "a limit",
                                .limit_bytes = 500000};
    at->memory.uploads = srv__place_new(&uploads, NULL);
    assert_non_null(at->memory.uploads);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    listener_free(at->listener);
    srv__place_free(at->memory.uploads);
    g_string_free(at->memory.uploaded, TRUE);
    g_free(at);
    return 0;
}

#define GET(path) "GET " path " HTTP/1.1\r\nHost: localhost\r\n"
#define JSON "Content-Type: application/json\r\n"

static void expect(const char *answer, unsigned status, const char *says) {
    if (answer_status(answer) != status)
        fail_msg("%u is not %u: %s", answer_status(answer), status, answer);
    assert_says(answer, says);
}

static void each_kind_of_route_is_answered(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    static const struct {
        const char *head;
        unsigned status;
        const char *says;
    } cases[] = {
        {GET("/here"), 200, "GET /here 127.0.0.1 []"},
        {GET("/read/a%20b"), 200, "GET /read/a b 127.0.0.1 []"},
        {GET("/nothing"), 404, "there is nothing at this address"},
        {GET("/here?x=1"), 400, "x"},
        {GET("/read/%zz"), 400, "detail"},
        {GET("/read/%00"), 400, "detail"},
        {GET("/read/.."), 400, "detail"},
        {GET("/json"), 405, "GET is not allowed here; use POST"},
        {"POST /here HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n", 405, "use GET, HEAD"},
        {"BREW /here HTTP/1.1\r\nHost: localhost\r\n", 405, "BREW is not allowed here"},
        {GET("/here") "Content-Length: nonsense\r\n", 400, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *answer = listener_ask(at->listener, cases[i].head);
        expect(answer, cases[i].status, cases[i].says);
    }
}

static void head_is_get_without_the_body(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    g_autofree char *get = listener_ask(at->listener, GET("/here"));
    g_autofree char *head =
        listener_ask(at->listener, "HEAD /here HTTP/1.1\r\nHost: localhost\r\n");
    g_autofree char *length = answer_header(head, "Content-Length");
    assert_int_equal(answer_status(head), 200);
    assert_string_equal(answer_body(head), "");
    assert_int_equal(g_ascii_strtoull(length, NULL, 10), strlen(answer_body(get)) + 1);
}

static void one_connection_serves_many_requests(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    const int fd = listener_connect(at->listener);
    static const char two[] = GET("/here") "\r\n" GET("/read/2") "\r\n";
    assert_true(listener_send(fd, two, strlen(two)));
    g_autofree char *first = listener_read_one(fd), *second = listener_read_one(fd);
    expect(first, 200, "GET /here");
    expect(second, 200, "GET /read/2");
    close(fd);
}

static void bodies_are_collected_within_their_limits(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    g_autofree char *exact = g_strnfill(10000, 'x'), *more = g_strnfill(10001, 'x');
    const struct {
        const char *path, *headers, *body;
        unsigned status;
        const char *says;
    } cases[] = {
        {"/json", JSON, "{}", 200, "POST /json 127.0.0.1 [{}]"},
        {"/json", "content-type: Application/JSON; charset=utf-8\r\n", "{}", 200, "[{}]"},
        {"/json", JSON, exact, 200, exact},
        {"/json", JSON, more, 413, "the body has 10001 bytes; the limit is 10000"},
        {"/json", "", "{}", 415, "Content-Type: application/json"},
        {"/json", "Content-Type: application/jsonp\r\n", "{}", 415, "application/json"},
        {"/json", "", "", 200, "[]"},
        {"/hook", "Content-Type: text/plain\r\n", "a=b", 200, "[a=b]"},
        {"/hook", "", exact, 200, exact},
        {"/hook", "", more, 413, "the limit is 10000"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *answer =
            listener_post(at->listener, cases[i].path, cases[i].headers, cases[i].body);
        expect(answer, cases[i].status, cases[i].says);
    }
    g_autofree char *on_get =
        listener_ask(at->listener, GET("/here") "Content-Length: 2\r\nConnection: close\r\n\r\n{}");
    expect(on_get, 413, "this call takes no body");
}

/* Without a length, what comes is counted. */
static void a_chunked_body_is_stopped_at_the_limit(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    static const char head[] = "POST /json HTTP/1.1\r\nHost: localhost\r\n" JSON
                               "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    const struct {
        size_t chunks;
        unsigned status;
    } cases[] = {{1, 200}, {9, 200}, {11, 413}, {40, 413}};
    g_autofree char *bytes = g_strnfill(1000, 'y');
    g_autofree char *chunk = g_strdup_printf("3e8\r\n%s\r\n", bytes);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const int fd = listener_connect(at->listener);
        listener_send(fd, head, strlen(head));
        for (size_t k = 0; k < cases[i].chunks; k++)
            if (!listener_send(fd, chunk, strlen(chunk)))
                break;
        listener_send(fd, "0\r\n\r\n", 5);
        g_autofree char *answer = listener_read(fd);
        assert_int_equal(answer_status(answer), cases[i].status);
        close(fd);
    }
}

/* Strangers have half of the buffer of all bodies, so that a token always finds room. */
static void bodies_under_way_share_a_buffer(void **state) {
    bench *at = *state;
    at->listener->config.body_buffer_bytes = 20000;
    at->listener->config.body_limit_bytes = 100000;
    listener_start(at->listener);
    g_autofree char *token = listener_token(at->listener, "ci", "submit");
    g_autofree char *bearer = g_strdup_printf(JSON "Authorization: Bearer %s\r\n", token);
    g_autofree char *body = g_strnfill(9000, 'x');
    g_autofree char *refused = listener_post(at->listener, "/json", JSON, body);
    expect(refused, 503, "the request bodies being received fill body_buffer_bytes");
    g_autofree char *retry = answer_header(refused, "Retry-After");
    assert_non_null(retry);
    g_autofree char *taken = listener_post(at->listener, "/json", bearer, body);
    expect(taken, 200, body);
    /* what was refused or answered takes no room any more */
    body[3000] = '\0';
    for (int i = 0; i < 10; i++) {
        g_autofree char *small = listener_post(at->listener, "/json", JSON, body);
        expect(small, 200, body);
    }
}

/* 300 KB of "{}" are 24 MB of values: of them none is made. A result may have what bodies may. */
static void values_are_counted_before_they_are_made(void **state) {
    bench *at = *state;
    at->listener->config.body_limit_bytes = 1 << 20;
    at->listener->config.body_buffer_bytes = 32 << 20;
    listener_start(at->listener);
    g_autofree char *empty = g_strnfill(300000, '{'), *texts = g_strnfill(300000, 'x');
    for (size_t i = 0; i < 300000; i++)
        empty[i] = "{},"[i % 3];
    g_autofree char *refused = listener_post(at->listener, "/json", JSON, empty);
    expect(refused, 413, "more JSON values than this call may have");
    g_autofree char *more = g_strconcat(empty, empty, NULL);
    g_autofree char *result = listener_post(at->listener, "/take", JSON, more);
    expect(result, 413, "more JSON values than body_buffer_bytes has room for");
    g_autofree char *taken = listener_post(at->listener, "/take", JSON, empty);
    expect(taken, 200, "POST /take");
    g_autofree char *plain = listener_post(at->listener, "/json", JSON, texts);
    expect(plain, 200, "POST /json");
}

/* Tries until the answer has this status. */
static bool post_tries(bench *at, const char *path, const char *headers, const char *body,
                       int status, int tries) {
    g_autofree char *wanted = g_strdup_printf("HTTP/1.1 %d", status);
    for (int i = 0; i < tries; i++) {
        g_autofree char *answer = listener_post(at->listener, path, headers, body);
        if (answer && g_str_has_prefix(answer, wanted))
            return true;
    }
    return false;
}

static void post_until(bench *at, const char *path, const char *headers, const char *body,
                       int status) {
    if (!post_tries(at, path, headers, body, status, 10000))
        fail_msg("no answer had the status %d", status);
}

/* A connection whose body is under way and has 1 MiB of the buffer, so that this one is refused.
 * What comes before the room of the last answer is free again is refused itself. */
static int hold(bench *at, const char *path, const char *headers, const char *body) {
    static const char head[] =
        "POST /json HTTP/1.1\r\nHost: localhost\r\n" JSON "Content-Length: 600001\r\n\r\n";
    g_autofree char *text = g_strnfill(600000, 'x');
    for (int i = 0; i < 100; i++) {
        const int slow = listener_connect(at->listener);
        if (listener_send(slow, head, strlen(head)) && listener_send(slow, text, 600000) &&
            post_tries(at, path, headers, body, 503, 100))
            return slow;
        (void)close(slow);
    }
    fail_msg("no body was held");
    return -1;
}

/* So do a webhook's, which its handler refuses beyond a limit of its own; one alone always fits. */
static void values_of_webhooks_count_too(void **state) {
    static const char form[] = "Content-Type: application/x-www-form-urlencoded\r\n";
    bench *at = *state;
    at->listener->config.body_limit_bytes = 1 << 20;
    at->listener->config.body_buffer_bytes = 4 << 20;
    listener_start(at->listener);
    g_autofree char *values = g_strnfill(300000, '{'), *text = g_strnfill(600000, 'x');
    for (size_t i = 0; i < 300000; i++)
        values[i] = "{},"[i % 3];
    post_until(at, "/hook", JSON, values, 200);
    const int slow = hold(at, "/hook", JSON, values);
    post_until(at, "/hook", form, text, 503); /* which may be encoded values */
    text[300000] = '\0';
    post_until(at, "/hook", JSON, text, 200);
    (void)close(slow);
    post_until(at, "/hook", JSON, values, 200);
    post_until(at, "/hook", form, text, 200);
}

/* Of an import, whose lines are read one after the other. One that takes all there is comes alone.
 */
static void of_lines_the_largest_counts(void **state) {
    bench *at = *state;
    at->listener->config.body_limit_bytes = 1 << 20;
    at->listener->config.body_buffer_bytes = 4 << 20;
    listener_start(at->listener);
    g_autofree char *line = g_strnfill(40000, '{'); /* 3.8 MB */
    for (size_t i = 0; i < 40000; i++)
        line[i] = "{},"[i % 3];
    g_autofree char *three = g_strdup_printf("%s\n%s\n%s", line, line, line);
    g_autofree char *taken = listener_post(at->listener, "/lines", "", three);
    expect(taken, 200, "taken");
    g_autofree char *long_line = g_strdup_printf("{}\n%s%s\n{}", line, line);
    g_autofree char *refused = listener_post(at->listener, "/lines", "", long_line);
    expect(refused, 413, "line 2 has more JSON values than body_buffer_bytes has room for");
    for (int i = 0; i < 20; i++) { /* whoever hangs up within a body gives its room back at once */
        (void)close(hold(at, "/lines", "", three));
        post_until(at, "/lines", "", three, 200);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they keep what is freed */
static int64_t resident_kib(void) {
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents("/proc/self/status", &text, NULL, NULL));
    return g_ascii_strtoll(strstr(text, "VmRSS:") + strlen("VmRSS:"), NULL, 10);
}

/* 70 MB of them: what is freed below something small that lives is no use to others. */
static void values_go_back_to_the_system(void **state) {
    bench *at = *state;
    at->listener->config.body_limit_bytes = 4 << 20;
    at->listener->config.body_buffer_bytes = 256 << 20;
    listener_start(at->listener);
    g_autoptr(GString) many = g_string_new("[{}");
    for (int i = 1; i < 300000; i++)
        g_string_append(many, ",{}");
    g_string_append_c(many, ']');
    const int64_t before_kib = resident_kib();
    g_autofree char *taken = listener_post(at->listener, "/values", JSON, many->str);
    expect(taken, 200, "300000 values");
    assert_in_range(resident_kib(), 0, before_kib + (32 << 10));
}
#endif

/* The bytes of an upload that is under way; -1: none is. */
static int64_t left_of(const bench *at) {
    g_autofree char *folder = g_build_filename(at->listener->dir, "incoming", NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name = g_dir_read_name(dir);
    g_autofree char *path = g_build_filename(folder, name ? name : "none", NULL);
    struct stat about;
    return name && stat(path, &about) == 0 ? about.st_size : -1;
}

static void a_raw_body_goes_to_the_disk(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    g_autofree char *body = g_strnfill(200000, 'r');
    g_autofree char *answer = listener_post(at->listener, "/raw", "", body);
    expect(answer, 200, "taken");
    assert_string_equal(at->memory.uploaded->str, body);
    assert_int_equal(atomic_load(&at->memory.finished), 1);
    assert_int_equal(left_of(at), -1);
}

static void what_does_not_fit_is_answered_and_given_up(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    g_autofree char *large = g_strnfill(500001, 'r');
    g_autofree char *refused = listener_post(at->listener, "/raw", "", large);
    expect(refused, 413, "larger than the limit of 500000 bytes");
    at->memory.uploads->head_check = no_room;
    g_autofree char *full = listener_post(at->listener, "/raw", "", "more bytes than a head has");
    expect(full, 507, "no room");
    assert_int_equal(left_of(at), -1);
    assert_int_equal(atomic_load(&at->memory.finished), 0);
}

static void wait_until(atomic_uint *counter, unsigned value) {
    const int64_t until_us = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    while (atomic_load(counter) < value && g_get_monotonic_time() < until_us)
        g_usleep(1000);
    assert_int_equal(atomic_load(counter), value);
}

static void wait_until_left(const bench *at, int64_t bytes) {
    const int64_t until_us = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    while (left_of(at) != bytes && g_get_monotonic_time() < until_us)
        g_usleep(1000);
    assert_int_equal(left_of(at), bytes);
}

static void an_upload_that_breaks_off_is_given_up(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    static const char half[] =
        "POST /raw HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf";
    const int fd = listener_connect(at->listener);
    assert_true(listener_send(fd, half, strlen(half)));
    /* An end that comes with the bytes is seen only when the connection has been idle for long. */
    wait_until_left(at, strlen("half"));
    close(fd);
    wait_until_left(at, -1);
    assert_int_equal(atomic_load(&at->memory.finished), 0);
}

/* Waits until a handler has parked its request. */
static srv_request *parked(bench *at) {
    const int64_t until_us = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    srv_request *request = NULL;
    while (!request && g_get_monotonic_time() < until_us) {
        request = atomic_exchange(&at->memory.parked, NULL);
        g_usleep(1000);
    }
    assert_non_null(request);
    return request;
}

static void a_parked_request_is_answered_later(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    static const char head[] = GET("/park") "Connection: close\r\n\r\n";
    const int fd = listener_connect(at->listener);
    assert_true(listener_send(fd, head, strlen(head)));
    srv_request *request = parked(at);
    assert_true(srv_http_client_there(request));
    srv_http_answer(request, text_reply("at last"));
    g_autofree char *answer = listener_read(fd);
    expect(answer, 200, "at last");
    close(fd);
    wait_until(&at->memory.completed, 1);
    assert_int_equal(atomic_load(&at->memory.sent), 1);
}

static void a_client_that_hung_up_is_noticed(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    static const char head[] = GET("/park") "\r\n";
    const int fd = listener_connect(at->listener);
    assert_true(listener_send(fd, head, strlen(head)));
    srv_request *request = parked(at);
    close(fd);
    const int64_t until_us = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    while (srv_http_client_there(request) && g_get_monotonic_time() < until_us)
        g_usleep(1000);
    assert_false(srv_http_client_there(request));
    srv_http_answer(request, srv_reply_new(204));
    wait_until(&at->memory.completed, 1);
}

static void a_proxy_says_who_the_client_is(void **state) {
    static const struct {
        bool behind;
        unsigned count;
        const char *headers, *client;
    } cases[] = {
        {false, 1, "X-Forwarded-For: 192.0.2.1\r\n", "127.0.0.1"},
        {true, 1, "", "127.0.0.1"},
        {true, 1, "X-Forwarded-For: 192.0.2.1\r\n", "192.0.2.1"},
        /* what the client itself claims stands before what our proxy saw */
        {true, 1, "X-Forwarded-For: 10.0.0.1, 192.0.2.1\r\n", "192.0.2.1"},
        {true, 2, "X-Forwarded-For: 10.0.0.1, 192.0.2.1, 192.0.2.2\r\n", "192.0.2.1"},
        {true, 1, "X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-For: 192.0.2.1\r\n", "192.0.2.1"},
        {true, 9, "X-Forwarded-For: 10.0.0.1, 192.0.2.1\r\n", "10.0.0.1"},
        {true, 0, "X-Forwarded-For: 10.0.0.1 , 192.0.2.1 \r\n", "192.0.2.1"},
        /* as Azure's gateway writes it */
        {true, 1, "X-Forwarded-For: 10.0.0.1, 192.0.2.1:50001\r\n", "192.0.2.1"},
        {true, 1, "X-Forwarded-For: [2001:db8::1]:50001\r\n", "2001:db8::1"},
        {true, 1, "X-Forwarded-For: nobody\r\n", "unknown"},
    };
    bench *at = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        at->listener->config.behind_proxy = cases[i].behind;
        at->listener->config.proxy_count = cases[i].count;
        listener_start(at->listener);
        g_autofree char *head = g_strconcat(GET("/here"), cases[i].headers, NULL);
        g_autofree char *expected = g_strdup_printf("GET /here %s []", cases[i].client);
        g_autofree char *answer = listener_ask(at->listener, head);
        expect(answer, 200, expected);
        srv_http_quiesce(at->listener->http);
        srv_http_stop(g_steal_pointer(&at->listener->http), 1000);
    }
}

static char *headers_of(unsigned count, const char *last) {
    GString *head = g_string_new(GET("/here"));
    for (unsigned i = 0; i < count; i++)
        g_string_append_printf(head, "A%u: b\r\n", i);
    g_string_append(head, last);
    return g_string_free(head, FALSE);
}

/* Whatever stands before it. */
static void a_client_is_known_behind_a_hundred_headers(void **state) {
    bench *at = *state;
    at->listener->config.behind_proxy = true;
    listener_start(at->listener);
    static const char from[] = "X-Forwarded-For: 192.0.2.1\r\n";
    g_autofree char *most = headers_of(98, from), *more = headers_of(99, from);
    g_autofree char *answer = listener_ask(at->listener, most);
    expect(answer, 200, "GET /here 192.0.2.1 []");
    g_autofree char *refusal = listener_ask(at->listener, more);
    expect(refusal, 431, "more than 100 headers");
}

/* What another server on the way could read otherwise: refused, and the rest is not looked at. */
static void where_a_body_ends_is_beyond_doubt(void **state) {
#define POST "POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
#define LENGTH "Content-Length: 2\r\n"
#define CHUNKED "Transfer-Encoding: chunked\r\n"
    static const char *const cases[] = {
        POST LENGTH "Content-Length: 40\r\n\r\n{}",
        POST LENGTH LENGTH "\r\n{}",
        POST "Content-Length: 2, 2\r\n\r\n{}",
        POST "Content-Length: +2\r\n\r\n{}",
        POST "Content-Length: 0x2\r\n\r\n{}",
        POST LENGTH CHUNKED "\r\n2\r\n{}\r\n0\r\n\r\n",
        POST CHUNKED LENGTH "\r\n2\r\n{}\r\n0\r\n\r\n",
        POST CHUNKED CHUNKED "\r\n2\r\n{}\r\n0\r\n\r\n",
        POST "Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        POST "Transfer-Encoding: identity\r\n\r\n{}",
        POST "Content-Length : 2\r\n\r\n{}",
        POST "X: a\r\n Content-Length: 2\r\n\r\n{}",
        POST "X: a\rContent-Length: 2\r\n\r\n{}",
        POST "X: a\nContent-Length: 2\r\n\r\n{}",
        POST "Content-Length: 2\n\r\n{}",
        POST "Content-Length: 2\n\n{}",
        POST LENGTH "Empty:\n\r\n{}",
        POST LENGTH "\n{}",
        POST "Host: other\r\n" LENGTH "\r\n{}",
        "POST /json HTTP/1.1\nHost: localhost\r\n" LENGTH "\r\n{}",
        "POST /json HTTP/1.1\r\n" LENGTH "\r\n{}",
        GET("/here") "X: a\n\n",
        POST CHUNKED "\r\n0x2\r\n{}\r\n0\r\n\r\n",
        POST CHUNKED "\r\n-2\r\n{}\r\n0\r\n\r\n",
        /* the library takes these; what comes after them is not looked at either */
        POST CHUNKED "\r\n2\r\n{}\r\n0\r\n\r\n",
        POST CHUNKED "\r\n2\n{}\n0\n\n",
        POST CHUNKED "\r\n2;a=\n\r\n{}\r\n0\r\n\r\n",
        POST CHUNKED "\r\n2\r\n{}\r\n0\r\nX: a\n\r\n",
    };
    bench *at = *state;
    listener_start(at->listener);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const int fd = listener_connect(at->listener);
        g_autofree char *all = g_strconcat(cases[i], GET("/here"), "\r\n", NULL);
        assert_true(listener_send(fd, all, strlen(all)));
        g_autofree char *answer = listener_read(fd); /* to the end */
        const bool taken = i + 4 >= G_N_ELEMENTS(cases) && answer_status(answer) == 200;
        if ((answer_status(answer) != 400 && !taken) || strstr(answer, "GET /here"))
            fail_msg("%zu: %s: %s", i, cases[i], answer);
        close(fd);
    }
#undef POST
#undef LENGTH
#undef CHUNKED
}

static void a_stopping_server_says_so(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    const int fd = listener_connect(at->listener);
    static const char head[] = GET("/here") "\r\n";
    assert_true(listener_send(fd, head, strlen(head)));
    g_free(listener_read_one(fd));
    srv_http_quiesce(at->listener->http);
    assert_true(listener_send(fd, head, strlen(head)));
    g_autofree char *answer = listener_read_one(fd);
    expect(answer, 503, "the server is stopping; try again soon");
    close(fd);
    g_autofree char *other = listener_ask(at->listener, GET("/here"));
    expect(other, 503, "the server is stopping; try again soon");
}

/* A client that asks again and again cannot hold up the end. */
static void who_comes_at_the_end_is_not_waited_for(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    const int fd = listener_connect(at->listener);
    srv_http_quiesce(at->listener->http);
    static const char head[] = "POST /json HTTP/1.1\r\nHost: localhost\r\n" JSON
                               "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    assert_true(listener_send(fd, head, strlen(head)));
    g_free(listener_read_one(fd)); /* it has begun, and waits for its body */
    srv_http_stop(g_steal_pointer(&at->listener->http), INT_MAX);
    close(fd);
}

static void an_address_that_cannot_be_listened_on_is_told(void **state) {
    bench *at = *state;
    listener_start(at->listener);
    GError *error = NULL;
    const char *port = strrchr(srv_http_url(at->listener->http), ':') + 1;
    char six[] = "::1";
    cfg_server config = at->listener->config;
    srv_http_options second = at->listener->options;
    second.config = &config;
    config.port = (uint16_t)g_ascii_strtoull(port, NULL, 10);
    assert_null(srv_http_start(&second, &error));
    assert_says(error->message, "is another server running there?");
    assert_io_error(error, ADDRESS_IN_USE, port);
    config.port = 0;
    config.listen = six;
    srv_http *v6 = srv_http_start(&second, &error);
    if (v6) /* where this machine has IPv6 */
        assert_true(g_str_has_prefix(srv_http_url(v6), "http://[::1]:"));
    srv_http_stop(v6, 0);
    g_clear_error(&error);
}

int main(void) {
#define LISTENING(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        LISTENING(each_kind_of_route_is_answered),
        LISTENING(head_is_get_without_the_body),
        LISTENING(one_connection_serves_many_requests),
        LISTENING(bodies_are_collected_within_their_limits),
        LISTENING(a_chunked_body_is_stopped_at_the_limit),
        LISTENING(bodies_under_way_share_a_buffer),
        LISTENING(values_are_counted_before_they_are_made),
        LISTENING(values_of_webhooks_count_too),
        LISTENING(of_lines_the_largest_counts),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        LISTENING(values_go_back_to_the_system),
#endif
        LISTENING(a_raw_body_goes_to_the_disk),
        LISTENING(what_does_not_fit_is_answered_and_given_up),
        LISTENING(an_upload_that_breaks_off_is_given_up),
        LISTENING(a_parked_request_is_answered_later),
        LISTENING(a_client_that_hung_up_is_noticed),
        LISTENING(a_proxy_says_who_the_client_is),
        LISTENING(a_client_is_known_behind_a_hundred_headers),
        LISTENING(where_a_body_ends_is_beyond_doubt),
        LISTENING(a_stopping_server_says_so),
        LISTENING(who_comes_at_the_end_is_not_waited_for),
        LISTENING(an_address_that_cannot_be_listened_on_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
