#include "web/paint/cairo_pen.h"

#include <math.h>

#define FAMILY "DejaVu Sans, sans-serif"

static web__cairo_pen *self(web_pen *pen) {
    return (web__cairo_pen *)(void *)pen;
}

static void set_colour(cairo_t *cr, web_colour c, double alpha) {
    cairo_set_source_rgba(cr, c.red, c.green, c.blue, alpha);
}

static void set_dashes(cairo_t *cr, const double *dashes) {
    int n = 0;
    while (dashes && dashes[n] > 0)
        n++;
    cairo_set_dash(cr, dashes, n, 0);
}

static void set_line(cairo_t *cr, const web_ink *ink) {
    set_dashes(cr, ink->dashes);
    cairo_set_line_cap(cr, ink->round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, ink->width);
}

static void page(web_pen *pen, const web_page *page) {
    self(pen)->background = page->background;
    set_colour(self(pen)->cr, page->background, 1);
    cairo_paint(self(pen)->cr);
}

static void begin(web_pen *pen, const web_ink *ink) {
    cairo_new_path(self(pen)->cr);
    self(pen)->ink = *ink;
}

static void move(web_pen *pen, double x, double y) {
    cairo_move_to(self(pen)->cr, x, y);
}

static void line(web_pen *pen, double x, double y) {
    cairo_line_to(self(pen)->cr, x, y);
}

static void across(web_pen *pen, double dx) {
    cairo_rel_line_to(self(pen)->cr, dx, 0);
}

static void down(web_pen *pen, double dy) {
    cairo_rel_line_to(self(pen)->cr, 0, dy);
}

static void close_path(web_pen *pen) {
    cairo_close_path(self(pen)->cr);
}

static void box(web_pen *pen, web_box at) {
    cairo_rectangle(self(pen)->cr, at.x, at.y, at.width, at.height);
}

/* The first line at or before v, of those that are WEB__HATCH_DISTANCE apart and go through 0. */
static double line_before(double v) {
    return floor(v / WEB__HATCH_DISTANCE) * WEB__HATCH_DISTANCE;
}

/* Lines over the box, in step on the whole page, as an SVG's pattern has them. */
static void add_hatch(cairo_t *cr, web_hatch hatch, web_box b) {
    const double step = WEB__HATCH_DISTANCE, right = b.x + b.width, bottom = b.y + b.height;
    if (hatch == WEB_HATCH_FLAT) {
        const double top = line_before(b.y) + step / 2;
        for (int i = 0; top + i * step < bottom; i++) {
            cairo_move_to(cr, b.x, top + i * step);
            cairo_line_to(cr, right, top + i * step);
        }
        return;
    }
    double sign = hatch == WEB_HATCH_UP ? 1 : -1; /* of y in x + y or x - y, the same on a line */
    double first = hatch == WEB_HATCH_UP ? b.x + b.y : b.x - bottom;
    for (int i = 0; i * step < b.width + b.height + 2 * step; i++) {
        const double v = line_before(first) + i * step;
        cairo_move_to(cr, v - sign * b.y, b.y);
        cairo_line_to(cr, v - sign * bottom, bottom);
    }
}

static void fill_pattern(cairo_t *cr, const web_pattern *pattern) {
    web_box b;
    cairo_fill_extents(cr, &b.x, &b.y, &b.width, &b.height);
    b.width -= b.x;
    b.height -= b.y;
    set_colour(cr, pattern->ground, 1);
    cairo_fill_preserve(cr);
    cairo_save(cr);
    cairo_clip(cr);
    add_hatch(cr, pattern->hatch, b);
    set_colour(cr, pattern->lines, WEB__HATCH_OPACITY);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
    cairo_restore(cr);
}

static void end(web_pen *pen) {
    cairo_t *cr = self(pen)->cr;
    const web_ink *ink = &self(pen)->ink;
    set_line(cr, ink);
    set_colour(cr, ink->colour, 1);
    switch (ink->kind) {
    case WEB_INK_LINE:
        cairo_stroke(cr);
        break;
    case WEB_INK_AREA:
        if (ink->pattern)
            fill_pattern(cr, ink->pattern);
        else
            cairo_fill(cr);
        break;
    case WEB_INK_SHAPE:
        cairo_fill_preserve(cr);
        cairo_stroke(cr);
        break;
    }
}

static void block(web_pen *pen, web_box at, web_colour colour) {
    cairo_t *cr = self(pen)->cr;
    cairo_new_path(cr);
    cairo_rectangle(cr, at.x, at.y, at.width, at.height);
    set_colour(cr, colour, 1);
    cairo_fill(cr);
}

static void ellipse(web_pen *pen, const web_ink *ink, double cx, double cy, double rx, double ry) {
    cairo_t *cr = self(pen)->cr;
    cairo_new_path(cr);
    cairo_save(cr);
    cairo_translate(cr, cx, cy);
    cairo_scale(cr, rx, ry);
    cairo_arc(cr, 0, 0, 1, 0, 2 * G_PI);
    cairo_restore(cr);
    set_line(cr, ink);
    set_colour(cr, ink->colour, 1);
    cairo_stroke(cr);
}

/* Under the words that are shown next, at the same place. */
static void put_halo(web__cairo_pen *pen, PangoLayout *words) {
    double x, y;
    cairo_get_current_point(pen->cr, &x, &y);
    pango_cairo_layout_path(pen->cr, words);
    set_colour(pen->cr, pen->background, 1);
    cairo_set_dash(pen->cr, NULL, 0, 0);
    cairo_set_line_join(pen->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(pen->cr, WEB__HALO);
    cairo_stroke(pen->cr);
    cairo_move_to(pen->cr, x, y);
}

static void text(web_pen *pen, const web_label *label, web_colour colour, bool bold) {
    PangoLayout *words = self(pen)->words;
    cairo_t *cr = self(pen)->cr;
    pango_font_description_set_absolute_size(self(pen)->font, label->size * PANGO_SCALE);
    pango_font_description_set_weight(self(pen)->font,
                                      bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(words, self(pen)->font);
    pango_layout_set_width(words, -1);
    pango_layout_set_text(words, label->text, -1);
    int width, height;
    pango_layout_get_pixel_size(words, &width, &height);
    if (width > label->max_width) {
        width = (int)label->max_width;
        pango_layout_set_width(words, width * PANGO_SCALE);
    }
    cairo_save(cr);
    cairo_translate(cr, label->x, label->y);
    cairo_rotate(cr, label->angle);
    cairo_move_to(cr, -width * label->align, -height / 2.0);
    if (web__label_halo(label->role))
        put_halo(self(pen), words);
    set_colour(cr, colour, 1);
    pango_cairo_show_layout(cr, words);
    cairo_restore(cr);
    cairo_new_path(cr);
}

void web__cairo_pen_take(web__cairo_pen *pen, cairo_t *cr) {
    *pen = (web__cairo_pen){.pen = {.page = page,
                                    .begin = begin,
                                    .move = move,
                                    .line = line,
                                    .across = across,
                                    .down = down,
                                    .close = close_path,
                                    .box = box,
                                    .end = end,
                                    .block = block,
                                    .ellipse = ellipse,
                                    .text = text},
                            .cr = cr,
                            .words = pango_cairo_create_layout(cr),
                            .font = pango_font_description_from_string(FAMILY)};
    pango_layout_set_ellipsize(pen->words, PANGO_ELLIPSIZE_END);
    pango_layout_set_single_paragraph_mode(pen->words, TRUE);
}

void web__cairo_pen_drop(web__cairo_pen *pen) {
    pango_font_description_free(pen->font);
    g_object_unref(pen->words);
}
