/*
 * chart <svg|png|pdf> [key=value…] < nights.json > file: the chart of an array of *night* objects.
 * chart compare < {"a": experiment, "b": experiment}: the *comparison* of the two.
 * chart embed < {"project": project, "nights": nights}: the page for a frame.
 * chart words < {"nights": nights, "projects": projects, "alerts": alerts}: what they say, the
 * alerts with it put in. chart flame < {"before": collapsed stacks, "after": …, "view", "frame",
 * "title", "theme", "width", "type": "svg" or "json"}: the flame graph of a portion that has no
 * parent. chart columns [key=value…] < nights.json: [[index of a bar's first night, its column's
 * left edge], …]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/json_text.h"
#include "tests/unit/nights_of.h"
#include "web/chart/chart.h"
#include "web/chart/compare.h"
#include "web/chart/flame.h"
#include "web/chart/history.h"
#include "web/layout/layout.h"
#include "web/pages/embed.h"
#include "web/words/words.h"

static bool read_option(web_chart_options *o, const char *argument) {
    const char *value = strchr(argument, '=');
    if (!value++)
        return false;
    if (g_str_has_prefix(argument, "title="))
        o->title = value;
    else if (g_str_has_prefix(argument, "until="))
        o->until = value;
    else if (g_str_has_prefix(argument, "leaf="))
        o->leaf = value;
    else if (g_str_has_prefix(argument, "nights="))
        o->nights = (unsigned)strtoul(value, NULL, 10);
    else if (g_str_has_prefix(argument, "width="))
        o->width = atoi(value);
    else if (g_str_has_prefix(argument, "height="))
        o->height = atoi(value);
    else if (g_str_has_prefix(argument, "scale="))
        o->scale = atoi(value);
    else if (g_str_has_prefix(argument, "theme="))
        o->theme = strcmp(value, "dark") == 0 ? WEB_THEME_DARK : WEB_THEME_LIGHT;
    else if (g_str_has_prefix(argument, "view="))
        o->view = strcmp(value, "lines") == 0 ? WEB_VIEW_LINES : WEB_VIEW_BARS;
    else if (g_str_has_prefix(argument, "range="))
        o->range = strcmp(value, "full") == 0 ? WEB_RANGE_FULL : WEB_RANGE_TYPICAL;
    else if (g_str_has_prefix(argument, "value="))
        o->of = strcmp(value, "median") == 0 ? WEB_OF_MEDIAN : WEB_OF_MEAN;
    else
        return false;
    return true;
}

static bool print_columns(const json_t *nights, const web_chart_options *options) {
    g_autoptr(GError) error = NULL;
    g_autoptr(web_history) history =
        web_history_new(nights, options->until, options->leaf, options->nights, &error);
    if (!history) {
        fprintf(stderr, "chart: %s\n", error->message);
        return false;
    }
    g_autoptr(web_layout) layout = web_layout_new(history, options);
    json_t *columns = json_array();
    for (guint i = 0; i < layout->whiskers->len; i++) {
        const web_whisker *whisker = &g_array_index(layout->whiskers, web_whisker, i);
        int slot = (int)((whisker->x - layout->plot.x) / layout->column_width);
        double x = layout->plot.x + slot * layout->column_width;
        json_array_append_new(columns, json_pack("[i, f]", (int)whisker->night, x));
    }
    bool written = json_dumpf(columns, stdout, JSON_COMPACT) == 0 && fflush(stdout) == 0;
    json_decref(columns);
    return written;
}

static bool print_comparison(const json_t *pair) {
    g_auto(cfg_night) a = cfg_night_of(json_object_get(pair, "a"));
    g_auto(cfg_night) b = cfg_night_of(json_object_get(pair, "b"));
    json_t *out = web_compare(&a, &b, NULL, NULL);
    bool written = json_dumpf(out, stdout, JSON_COMPACT) == 0 && fflush(stdout) == 0;
    json_decref(out);
    return written;
}

static json_t *night_words(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    json_t *portions = json_array();
    web_night_say(&night);
    for (unsigned i = 0; i < night.portions_count; i++)
        json_array_append_new(portions,
                              json_pack("{s:s*,s:s*}", "standing", night.portions[i].standing,
                                        "words", night.portions[i].words));
    return json_pack("{s:s,s:o}", "headline", night.headline, "portions", portions);
}

static json_t *quiet_words(const json_t *project) {
    const json_t *latest = json_object_get(project, "latest");
    g_auto(cfg_night) night = cfg_night_of(latest);
    bool clear;
    const web_quiet quiet = {.nights = json_integer_value(json_object_get(project, "quiet_nights")),
                             .changed = true,
                             .suspicions =
                                 json_integer_value(json_object_get(project, "suspicions"))};
    g_autofree char *words =
        web_quiet_words(json_is_object(latest) ? &night : NULL, &quiet, &clear);
    return json_pack("{s:s,s:b}", "quiet", words, "clear", clear);
}

static bool print_words(const json_t *all) {
    json_t *nights = json_array(), *projects = json_array();
    json_t *alerts = json_object_get(all, "alerts");
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(all, "nights"), i, item)
        json_array_append_new(nights, night_words(item));
    json_array_foreach (json_object_get(all, "projects"), i, item)
        json_array_append_new(projects, quiet_words(item));
    json_array_foreach (alerts, i, item)
        alert_say(item, cfg_json_number(item, "level"), NULL);
    json_t *out =
        json_pack("{s:o, s:o, s:O}", "nights", nights, "projects", projects, "alerts", alerts);
    bool written = json_dumpf(out, stdout, JSON_COMPACT) == 0 && fflush(stdout) == 0;
    json_decref(out);
    return written;
}

static bool print_embedded(const json_t *both) {
    g_auto(model_list) nights = nights_of(json_object_get(both, "nights"));
    g_autofree char *page = web_embed_page(json_object_get(both, "project"), &nights, NULL);
    return fputs(page, stdout) >= 0 && fflush(stdout) == 0;
}

static const char *text_in(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool read_stacks(det_stacks *stacks, const det_contrast_plan *plan, const json_t *both) {
    const char *const ends[] = {text_in(both, "before"), text_in(both, "after")};
    det_stacks_error error;
    for (int i = 0; i < 2; i++)
        if (det_stacks_read(stacks, det_contrast_column(plan, i, 0, 0), ends[i], strlen(ends[i]),
                            &error) != DET_OK)
            return false;
    return true;
}

static bool print_flame(const json_t *both) {
    static const char *const views[] = {"difference", "before", "after"};
    const double calls[] = {1, 1, 1, 1};
    const det_contrast_plan plan = {1, 1, calls, 0.95};
    const char *frame = text_in(both, "frame");
    const json_t *scale = json_object_get(both, "scale_ns"); /* null: of bytes */
    web_flame_options options = {
        .title = text_in(both, "title"),
        .frame = *frame ? frame : NULL,
        .unit = text_in(both, "unit"),
        .scale_ns = json_is_number(scale) ? json_number_value(scale) : (double)NAN,
        .width = (int)json_integer_value(json_object_get(both, "width")),
        .theme = strcmp(text_in(both, "theme"), "dark") == 0 ? WEB_THEME_DARK : WEB_THEME_LIGHT};
    for (size_t i = 0; i < G_N_ELEMENTS(views); i++)
        if (strcmp(views[i], text_in(both, "view")) == 0)
            options.view = (web_flame_view)i;
    det_stacks *stacks = det_stacks_new(4);
    bool written = read_stacks(stacks, &plan, both);
    if (written) {
        g_autoptr(GBytes) file =
            strcmp(text_in(both, "type"), "json") == 0
                ? web_flame_json(stacks, &plan, &options)
                : web_flame_render(stacks, &plan, &options, WEB_CHART_SVG, NULL);
        const gsize size = g_bytes_get_size(file);
        written = fwrite(g_bytes_get_data(file, NULL), 1, size, stdout) == size;
    }
    det_stacks_free(stacks);
    return written && fflush(stdout) == 0;
}

