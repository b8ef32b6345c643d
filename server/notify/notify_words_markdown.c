/* Alerts as GitHub's Markdown. */
#include "server/notify/notify_words__.h"
#include "web/layout/text.h"

#include <math.h>
#include <string.h>

void srv_words_interval_add(GString *to, const det_interval *interval) {
    g_autofree char *mean = srv_words_ns(interval->mean);
    g_autofree char *low = srv_words_ns(interval->low);
    g_autofree char *high = srv_words_ns(interval->high);
    if (isfinite(interval->mean))
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
        if (words->base[0] != '\0' && g_str_has_prefix(lines[i], words->base) &&
            !strpbrk(lines[i], " <>"))
            g_string_append_printf(to, "\n<%s>", lines[i]);
        else
            web_text_markdown(to, lines[i]);
        g_string_append(to, lines[i + 1] ? "  \n" : "");
    }
    return g_string_free(to, FALSE);
}
