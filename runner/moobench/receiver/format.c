#include "runner/moobench/receiver/receiver.h"

#include <jansson.h>
#include <string.h>

typedef struct {
    const uint8_t *at, *end;
} cursor;

/*
 * scouter - datagrams of Scouter's agent for Java.
 *
 * Big endian. "CAFE" and a pack; "CAFN", a count (2 bytes) and so many packs one after the other,
 * whose lengths only their types tell; "CAFM" and a piece of a pack that was too large. The agent
 * sends what belongs to a call by itself, at once: an XLOG (a transaction) and its profile, which
 * holds a step for each activation of a hooked method. Names and counters come in lists.
 */
enum { PACK_PROFILE = 26 };
enum { STEP_METHOD = 1, STEP_MESSAGE = 9 };
/* parent, index, start, processor time at the start; name, and two of its own: of a method how
 * long it took */
enum { STEP_NUMBERS = 7 };

static bool pass(cursor *from, size_t size) {
    if (size > (size_t)(from->end - from->at))
        return false;
    from->at += size;
    return true;
}

/* A number: how many bytes it has, and they. 0 has none. */
static bool pass_number(cursor *from) {
    return from->at < from->end && *from->at <= 8 && pass(from, 1 + (size_t)*from->at);
}

static bool take_size(cursor *from, size_t count, size_t *value) {
    *value = 0;
    if (count > (size_t)(from->end - from->at))
        return false;
    for (size_t i = 0; i < count; i++)
        *value = *value << 8 | *from->at++;
    return true;
}

/* Up to 253 bytes by a byte that says how many; more by 255 and 2 bytes, or 254 and 4. */
static bool take_blob(cursor *from, cursor *blob) {
    size_t kind, size;
    if (!take_size(from, 1, &kind))
        return false;
    size = kind;
    if ((kind == 255 && !take_size(from, 2, &size)) || (kind == 254 && !take_size(from, 4, &size)))
        return false;
    blob->at = from->at;
    blob->end = from->at + size;
    return pass(from, size);
}

static bool count_steps(cursor from, uint64_t *steps) {
    while (from.at < from.end) {
        const uint8_t type = *from.at++;
        if (type != STEP_METHOD && type != STEP_MESSAGE)
            return false;
        for (unsigned i = 0; i < STEP_NUMBERS; i++)
            if (!pass_number(&from))
                return false;
        *steps += type == STEP_METHOD;
    }
    return true;
}

/* time, object, service, transaction (8 bytes), the steps */
static bool count_profile(cursor from, uint64_t *steps) {
    cursor profile;
    return pass_number(&from) && pass_number(&from) && pass_number(&from) && pass(&from, 8) &&
           take_blob(&from, &profile) && from.at == from.end && count_steps(profile, steps);
}

/* One datagram.
 * steps   out, activations of methods in a profile
 * others  out, packs that are not profiles, pieces
 * Returns false when it is neither of these, or a profile with a step that is not known here. */
static bool scouter_count(const uint8_t *datagram, size_t size, uint64_t *steps, uint64_t *others) {
    cursor from = {datagram, datagram + size};
    size_t packs;
    *steps = *others = 0;
    if (size < 5)
        return false;
    from.at += 4;
    if (memcmp(datagram, "CAFE", 4) == 0) {
        if (*from.at++ == PACK_PROFILE)
            return count_profile(from, steps);
        *others = 1;
        return true;
    }
    if (memcmp(datagram, "CAFN", 4) == 0 && take_size(&from, 2, &packs)) {
        *others = packs;
        return true;
    }
    *others = 1;
    return memcmp(datagram, "CAFM", 4) == 0;
}

