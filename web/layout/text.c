#include "web/layout/text.h"

#include <glib.h>
#include <stdbool.h>

/* Characters that would turn the direction of neighbouring text around. */
static bool is_bidi_control(gunichar c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E ||
           c == 0x200F;
}

/* Short printable ASCII, as almost every text here, needs no work. */
static bool is_clean(const char *text, size_t max_chars) {
    size_t n = 0;
    for (; text[n]; n++)
        if (n == max_chars || text[n] < ' ' || text[n] > '~')
            return false;
    return true;
}

char *web_text_clean(const char *text, size_t max_chars) {
    if (text && is_clean(text, max_chars))
        return g_strdup(text);
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    GString *out = g_string_sized_new(64);
    size_t n = 0;
    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (is_bidi_control(c))
            continue;
        if (n++ == max_chars) {
            g_string_append(out, "…");
            break;
        }
        g_string_append_unichar(out, g_unichar_iscntrl(c) ? ' ' : c);
    }
    return g_string_free(out, FALSE);
}

/* Whether this sign and what follows name a person, an issue or the like on some forge. */
static bool names(const char *at) {
    if (*at == '@')
        return at[1] != '\0';
    return *at != '\0' && strchr("#!~%&$^", *at) && (g_ascii_isalnum(at[1]) || at[1] == '"');
}

char *web_text_unpinged(const char *text) {
    GString *to = g_string_new(NULL);
    for (const char *c = text ? text : ""; *c != '\0'; c++) {
        g_string_append_c(to, *c);
        if (names(c))
            g_string_append(to, "\u200b");
    }
    return g_string_free(to, FALSE);
}

/* The length of a name of code in backticks that begins here, 0: none. What is in it has no meaning
 * to Markdown and calls nobody. */
static size_t code_length(const char *at) {
    size_t n = 1;
    if (*at != '`')
        return 0;
    while (g_ascii_isalnum(at[n]) || (guchar)at[n] >= 0x80 ||
           (at[n] && strchr("_.:()$ ,-/", at[n])))
        n++;
    return n > 1 && at[n] == '`' && at[n + 1] != '`' ? n + 1 : 0;
}

void web_text_markdown(GString *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        const size_t code = code_length(c);
        if (code > 0) {
            g_string_append_len(to, c, (gssize)code);
            c += code - 1;
            continue;
        }
        if (*c == '<')
            g_string_append(to, "&lt;");
        else if (*c == '&')
            g_string_append(to, "&amp;");
        else if (strchr("\\`*_{}[]()#+!|~>", *c) || (*c == '/' && (c == text || c[-1] == '\n')))
            g_string_append_printf(to, "\\%c", *c);
        else
            g_string_append_c(to, *c);
        if (names(c))
            g_string_append(to, "&#8203;");
    }
}
