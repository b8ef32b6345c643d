/* http: requests one after the other, in every framing, and what is refused. */
#include "runner/moobench/receiver/http.c" /* NOLINT(bugprone-suspicious-include) */

#include "sent.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define HEAD "POST /v1/traces HTTP/1.1\r\nHost: x\r\n"

static int take(const void *bytes, size_t size, rcv_http_request *request) {
    static rcv_stream stream;
    sent(&stream, bytes, size, NULL);
    int got = rcv_http_take(&stream, request);
    close(stream.fd);
    return got;
}

static void one_after_the_other(void **state) {
    (void)state;
    static const char text[] =
        HEAD "Content-Length: 3\r\n\r\nabc" HEAD
             "Transfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1;x\r\nf\r\n0\r\n\r\n"
             "GET /?flushed=true HTTP/1.1\r\nConnection: close\r\n\r\n";
    rcv_stream stream;
    rcv_http_request request;
    sent(&stream, text, strlen(text), NULL);
    assert_int_equal(rcv_http_take(&stream, &request), 1);
    assert_string_equal(request.path, "/v1/traces");
    assert_int_equal(request.size, 3);
    assert_memory_equal(request.body, "abc", 3);
    assert_false(request.last);
    free(request.body);
    assert_int_equal(rcv_http_take(&stream, &request), 1);
    assert_int_equal(request.size, 3);
    assert_memory_equal(request.body, "def", 3);
    free(request.body);
    assert_int_equal(rcv_http_take(&stream, &request), 1);
    assert_string_equal(request.path, "/");
    assert_int_equal(request.size, 0);
    assert_true(request.last);
    free(request.body);
    assert_int_equal(rcv_http_take(&stream, &request), 0);
    close(stream.fd);
}

/* gzip: 16 more than the window, as zlib.h has it. */
static void packed_bodies(void **state) {
    (void)state;
    static char plain[100000];
    memset(plain, 'a', sizeof plain);
    for (int kind = 0; kind < 2; kind++) {
        uint8_t packed[4096], message[8192];
        z_stream to = {.next_in = (Bytef *)plain,
                       .avail_in = sizeof plain,
                       .next_out = packed,
                       .avail_out = sizeof packed};
        assert_int_equal(
            deflateInit2(&to, 6, Z_DEFLATED, kind == 0 ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
        assert_int_equal(deflate(&to, Z_FINISH), Z_STREAM_END);
        size_t size = sizeof packed - to.avail_out;
        deflateEnd(&to);
        int head = snprintf((char *)message, sizeof message,
                            HEAD "content-encoding: %s\r\ncontent-length: %zu\r\n\r\n",
                            kind == 0 ? "gzip" : "deflate", size);
        memcpy(message + head, packed, size);
        rcv_http_request request;
        assert_int_equal(take(message, (size_t)head + size, &request), 1);
        assert_int_equal(request.size, sizeof plain);
        assert_memory_equal(request.body, plain, sizeof plain);
        free(request.body);
    }
}

static void what_is_no_request_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "hello\r\n\r\n",
        "POST /x SMTP\r\n\r\n",
        HEAD "Content-Length: many\r\n\r\n",
        HEAD "Content-Length: 99999999999\r\n\r\n",
        HEAD "Content-Length: 5\r\n\r\nabc",
        HEAD "Transfer-Encoding: chunked\r\n\r\nno size\r\n",
        HEAD "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n",
        HEAD "Content-Length: 3\r\nContent-Encoding: gzip\r\n\r\nabc",
        HEAD "Content-Length: 3\r\nContent-Encoding: zstd\r\n\r\nabc",
        HEAD "no end of headers\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rcv_http_request request;
        if (take(texts[i], strlen(texts[i]), &request) != -1)
            fail_msg("taken: %s", texts[i]);
    }
}

static void answers(void **state) {
    (void)state;
    static const char text[] = HEAD "Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx";
    rcv_stream stream;
    rcv_http_request request;
    int other;
    sent(&stream, text, strlen(text), &other);
    assert_int_equal(rcv_http_take(&stream, &request), 1);
    free(request.body);
    assert_true(rcv_http_answer(&stream, 400));
    close(stream.fd);
    char got[200] = "";
    size_t size = 0;
    ssize_t some;
    while ((some = read(other, got + size, sizeof got - 1 - size)) > 0)
        size += (size_t)some;
    close(other);
    assert_string_equal(got, "HTTP/1.1 100 Continue\r\n\r\n"
                             "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
}

/* stream: pieces and lines of a connection, and its end. */

static void pieces(void **state) {
    (void)state;
    rcv_stream stream;
    char to[4] = "";
    sent(&stream, "abcdef", 6, NULL);
    assert_true(rcv_stream_take(&stream, to, 2));
    assert_memory_equal(to, "ab", 2);
    assert_true(rcv_stream_take(&stream, NULL, 3));
    assert_true(rcv_stream_take(&stream, to, 1));
    assert_int_equal(to[0], 'f');
    assert_false(rcv_stream_take(&stream, to, 1));
    close(stream.fd);
}

static void larger_than_the_buffer(void **state) {
    (void)state;
    static char big[150000], got[150000];
    rcv_stream stream;
    memset(big, 'x', sizeof big);
    big[149999] = 'y';
    sent(&stream, big, sizeof big, NULL);
    assert_true(rcv_stream_take(&stream, got, sizeof got));
    assert_memory_equal(big, got, sizeof big);
    close(stream.fd);
}

static void lines(void **state) {
    (void)state;
    rcv_stream stream;
    char line[8];
    sent(&stream, "one\r\n\ntoo long a line\n", 22, NULL);
    assert_true(stream_line(&stream, line, sizeof line));
    assert_string_equal(line, "one");
    assert_true(stream_line(&stream, line, sizeof line));
    assert_string_equal(line, "");
    assert_false(stream_line(&stream, line, sizeof line));
    close(stream.fd);
    sent(&stream, "no end", 6, NULL);
    assert_false(stream_line(&stream, line, sizeof line));
    close(stream.fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(packed_bodies),
        cmocka_unit_test(what_is_no_request_is_refused),
        cmocka_unit_test(answers),
        cmocka_unit_test(pieces),
        cmocka_unit_test(larger_than_the_buffer),
        cmocka_unit_test(lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
