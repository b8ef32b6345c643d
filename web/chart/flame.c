#include "web/chart/flame.h"

#include "web/layout/flame.h"
#include "web/paint/paint.h"
#include "web/paint/svg.h"

GBytes *web_flame_render(const det_stacks *stacks, const det_contrast_plan *plan,
                         const web_flame_options *options, web_chart_format format,
                         GError **error) {
    g_autoptr(web_flame_layout) layout = web_flame_layout_new(stacks, plan, options);
    if (format == WEB_CHART_SVG)
        return web__svg_write_flame(layout, options->theme);
    return web__paint_flame(layout, options->theme, options->scale, error);
}
