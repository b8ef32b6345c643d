#include "web/paint/paint.h"

#include <cairo-pdf.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <pthread.h>
#include <string.h>

#include "web/paint/palette.h"
#include "web/paint/png.h"

#define HATCH_DISTANCE 6.0
#define HATCH_BAR_MIN 6.0 /* narrower bars are only muddied by a hatch */

typedef struct {
    cairo_t *cr;
    PangoLayout *text;
    const web_layout *layout;
    const web_history *history;
    const web_palette *palette;
    web_theme theme;
} brush;

static void set_colour(const brush *b, web_colour c, double alpha) {
    cairo_set_source_rgba(b->cr, c.red, c.green, c.blue, alpha);
}

static void add_box(const brush *b, web_box box) {
    cairo_rectangle(b->cr, box.x, box.y, box.width, box.height);
}

static void line(const brush *b, double x1, double y1, double x2, double y2) {
    cairo_move_to(b->cr, x1, y1);
    cairo_line_to(b->cr, x2, y2);
}

/* Crisp one-pixel lines lie on half pixels. */
static double crisp(double v) {
    return floor(v) + 0.5;
}

/* Diagonal or flat lines over the box; clip first. */
static void hatch_lines(const brush *b, web_hatch hatch, web_box box) {
    double right = box.x + box.width, bottom = box.y + box.height;
    if (hatch == WEB_HATCH_FLAT) {
        for (int i = 0; i * HATCH_DISTANCE < box.height; i++)
            line(b, box.x, box.y + i * HATCH_DISTANCE, right, box.y + i * HATCH_DISTANCE);
        return;
    }
    for (int i = 0; i * HATCH_DISTANCE < box.width + box.height; i++) {
        double x = box.x - box.height + i * HATCH_DISTANCE;
        if (hatch == WEB_HATCH_UP)
            line(b, x, bottom, x + box.height, box.y);
        else
            line(b, x, box.y, x + box.height, bottom);
    }
}

static void hatch_path(const brush *b, web_hatch hatch, web_box box) {
    if (hatch == WEB_HATCH_NONE)
        return;
    cairo_save(b->cr);
    cairo_clip(b->cr);
    hatch_lines(b, hatch, box);
    set_colour(b, b->palette->hatch, 0.3);
    cairo_set_line_width(b->cr, 1);
    cairo_stroke(b->cr);
    cairo_restore(b->cr);
}

/* All segments of a series as one path: the file stays small and the hatch needs one clip. */
static void add_series_path(const brush *b, guint series) {
    for (guint i = 0; i < b->layout->rects->len; i++) {
        const web_rect *r = &g_array_index(b->layout->rects, web_rect, i);
        if (r->series == series)
            add_box(b, r->box);
    }
}

static void paint_series(const brush *b, guint s) {
    const char *name = g_array_index(b->history->series, web_series, s).name;
    cairo_new_path(b->cr);
    add_series_path(b, s);
    set_colour(b, web__series_colour(name, s, b->theme), 1);
    cairo_fill(b->cr);
    if (b->layout->nights_per_column == 1 && b->layout->column_width * 0.7 >= HATCH_BAR_MIN) {
        add_series_path(b, s);
        hatch_path(b, web__series_hatch(name, s), b->layout->plot);
        cairo_new_path(b->cr);
    }
}

static void paint_grid(const brush *b) {
    const web_box *plot = &b->layout->plot;
    for (guint i = 0; i < b->layout->ticks->len; i++) {
        double y = crisp(g_array_index(b->layout->ticks, web_tick, i).y);
        line(b, plot->x, y, plot->x + plot->width, y);
    }
    set_colour(b, b->palette->grid, 1);
    cairo_set_line_width(b->cr, 1);
    cairo_stroke(b->cr);
}

static void cross(const brush *b, double x, double y, double r) {
    line(b, x - r, y - r, x + r, y + r);
    line(b, x - r, y + r, x + r, y - r);
}

static void diamond(const brush *b, double x, double y, double r) {
    cairo_move_to(b->cr, x, y - r);
    cairo_line_to(b->cr, x + r, y);
    cairo_line_to(b->cr, x, y + r);
    cairo_line_to(b->cr, x - r, y);
    cairo_close_path(b->cr);
}

static void gap_mark(const brush *b, web_gap_kind kind, double x, double y, double r) {
    cairo_set_line_width(b->cr, 1.6);
    set_colour(b, b->palette->muted, 1);
    if (kind == WEB_GAP_FAILED)
        cross(b, x, y, r);
    else if (kind == WEB_GAP_QUARANTINED)
        diamond(b, x, y, r);
    else
        line(b, x - r, y, x + r, y);
    cairo_stroke(b->cr);
}

