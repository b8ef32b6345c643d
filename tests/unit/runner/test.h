#pragma once
/* What every unit test of the runner needs: cmocka with its includes, and a folder of its own. */
#include "tests/unit/test.h"

#include <math.h>

#include <glib.h>

#include "runner/ground/error.h"
#include "runner/process/scratch.h"

/* A group's setup and teardown: *state is the path of an empty folder. */
static inline int make_test_folder(void **state) {
    *state = g_dir_make_tmp("moowatch-test-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static inline int remove_test_folder(void **state) {
    bool removed = run_scratch_remove(*state, NULL);
    g_free(*state);
    return removed ? 0 : -1;
}

/* cmocka's own compares floats, which hold seven digits. */
#define assert_close(a, b, tolerance)                                                              \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(fabs(a_ - b_) <= (tolerance)))                                                       \
            fail_msg("%.17g is not %.17g", a_, b_);                                                \
    } while (0)

#define assert_error(problem, code_, text)                                                         \
    do {                                                                                           \
        assert_non_null(problem);                                                                  \
        assert_int_equal((problem)->code, (code_));                                                \
        if (!strstr((problem)->message, (text)))                                                   \
            fail_msg("\"%s\" does not say \"%s\"", (problem)->message, (text));                    \
        g_clear_error(&(problem));                                                                 \
    } while (0)
