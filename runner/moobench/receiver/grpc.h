#pragma once
/*
 * grpc - calls of gRPC over HTTP/2 without TLS, as the agents of SkyWalking, Pinpoint and
 * OpenTelemetry make them.
 *
 * Every message that comes is handed on with its call's path ("/package.Service/Method"). When the
 * client has sent its last one, it gets one message and the status OK; so calls with one answer
 * work, and streams of answers stay silent.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