int main(int argc, char **argv) {
    web_chart_options options = {0};
    web_chart_format format = WEB_CHART_SVG;
    if (argc > 1 && strcmp(argv[1], "png") == 0)
        format = WEB_CHART_PNG;
    if (argc > 1 && strcmp(argv[1], "pdf") == 0)
        format = WEB_CHART_PDF;
    for (int i = 2; i < argc; i++) {
        if (!read_option(&options, argv[i])) {
            fprintf(stderr, "chart: unknown option %s\n", argv[i]);
            return 2;
        }
    }
    json_error_t where;
    json_t *nights = json_loadf(stdin, 0, &where);
    if (!nights) {
        fprintf(stderr, "chart: standard input, line %d: %s\n", where.line, where.text);
        return 1;
    }
    const char *mode = argc > 1 ? argv[1] : "";
    bool comparison = strcmp(mode, "compare") == 0, embedded = strcmp(mode, "embed") == 0;
    bool words = strcmp(mode, "words") == 0, flame = strcmp(mode, "flame") == 0;
    if (comparison || embedded || words || flame || strcmp(mode, "columns") == 0) {
        bool written = comparison ? print_comparison(nights)
                       : embedded ? print_embedded(nights)
                       : words    ? print_words(nights)
                       : flame    ? print_flame(nights)
                                  : print_columns(nights, &options);
        json_decref(nights);
        return written ? 0 : 1;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) file = web_chart_render(nights, &options, format, &error);
    json_decref(nights);
    if (!file) {
        fprintf(stderr, "chart: %s\n", error->message);
        return 1;
    }
    gsize size;
    const void *data = g_bytes_get_data(file, &size);
    bool written = fwrite(data, 1, size, stdout) == size && fflush(stdout) == 0;
    return written ? 0 : 1;
}