static void paint_gaps(const brush *b) {
    for (guint i = 0; i < b->layout->gaps->len; i++) {
        const web_gap *gap = &g_array_index(b->layout->gaps, web_gap, i);
        add_box(b, gap->box);
        set_colour(b, b->palette->band, 1);
        cairo_fill(b->cr);
        double r = fmax(1.5, fmin(4.5, gap->box.width * 0.3));
        gap_mark(b, gap->kind, gap->box.x + gap->box.width / 2, b->layout->zero_y - r - 3, r);
    }
}

static void paint_zero(const brush *b) {
    double y = crisp(b->layout->zero_y);
    line(b, b->layout->plot.x, y, b->layout->plot.x + b->layout->plot.width, y);
    set_colour(b, b->palette->muted, 1);
    cairo_set_line_width(b->cr, 1);
    cairo_stroke(b->cr);
}

static void paint_whiskers(const brush *b, guint series, web_colour colour) {
    double width = b->layout->column_width < 8 ? 1 : 1.4;
    for (guint i = 0; i < b->layout->whiskers->len; i++) {
        const web_whisker *w = &g_array_index(b->layout->whiskers, web_whisker, i);
        if (w->series != series)
            continue;
        line(b, w->x, w->low_y, w->x, w->high_y);
        if (w->cap >= 1.5) {
            line(b, w->x - w->cap, w->low_y, w->x + w->cap, w->low_y);
            line(b, w->x - w->cap, w->high_y, w->x + w->cap, w->high_y);
        }
    }
    set_colour(b, colour, 1);
    cairo_set_line_width(b->cr, width);
    cairo_stroke(b->cr);
}

static void paint_line(const brush *b, guint s) {
    web_colour colour =
        web__series_colour(g_array_index(b->history->series, web_series, s).name, s, b->theme);
    paint_whiskers(b, s, colour);
    cairo_new_path(b->cr);
    for (guint i = 0; i < b->layout->points->len; i++) {
        const web_point *at = &g_array_index(b->layout->points, web_point, i);
        if (at->series == s)
            (at->starts ? cairo_move_to : cairo_line_to)(b->cr, at->x, at->y);
    }
    set_colour(b, colour, 1);
    cairo_set_line_width(b->cr, 1.6);
    cairo_stroke(b->cr);
    for (guint i = 0; i < b->layout->points->len; i++) {
        const web_point *at = &g_array_index(b->layout->points, web_point, i);
        if (at->series != s)
            continue;
        cairo_new_sub_path(b->cr);
        cairo_arc(b->cr, at->x, at->y, web__point_size(b->layout) / 2, 0, 2 * G_PI);
    }
    cairo_fill(b->cr);
}

static void set_dashes(const brush *b, const double *dashes) {
    int n = 0;
    while (dashes && dashes[n] > 0)
        n++;
    cairo_set_dash(b->cr, dashes, n, 0);
}

static void divider(const brush *b, web_boundary_kind kind, double x, double top, double bottom) {
    set_dashes(b, web__boundary_dashes(kind));
    set_colour(b, b->palette->muted, 1);
    cairo_set_line_width(b->cr, 1.3);
    line(b, x, top, x, bottom);
    cairo_stroke(b->cr);
    set_dashes(b, NULL);
}

static void paint_boundaries(const brush *b) {
    const web_box *plot = &b->layout->plot;
    for (guint i = 0; i < b->layout->boundaries->len; i++) {
        const web_boundary *at = &g_array_index(b->layout->boundaries, web_boundary, i);
        divider(b, at->kind, crisp(at->x), plot->y, plot->y + plot->height);
    }
}

static void ellipse(const brush *b, double cx, double cy, double rx, double ry) {
    cairo_save(b->cr);
    cairo_translate(b->cr, cx, cy);
    cairo_scale(b->cr, rx, ry);
    cairo_new_sub_path(b->cr);
    cairo_arc(b->cr, 0, 0, 1, 0, 2 * G_PI);
    cairo_restore(b->cr);
}

/* Up is a full triangle, down a hollow one, unknown a full dot: told apart without colour. */
static void arrow(const brush *b, double x, double y, int direction) {
    const double r = 4.5;
    if (direction == 0) {
        cairo_new_sub_path(b->cr);
        cairo_arc(b->cr, x, y, 3, 0, 2 * G_PI);
        cairo_fill(b->cr);
        return;
    }
    cairo_move_to(b->cr, x - r, y + direction * r);
    cairo_line_to(b->cr, x + r, y + direction * r);
    cairo_line_to(b->cr, x, y - direction * r);
    cairo_close_path(b->cr);
    cairo_set_line_width(b->cr, 1.5);
    if (direction > 0)
        cairo_fill_preserve(b->cr);
    cairo_stroke(b->cr);
}

