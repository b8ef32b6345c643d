#pragma once
/* A connection whose other end has sent these bytes and closed. */
#include "tests/unit/runner/test.h"

#include "runner/moobench/receiver/receiver.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* other  out, may be NULL: the other end, to read answers from; else it is closed */
static inline void sent(rcv_stream *stream, const void *bytes, size_t size, int *other) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(write(ends[1], bytes, size), (ssize_t)size);
    shutdown(ends[1], SHUT_WR);
    if (other)
        *other = ends[1];
    else
        close(ends[1]);
    stream->fd = ends[0];
    stream->at = stream->end = 0;
}
