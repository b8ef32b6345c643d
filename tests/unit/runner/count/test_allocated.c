/* Bytes a call, from a raw file that holds them. */
#include "tests/unit/test.h"

#include "runner/count/allocated.h"
#include "runner/ground/error.h"

#include <string.h>

static void the_second_half_of_each_thread_counts(void **state) {
    static const struct {
        const char *text;
        double calls, bytes;
    } cases[] = {
        {"1;70;500;0\n1;70;900;0\n1;70;996;0\n1;70;1092;1\n", 4, 96},
        {"1;70;500;0\n1;70;596;0\n2;70;7;0\n2;70;7;0\n", 4, 48}, /* one of two allocates */
        {"1;70;500\n1;70;532", 2, 32},
        {"1;70;5;0\n1;70;5;0\n1;70;5;0\n", 3, 0},
        {"1;70;500;0\n1;70;400;0\n", 2, -100}, /* whoever asked sees that it is no count */
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value = -1;
        if (!run_allocated_bytes(cases[i].text, strlen(cases[i].text), cases[i].calls, &value,
                                 &error))
            fail_msg("%s", error->message);
        assert_true(value == cases[i].bytes);
    }
}

static void what_is_no_such_file_is_refused(void **state) {
    static const struct {
        const char *text, *wrong;
        double calls;
    } cases[] = {
        {"1;70\n", "line 1: no allocated bytes", 1},
        {"1;70;500;0\nx;70;500;0\n", "line 2", 2},
        {"1;70;x;0\n", "line 1", 1},
        {"1;70;inf;0\n", "line 1", 1},
        {"1;70;5x;0\n", "line 1", 1},
        {"1;70;500;0\n", "has 1 calls, not 2", 2},
        {"", "has 0 calls, not 2", 2},
        {"", "has 0 calls, not 0", 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value;
        assert_false(run_allocated_bytes(cases[i].text, strlen(cases[i].text), cases[i].calls,
                                         &value, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        if (!strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_half_of_each_thread_counts),
        cmocka_unit_test(what_is_no_such_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
