#include "web/pages/embed.h"
#include "config/json_text.h"

#include "config/model/alert.h"

#include <math.h>
#include <string.h>

#include "web/layout/text.h"
#include "web/words/words.h"

enum { NIGHTS_DEFAULT = 30, TEXT_CHARS = 1000 };

typedef struct {
    int width, height;
} size_px;

/* A wide picture in a narrow frame, such as a phone's, would have letters nobody can read. */
static const size_px WIDE = {900, 380}, NARROW = {400, 320};
#define NARROW_FRAME "(max-width: 560px)"
#define DARK_THEME "(prefers-color-scheme: dark)"

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

static void put_interval(GString *out, const det_interval *range, const char *name) {
    if (isnan(range->mean)) {
        g_string_append(out, "–");
        return;
    }
    web_unit unit = web_unit_for(range->mean, name);
    const double half_ns = (range->high - range->low) / 2;
    g_autofree char *number = NULL, *half = NULL;
    web_format_interval(range->mean, isnan(half_ns) ? 0 : half_ns, unit, &number, &half);
    g_string_append_printf(out, isnan(half_ns) ? "%s%.0s %s" : "%s ± %s %s", number, half,
                           unit.name);
}

/* A commit and its subject only where it is known to have done it. */
static void put_alert(GString *out, const cfg_alert *alert, int64_t open) {
    const cfg_commit *culprit = cfg_alert_culprit(alert);
    const bool same = !culprit && cfg_alert_of_one_commit(alert);
    const bool alone = culprit && alert->search && alert->search->alone;
    g_string_append_printf(out, "<p class=\"verdict loud\">%s ",
                           web_verdict_mark(alert->change.direction));
    put(out, alert->change.sentence);
    g_string_append(out, alert->slow ? ", slowly after " : ", on ");
    put(out, alert->slow && alert->from ? alert->from->night : alert->to.night);
    put(out, ", ");
    put(out, alone ? alert->search->of : NULL);
    g_string_append(out, alone     ? " with <code>"
                         : culprit ? "with <code>"
                         : same    ? "between two measurements of <code>"
                                   : "at the latest with <code>");
    put(out, (culprit ? culprit : cfg_alert_latest(alert))->shortened);
    g_string_append(out, "</code> <bdi>");
    put(out, culprit ? culprit->subject : NULL);
    g_string_append(out, "</bdi>");
    if (open > 1)
        g_string_append_printf(out, " and %" G_GINT64_FORMAT " more open", open - 1);
    g_string_append(out, "</p>\n");
}

/* What is shown of a project. */
typedef struct {
    cfg_alert *alert; /* the newest; NULL: none is open */
    int64_t open_alerts;
    cfg_night latest;
    char *quiet;
    bool clear;
} shown;

static const model_member shown_members[] = {
    MODEL_A(shown, alert, cfg_alert_model, MODEL_OWN, "alert", MODEL_NULL),
    MODEL(shown, open_alerts, "open_alerts", MODEL_LEFT_OUT),
    MODEL_A(shown, latest, cfg_night_model, MODEL_PART, "latest", MODEL_NULL),
    MODEL(shown, quiet, "quiet", MODEL_NULL), MODEL(shown, clear, "clear", MODEL_WRITTEN)};
static const model_noun shown_noun = MODEL_NOUN(shown, shown_members, "project");

static void put_verdict(GString *out, const json_t *project) {
    shown of;
    if (!model_read(&shown_noun, project, &of, NULL))
        model_begin(&shown_noun, &of);
    if (of.alert) {
        put_alert(out, of.alert, of.open_alerts);
        model_clear(&shown_noun, &of);
        return;
    }
    g_string_append(out, "<p class=\"verdict\">");
    put(out, of.quiet);
    if (of.clear) {
        g_string_append(out, ", the newest of ");
        put(out, of.latest.night);
    }
    g_string_append(out, ".</p>\n");
    model_clear(&shown_noun, &of);
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

static void put_portion(GString *out, const cfg_portion *portion) {
    g_string_append(out, "<span class=\"value\"><b>");
    put(out, portion->portion);
    g_string_append(out, "</b> ");
    put_interval(out, &portion->now, portion->unit);
    if (cfg_is(portion->verdict, "anomaly"))
        g_string_append_printf(out, " <b class=\"loud\">%s %s</b>",
                               web_verdict_mark(portion->direction), web_portion_words(portion));
    else if (cfg_portion_known(portion))
        g_string_append_printf(out, " <b class=\"warn\">%s</b>", web_portion_words(portion));
    g_string_append(out, "</span> ");
}

static void put_row(GString *out, const cfg_night *night) {
    g_string_append(out, "<tr><th scope=\"row\">");
    put(out, night->night);
    g_string_append(out, "</th><td><code>");
    put(out, night->commit.shortened);
    g_string_append(out, "</code> <bdi>");
    put(out, night->commit.subject);
    g_string_append(out, "</bdi></td><td>");
    for (unsigned i = 0; i < night->portions_count; i++)
        put_portion(out, &night->portions[i]);
    if (!cfg_is(night->state, "measured")) {
        put(out, night->state);
        g_string_append(out, ": ");
        put(out, night->reason);
    }
    g_string_append(out, "</td></tr>\n");
}

static void put_table(GString *out, const model_list *nights) {
    const cfg_night *all = nights->items;
    if (nights->count == 0)
        return;
    g_string_append(out, "<details><summary>The newest nights as a table</summary>\n<table>"
                         "<thead><tr><th scope=\"col\">Night</th><th scope=\"col\">Commit</th>"
                         "<th scope=\"col\">Portions</th></tr></thead><tbody>\n");
    for (unsigned i = 0; i < MIN(nights->count, WEB_EMBED_ROWS); i++)
        put_row(out, &all[i]);
    g_string_append(out, "</tbody></table></details>\n");
}

char *web_embed_page(const json_t *project, const model_list *nights,
                     const web_embed_options *options) {
    static const web_embed_options defaults = {0};
    const web_embed_options *o = options ? options : &defaults;
    const char *name = cfg_json_word(project, "name", NULL),
               *title = cfg_json_word(project, "title", NULL);
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
