/* format: which body counts as what, by where it was sent. */
#include "tests/unit/runner/test.h"

#include "runner/moobench/receiver/format.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_sent_where),
                                       cmocka_unit_test(every_word_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
