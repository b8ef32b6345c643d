#include "config/shown.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

enum { REPLACEMENT = 0xfffd };

static bool is_obeyed(gunichar c) {
    const bool control = (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    const bool turn =
        c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return control || turn;
}

char *cfg_shown(const char *text) {
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *out = g_string_new(NULL);
    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        g_string_append_unichar(out, is_obeyed(c) ? REPLACEMENT : c);
    }
    return g_string_free(out, FALSE);
}

void cfg_complain(const char *who, const char *text) {
    g_autofree char *shown = cfg_shown(text);
    (void)fprintf(stderr, "%s: %s\n", who, shown);
}
