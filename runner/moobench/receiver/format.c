#include "runner/moobench/receiver/format.h"

#include "runner/moobench/receiver/elastic.h"
#include "runner/moobench/receiver/protobuf.h"
#include "runner/moobench/receiver/scouter.h"
#include "runner/moobench/receiver/zipkin.h"

#include <string.h>

/* What is sent elsewhere (metrics, logs, who is there) is taken, and no record. */
static bool other(rcv_counted *counted) {
    counted->others = 1;
    return true;
}

static bool count_otlp(const char *path, const uint8_t *bytes, size_t size, rcv_counted *counted) {
    static const uint8_t spans[] = {1, 2, 2, 0};
    if (strcmp(path, "/v1/traces") != 0 &&
        strcmp(path, "/opentelemetry.proto.collector.trace.v1.TraceService/Export") != 0)
        return other(counted);
    return rcv_protobuf_count(bytes, size, spans, &counted->records);
}

static bool count_zipkin(const char *path, const uint8_t *bytes, size_t size,
                         rcv_counted *counted) {
    if (strcmp(path, "/api/v2/spans") != 0)
        return other(counted);
    return rcv_zipkin_count(bytes, size, &counted->records);
}

static bool count_elastic(const char *path, const uint8_t *bytes, size_t size,
                          rcv_counted *counted) {
    if (strcmp(path, "/intake/v2/events") != 0)
        return other(counted);
    return rcv_elastic_count(bytes, size, &counted->records, &counted->others);
}

/* A message is a SegmentObject. */
static bool count_skywalking(const char *path, const uint8_t *bytes, size_t size,
                             rcv_counted *counted) {
    static const uint8_t spans[] = {3, 0};
    if (strcmp(path, "/skywalking.v3.TraceSegmentReportService/collect") != 0)
        return other(counted);
    return rcv_protobuf_count(bytes, size, spans, &counted->records);
}

/* A message is a PSpanMessage: a span with its events, or more events of one. The span is the
 * call, an event an activation. */
static bool count_pinpoint(const char *path, const uint8_t *bytes, size_t size,
                           rcv_counted *counted) {
    static const uint8_t spans[] = {1, 0}, events[] = {1, 13, 0}, later[] = {2, 5, 0};
    uint64_t more;
    if (strcmp(path, "/v1.Span/SendSpan") != 0)
        return other(counted);
    if (!rcv_protobuf_count(bytes, size, spans, &counted->others) ||
        !rcv_protobuf_count(bytes, size, events, &counted->records) ||
        !rcv_protobuf_count(bytes, size, later, &more))
        return false;
    counted->records += more;
    return true;
}

static bool count_scouter(const char *path, const uint8_t *bytes, size_t size,
                          rcv_counted *counted) {
    (void)path;
    return rcv_scouter_count(bytes, size, &counted->records, &counted->others);
}

static const rcv_format formats[] = {
    {"otlp", "OTLP over HTTP (protobuf): spans sent to /v1/traces", RCV_OVER_HTTP, count_otlp, ""},
    {"otlp-grpc", "OTLP over gRPC: spans", RCV_OVER_GRPC, count_otlp, ""},
    {"zipkin", "Zipkin's API, version 2 (JSON): spans sent to /api/v2/spans", RCV_OVER_HTTP,
     count_zipkin, ""},
    {"kieker", "Kieker's TCP writer: activations of operations", RCV_OVER_TCP, NULL, ""},
    {"elastic", "Elastic APM's intake (NDJSON over HTTP): transactions and spans", RCV_OVER_HTTP,
     count_elastic, ""},
    {"skywalking", "SkyWalking (gRPC): spans of trace segments", RCV_OVER_GRPC, count_skywalking,
     ""},
    /* success = true */
    {"pinpoint", "Pinpoint (gRPC): events of spans", RCV_OVER_GRPC, count_pinpoint, "\x08\x01"},
    {"scouter", "Scouter (UDP): steps of profiles, an activation each", RCV_OVER_UDP, count_scouter,
     ""}};
enum { FORMATS = sizeof formats / sizeof *formats };

const rcv_format *rcv_format_at(size_t i) {
    return i < FORMATS ? &formats[i] : NULL;
}

const rcv_format *rcv_format_named(const char *word) {
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(word, formats[i].word) == 0)
            return &formats[i];
    return NULL;
}
