#include "web/chart.h"

#include "web/history.h"
#include "web/layout.h"
#include "web/paint.h"

G_DEFINE_QUARK(web_chart_error, web_chart_error)

GBytes *web_chart_render(const json_t *nights, const web_chart_options *options,
                         web_chart_format format, GError **error) {
    static const web_chart_options defaults = {0};
    if (!options)
        options = &defaults;
    g_autoptr(web_history) history =
        web_history_new(nights, options->until, options->leaf, options->nights, error);
    if (!history)
        return NULL;
    g_autoptr(web_layout) layout = web_layout_new(history, options);
    return web__paint(layout, history, options->theme, format, options->scale, error);
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
