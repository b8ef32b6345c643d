#include "server/ground/log.h"

#include "config/log_time.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { VALUE_MAX = 2000 };

static bool plain(const char *value) {
    if (value[0] == '\0')
        return false;
    for (const char *c = value; *c != '\0'; c++)
        if (!g_ascii_isalnum(*c) && strchr("._-/:+,@%", *c) == NULL)
            return false;
    return true;
}

void srv_log_append(GString *line, const char *key, const char *value) {
    g_string_append_printf(line, " %s=", key);
    if (plain(value) && strlen(value) <= VALUE_MAX) {
        g_string_append(line, value);
        return;
    }
    g_autofree char *cut = g_strndup(value, VALUE_MAX);
    g_autofree char *valid = g_utf8_make_valid(cut, -1);
    g_string_append_c(line, '"');
    for (const char *c = valid; *c != '\0'; c = g_utf8_next_char(c)) {
        gunichar u = g_utf8_get_char(c);
        if (u == '"' || u == '\\')
            g_string_append_printf(line, "\\%c", (char)u);
        else if (u == '\n')
            g_string_append(line, "\\n");
        else if (g_unichar_iscntrl(u) || g_unichar_type(u) == G_UNICODE_FORMAT || u == 0x2028 ||
                 u == 0x2029)
            g_string_append_printf(line, "\\u%04x", u);
        else
            g_string_append_unichar(line, u);
    }
    g_string_append_c(line, '"');
}

static void write_line(const char *level, const char *component, const char *event, va_list pairs) {
    g_autofree char *begin = cfg_log_begin();
    g_autoptr(GString) line = g_string_new(begin);
    g_string_append_printf(line, "%s %s %s", level, component, event);
    for (const char *key = va_arg(pairs, const char *); key; key = va_arg(pairs, const char *)) {
        const char *value = va_arg(pairs, const char *);
        if (value)
            srv_log_append(line, key, value);
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
