/* elastic: events counted in NDJSON as the agent sends it, and what is none refused. */
#include "tests/unit/runner/test.h"

#include "runner/moobench/receiver/elastic.h"

#include <string.h>

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
        bool good = rcv_elastic_count((const uint8_t *)cases[i].text, strlen(cases[i].text), &spans,
                                      &others);
        if (good != cases[i].good || spans != cases[i].spans || others != cases[i].others)
            fail_msg("case %zu: %d, %d spans, %d others", i, good, (int)spans, (int)others);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
