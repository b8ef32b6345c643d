#pragma once
/*
 * http - as much of HTTP/1.1 as exporters of spans use: POST with a length or in chunks, plain or
 * packed by gzip or deflate, one request after the other.
 */
#include "runner/moobench/receiver/stream.h"

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
