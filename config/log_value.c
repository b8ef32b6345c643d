#include "config/log_value.h"

#include <stdbool.h>
#include <string.h>

enum { VALUE_MAX = 2000 };

static bool plain(const char *value) {
    if (value[0] == '\0')
        return false;
    for (const char *c = value; *c != '\0'; c++)
        if (!g_ascii_isalnum(*c) && strchr("._-/:+,@%", *c) == NULL)
            return false;
    return true;
}

void cfg_log_escape(GString *line, const char *value) {
    g_autofree char *cut = g_strndup(value, VALUE_MAX);
    g_autofree char *valid = g_utf8_make_valid(cut, -1);
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
}

void cfg_log_value(GString *line, const char *value) {
    if (plain(value) && strlen(value) <= VALUE_MAX) {
        g_string_append(line, value);
        return;
    }
    g_string_append_c(line, '"');
    cfg_log_escape(line, value);
    g_string_append_c(line, '"');
}