static void ring_at(const brush *b, web_ring_kind kind, double cx, double cy, double rx,
                    double ry) {
    set_colour(b, kind == WEB_RING_ANOMALY ? b->palette->ring : b->palette->muted, 1);
    set_dashes(b, kind == WEB_RING_ANOMALY ? NULL : web__ring_dashes());
    ellipse(b, cx, cy, rx, ry);
    cairo_set_line_width(b->cr, 2);
    cairo_stroke(b->cr);
    set_dashes(b, NULL);
}

static void paint_rings(const brush *b) {
    for (guint i = 0; i < b->layout->rings->len; i++) {
        const web_ring *ring = &g_array_index(b->layout->rings, web_ring, i);
        ring_at(b, ring->kind, ring->cx, ring->cy, ring->rx, ring->ry);
        if (ring->kind == WEB_RING_ANOMALY)
            arrow(b, ring->mark_x, ring->mark_y, ring->direction);
        else if (ring->kind == WEB_RING_CLEARED)
            gap_mark(b, WEB_GAP_FAILED, ring->mark_x, ring->mark_y, 3);
    }
}

static void paint_series_swatch(const brush *b, const web_swatch *swatch) {
    const char *name = g_array_index(b->history->series, web_series, swatch->series).name;
    add_box(b, swatch->box);
    set_colour(b, web__series_colour(name, swatch->series, b->theme), 1);
    cairo_fill_preserve(b->cr);
    if (b->layout->view == WEB_VIEW_BARS)
        hatch_path(b, web__series_hatch(name, swatch->series), swatch->box);
    cairo_new_path(b->cr);
}

static void paint_swatch(const brush *b, const web_swatch *swatch) {
    double x = swatch->box.x + swatch->box.width / 2, y = swatch->box.y + swatch->box.height / 2;
    switch (swatch->kind) {
    case WEB_SWATCH_SERIES:
        paint_series_swatch(b, swatch);
        break;
    case WEB_SWATCH_RING:
        ring_at(b, WEB_RING_ANOMALY, x, y, 5.5, 5.5);
        break;
    case WEB_SWATCH_WATCHED:
        ring_at(b, WEB_RING_WATCHED, x, y, 5.5, 5.5);
        break;
    case WEB_SWATCH_CLEARED:
        ring_at(b, WEB_RING_CLEARED, x, y, 5.5, 5.5);
        gap_mark(b, WEB_GAP_FAILED, x, y, 3);
        break;
    case WEB_SWATCH_ENVIRONMENT:
        divider(b, WEB_BOUNDARY_ENVIRONMENT, x, y - 7, y + 7);
        break;
    case WEB_SWATCH_ACCEPTED:
        divider(b, WEB_BOUNDARY_ACCEPTED, x, y - 7, y + 7);
        break;
    case WEB_SWATCH_RELEASE:
        divider(b, WEB_BOUNDARY_RELEASE, x, y - 7, y + 7);
        break;
    case WEB_SWATCH_FAILED:
        gap_mark(b, WEB_GAP_FAILED, x, y, 4);
        break;
    case WEB_SWATCH_QUARANTINED:
        gap_mark(b, WEB_GAP_QUARANTINED, x, y, 4);
        break;
    case WEB_SWATCH_MISSING:
        add_box(b, swatch->box);
        set_colour(b, b->palette->band, 1);
        cairo_fill(b->cr);
        gap_mark(b, WEB_GAP_MISSING, x, y, 4);
        break;
    }
}

static void paint_label(const brush *b, const web_label *label) {
    static const char *const FAMILY = "DejaVu Sans, sans-serif";
    PangoFontDescription *font = pango_font_description_from_string(FAMILY);
    pango_font_description_set_absolute_size(font, label->size * PANGO_SCALE);
    if (web__label_bold(label->role))
        pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(b->text, font);
    pango_font_description_free(font);
    pango_layout_set_width(b->text, -1);
    pango_layout_set_text(b->text, label->text, -1);
    int width, height;
    pango_layout_get_pixel_size(b->text, &width, &height);
    if (width > label->max_width) {
        width = (int)label->max_width;
        pango_layout_set_width(b->text, width * PANGO_SCALE);
    }
    set_colour(b, web__label_colour(label->role, b->palette), 1);
    cairo_save(b->cr);
    cairo_translate(b->cr, label->x, label->y);
    cairo_rotate(b->cr, label->angle);
    cairo_move_to(b->cr, -width * label->align, -height / 2.0);
    pango_cairo_show_layout(b->cr, b->text);
    cairo_restore(b->cr);
    cairo_new_path(b->cr);
}

