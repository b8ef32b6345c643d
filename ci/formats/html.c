#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "ci/formats/write.h"
#include "web/layout/text.h"
#include "web/words/level.h"
#include "web/words/verdict.h"

#define TEXT_MAX 300

static void cell(GString *to, const char *tag, const char *text) {
    g_autofree char *clean = web_text_clean(text, TEXT_MAX);
    g_autofree char *safe = g_markup_escape_text(clean, -1);
    g_string_append_printf(to, "<%s>%s</%s>", tag, safe, tag);
}

static void interval(GString *to, const json_t *value) {
    g_autofree char *mean = ci_ns(ci_json_real(value, "mean_ns"));
    g_autofree char *range =
        ci_ns_interval(ci_json_real(value, "low_ns"), ci_json_real(value, "high_ns"));
    cell(to, "td", mean);
    cell(to, "td", range);
}

char *ci_html(const char *title, const json_t *night) {
    g_autofree char *range = web_level_interval(ci_json_real(night, "level"));
    const char *const head[] = {"portion",  "ns per call", range,    "before",
                                "interval", "change",      "verdict"};
    g_autofree char *headline = ci_headline(night);
    g_autofree char *line = g_strdup_printf("%s: %s", title, headline);
    GString *to = g_string_new("<div class=\"moowatch\">");
    cell(to, "h3", line);
    g_string_append(to, "<table><thead><tr>");
    for (gsize i = 0; i < G_N_ELEMENTS(head); i++)
        cell(to, "th", head[i]);
    g_string_append(to, "</tr></thead><tbody>");
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        g_autofree char *change = ci_ns(ci_json_real(json_object_get(p, "difference"), "mean_ns"));
        g_string_append(to, "<tr>");
        cell(to, "td", ci_json_text(p, "portion", "?"));
        interval(to, p);
        interval(to, json_object_get(p, "reference"));
        cell(to, "td", change);
        cell(to, "td",
             web_verdict_words(ci_json_text(p, "verdict", "-"), ci_json_text(p, "rule", NULL),
                               ci_json_text(p, "direction", NULL)));
        g_string_append(to, "</tr>");
    }
    g_string_append(to, "</tbody></table></div>\n");
    return g_string_free(to, FALSE);
}
