/* Alerts as GitHub's Markdown. */
#include "server/notify/notify_words__.h"

#include <string.h>

/* Nothing in the text may start Markdown or HTML, or call a person by name. */
void srv_words_markdown_add(GString *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<')
            g_string_append(to, "&lt;");
        else if (*c == '@')
            g_string_append(to, "&#64;");
        else if (strchr("\\`*_{}[]()#+!|~>", *c) != NULL)
            g_string_append_printf(to, "\\%c", *c);
        else
            g_string_append_c(to, *c);
}

char *srv_words_markdown(const srv_words *words, const char *marker) {
    GString *to = g_string_new(NULL);
    g_autofree char *text = srv_words_text(words);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    if (marker)
        g_string_append_printf(to, "<!-- %s -->\n", marker);
    for (guint i = 0; lines[i]; i++) {
        if (words->base[0] != '\0' && g_str_has_prefix(lines[i], words->base))
            g_string_append_printf(to, "\n<%s>", lines[i]);
        else
            srv_words_markdown_add(to, lines[i]);
        g_string_append(to, lines[i + 1] ? "  \n" : "");
    }
    return g_string_free(to, FALSE);
}
