/* doubts: a night's figures that are not what they seem. */
#include "tests/unit/test.h"

#include "config/doubts.h"

#include <string.h>

#define PORTION(low, median_low, parent)                                                           \
    "{\"portions\": [{\"portion\": \"I\", \"configuration\": \"probe\", \"parent\": " parent       \
    ", \"low_ns\": " low ", \"median_low_ns\": " median_low "}]}"
#define LOOPS(loops)                                                                               \
    "{\"portions\": [], \"configurations\": [{\"name\": \"otlp\", \"loop_results\": [" loops "]}]" \
    "}"
#define CAME(records)                                                                              \
    "{\"failed\": null, \"readings\": {\"receiver\": {\"records\": " records                       \
    ", \"expected\": 1000}}}"

/* The doubts of a night; expect: "kind configuration sentence" of each, with newlines. */
static void has(const char *night, const char *expect) {
    json_t *view = json_loads(night, 0, NULL);
    assert_non_null(view);
    g_auto(cfg_night) read = cfg_night_of(view);
    cfg_doubts(&read);
    char all[2048] = "";
    for (unsigned i = 0; i < read.doubts_count; i++) {
        const cfg_doubt *one = &read.doubts[i];
        const size_t at = strlen(all);
        snprintf(all + at, sizeof all - at, "%s %s %s\n", one->kind, one->configuration,
                 one->sentence);
    }
    assert_string_equal(all, expect);
    json_decref(view);
}

static void a_silent_probe(void **state) {
    (void)state;
    const char *said = "silent probe I: these loops cannot tell probe from none. Measure more, or "
                       "check that it instruments and records.\n";
    has(PORTION("-1", "-2.5", "\"none\""), said);
    has(PORTION("-52, \"high_ns\": 0", "-50", "\"none\""), said);
    has(PORTION("-52, \"high_ns\": -42", "-50", "\"none\""),
        "silent probe I: in these loops probe takes less than none. Check that it instruments and "
        "records.\n");
    has(PORTION("-1", "2", "\"none\""), "");
    has(PORTION("-1", "-2", "null"), "");
    has(PORTION("null", "null", "\"none\""), ""); /* too few loops for an interval */
    has("{}", "");
    /* Two threads may well add nothing to the method. */
    has("{\"portions\": [{\"portion\": \"T 2 threads\", \"configuration\": \"none-2-threads\", "
        "\"parent\": \"none\", \"low_ns\": -1, \"median_low_ns\": -1}]}",
        "");
    has("{\"portions\": [{\"portion\": \"I 2 threads\", \"configuration\": \"on-2-threads\", "
        "\"parent\": \"none-2-threads\", \"low_ns\": -1, \"median_low_ns\": -1}]}",
        "silent on-2-threads I 2 threads: these loops cannot tell on-2-threads from "
        "none-2-threads. Measure more, or check that it instruments and records.\n");
}

#define VALUE(unit, mean, reference, high, nights)                                                 \
    "{\"portions\": [{\"portion\": \"ram\", \"configuration\": \"ram\", \"unit\": " unit           \
    ", \"mean_ns\": " mean ", \"reference\": {\"mean_ns\": " reference ", \"low_ns\": " reference  \
    ", \"high_ns\": " high ", \"nights\": " nights "}}]}"

static void a_value_that_is_stuck(void **state) {
    (void)state;
    has(VALUE("\"MiB\"", "85.4375", "85.4375", "85.4375", "9"),
        "stuck ram ram: 85.4375 MiB to the last digit, as in the 9 nights before. Check that it is "
        "still measured.\n");
    has(VALUE("\"MiB\"", "85.4375", "85.4375", "85.4375", "4"), "");
    has(VALUE("\"MiB\"", "85.4375", "85.4375", "85.438", "9"), ""); /* the nights differ */
    has(VALUE("\"MiB\"", "85.4375", "85.4376", "85.4376", "9"), "");
    has(VALUE("\"spans\"", "12", "12", "12", "9"), ""); /* a count may well be the same */
    has(VALUE("\"spans\"", "0", "0", "0", "9"), "");
    has(VALUE("null", "85.4375", "85.4375", "85.4375", "9"), "");
}

static void records_that_did_not_come(void **state) {
    (void)state;
    has(LOOPS(CAME("400") "," CAME("100")),
        "dropped otlp otlp: 500 of 2000 records reached the receiver (25.0 %); the rest was "
        "dropped.\n");
    has(LOOPS(CAME("1000")), "");
    has(LOOPS(CAME("-1")), "");
    has(LOOPS("{\"failed\": null, \"readings\": {\"receiver\": {\"expected\": 9}}}"), "");
    has(LOOPS("{\"failed\": null, \"readings\": null}"), "");
}