static void paint_all(const brush *b) {
    cairo_set_line_cap(b->cr, CAIRO_LINE_CAP_BUTT);
    set_colour(b, b->palette->background, 1);
    cairo_paint(b->cr);
    paint_gaps(b);
    paint_grid(b);
    bool lines = b->layout->view == WEB_VIEW_LINES;
    for (guint s = 0; s < b->history->series->len && !lines; s++)
        paint_series(b, s);
    if (b->layout->ticks->len > 0)
        paint_zero(b);
    paint_boundaries(b);
    for (guint s = 0; s < b->history->series->len && lines; s++)
        paint_line(b, s);
    if (!lines)
        paint_whiskers(b, G_MAXUINT, b->palette->ink);
    paint_rings(b);
    for (guint i = 0; i < b->layout->swatches->len; i++)
        paint_swatch(b, &g_array_index(b->layout->swatches, web_swatch, i));
    for (guint i = 0; i < b->layout->labels->len; i++)
        paint_label(b, &g_array_index(b->layout->labels, web_label, i));
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned length) {
    g_byte_array_append(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

/*
 * Cairo and Pango promise to be thread-safe, but their shared glyph caches have raced before; texts
 * are most of a chart, so drawing is serial. Compressing a PNG takes longer and is not.
 */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;

static cairo_status_t draw(cairo_surface_t *surface, const web_layout *layout,
                           const web_history *history, web_theme theme) {
    cairo_t *cr = cairo_create(surface);
    brush b = {cr, pango_cairo_create_layout(cr), layout, history, web__palette(theme), theme};
    pango_layout_set_ellipsize(b.text, PANGO_ELLIPSIZE_END);
    pango_layout_set_single_paragraph_mode(b.text, TRUE);
    paint_all(&b);
    g_object_unref(b.text);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    return status;
}

static GBytes *paint_error(cairo_status_t status, GError **error) {
    g_set_error(error, WEB_CHART_ERROR, WEB_CHART_ERROR_PAINT, "drawing the chart failed: %s",
                cairo_status_to_string(status));
    return NULL;
}

static GBytes *paint_pdf(const web_layout *layout, const web_history *history, web_theme theme,
                         GError **error) {
    GByteArray *out = g_byte_array_new();
    pthread_mutex_lock(&drawing);
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, out, layout->width, layout->height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, layout->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, layout->description);
    cairo_status_t status = draw(surface, layout, history, theme);
    cairo_surface_finish(surface); /* writes the file, fonts included */
    pthread_mutex_unlock(&drawing);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return g_byte_array_free_to_bytes(out);
    g_byte_array_unref(out);
    return paint_error(status, error);
}

static GBytes *paint_png(const web_layout *layout, const web_history *history, web_theme theme,
                         int scale, GError **error) {
    int width = (int)layout->width * scale, height = (int)layout->height * scale;
    pthread_mutex_lock(&drawing);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_surface_set_device_scale(surface, scale, scale);
    cairo_status_t status = draw(surface, layout, history, theme);
    pthread_mutex_unlock(&drawing);
    cairo_surface_flush(surface);
    GBytes *png = status == CAIRO_STATUS_SUCCESS
                      ? web__png_encode(cairo_image_surface_get_data(surface), width, height,
                                        cairo_image_surface_get_stride(surface), error)
                      : paint_error(status, error);
    cairo_surface_destroy(surface);
    return png;
}

GBytes *web__paint(const web_layout *layout, const web_history *history, web_theme theme,
                   web_chart_format format, int scale, GError **error) {
    if (format == WEB_CHART_PNG)
        return paint_png(layout, history, theme, scale >= 2 ? 2 : 1, error);
    return paint_pdf(layout, history, theme, error);
}

#ifdef __SANITIZE_ADDRESS__
/*
 * Fontconfig and Pango keep some hundred bytes once a process. Giving them back at the end
 * (cairo_debug_reset_static_data) aborts when Pango's font thread is still busy, so the leak
 * checker is told instead.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\nleak:libpango\nleak:libcairo\n";
}
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}
#endif

#ifdef __SANITIZE_THREAD__
/* These libraries are not compiled for the checker: it does not see Pango's own locks. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "race:libpango\nrace:libfontconfig\nrace:libcairo\n";
}
#endif
