#include "server/ground/log.h"

#include "config/shown.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

static void write_line(const char *level, const char *component, const char *event, va_list pairs) {
    g_autofree char *begin = cfg_log_begin();
    g_autoptr(GString) line = g_string_new(begin);
    g_string_append_printf(line, "%s %s %s", level, component, event);
    for (const char *key = va_arg(pairs, const char *); key; key = va_arg(pairs, const char *)) {
        const char *value = va_arg(pairs, const char *);
        if (!value)
            continue;
        g_string_append_printf(line, " %s=", key);
        cfg_log_value(line, value);
    }
    g_string_append_c(line, '\n');
    /* A log that cannot be written is nobody's reason to stop. */
    while (write(STDERR_FILENO, line->str, line->len) < 0 && errno == EINTR) {
    }
}

#define LEVEL(name)                                                                                \
    void srv_log_##name(const char *component, const char *event, ...) {                           \
        va_list pairs;                                                                             \
        va_start(pairs, event);                                                                    \
        write_line(#name, component, event, pairs);                                                \
        va_end(pairs);                                                                             \
    }
LEVEL(info)
LEVEL(warning)
LEVEL(error)
