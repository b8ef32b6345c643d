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
