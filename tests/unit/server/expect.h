#pragma once
/* expect - what tests of the server ask of errors and texts. */
#include <gio/gio.h>
#include <string.h>

#include "server/ground/error.h"

/* A text that has this in it; the failure shows both. */
#define assert_says(text, part)                                                                    \
    do {                                                                                           \
        const char *text_ = (text), *part_ = (part);                                               \
        if (!text_ || !strstr(text_, part_))                                                       \
            fail_msg("\"%s\" does not say \"%s\"", text_ ? text_ : "(nothing)", part_);            \
    } while (0)

#define assert_says_not(text, part)                                                                \
    do {                                                                                           \
        const char *text_ = (text), *part_ = (part);                                               \
        if (text_ && strstr(text_, part_))                                                         \
            fail_msg("\"%s\" says \"%s\"", text_, part_);                                          \
    } while (0)

/* An error of this domain and code with this in its message; it is freed. */
#define assert_error_of(problem, domain_, code_, part)                                             \
    do {                                                                                           \
        assert_non_null(problem);                                                                  \
        if (!g_error_matches((problem), (domain_), (int)(code_)))                                  \
            fail_msg("\"%s\" is %s %d, not %d", (problem)->message,                                \
                     g_quark_to_string((problem)->domain), (problem)->code, (int)(code_));         \
        assert_says((problem)->message, (part));                                                   \
        g_clear_error(&(problem));                                                                 \
    } while (0)
#define assert_srv_error(problem, code_, part)                                                     \
    assert_error_of(problem, SRV_ERROR, SRV_ERROR_##code_, part)
#define assert_io_error(problem, code_, part)                                                      \
    assert_error_of(problem, G_IO_ERROR, G_IO_ERROR_##code_, part)

/* For what must succeed. */
#define assert_no_error(problem)                                                                   \
    do {                                                                                           \
        if (problem)                                                                               \
            fail_msg("%s", (problem)->message);                                                    \
    } while (0)
