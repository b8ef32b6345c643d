#include "web/pages/embed.h"

#include <string.h>

#include "web/chart/history.h"
#include "web/layout/axis.h"
#include "web/layout/text.h"
#include "web/words/verdict.h"

enum { NIGHTS_DEFAULT = 30, TEXT_CHARS = 1000 };

typedef struct {
    int width, height;
} size_px;

/* A wide picture in a narrow frame, such as a phone's, would have letters nobody can read. */
static const size_px WIDE = {900, 380}, NARROW = {400, 320};
#define NARROW_FRAME "(max-width: 560px)"
#define DARK_THEME "(prefers-color-scheme: dark)"

static const char *get_string(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void put(GString *out, const char *text) {
    g_autofree char *clean = web_text_clean(text, TEXT_CHARS);
    g_autofree char *escaped = g_markup_escape_text(clean, -1);
    g_string_append(out, escaped);
}

static void put_part(GString *out, const char *text) {
    g_autofree char *escaped = g_uri_escape_string(text, NULL, FALSE);
    g_string_append(out, escaped);
}

static void put_head(GString *out, const char *title, const char *theme) {
    g_string_append(out, "<!doctype html>\n<html lang=\"en\"");
    if (theme)
        g_string_append_printf(out, " data-theme=\"%s\"",
                               strcmp(theme, "dark") == 0 ? "dark" : "light");
    g_string_append(out,
                    ">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    put(out, title);
    g_string_append(out, " · moowatch</title>\n"
                         "<link rel=\"icon\" href=\"/static/icon.svg\" type=\"image/svg+xml\">\n"
                         "<link rel=\"stylesheet\" href=\"/static/style.css\">\n</head>\n"
                         "<body class=\"embed\">\n<main>\n");
}

static void put_interval(GString *out, const json_t *range) {
    double mean = json_number_value(json_object_get(range, "mean_ns"));
    double low = json_number_value(json_object_get(range, "low_ns"));
    double high = json_number_value(json_object_get(range, "high_ns"));
    if (!json_is_number(json_object_get(range, "mean_ns"))) {
        g_string_append(out, "–");
        return;
    }
    web_unit unit = web_unit_for(mean);
    g_autofree char *number = NULL, *half = NULL;
    web_format_interval(mean, (high - low) / 2, unit, &number, &half);
    g_string_append_printf(out, "%s ± %s %s", number, half, unit.name);
}

static void put_alert(GString *out, const json_t *alert) {
    g_string_append_printf(out, "<p class=\"verdict loud\">%s ",
                           web_verdict_mark(get_string(alert, "direction")));
    put(out, get_string(alert, "sentence"));
    const json_t *to = json_object_get(alert, "to");
    g_string_append(out, ", on ");
    put(out, get_string(to, "night"));
    const json_t *commit = json_object_get(to, "commit");
    g_string_append(out, ", with <code>");
    put(out, get_string(commit, "short"));
    g_string_append(out, "</code> <bdi>");
    put(out, get_string(commit, "subject"));
    g_string_append(out, "</bdi></p>\n");
}

/* The newest night has a portion in question, or could not be judged. */
static bool is_doubtful(const json_t *night) {
    size_t i;
    const json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        const char *verdict = get_string(portion, "verdict");
        if (strcmp(verdict, "suspect") == 0 || strcmp(verdict, "harness") == 0 ||
            strcmp(get_string(portion, "rule"), "pending") == 0)
            return true;
    }
    return false;
}

static void put_verdict(GString *out, const json_t *project) {
    const json_t *alert = json_object_get(project, "alert");
    const json_t *latest = json_object_get(project, "latest");
    json_int_t quiet = json_integer_value(json_object_get(project, "quiet_nights"));
    if (json_is_object(alert)) {
        put_alert(out, alert);
        return;
    }
    g_string_append(out, "<p class=\"verdict\">");
    if (json_integer_value(json_object_get(project, "nights")) == 0) {
        g_string_append(out, "No night measured yet");
    } else if (is_doubtful(latest)) {
        g_string_append(out, "? ");
        put(out, get_string(latest, "headline"));
    } else {
        g_string_append_printf(out, "Nothing new for %" JSON_INTEGER_FORMAT " %s, the newest of ",
                               quiet, quiet == 1 ? "night" : "nights");
        put(out, get_string(latest, "night"));
    }
    g_string_append(out, ".</p>\n");
}

static void put_address(GString *out, const char *name, const web_embed_options *o,
                        const char *theme, size_px size) {
    g_string_append(out, "/charts/");
    put_part(out, name);
    g_string_append_printf(out, ".svg?nights=%u&amp;width=%d&amp;height=%d&amp;theme=%s",
                           o->nights > 0 ? o->nights : NIGHTS_DEFAULT, size.width, size.height,
                           theme);
    if (o->view == WEB_VIEW_LINES)
        g_string_append(out, "&amp;view=lines");
    if (o->of == WEB_OF_MEDIAN)
        g_string_append(out, "&amp;value=median");
    if (o->range == WEB_RANGE_FULL)
        g_string_append(out, "&amp;range=full");
    if (o->leaf) {
        g_string_append(out, "&amp;leaf=");
        put_part(out, o->leaf);
    }
}

static void put_source(GString *out, const char *name, const web_embed_options *o,
                       const char *media, const char *theme, size_px size) {
    g_string_append_printf(out, "<source media=\"%s\" width=\"%d\" height=\"%d\" srcset=\"", media,
                           size.width, size.height);
    put_address(out, name, o, theme, size);
    g_string_append(out, "\">");
}

/* The frame's width and the reader's theme choose the picture; the theme only where the address
 * does not. */
static void put_chart(GString *out, const char *name, const web_embed_options *o) {
    const char *theme = o->theme ? o->theme : "light";
    g_string_append(out, "<picture>");
    if (!o->theme)
        put_source(out, name, o, NARROW_FRAME " and " DARK_THEME, "dark", NARROW);
    put_source(out, name, o, NARROW_FRAME, theme, NARROW);
    if (!o->theme)
        put_source(out, name, o, DARK_THEME, "dark", WIDE);
    g_string_append(out, "<img src=\"");
    put_address(out, name, o, theme, WIDE);
    g_string_append_printf(out,
                           "\" width=\"%d\" height=\"%d\" alt=\"The nights' portions; the table "
                           "below holds the newest values.\"></picture>\n",
                           WIDE.width, WIDE.height);
}

static void put_row(GString *out, const json_t *night) {
    const json_t *commit = json_object_get(night, "commit");
    g_string_append(out, "<tr><th scope=\"row\">");
    put(out, get_string(night, "night"));
    g_string_append(out, "</th><td><code>");
    put(out, get_string(commit, "short"));
    g_string_append(out, "</code> <bdi>");
    put(out, get_string(commit, "subject"));
    g_string_append(out, "</bdi></td><td>");
    size_t i;
    const json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        g_string_append(out, "<span class=\"value\"><b>");
        put(out, get_string(portion, "portion"));
        g_string_append(out, "</b> ");
        put_interval(out, portion);
        if (g_strcmp0(get_string(portion, "verdict"), "anomaly") == 0)
            g_string_append_printf(
                out, " <b class=\"loud\">%s %s</b>",
                web_verdict_mark(get_string(portion, "direction")),
                web_verdict_words("anomaly", NULL, get_string(portion, "direction")));
        g_string_append(out, "</span> ");
    }
    const char *state = get_string(night, "state");
    if (g_strcmp0(state, "measured") != 0) {
        put(out, state);
        g_string_append(out, ": ");
        put(out, get_string(night, "reason"));
    }
    g_string_append(out, "</td></tr>\n");
}

