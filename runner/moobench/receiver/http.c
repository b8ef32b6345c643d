#include "runner/moobench/receiver/receiver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

static bool fill(rcv_stream *stream) {
    if (stream->at < stream->end)
        return true;
    ssize_t got;
    do {
        got = read(stream->fd, stream->buffer, sizeof stream->buffer);
    } while (got < 0 && errno == EINTR);
    stream->at = 0;
    stream->end = got > 0 ? (size_t)got : 0;
    return got > 0;
}

bool rcv_stream_take(rcv_stream *stream, void *to, size_t size) {
    uint8_t *out = to;
    while (size > 0) {
        if (!fill(stream))
            return false;
        size_t some = stream->end - stream->at < size ? stream->end - stream->at : size;
        if (out) {
            memcpy(out, stream->buffer + stream->at, some);
            out += some;
        }
        stream->at += some;
        size -= some;
    }
    return true;
}

/* Up to the next newline, without it and a carriage return before it. Returns false at the end of
 * the connection, or when the line does not fit into `size` bytes. */
static bool stream_line(rcv_stream *stream, char *line, size_t size) {
    size_t length = 0;
    while (length + 1 < size && fill(stream)) {
        char byte = (char)stream->buffer[stream->at++];
        if (byte == '\n') {
            if (length > 0 && line[length - 1] == '\r')
                length--;
            line[length] = '\0';
            return true;
        }
        line[length++] = byte;
    }
    return false;
}

#define LINE_BYTES 8192
#define HEADERS_MAX 100
#define INFLATE_ANY (15 + 32) /* zlib.h: the largest window, gzip or zlib by its header */

typedef struct {
    size_t length;
    bool chunked, packed, waits;
} framing;

static bool send_text(const rcv_stream *stream, const char *text) {
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t sent = send(stream->fd, text, left, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        text += sent;
        left -= (size_t)sent;
    }
    return true;
}

bool rcv_http_answer(const rcv_stream *stream, unsigned status) {
    char text[128];
    snprintf(text, sizeof text, "HTTP/1.1 %u %s\r\nContent-Length: 0\r\n\r\n", status,
             status < 300 ? "OK" : "Bad Request");
    return send_text(stream, text);
}

/* The value of a header line with this name, else NULL. */
static const char *value_of(const char *line, const char *name) {
    size_t length = strlen(name);
    if (strncasecmp(line, name, length) != 0 || line[length] != ':')
        return NULL;
    line += length + 1;
    return line + strspn(line, " \t");
}

static bool take_header(const char *line, rcv_http_request *request, framing *how) {
    const char *value;
    if ((value = value_of(line, "Content-Length"))) {
        char *end;
        how->length = strtoul(value, &end, 10);
        return end != value && how->length <= RCV_HTTP_BODY_MAX;
    }
    if ((value = value_of(line, "Transfer-Encoding")))
        how->chunked = strcasecmp(value, "chunked") == 0;
    else if ((value = value_of(line, "Content-Encoding"))) {
        how->packed = strcasecmp(value, "gzip") == 0 || strcasecmp(value, "deflate") == 0;
        return how->packed || strcasecmp(value, "identity") == 0;
    } else if ((value = value_of(line, "Connection")))
        request->last = strcasecmp(value, "close") == 0;
    else if ((value = value_of(line, "Expect")))
        how->waits = strcasecmp(value, "100-continue") == 0;
    return true;
}

static bool take_more(rcv_stream *stream, rcv_http_request *request, size_t size) {
    if (size > RCV_HTTP_BODY_MAX - request->size)
        return false;
    uint8_t *body = realloc(request->body, request->size + size + 1);
    if (!body)
        return false;
    request->body = body;
    bool good = rcv_stream_take(stream, body + request->size, size);
    request->size += good ? size : 0;
    return good;
}

static bool take_chunks(rcv_stream *stream, rcv_http_request *request) {
    char line[LINE_BYTES];
    for (;;) {
        char *end;
        if (!stream_line(stream, line, sizeof line))
            return false;
        size_t size = strtoul(line, &end, 16);
        if (end == line || (size > 0 && !take_more(stream, request, size)))
            return false;
        if (!stream_line(stream, line, sizeof line) || line[0] != '\0')
            return false;
        if (size == 0)
            return true;
    }
}

/* In place of the body what it unpacks to. */
static bool unpack(rcv_http_request *request) {
    z_stream stream = {.next_in = request->body, .avail_in = (uInt)request->size};
    uint8_t *out = NULL;
    size_t size = 0, room = 0;
    int state = inflateInit2(&stream, INFLATE_ANY);
    while (state == Z_OK && room < RCV_HTTP_BODY_MAX) {
        room = room > 0 ? 2 * room : 4 * request->size + 1024;
        uint8_t *more = realloc(out, room);
        if (!more)
            break;
        out = more;
        stream.next_out = out + size;
        stream.avail_out = (uInt)(room - size);
        state = inflate(&stream, Z_NO_FLUSH);
        size = room - stream.avail_out;
    }
    inflateEnd(&stream);
    free(request->body);
    request->body = out;
    request->size = size;
    return state == Z_STREAM_END;
}

/* "POST /path?query HTTP/1.1" */
static bool take_first(const char *line, rcv_http_request *request) {
    const char *begin = strchr(line, ' ');
    const char *end = begin ? strchr(begin + 1, ' ') : NULL;
    if (!end || strncmp(end + 1, "HTTP/1.", 7) != 0)
        return false;
    const int length = (int)strcspn(begin + 1, "? "); /* what is asked of it does not matter */
    snprintf(request->path, sizeof request->path, "%.*s", length, begin + 1);
    return true;
}

static bool take_head(rcv_stream *stream, rcv_http_request *request, framing *how) {
    char line[LINE_BYTES] = "";
    for (unsigned i = 0; i < HEADERS_MAX; i++) {
        if (!stream_line(stream, line, sizeof line))
            return false;
        if (line[0] == '\0')
            return true;
        if (!take_header(line, request, how))
            return false;
    }
    return false;
}

int rcv_http_take(rcv_stream *stream, rcv_http_request *request) {
    char line[LINE_BYTES];
    framing how = {0};
    *request = (rcv_http_request){0};
    if (!stream_line(stream, line, sizeof line))
        return 0;
    bool good =
        take_first(line, request) && take_head(stream, request, &how) &&
        (!how.waits || send_text(stream, "HTTP/1.1 100 Continue\r\n\r\n")) &&
        (how.chunked ? take_chunks(stream, request) : take_more(stream, request, how.length)) &&
        (!how.packed || unpack(request));
    if (good)
        return 1;
    free(request->body);
    *request = (rcv_http_request){0};
    return -1;
}
