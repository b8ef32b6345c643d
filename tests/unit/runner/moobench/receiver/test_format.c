/* format: which body counts as what, by where it was sent. */
#include "runner/moobench/receiver/format.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <string.h>

static void what_is_sent_where(void **state) {
    (void)state;
#define CASE(word, path, text, good, records, others)                                              \
    { word, path, text, sizeof(text) - 1, good, records, others }
    static const struct {
        const char *word, *path, *bytes;
        size_t size;
        bool good;
        uint64_t records, others;
    } cases[] = {
        CASE("otlp", "/v1/traces", "\x0a\x04\x12\x02\x12\x00", true, 1, 0),
        CASE("otlp", "/v1/metrics", "\x0a\x04\x12\x02\x12\x00", true, 0, 1),
        CASE("otlp", "/v1/traces", "\x08\x01", false, 0, 0),
        CASE("otlp-grpc", "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
             "\x0a\x06\x12\x04\x12\x00\x12\x00", true, 2, 0),
        CASE("zipkin", "/api/v2/spans", "[{\"id\":\"a\"}]", true, 1, 0),
        CASE("zipkin", "/api/v1/spans", "[{\"id\":\"a\"}]", true, 0, 1),
        CASE("elastic", "/intake/v2/events", "{\"metadata\":{}}\n{\"span\":{}}\n", true, 1, 1),
        CASE("elastic", "/config/v1/agents", "", true, 0, 1),
        CASE("skywalking", "/skywalking.v3.TraceSegmentReportService/collect",
             "\x0a\x01t\x1a\x00\x1a\x00", true, 2, 0),
        CASE("skywalking", "/skywalking.v3.ManagementService/keepAlive", "\x0a\x01t", true, 0, 1),
        /* a span with two events; two later events */
        CASE("pinpoint", "/v1.Span/SendSpan", "\x0a\x04\x6a\x00\x6a\x00", true, 2, 1),
        CASE("pinpoint", "/v1.Span/SendSpan", "\x12\x04\x2a\x00\x2a\x00", true, 2, 0),
        CASE("pinpoint", "/v1.Span/SendSpan", "\x08\x01", false, 0, 0),
        CASE("pinpoint", "/v1.Agent/PingSession", "", true, 0, 1),
        CASE("scouter", "", "CAFE\x15.", true, 0, 1),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rcv_counted counted = {0};
        bool good =
            rcv_format_named(cases[i].word)
                ->count(cases[i].path, (const uint8_t *)cases[i].bytes, cases[i].size, &counted);
        if (good != cases[i].good || (good && counted.records != cases[i].records) ||
            (good && counted.others != cases[i].others))
            fail_msg("case %zu: %d, %d records, %d others", i, good, (int)counted.records,
                     (int)counted.others);
    }
}

static void every_word_is_found(void **state) {
    (void)state;
    size_t i = 0;
    for (const rcv_format *one; (one = rcv_format_at(i)); i++) {
        assert_ptr_equal(rcv_format_named(one->word), one);
        assert_true(one->count != NULL || one->over == RCV_OVER_TCP);
        assert_true(strlen(one->answer) <= 64);
    }
    assert_int_equal(i, 8);
    assert_null(rcv_format_named("jaeger"));
}

/* zipkin: spans counted in JSON, and what is none refused. */

static void spans_are_counted(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t spans;
    } cases[] = {
        {"[]", true, 0},
        {"[{\"id\":\"1\",\"name\":\"a\"},{\"traceId\":\"2\",\"id\":\"3\"}]", true, 2},
        {"", false, 0},
        {"{\"id\":\"1\"}", false, 0},
        {"[{\"name\":\"a\"}]", false, 0},
        {"[1]", false, 0},
        {"[{\"id\":\"1\"}", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t spans = 99;
        const uint8_t *text = (const uint8_t *)cases[i].text;
        assert_int_equal(zipkin_count(text, strlen(cases[i].text), &spans), cases[i].good);
        assert_int_equal(spans, cases[i].spans);
    }
}

/* elastic: events counted in NDJSON as the agent sends it, and what is none refused. */

static void events_are_counted(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t spans, others;
    } cases[] = {
        {"", true, 0, 0},
        {"{\"metadata\":{\"service\":{\"name\":\"moobench\"}}}\n", true, 0, 1},
        {"{\"metadata\":{}}\n{\"transaction\":{\"id\":\"a\",\"span_count\":{\"dropped\":0}}}\n"
         "{\"span\":{\"id\":\"b\"}}\n{\"span\":{\"id\":\"c\"}}\n{\"metricset\":{}}\n{\"error\":{}}"
         "\n",
         true, 3, 3},
        {"{\"span\":{}}\n\n\n{\"span\":{}}", true, 2, 0}, /* the last line may end without */
        {"{\"span\":{}}\n{\"span\":", false, 1, 0},
        {"[{\"span\":{}}]\n", false, 0, 0},
        {"{\"span\":{},\"transaction\":{}}\n", false, 0, 0},
        {"{}\n", false, 0, 0},
        {"\"span\"\n", false, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t spans = 99, others = 99;
        bool good =
            elastic_count((const uint8_t *)cases[i].text, strlen(cases[i].text), &spans, &others);
        if (good != cases[i].good || spans != cases[i].spans || others != cases[i].others)
            fail_msg("case %zu: %d, %d spans, %d others", i, good, (int)spans, (int)others);
    }
}

/* protobuf: messages counted where a path leads, and what is none refused. The bytes are written by
 * hand, as `protoc --encode` would: key (number << 3 | type), length, content. */

static const uint8_t otlp_spans[] = {1, 2, 2, 0};

