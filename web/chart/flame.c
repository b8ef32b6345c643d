#include "web/chart/flame.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "web/layout/flame.h"
#include "web/layout/text.h"
#include "web/paint/flame.h"
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

enum { NAME_CHARS = 200, DIGITS = 6 };

static json_t *frame_json(const det_stacks *stacks, const web_flame_options *options,
                          const web_flame_rect *rect) {
    const web_colour c = web__flame_colour(rect->share, options->theme);
    g_autofree char *fill = g_strdup_printf("#%02lx%02lx%02lx", lround(255 * c.red),
                                            lround(255 * c.green), lround(255 * c.blue));
    g_autofree char *name = web_text_clean(det_stacks_frame(stacks, rect->frame).name, NAME_CHARS);
    g_autofree char *words = web_flame_words(stacks, options, rect);
    return json_pack("{s:s, s:s, s:i, s:f, s:f, s:s}", "name", name, "words", words, "row",
                     rect->row, "x", rect->box.x, "width", rect->box.width, "fill", fill);
}

GBytes *web_flame_json(const det_stacks *stacks, const det_contrast_plan *plan,
                       const web_flame_options *options) {
    g_autoptr(web_flame_layout) layout = web_flame_layout_new(stacks, plan, options);
    json_t *frames = json_array();
    int rows = 0;
    for (guint i = 0; i < layout->rects->len; i++) {
        const web_flame_rect *rect = &g_array_index(layout->rects, web_flame_rect, i);
        rows = MAX(rows, rect->row + 1);
        json_array_append_new(frames, frame_json(stacks, options, rect));
    }
    json_t *all =
        json_pack("{s:s, s:s, s:f, s:i, s:o}", "title", layout->title, "note", layout->description,
                  "width", layout->width, "rows", rows, "frames", frames);
    char *text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    json_decref(all);
    return g_bytes_new_with_free_func(text, strlen(text), free, text);
}
