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

/* zipkin - how many spans are in a body of Zipkin's API, version 2 (JSON). */

/* rcv_zipkin_count - a list of objects with an id each. False when it is not such a list. */
bool rcv_zipkin_count(const uint8_t *text, size_t size, uint64_t *spans);

/* elastic - how many transactions and spans are in a body of Elastic APM's intake (NDJSON). */

/**
 * rcv_elastic_count - lines of JSON, an object with one key each: what it is.
 * spans   out, lines with "transaction" or "span"
 * others  out, metadata, metrics, errors
 * Returns false when a line is no such object; what came before it is counted.
 */
bool rcv_elastic_count(const uint8_t *text, size_t size, uint64_t *spans, uint64_t *others);

/* protobuf - how many messages of one kind are in another. */

/**
 * rcv_protobuf_count - the messages that lie where a path of fields leads.
 * path      the number of a field on each level, ended by 0; {1, 2, 2, 0} are the spans of an
 *           ExportTraceServiceRequest: resource_spans[].scope_spans[].spans[]
 * messages  out
 * Returns false when it is no protobuf, or a field on the path is no message.
 */
bool rcv_protobuf_count(const uint8_t *message, size_t size, const uint8_t *path,
                        uint64_t *messages);

/*
 * scouter - datagrams of Scouter's agent for Java.
 *
 * Big endian. "CAFE" and a pack; "CAFN", a count (2 bytes) and so many packs one after the other,
 * whose lengths only their types tell; "CAFM" and a piece of a pack that was too large. The agent
 * sends what belongs to a call by itself, at once: an XLOG (a transaction) and its profile, which
 * holds a step for each activation of a hooked method. Names and counters come in lists.
 */

/**
 * rcv_scouter_count - one datagram.
 * steps   out, activations of methods in a profile
 * others  out, packs that are not profiles, pieces
 * Returns false when it is neither of these, or a profile with a step that is not known here.
 */
bool rcv_scouter_count(const uint8_t *datagram, size_t size, uint64_t *steps, uint64_t *others);
