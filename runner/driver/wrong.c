#include "runner/driver/wrong.h"

#include "runner/ground/error.h"

bool run__wrong(GError **error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_set_error_literal(error, RUN_ERROR, RUN_ERROR_JOB, valid);
    return false;
}
