/* Alerts as GitHub's Markdown. */
#include "server/notify/notify_words__.h"

#include <math.h>
#include <string.h>

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

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

void srv_words_interval_add(GString *to, const json_t *interval) {
    g_autofree char *mean = srv_words_ns(number_of(interval, "mean_ns"));
    g_autofree char *low = srv_words_ns(number_of(interval, "low_ns"));
    g_autofree char *high = srv_words_ns(number_of(interval, "high_ns"));
    if (json_is_object(interval))
        g_string_append_printf(to, " %s [%s, %s] |", mean, low, high);
    else
        g_string_append(to, " |");
}

void srv_words_change_add(GString *to, double change, double before) {
    if (isfinite(change) && isfinite(before) && before != 0)
        g_string_append_printf(to, " %+.1f %% |", 100 * change / fabs(before));
    else
        g_string_append(to, " |");
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
