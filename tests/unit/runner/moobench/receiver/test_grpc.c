/* grpc: frames of HTTP/2 written here byte by byte, as RFC 9113 has them; headers are literals
 * without an index (RFC 7541, 6.2.2). The answers are looked for in what comes back. */
#include "tests/unit/runner/test.h"

#include "runner/moobench/receiver/receiver.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DATA = 0, HEADERS = 1, SETTINGS = 4, END_STREAM = 1, END_HEADERS = 4 };

typedef struct {
    uint8_t bytes[32768];
    size_t size;
} script;

static void put(script *to, const void *bytes, size_t size) {
    assert_true(to->size + size <= sizeof to->bytes);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_frame(script *to, uint8_t type, uint8_t flags, uint8_t stream, const void *payload,
                      size_t size) {
    const uint8_t head[9] = {0, (uint8_t)(size >> 8), (uint8_t)size, type, flags, 0, 0, 0, stream};
    put(to, head, sizeof head);
    put(to, payload, size);
}

static void put_header(script *to, const char *name, const char *value) {
    const uint8_t lengths[] = {0, (uint8_t)strlen(name)}, length = (uint8_t)strlen(value);
    put(to, lengths, sizeof lengths);
    put(to, name, strlen(name));
    put(to, &length, 1);
    put(to, value, strlen(value));
}

static void put_start(script *to) {
    put(to, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
    put_frame(to, SETTINGS, 0, 0, "", 0);
}

static void put_call(script *to, uint8_t stream, const char *path) {
    script headers = {0};
    put_header(&headers, ":method", "POST");
    put_header(&headers, ":scheme", "http");
    put_header(&headers, ":path", path);
    put_header(&headers, ":authority", "localhost");
    put_header(&headers, "content-type", "application/grpc");
    put_header(&headers, "te", "trailers");
    put_frame(to, HEADERS, END_HEADERS, stream, headers.bytes, headers.size);
}

static char told[1024]; /* what was handed on: path=message; */

static void take(void *data, const char *path, const uint8_t *message, size_t size) {
    (void)data;
    size_t length = strlen(told);
    snprintf(told + length, sizeof told - length, "%s=%.*s;", path, (int)size,
             (const char *)message);
}

static const rcv_grpc_service service = {
    .take = take, .answer = (const uint8_t *)"OK", .answer_size = 2};

/* Serves what the script sends; what was answered is in `answer`. */
static bool serve(const script *what, script *answer) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(write(ends[1], what->bytes, what->size), (ssize_t)what->size);
    shutdown(ends[1], SHUT_WR);
    told[0] = '\0';
    bool good = rcv_grpc_serve(ends[0], &service);
    close(ends[0]);
    answer->size = 0;
    ssize_t got;
    while ((got = read(ends[1], answer->bytes + answer->size,
                       sizeof answer->bytes - answer->size)) > 0)
        answer->size += (size_t)got;
    close(ends[1]);
    return good;
}

static bool holds(const script *answer, const void *bytes, size_t size) {
    for (size_t i = 0; i + size <= answer->size; i++)
        if (memcmp(answer->bytes + i, bytes, size) == 0)
            return true;
    return false;
}

static void messages_are_handed_on(void **state) {
    (void)state;
    script what = {0}, answer;
    put_start(&what);
    put_call(&what, 1, "/a.B/C");
    put_frame(&what, DATA, 0, 1, "\0\0\0\0\x03one\0\0\0\0\x03t", 14);
    put_call(&what, 3, "/d.E/F");
    put_frame(&what, DATA, 0, 3, "\0\0\0\0\0", 5); /* an empty one */
    put_frame(&what, DATA, END_STREAM, 1, "wo", 2);
    assert_true(serve(&what, &answer));
    assert_string_equal(told, "/a.B/C=one;/d.E/F=;/a.B/C=two;");
    /* a DATA frame of the answer on stream 1, and none on 3, which has not ended */
    assert_true(holds(&answer, "\0\0\x07\0\0\0\0\0\x01\0\0\0\0\x02OK", 16));
    assert_false(holds(&answer, "\0\0\x07\0\0\0\0\0\x03", 9));
}

static void what_is_not_understood(void **state) {
    (void)state;
    static const struct {
        const char *data;
        size_t size;
    } cases[] = {{"\x01\0\0\0\x01x", 6}, /* packed */ {"\0\x05\0\0\0", 5} /* 80 MiB */};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script what = {0}, answer;
        put_start(&what);
        put_call(&what, 1, "/a.B/C");
        put_frame(&what, DATA, 0, 1, cases[i].data, cases[i].size);
        assert_false(serve(&what, &answer));
        assert_string_equal(told, "");
    }
}

