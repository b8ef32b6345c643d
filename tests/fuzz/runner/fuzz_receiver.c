/* What a monitored program sends to moowatch-receiver. First byte: requests over HTTP, Kieker's
 * records, gRPC, or a body in one of the formats, which the second byte names; then what comes. */
#include "runner/moobench/receiver/receiver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SENT_MAX = 60000 }; /* fits into the socket, so nobody has to read meanwhile */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void requests(rcv_stream *stream) {
    rcv_http_request request = {.path = ""};
    for (int i = 0; i < 10 && rcv_http_take(stream, &request) == 1; i++) {
        if (request.size > RCV_HTTP_BODY_MAX ||
            memchr(request.path, 0, sizeof request.path) == NULL)
            abort();
        const bool last = request.last;
        (void)rcv_http_answer(stream, 200);
        free(request.body);
        request = (rcv_http_request){.path = ""};
        if (last)
            return;
    }
}

static void records(rcv_stream *stream) {
    rcv_kieker_counts counts = {.records = 0};
    const bool good = rcv_kieker_read(stream, NULL, &counts);
    if (good != (counts.problem[0] == '\0') ||
        memchr(counts.problem, 0, sizeof counts.problem) == NULL)
        abort();
}

static void took(void *data, const char *path, const uint8_t *message, size_t size) {
    (void)data;
    if (!path || (size > 0 && !message) || size > RCV_GRPC_MESSAGE_MAX)
        abort();
}

static void calls(rcv_stream *stream) {
    static const uint8_t answer[] = {8, 1};
    const rcv_grpc_service service = {.take = took, .answer = answer, .answer_size = sizeof answer};
    (void)rcv_grpc_serve(stream->fd, &service);
}

/* As each of the formats that are counted by the message, sent where its records are sent. */
static void body(uint8_t which, const uint8_t *data, size_t size) {
    static const char *const paths[] = {
        "/v1/traces",        "/api/v2/spans",
        "/intake/v2/events", "/skywalking.v3.TraceSegmentReportService/collect",
        "/v1.Span/SendSpan", ""};
    size_t formats = 0;
    while (rcv_format_at(formats))
        formats++;
    const rcv_format *format = rcv_format_at(which % formats);
    for (size_t i = 0; format->count && i < sizeof paths / sizeof *paths; i++) {
        rcv_counted counted = {0, 0};
        if (format->count(paths[i], data, size, &counted) && counted.records > 3 * size)
            abort();
    }
}

static void connected(void (*take)(rcv_stream *), const uint8_t *data, size_t size) {
    int ends[2];
    rcv_stream *stream = calloc(1, sizeof *stream);
    if (!stream || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
        write(ends[1], data, size) != (ssize_t)size || shutdown(ends[1], SHUT_WR) != 0)
        abort();
    stream->fd = ends[0];
    take(stream);
    (void)close(ends[0]);
    (void)close(ends[1]);
    free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const takes[])(rcv_stream *) = {requests, records, calls};
    if (size < 2 || size > SENT_MAX)
        return 0;
    if ((data[0] & 3) == 3)
        body(data[1], data + 2, size - 2);
    else
        connected(takes[data[0] & 3], data + 1, size - 1);
    return 0;
}