static void put_table(GString *out, const json_t *nights) {
    if (json_array_size(nights) == 0)
        return;
    g_string_append(out, "<details><summary>The newest nights as a table</summary>\n<table>"
                         "<thead><tr><th scope=\"col\">Night</th><th scope=\"col\">Commit</th>"
                         "<th scope=\"col\">Portions</th></tr></thead><tbody>\n");
    size_t i;
    const json_t *night;
    json_array_foreach (nights, i, night) {
        if (i == WEB_EMBED_ROWS)
            break;
        put_row(out, night);
    }
    g_string_append(out, "</tbody></table></details>\n");
}

char *web_embed_page(const json_t *project, const json_t *nights,
                     const web_embed_options *options) {
    static const web_embed_options defaults = {0};
    const web_embed_options *o = options ? options : &defaults;
    const char *name = get_string(project, "name"), *title = get_string(project, "title");
    name = name ? name : "";
    title = title && *title ? title : name;
    GString *out = g_string_sized_new(1 << 13);
    put_head(out, title, o->theme);
    g_string_append(out, "<h1><a href=\"/projects/");
    put_part(out, name);
    g_string_append(out, "\" target=\"_blank\" rel=\"noopener\"><bdi>");
    put(out, title);
    g_string_append(out, "</bdi></a></h1>\n");
    put_verdict(out, project);
    put_chart(out, name, o);
    put_table(out, nights);
    g_string_append(out, "</main>\n</body>\n</html>\n");
    return g_string_free(out, FALSE);
}
