#pragma once
/*
 * format - what frameworks send, and over what: one row a word of `--format`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { RCV_OVER_HTTP, RCV_OVER_GRPC, RCV_OVER_UDP, RCV_OVER_TCP } rcv_over;

typedef struct {
    uint64_t records; /* one an activation */
    uint64_t others;
} rcv_counted;

typedef struct {
    const char *word;
    const char *what; /* for --help */
    rcv_over over;
    /* Counts a body, a message or a datagram sent to path ("" where there is none). False when it
     * cannot be understood. NULL over TCP, where the stream is read by itself. */
    bool (*count)(const char *path, const uint8_t *bytes, size_t size, rcv_counted *counted);
    const char *answer; /* the message that ends a gRPC call */
} rcv_format;

/* rcv_format_named - NULL when there is none. */
const rcv_format *rcv_format_named(const char *word);

/* rcv_format_at - one after the other, from 0; NULL behind the last. */
const rcv_format *rcv_format_at(size_t i);

/*
 * grpc - calls of gRPC over HTTP/2 without TLS, as the agents of SkyWalking, Pinpoint and
 * OpenTelemetry make them.
 *
 * Every message that comes is handed on with its call's path ("/package.Service/Method"). When the
 * client has sent its last one, it gets one message and the status OK; so calls with one answer
 * work, and streams of answers stay silent.
 */

#define RCV_GRPC_MESSAGE_MAX ((size_t)64 << 20) /* of all calls of a connection together */

typedef struct {
    /* One message; `path` and `message` are borrowed for the call. */
    void (*take)(void *data, const char *path, const uint8_t *message, size_t size);
    void *data;
    const uint8_t *answer; /* the message that ends a call; borrowed */
    size_t answer_size;    /* at most 64 */
} rcv_grpc_service;

/**
 * rcv_grpc_serve - to the end of a connection.
 * fd  blocking; not closed
 * Returns false when it was no HTTP/2, a message was packed, ended with its call, or was larger
 * than the limit, or memory ran out: the connection is given up then. Of more than 100 calls at
 * once the next are refused, to be tried again.
 */
bool rcv_grpc_serve(int fd, const rcv_grpc_service *service);

/*
 * http - as much of HTTP/1.1 as exporters of spans use: POST with a length or in chunks, plain or
 * packed by gzip or deflate, one request after the other.
 */

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

/*
 * kieker - records as Kieker's TCP writer sends them.
 *
 * Big endian. -1 (int32), id (int32), length (int32), bytes: a string by its id. Anything else is a
 * record: the id of its class' name, the time of logging (int64), the fields, which only the class
 * tells; those that Kieker's probes for operations make are known, and one that is not is an error,
 * as nobody knows where the next one begins.
 */

/* One of each activation of the monitored method: operation execution, or the event after it. */
typedef struct {
    uint64_t records;  /* one an activation */
    uint64_t others;   /* metadata, traces, events before an operation, other operations */
    char problem[200]; /* "" : none */
} rcv_kieker_counts;

/**
 * rcv_kieker_read - to the end of the connection.
 * operation  count records of operations whose signature contains it; NULL: of all
 * Returns false when something could not be read; problem says what.
 */
bool rcv_kieker_read(rcv_stream *stream, const char *operation, rcv_kieker_counts *counts);
