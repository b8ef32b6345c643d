#include "runner/ground/error.h"

#include <errno.h>
#include <stdarg.h>

G_DEFINE_QUARK(moowatch - run - error - quark, run_error)

bool run_fail(GError **error, run_error code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_set_error_literal(error, RUN_ERROR, code, valid);
    return false;
}

bool run_cannot(GError **error, const char *what, const char *path) {
    return run_fail(error, RUN_ERROR_NODE, "cannot %s %s: %s", what, path, g_strerror(errno));
}
