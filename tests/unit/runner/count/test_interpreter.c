/* Allocations and bytes a call, from what the harness in Python left. */
#include "tests/unit/test.h"

#include "runner/count/interpreter.h"
#include "runner/ground/error.h"

#include <string.h>

static void all_threads_calls_count(void **state) {
    static const struct {
        const char *text;
        double calls, allocations, bytes;
    } cases[] = {
        {"2500;5000;170000\n", 5000, 2, 68},
        {"10;20;320\n10;40;640\n", 40, 3, 48}, /* one thread asks for more than the other */
        {"1;0;0\n", 1, 0, 0},
        {"4;-4;1e17\n", 8, -1, 2.5e16}, /* whoever asked sees that these are no counts */
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double values[2] = {-7, -7};
        if (!run_interpreter_allocations(cases[i].text, strlen(cases[i].text), cases[i].calls,
                                         values, &error))
            fail_msg("%s", error->message);
        assert_true(values[0] == cases[i].allocations);
        assert_true(values[1] == cases[i].bytes);
    }
}

static void what_is_no_such_file_is_refused(void **state) {
    static const struct {
        const char *text, *wrong;
        size_t size; /* 0: the text's */
    } cases[] = {
        {"5;10\n", "line 1: expected calls;allocations;bytes", 0},
        {"5;10;20\n5;x;20\n", "line 2: expected", 0},
        {"5;10;inf\n", "line 1", 0},
        {"5;10;nan\n", "line 1", 0},
        {"5;10;20", "line 1", 0}, /* cut off: there may be a digit more */
        {"5;10;20;30\n", "line 1", 0},
        {"0;10;20\n", "line 1", 0},
        {"-5;10;20\n", "line 1", 0},
        {"5;10;20\n\0rest", "line 2", 12},
        {"\n", "line 1", 0},
        {"", "counts 0 calls, expected 1 to 10", 0},
        {"11;10;20\n", "counts 11 calls, expected 1 to 10", 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double values[2];
        const size_t size = cases[i].size ? cases[i].size : strlen(cases[i].text);
        assert_false(run_interpreter_allocations(cases[i].text, size, 10, values, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        if (!strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_calls_count),
        cmocka_unit_test(what_is_no_such_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
