/* scouter: datagrams as its agent sends them, written here byte by byte. A number is a byte that
 * says how many follow. */
#include "tests/unit/runner/test.h"

#include "runner/moobench/receiver/scouter.h"

#include <string.h>

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
#define CASE(text, good, steps, others)                                                            \
    { text, sizeof(text) - 1, good, steps, others }
    static const struct {
        const char *bytes;
        size_t size;
        bool good;
        uint64_t steps, others;
    } cases[] = {
        CASE("CAFE\x1a" HEAD "\x1a" STEP STEP, true, 2, 0),
        CASE("CAFE\x1a" HEAD "\x1a" MESSAGE STEP, true, 1, 0),
        CASE("CAFE\x1a" HEAD "\x00", true, 0, 0),              /* nothing was hooked */
        CASE("CAFE\x1a" HEAD "\xff\x00\x0d" STEP, true, 1, 0), /* a length of 2 bytes */
        CASE("CAFE\x1a" HEAD "\xfe\x00\x00\x00\x0d" STEP, true, 1, 0),
        CASE("CAFE\x15"
             "anything",
             true, 0, 1), /* a transaction */
        CASE("CAFN\x00\x03"
             "anything",
             true, 0, 3), /* three names */
        CASE("CAFM"
             "12341234",
             true, 0, 1),
        CASE("CAFE", false, 0, 0),
        CASE("CAFX\x1a" HEAD "\x00", false, 0, 1),
        CASE("CAFE\x1a" HEAD "\x0e" STEP, false, 0, 0),     /* longer than it is */
        CASE("CAFE\x1a" HEAD "\x0d" STEP "x", false, 0, 0), /* shorter */
        CASE("CAFE\x1a" HEAD "\x0c"
             "\x01\x00\x01\x01\x00\x00\x04"
             "abcd"
             "\x00",
             false, 0, 0),
        CASE("CAFE\x1a" HEAD "\x01\x02", false, 0, 0), /* a step of SQL */
        CASE("CAFE\x1a\x09"
             "123456789",
             false, 0, 0), /* no number has 9 bytes */
        CASE("CAFE\x1a"
             "\x05"
             "123",
             false, 0, 0),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t steps = 99, others = 99;
        bool good =
            rcv_scouter_count((const uint8_t *)cases[i].bytes, cases[i].size, &steps, &others);
        if (good != cases[i].good || steps != cases[i].steps || others != cases[i].others)
            fail_msg("case %zu: %d, %d steps, %d others", i, good, (int)steps, (int)others);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(datagrams_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
