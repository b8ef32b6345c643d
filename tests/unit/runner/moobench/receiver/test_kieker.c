/* kieker: the stream of its TCP writer, written here byte by byte. */
#include "sent.h"

#include "runner/moobench/receiver/receiver.h"

#include <endian.h>

typedef struct {
    uint8_t bytes[4096];
    size_t size;
} script;

static void put_int(script *to, int32_t value) {
    uint32_t raw = htobe32((uint32_t)value);
    memcpy(to->bytes + to->size, &raw, sizeof raw);
    to->size += sizeof raw;
}

static void put_string(script *to, int32_t id, const char *text) {
    put_int(to, -1);
    put_int(to, id);
    put_int(to, (int32_t)strlen(text));
    memcpy(to->bytes + to->size, text, strlen(text));
    to->size += strlen(text);
}

/* A record: its class, the time of logging, fields of so many bytes. */
static void put_record(script *to, int32_t id, size_t fields) {
    put_int(to, id);
    memset(to->bytes + to->size, 7, 8 + fields);
    to->size += 8 + fields;
}

static const char *operation; /* what is counted; NULL: all */

static bool read_script(const script *what, rcv_kieker_counts *counts) {
    static rcv_stream stream;
    sent(&stream, what->bytes, what->size, NULL);
    bool good = rcv_kieker_read(&stream, operation, counts);
    close(stream.fd);
    return good;
}

static void records_are_counted(void **state) {
    (void)state;
    script what = {0};
    rcv_kieker_counts counts;
    put_string(&what, 0, "kieker.common.record.misc.KiekerMetadataRecord");
    put_string(&what, 1, "a text");
    put_record(&what, 0, 37);
    put_string(&what, 2, "kieker.common.record.controlflow.OperationExecutionRecord");
    for (int i = 0; i < 3; i++)
        put_record(&what, 2, 44);
    put_string(&what, 200, "kieker.common.record.flow.trace.operation.AfterOperationEvent");
    put_string(&what, 4, "kieker.common.record.flow.trace.operation.BeforeOperationEvent");
    put_string(&what, 5, "kieker.common.record.flow.trace.ApplicationTraceMetadata");
    put_record(&what, 5, 40);
    put_record(&what, 4, 28);
    put_record(&what, 200, 28);
    assert_true(read_script(&what, &counts));
    assert_int_equal(counts.records, 4);
    assert_int_equal(counts.others, 3);
    assert_string_equal(counts.problem, "");
}

/* The id of the signature is the first field, or behind two longs and an int. */
static void only_one_operation_is_counted(void **state) {
    (void)state;
    script what = {0};
    rcv_kieker_counts counts;
    put_string(&what, 0, "x.OperationExecutionRecord");
    put_string(&what, 1, "x.AfterOperationEvent");
    put_string(&what, 7, "public long a.B.monitoredMethod(long, int)");
    put_string(&what, 3, "public a.B.<init>()");
    for (int32_t id = 0; id < 2; id++)
        for (int32_t signature = 0; signature < 4; signature++) {
            size_t at = what.size + 4 + 8 + (id == 0 ? 0 : 8 + 8 + 4);
            put_record(&what, id, id == 0 ? 44 : 28);
            uint32_t raw = htobe32((uint32_t)(signature < 2 ? 7 : signature));
            memcpy(what.bytes + at, &raw, sizeof raw);
        }
    operation = ".monitoredMethod(";
    assert_true(read_script(&what, &counts));
    operation = NULL;
    assert_int_equal(counts.records, 4);
    assert_int_equal(counts.others, 4);
}

static void what_cannot_be_read_is_named(void **state) {
    (void)state;
    rcv_kieker_counts counts;
    script unknown = {0}, early = {0}, cut = {0}, foreign = {0};
    put_string(&unknown, 5, "kieker.common.record.jvm.GCRecord");
    put_record(&unknown, 5, 10);
    assert_false(read_script(&unknown, &counts));
    assert_non_null(strstr(counts.problem, "GCRecord"));
    put_record(&early, 9, 10);
    assert_false(read_script(&early, &counts));
    assert_non_null(strstr(counts.problem, "never named"));
    put_string(&cut, 0, "x.OperationExecutionRecord");
    put_record(&cut, 0, 44);
    put_record(&cut, 0, 20);
    assert_false(read_script(&cut, &counts));
    assert_int_equal(counts.records, 1);
    assert_non_null(strstr(counts.problem, "ended in a record"));
    put_int(&foreign, -1);
    put_int(&foreign, 1);
    put_int(&foreign, 1 << 30);
    assert_false(read_script(&foreign, &counts));
    assert_non_null(strstr(counts.problem, "not a stream of Kieker"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_are_counted),
                                       cmocka_unit_test(only_one_operation_is_counted),
                                       cmocka_unit_test(what_cannot_be_read_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