enum { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

static bool take_varint(cursor *from, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && from->at < from->end; shift += 7) {
        uint8_t byte = *from->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool take_bytes(cursor *from, uint64_t size, cursor *part) {
    if (size > (uint64_t)(from->end - from->at))
        return false;
    *part = (cursor){from->at, from->at + size};
    from->at += size;
    return true;
}

/* The next field; part is empty unless it is one of bytes. */
static bool take_field(cursor *from, uint64_t *number, bool *is_bytes, cursor *part) {
    uint64_t key, value;
    if (!take_varint(from, &key))
        return false;
    *number = key >> 3;
    *is_bytes = (key & 7) == WIRE_BYTES;
    switch (key & 7) {
    case WIRE_VARINT:
        return take_varint(from, &value);
    case WIRE_64:
        return take_bytes(from, 8, part);
    case WIRE_BYTES:
        return take_varint(from, &value) && take_bytes(from, value, part);
    case WIRE_32:
        return take_bytes(from, 4, part);
    default:
        return false;
    }
}

static bool count(cursor from, const uint8_t *path, uint64_t *messages) {
    while (from.at < from.end) {
        uint64_t number;
        bool is_bytes;
        cursor part;
        if (!take_field(&from, &number, &is_bytes, &part))
            return false;
        if (number != path[0])
            continue;
        if (!is_bytes)
            return false;
        if (path[1] == 0)
            ++*messages;
        else if (!count(part, path + 1, messages)) /* as deep as the path is long */
            return false;
    }
    return true;
}

/* The messages that lie where a path of fields leads.
 * path      the number of a field on each level, ended by 0; {1, 2, 2, 0} are the spans of an
 *           ExportTraceServiceRequest: resource_spans[].scope_spans[].spans[]
 * messages  out
 * Returns false when it is no protobuf, or a field on the path is no message. */
static bool protobuf_count(const uint8_t *message, size_t size, const uint8_t *path,
                           uint64_t *messages) {
    *messages = 0;
    return count((cursor){message, message + size}, path, messages);
}

static bool count_line(const uint8_t *line, size_t size, uint64_t *spans, uint64_t *others) {
    json_auto_t *event = json_loadb((const char *)line, size, 0, NULL);
    const bool good = json_is_object(event) && json_object_size(event) == 1;
    if (good) {
        const bool wanted = json_object_get(event, "transaction") || json_object_get(event, "span");
        *spans += wanted;
        *others += !wanted;
    }
    return good;
}

/* Lines of JSON, an object with one key each: what it is.
 * spans   out, lines with "transaction" or "span"
 * others  out, metadata, metrics, errors
 * Returns false when a line is no such object; what came before it is counted. */
static bool elastic_count(const uint8_t *text, size_t size, uint64_t *spans, uint64_t *others) {
    const uint8_t *end = text + size;
    *spans = *others = 0;
    while (text < end) {
        const uint8_t *newline = memchr(text, '\n', (size_t)(end - text));
        const uint8_t *stop = newline ? newline : end;
        if (stop > text && !count_line(text, (size_t)(stop - text), spans, others))
            return false;
        text = newline ? newline + 1 : end;
    }
    return true;
}

/* A list of objects with an id each. False when it is not such a list. */
static bool zipkin_count(const uint8_t *text, size_t size, uint64_t *spans) {
    json_auto_t *list = json_loadb((const char *)text, size, 0, NULL);
    bool good = json_is_array(list);
    size_t i;
    json_t *span;
    json_array_foreach (list, i, span)
        good = good && json_is_string(json_object_get(span, "id"));
    *spans = good ? json_array_size(list) : 0;
    return good;
}

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
    return protobuf_count(bytes, size, spans, &counted->records);
}

static bool count_zipkin(const char *path, const uint8_t *bytes, size_t size,
                         rcv_counted *counted) {
    if (strcmp(path, "/api/v2/spans") != 0)
        return other(counted);
    return zipkin_count(bytes, size, &counted->records);
}

static bool count_elastic(const char *path, const uint8_t *bytes, size_t size,
                          rcv_counted *counted) {
    if (strcmp(path, "/intake/v2/events") != 0)
        return other(counted);
    return elastic_count(bytes, size, &counted->records, &counted->others);
}

/* A message is a SegmentObject. */
static bool count_skywalking(const char *path, const uint8_t *bytes, size_t size,
                             rcv_counted *counted) {
    static const uint8_t spans[] = {3, 0};
    if (strcmp(path, "/skywalking.v3.TraceSegmentReportService/collect") != 0)
        return other(counted);
    return protobuf_count(bytes, size, spans, &counted->records);
}

/* A message is a PSpanMessage: a span with its events, or more events of one. The span is the
 * call, an event an activation. */
static bool count_pinpoint(const char *path, const uint8_t *bytes, size_t size,
                           rcv_counted *counted) {
    static const uint8_t spans[] = {1, 0}, events[] = {1, 13, 0}, later[] = {2, 5, 0};
    uint64_t more;
    if (strcmp(path, "/v1.Span/SendSpan") != 0)
        return other(counted);
    if (!protobuf_count(bytes, size, spans, &counted->others) ||
        !protobuf_count(bytes, size, events, &counted->records) ||
        !protobuf_count(bytes, size, later, &more))
        return false;
    counted->records += more;
    return true;
}

static bool count_scouter(const char *path, const uint8_t *bytes, size_t size,
                          rcv_counted *counted) {
    (void)path;
    return scouter_count(bytes, size, &counted->records, &counted->others);
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