static void what_cannot_be_told_of_a_loop(void **state) {
    (void)state;
    has(LOOPS(CAME("1010")),
        "uncounted otlp otlp: 1010 records came where 1000 were expected; what was lost cannot be "
        "told.\n");
    /* what one loop lacks does not make up for what another one has too many of */
    has(LOOPS(CAME("1010") "," CAME("990")),
        "dropped otlp otlp: 990 of 1000 records reached the receiver (99.0 %); the rest was "
        "dropped.\n"
        "uncounted otlp otlp: 1010 records came where 1000 were expected; what was lost cannot be "
        "told.\n");
    has(LOOPS("{\"readings\": {\"process\": {\"left\": 1}}},{\"readings\": {\"process\": "
              "{\"left\": 2}}},{\"readings\": {\"process\": {\"left\": 0}}}"),
        "uncounted otlp otlp: when its program had ended, 3 processes that it had started still "
        "ran and were killed; what they used is not in its processor time.\n");
    has(LOOPS("{\"readings\": {\"harness\": {\"problem\": \"no valid ready_ns\"}}}"),
        "uncounted otlp otlp: no valid ready_ns.\n");
}

#define DISTURBED(why) "{\"disturbed\": true, \"readings\": {" why "}}"
#define CALM "{\"disturbed\": false, \"readings\": null}"

/* Of 32 loops 32 were disturbed, and nothing said so. A stray is another matter. */
static void loops_that_were_disturbed(void **state) {
    (void)state;
    const char *why = "\"disturbed_by\": \"others used 40 % of a processor\"";
    g_autofree char *two =
        g_strdup_printf(LOOPS(DISTURBED("%s") "," DISTURBED("%s") "," CALM), why, why);
    g_autofree char *one = g_strdup_printf(LOOPS(DISTURBED("%s") "," CALM), why);
    has(two, "disturbed otlp otlp: 2 of 3 loops were disturbed, such as: others used 40 % of a "
             "processor.\n");
    has(one, "");
    has(LOOPS(DISTURBED("")), "disturbed otlp otlp: 1 of 1 loops were disturbed.\n");
    has(LOOPS(DISTURBED("\"stray\": true")), "");
}

#define WRITTEN(records)                                                                           \
    "{\"failed\": null, \"readings\": {\"verify\": {\"records\": " records "}}}"

/* A verify that passes with fewer than it expected; one with no expectation compares nothing. */
static void records_that_were_not_written(void **state) {
    (void)state;
    has(LOOPS(WRITTEN("400, \"expected\": 1000") "," WRITTEN("1000, \"expected\": 1000")),
        "dropped otlp otlp: 1400 of 2000 records were written, as verify counted (70.0 %); the "
        "rest was "
        "dropped.\n");
    has(LOOPS(WRITTEN("1000, \"expected\": 1000")), "");
    has(LOOPS(WRITTEN("0, \"expected\": 0")), "");
    has(LOOPS(WRITTEN("7")), "");
    has(LOOPS("{\"failed\": \"verify: exit status 1\", \"readings\": {\"verify\": {\"records\": 1, "
              "\"expected\": 2}}}"),
        "failed otlp otlp has no result: verify: exit status 1\n");
}

#define COUNTS(counts) "{\"counts\": " counts "}"

static void what_was_not_counted(void **state) {
    (void)state;
    has(COUNTS("{\"failed\": {\"none dhat\": \"dhat of configuration none: exit status 1\"}}"),
        "uncounted (null) not counted: dhat of configuration none: exit status 1\n");
    has(COUNTS(
            "{\"configurations\": {\"otlp\": {\"bytes\": [96, 96], \"instructions\": [5, -1]}}}"),
        "uncounted otlp otlp: the count of instructions is not valid: the counter overflowed "
        "or went backwards.\n");
    has(COUNTS("{\"configurations\": {\"otlp\": {\"bytes\": [1e18]}}}"),
        "uncounted otlp otlp: the count of bytes is not valid: the counter overflowed or "
        "went backwards.\n");
    has(COUNTS("{\"configurations\": {\"otlp\": {\"bytes\": \"x\"}}}"),
        "uncounted otlp otlp: the count of bytes is not valid: the counter overflowed or "
        "went backwards.\n");
    has(COUNTS("{\"configurations\": {\"otlp\": {\"bytes\": [0]}}}"), "");
    has(COUNTS("7"), "");
}

static void loops_that_failed(void **state) {
    (void)state;
    has(LOOPS("{\"failed\": \"receiver: port 4318: Address already in use\"}," CAME("1000")),
        "failed otlp otlp: 1 of 2 loops failed; the last: receiver: port 4318: Address already in "
        "use\n");
    has(LOOPS("{\"failed\": \"receiver: no record arrived, 1000 were expected\"}"),
        "failed otlp otlp has no result: receiver: no record arrived, 1000 were expected\n");
}

static void a_portion_is_named(void **state) {
    (void)state;
    json_t *view = json_loads(PORTION("0", "0", "\"none\""), 0, NULL);
    g_auto(cfg_night) read = cfg_night_of(view);
    cfg_doubts(&read);
    assert_string_equal(read.doubts[0].portion, "I");
    json_decref(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_silent_probe),
                                       cmocka_unit_test(a_value_that_is_stuck),
                                       cmocka_unit_test(records_that_did_not_come),
                                       cmocka_unit_test(what_cannot_be_told_of_a_loop),
                                       cmocka_unit_test(records_that_were_not_written),
                                       cmocka_unit_test(what_was_not_counted),
                                       cmocka_unit_test(loops_that_failed),
                                       cmocka_unit_test(loops_that_were_disturbed),
                                       cmocka_unit_test(a_portion_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
