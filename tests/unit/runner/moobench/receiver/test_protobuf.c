/* protobuf: messages counted where a path leads, and what is none refused. The bytes are written by
 * hand, as `protoc --encode` would: key (number << 3 | type), length, content. */
#include "tests/unit/runner/test.h"

#include "runner/moobench/receiver/protobuf.h"

static const uint8_t otlp_spans[] = {1, 2, 2, 0};

static void spans_are_counted(void **state) {
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
            rcv_protobuf_count((const uint8_t *)cases[i].bytes, cases[i].size, otlp_spans, &spans);
        if (good != cases[i].good || (good && spans != cases[i].spans))
            fail_msg("case %zu: %d, %d spans", i, good, (int)spans);
    }
}

static void a_path_of_one_field(void **state) {
    (void)state;
    static const uint8_t spans_of_a_segment[] = {3, 0};
    const uint8_t segment[] = "\x0a\x01t\x1a\x02\x08\x01\x1a\x00\x22\x01s";
    uint64_t spans;
    assert_true(rcv_protobuf_count(segment, sizeof segment - 1, spans_of_a_segment, &spans));
    assert_int_equal(spans, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans_are_counted),
                                       cmocka_unit_test(a_path_of_one_field)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
