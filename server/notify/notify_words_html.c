/* Alerts as the HTML of a mail. */
#include "server/notify/notify_words__.h"

static void paragraph(GString *to, const char *tag, const char *text) {
    g_autofree char *safe = g_markup_escape_text(text, -1);
    g_string_append_printf(to, "<%s>%s</%s>\n", tag, safe, tag);
}

static void append_alert(GString *to, const srv_words *words, const cfg_alert *alert) {
    g_autofree char *headline = srv__words_headline(words, alert);
    g_autofree char *title = g_strdup_printf("%s: %s", words->project, headline);
    g_autofree char *address = srv__words_link(words, alert);
    g_autofree char *safe = g_markup_escape_text(address, -1);
    g_auto(GStrv) lines = srv__words_lines(words, alert);
    paragraph(to, "h3", title);
    for (guint i = 0; lines[i]; i++)
        paragraph(to, "p", lines[i]);
    g_string_append_printf(to, "<p><a href=\"%s\">%s</a></p>\n", safe, safe);
}

char *srv_words_html(const srv_words *words, const char *image) {
    GString *to = g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                               "<title>moowatch</title></head>"
                               "<body style=\"font-family:sans-serif\">\n");
    size_t i;
    json_t *json;
    json_array_foreach (words->alerts, i, json) {
        g_auto(cfg_alert) alert = cfg_alert_of(json);
        g_autofree char *own = words->text ? srv__words_own(words, &alert) : NULL;
        if (own)
            paragraph(to, "pre", own);
        else
            append_alert(to, words, &alert);
    }
    if (image)
        g_string_append_printf(to, "<p><img src=\"cid:%s\" alt=\"the last nights\"></p>\n", image);
    g_string_append(to, "</body></html>\n");
    return g_string_free(to, FALSE);
}