static void protobuf_spans_are_counted(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        bool good;
        uint64_t spans;
    } cases[] = {
        {"", 0, true, 0},
        /* a resource (1), then scope spans (2) with a scope (1) and two spans (2) */
        {"\x0a\x0c\x0a\x00\x12\x08\x0a\x00\x12\x00\x12\x02\x0a\x00", 14, true, 2},
        /* two resource spans, one span each; the spans hold fields of all types */
        {"\x0a\x06\x12\x04\x12\x02\x30\x02\x0a\x0d\x12\x0b\x12\x09\x39\x31\x32\x33\x34\x35\x36\x37"
         "\x38",
         23, true, 2},
        /* other fields beside them: varint 3, 64 bit 4, 32 bit 5 */
        {"\x18\x96\x01\x21\x31\x32\x33\x34\x35\x36\x37\x38\x2d\x31\x32\x33\x34", 17, true, 0},
        {"\x0a\x05\x12", 3, false, 0},                                  /* longer than it is */
        {"\x08\x01", 2, false, 0},                                      /* field 1 is no message */
        {"\x0a\x02\x10\x01", 4, false, 0},                              /* nor is 2 in it */
        {"\x0b", 1, false, 0},                                          /* a group: not in proto3 */
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11, false, 0}, /* no number ends */
        {"{\"resourceSpans\":[]}", 20, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t spans = 99;
        bool good =
            protobuf_count((const uint8_t *)cases[i].bytes, cases[i].size, otlp_spans, &spans);
        if (good != cases[i].good || (good && spans != cases[i].spans))
            fail_msg("case %zu: %d, %d spans", i, good, (int)spans);
    }
}

static void a_path_of_one_field(void **state) {
    (void)state;
    static const uint8_t spans_of_a_segment[] = {3, 0};
    const uint8_t segment[] = "\x0a\x01t\x1a\x02\x08\x01\x1a\x00\x22\x01s";
    uint64_t spans;
    assert_true(protobuf_count(segment, sizeof segment - 1, spans_of_a_segment, &spans));
    assert_int_equal(spans, 2);
}

/* scouter: datagrams as its agent sends them, written here byte by byte. A number is a byte that
 * says how many follow. */

/* type, parent 0, index 1, start 0, its processor time 0, name (4 bytes), elapsed 0, processor 0 */
#define STEP                                                                                       \
    "\x01\x00\x01\x01\x00\x00\x04"                                                                 \
    "abcd"                                                                                         \
    "\x00\x00"
/* how the service ended; no activation */
#define MESSAGE                                                                                    \
    "\x09\x00\x01\x01\x00\x00\x04"                                                                 \
    "abcd"                                                                                         \
    "\x00\x00"
/* time (5 bytes), object (4), service (4), transaction */
#define HEAD                                                                                       \
    "\x05"                                                                                         \
    "12345"                                                                                        \
    "\x04"                                                                                         \
    "1234"                                                                                         \
    "\x04"                                                                                         \
    "1234"                                                                                         \
    "12345678"

static void datagrams_are_counted(void **state) {
    (void)state;
#define DATAGRAM(text, good, steps, others)                                                        \
    { text, sizeof(text) - 1, good, steps, others }
    static const struct {
        const char *bytes;
        size_t size;
        bool good;
        uint64_t steps, others;
    } cases[] = {
        DATAGRAM("CAFE\x1a" HEAD "\x1a" STEP STEP, true, 2, 0),
        DATAGRAM("CAFE\x1a" HEAD "\x1a" MESSAGE STEP, true, 1, 0),
        DATAGRAM("CAFE\x1a" HEAD "\x00", true, 0, 0),              /* nothing was hooked */
        DATAGRAM("CAFE\x1a" HEAD "\xff\x00\x0d" STEP, true, 1, 0), /* a length of 2 bytes */
        DATAGRAM("CAFE\x1a" HEAD "\xfe\x00\x00\x00\x0d" STEP, true, 1, 0),
        DATAGRAM("CAFE\x15"
                 "anything",
                 true, 0, 1), /* a transaction */
        DATAGRAM("CAFN\x00\x03"
                 "anything",
                 true, 0, 3), /* three names */
        DATAGRAM("CAFM"
                 "12341234",
                 true, 0, 1),
        DATAGRAM("CAFE", false, 0, 0),
        DATAGRAM("CAFX\x1a" HEAD "\x00", false, 0, 1),
        DATAGRAM("CAFE\x1a" HEAD "\x0e" STEP, false, 0, 0),     /* longer than it is */
        DATAGRAM("CAFE\x1a" HEAD "\x0d" STEP "x", false, 0, 0), /* shorter */
        DATAGRAM("CAFE\x1a" HEAD "\x0c"
                 "\x01\x00\x01\x01\x00\x00\x04"
                 "abcd"
                 "\x00",
                 false, 0, 0),
        DATAGRAM("CAFE\x1a" HEAD "\x01\x02", false, 0, 0), /* a step of SQL */
        DATAGRAM("CAFE\x1a\x09"
                 "123456789",
                 false, 0, 0), /* no number has 9 bytes */
        DATAGRAM("CAFE\x1a"
                 "\x05"
                 "123",
                 false, 0, 0),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t steps = 99, others = 99;
        bool good = scouter_count((const uint8_t *)cases[i].bytes, cases[i].size, &steps, &others);
        if (good != cases[i].good || steps != cases[i].steps || others != cases[i].others)
            fail_msg("case %zu: %d, %d steps, %d others", i, good, (int)steps, (int)others);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_where),         cmocka_unit_test(every_word_is_found),
        cmocka_unit_test(spans_are_counted),          cmocka_unit_test(events_are_counted),
        cmocka_unit_test(protobuf_spans_are_counted), cmocka_unit_test(a_path_of_one_field),
        cmocka_unit_test(datagrams_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
