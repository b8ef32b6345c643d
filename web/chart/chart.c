#include "web/chart/chart.h"

#include "web/chart/history.h"
#include "web/layout/layout.h"
#include "web/paint/paint.h"

G_DEFINE_QUARK(web_chart_error, web_chart_error)

static const web_chart_options defaults = {0};

GBytes *web_chart_render(const json_t *nights, const web_chart_options *options,
                         web_chart_format format, GError **error) {
    if (!options)
        options = &defaults;
    g_autoptr(web_history) history =
        web_history_new(nights, options->until, options->leaf, options->nights, error);
    return history ? web_chart_render_history(history, options, format, error) : NULL;
}

GBytes *web_chart_render_history(const web_history *history, const web_chart_options *options,
                                 web_chart_format format, GError **error) {
    if (!options)
        options = &defaults;
    bool whole =
        !options->until && (options->nights == 0 || options->nights >= history->nights->len);
    g_autoptr(web_history) window =
        whole ? NULL : web_history_window(history, options->until, options->nights);
    const web_history *shown = window ? window : history;
    g_autoptr(web_layout) layout = web_layout_new(shown, options);
    if (format == WEB_CHART_SVG)
        return web__svg_write(layout, shown, options->theme);
    return web__paint(layout, shown, options->theme, format, options->scale, error);
}

const char *web_chart_media_type(web_chart_format format) {
    switch (format) {
    case WEB_CHART_PNG:
        return "image/png";
    case WEB_CHART_PDF:
        return "application/pdf";
    case WEB_CHART_SVG:
        break;
    }
    return "image/svg+xml";
}
