/* What a monitored program sends to moowatch-receiver. First byte: requests over HTTP, Kieker's
 * records, a body of OTLP or of Zipkin; the rest is what comes. */
#include "runner/moobench/receiver/http.h"
#include "runner/moobench/receiver/kieker.h"
#include "runner/moobench/receiver/otlp.h"
#include "runner/moobench/receiver/zipkin.h"

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
    uint64_t spans = 0;
    if (size < 1 || size > SENT_MAX)
        return 0;
    switch (data[0] & 3) {
    case 0:
        connected(requests, data + 1, size - 1);
        break;
    case 1:
        connected(records, data + 1, size - 1);
        break;
    case 2:
        if (rcv_otlp_count(data + 1, size - 1, &spans) && spans > size)
            abort();
        break;
    default:
        if (rcv_zipkin_count(data + 1, size - 1, &spans) && spans > size)
            abort();
    }
    return 0;
}
