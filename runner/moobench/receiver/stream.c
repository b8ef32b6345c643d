#include "runner/moobench/receiver/stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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

bool rcv_stream_line(rcv_stream *stream, char *line, size_t size) {
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
