#pragma once
/*
 * http - as much of HTTP/1.1 as exporters of spans use: POST with a length or in chunks, plain or
 * packed by gzip or deflate, one request after the other.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * stream - bytes of a connection, read in large pieces and taken in small ones.
 */

typedef struct {
    int fd; /* blocking */
    size_t at, end;
    uint8_t buffer[65536];
} rcv_stream;

/* rcv_stream_take - exactly so many bytes; `to` may be NULL: they are passed over. False when the
 * connection ends before. */
bool rcv_stream_take(rcv_stream *stream, void *to, size_t size);

/**
 * rcv_stream_line - up to the next newline, without it and a carriage return before it.
 * Returns false at the end of the connection, or when the line does not fit into `size` bytes.
 */
bool rcv_stream_line(rcv_stream *stream, char *line, size_t size);

#define RCV_HTTP_BODY_MAX ((size_t)64 << 20)

typedef struct {
    char path[256]; /* without its query */
    uint8_t *body;  /* unpacked; free it */
    size_t size;
    bool last; /* the client closes afterwards */
} rcv_http_request;

/**
 * rcv_http_take - the next request; `expect: 100-continue` is answered.
 * Returns 1, 0 at the end of the connection, -1 when it cannot be understood: answer 400 and close.
 */
int rcv_http_take(rcv_stream *stream, rcv_http_request *request);

/* rcv_http_answer - a status without a body. False when the client is gone. */
bool rcv_http_answer(const rcv_stream *stream, unsigned status);