/* Half a message is not passed over. */
static void a_call_that_ends_in_a_message(void **state) {
    (void)state;
    static const struct {
        const char *data;
        size_t size;
    } cases[] = {{"\0\0\0\0\x05half", 9}, {"\0\0\0\0\x01x\0\0", 8}, {"\0", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script what = {0}, answer;
        put_start(&what);
        put_call(&what, 1, "/a.B/C");
        put_frame(&what, DATA, END_STREAM, 1, cases[i].data, cases[i].size);
        assert_false(serve(&what, &answer));
    }
}

static void more_calls_at_once_than_any_agent_has(void **state) {
    (void)state;
    script what = {0}, answer;
    put_start(&what);
    for (unsigned stream = 1; stream <= 203; stream += 2)
        put_call(&what, (uint8_t)stream, "/a.B/C");
    assert_true(serve(&what, &answer));
    /* the 101st is reset: REFUSED_STREAM, so that it is tried again */
    assert_false(holds(&answer, "\0\0\x04\x03\0\0\0\0\xc7", 9));
    assert_true(holds(&answer, "\0\0\x04\x03\0\0\0\0\xc9\0\0\0\x07", 13));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they keep what is freed */

#define LARGE_BYTES (16u << 20)
enum { LARGE_CALLS = 12 };

static long long resident_kb(void) {
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents("/proc/self/status", &text, NULL, NULL));
    return g_ascii_strtoll(strstr(text, "VmRSS:") + strlen("VmRSS:"), NULL, 10);
}

/* A message of 16 MiB in each call, and the beginning of a next one. */
static gpointer send_large(gpointer data) {
    const int fd = GPOINTER_TO_INT(data);
    script what = {0};
    static const uint8_t zeros[16384];
    uint8_t answer[1024];
    put_start(&what);
    for (unsigned call = 0; call < LARGE_CALLS; call++) {
        const uint8_t stream = (uint8_t)(2 * call + 1);
        put_call(&what, stream, "/a.B/C");
        put_frame(&what, DATA, 0, stream, "\0\x01\0\0\0", 5);
        for (size_t sent = 0; sent < LARGE_BYTES; sent += sizeof zeros) {
            put_frame(&what, DATA, 0, stream, zeros, sizeof zeros);
            assert_int_equal(write(fd, what.bytes, what.size), (ssize_t)what.size);
            what.size = 0;
            while (recv(fd, answer, sizeof answer, MSG_DONTWAIT) > 0)
                ; /* more room to send, which is not asked for */
        }
        put_frame(&what, DATA, 0, stream, "\0", 1);
    }
    assert_int_equal(write(fd, what.bytes, what.size), (ssize_t)what.size);
    shutdown(fd, SHUT_WR);
    return NULL;
}

static long long most_kb;
static unsigned taken;

static void weigh(void *data, const char *path, const uint8_t *message, size_t size) {
    (void)data, (void)path, (void)message;
    assert_int_equal(size, LARGE_BYTES);
    most_kb = MAX(most_kb, resident_kb());
    taken++;
}

static void open_calls_do_not_keep_the_room_of_their_messages(void **state) {
    (void)state;
    static const rcv_grpc_service weighing = {.take = weigh};
    const long long before_kb = resident_kb();
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    GThread *sender = g_thread_new("sender", send_large, GINT_TO_POINTER(ends[1]));
    assert_true(rcv_grpc_serve(ends[0], &weighing));
    g_thread_join(sender);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(taken, LARGE_CALLS);
    assert_true(most_kb - before_kb < 96 * 1024); /* all twelve: 192 MiB */
}
#endif

static void what_is_no_http2(void **state) {
    (void)state;
    script what = {0}, answer;
    static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    put(&what, request, strlen(request));
    assert_false(serve(&what, &answer));
}

static void nothing_comes(void **state) {
    (void)state;
    script what = {0}, answer;
    assert_true(serve(&what, &answer)); /* who only looks whether somebody listens */
    assert_string_equal(told, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_handed_on),
        cmocka_unit_test(what_is_not_understood),
        cmocka_unit_test(a_call_that_ends_in_a_message),
        cmocka_unit_test(more_calls_at_once_than_any_agent_has),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        cmocka_unit_test(open_calls_do_not_keep_the_room_of_their_messages),
#endif
        cmocka_unit_test(what_is_no_http2),
        cmocka_unit_test(nothing_comes)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
