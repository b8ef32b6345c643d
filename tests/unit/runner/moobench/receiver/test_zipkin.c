/* zipkin: spans counted in JSON, and what is none refused. */
#include "tests/unit/runner/test.h"

#include "runner/moobench/receiver/zipkin.h"

#include <string.h>

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
        assert_int_equal(rcv_zipkin_count(text, strlen(cases[i].text), &spans), cases[i].good);
        assert_int_equal(spans, cases[i].spans);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
