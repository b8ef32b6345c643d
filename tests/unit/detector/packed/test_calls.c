/* Lines to columns and back: what is taken, what is left for others, and the same bytes. */
#include "tests/unit/test.h"

#include "detector/packed/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static det_calls calls;
static char text[DET_CALLS_TEXT_MAX];

static void lines_come_back_as_they_were(void **state) {
    static const char *const cases[] = {
        "1;5\n",
        "0;0\n0;0\n",
        "1;99\n1;100\n1;9999\n1;10000\n1;99999999\n1;100000000\n1;4294967295\n1;4294967296\n",
        "1;999999999999999999\n2;1\n",
        "999999999999999999;1\n",
        "1;850;8639464;2\n1;851;8639464;2\n1;9;0;3\n",
        "999999999999999999;999999999999999999;999999999999999999;999999999999999999\n1;2;3;4\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t size = strlen(cases[i]);
        assert_int_equal(det_calls_read(cases[i], size, &calls), size);
        assert_int_equal(det_calls_size(&calls), size);
        assert_int_equal(det_calls_text(&calls, text), size);
        assert_memory_equal(text, cases[i], size);
    }
}

static void other_lines_are_left(void **state) {
    static const struct {
        const char *text;
        size_t count; /* lines that are taken */
    } cases[] = {
        {"", 0},
        {"\n", 0},
        {"1\n", 0},
        {"1;2", 0},
        {"1;2\n3;4", 1},
        {"1;2\n3", 1},
        {"1;02\n", 0},
        {"1;00\n", 0},
        {"1;-2\n", 0},
        {"1;2.5\n", 0},
        {"1;2\r\n", 0},
        {"1;;2;3\n", 0},
        {";2\n", 0},
        {"1;2;3\n", 0},
        {"1;2;3;4;5\n", 0},
        {"1;2;3;4\n1;2\n", 1},
        {"1;2\n1;2;3;4\n", 1},
        {"1;1000000000000000000\n", 0},
        {"1;2\nexception\n", 1},
        {"1;2\n1;2\n1;\n", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t taken = det_calls_read(cases[i].text, strlen(cases[i].text), &calls);
        assert_int_equal(calls.count, cases[i].count);
        assert_int_equal(det_calls_text(&calls, text), taken);
        assert_memory_equal(text, cases[i].text, taken);
    }
}

static void no_more_than_fit_are_taken(void **state) {
    static const char line[4] = {'1', ';', '7', '\n'};
    static char many[(DET_CALLS_MAX + 5) * sizeof line];
    (void)state;
    for (size_t i = 0; i < DET_CALLS_MAX + 5; i++)
        memcpy(many + sizeof line * i, line, sizeof line);
    assert_int_equal(det_calls_read(many, sizeof many, &calls), DET_CALLS_MAX * 4);
    assert_int_equal(calls.count, DET_CALLS_MAX);
    assert_int_equal(det_calls_size(&calls), DET_CALLS_MAX * 4);
}

/* What is read has at most 18 digits; what a damaged file unpacks to may have all 20. */
static void the_longest_lines_fit_the_room(void **state) {
    char line[100];
    (void)state;
    calls.count = DET_CALLS_MAX;
    calls.columns = 4;
    memset(calls.number, 0xff, sizeof calls.number);
    const int size =
        snprintf(line, sizeof line, "%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 "\n", UINT64_MAX,
                 UINT64_MAX, UINT64_MAX, UINT64_MAX);
    assert_int_equal(det_calls_text(&calls, text), (size_t)size * DET_CALLS_MAX);
    assert_memory_equal(text + (size_t)size * (DET_CALLS_MAX - 1), line, (size_t)size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_back_as_they_were),
        cmocka_unit_test(other_lines_are_left),
        cmocka_unit_test(no_more_than_fit_are_taken),
        cmocka_unit_test(the_longest_lines_fit_the_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
