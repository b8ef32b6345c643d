#include "web/paint/svg.h"

#include <math.h>
#include <stdlib.h>

#include "web/paint/palette.h"

#define HATCH_BAR_MIN 6.0 /* narrower bars are only muddied by a hatch */
#define BASELINE 0.35     /* of the font size, from the middle of a line to its baseline */

typedef struct {
    GString *out;
    const web_layout *layout;
    const web_history *history;
    const web_palette *palette;
    web_theme theme;
    bool hatched;
} pen;

/* Tenths of a pixel are enough; printf would be most of the time spent here. */
static void put_number(GString *out, double v) {
    char digits[24];
    size_t at = sizeof digits;
    long tenths = lround(v * 10);
    unsigned long rest = (unsigned long)labs(tenths);
    if (rest % 10 != 0) {
        digits[--at] = (char)('0' + rest % 10);
        digits[--at] = '.';
    }
    rest /= 10;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (tenths < 0)
        digits[--at] = '-';
    g_string_append_len(out, digits + at, (gssize)(sizeof digits - at));
}

static void put_point(GString *out, char command, double x, double y) {
    g_string_append_c(out, command);
    put_number(out, x);
    g_string_append_c(out, ' ');
    put_number(out, y);
}

static void put_step(GString *out, char command, double v) {
    g_string_append_c(out, command);
    put_number(out, v);
}

static void put_colour(GString *out, web_colour c) {
    g_string_append_printf(out, "#%02x%02x%02x", (unsigned)lround(c.red * 255),
                           (unsigned)lround(c.green * 255), (unsigned)lround(c.blue * 255));
}

static void put_escaped(GString *out, const char *text) {
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append(out, escaped);
}

static void put_attribute(GString *out, const char *name, double v) {
    g_string_append_printf(out, " %s=\"", name);
    put_number(out, v);
    g_string_append_c(out, '"');
}

static void put_colour_attribute(GString *out, const char *name, web_colour c) {
    g_string_append_printf(out, " %s=\"", name);
    put_colour(out, c);
    g_string_append_c(out, '"');
}

static void put_box(GString *out, web_box box) {
    put_point(out, 'M', box.x, box.y);
    put_step(out, 'h', box.width);
    put_step(out, 'v', box.height);
    put_step(out, 'h', -box.width);
    g_string_append_c(out, 'z');
}

static void rect(const pen *p, web_box box, web_colour fill) {
    g_string_append(p->out, "<rect");
    put_attribute(p->out, "x", box.x);
    put_attribute(p->out, "y", box.y);
    put_attribute(p->out, "width", box.width);
    put_attribute(p->out, "height", box.height);
    put_colour_attribute(p->out, "fill", fill);
    g_string_append(p->out, "/>\n");
}

static void put_dashes(const pen *p, const double *dashes) {
    g_string_append(p->out, " stroke-dasharray=\"");
    for (; *dashes > 0; dashes++) {
        put_number(p->out, *dashes);
        g_string_append_c(p->out, ' ');
    }
    g_string_truncate(p->out, p->out->len - 1);
    g_string_append_c(p->out, '"');
}

/* Opens <path …  d=" for strokes; close with close_path. dashes: ends with 0, or NULL. */
static void open_stroke(const pen *p, web_colour colour, double width, const double *dashes) {
    g_string_append(p->out, "<path fill=\"none\"");
    put_colour_attribute(p->out, "stroke", colour);
    put_attribute(p->out, "stroke-width", width);
    if (dashes)
        put_dashes(p, dashes);
    g_string_append(p->out, " d=\"");
}

static void close_path(const pen *p) {
    g_string_append(p->out, "\"/>\n");
}

static double crisp(double v) {
    return floor(v) + 0.5;
}

static const char *hatch_lines(web_hatch hatch) {
    switch (hatch) {
    case WEB_HATCH_UP:
        return "M-1 1l2-2M0 6l6-6M5 7l2-2";
    case WEB_HATCH_DOWN:
        return "M-1 5l2 2M0 0l6 6M5-1l2 2";
    case WEB_HATCH_FLAT:
        return "M0 3h6";
    case WEB_HATCH_NONE:
        break;
    }
    return NULL;
}

static const char *series_name(const pen *p, guint s) {
    return g_array_index(p->history->series, web_series, s).name;
}

static void put_patterns(const pen *p) {
    g_string_append(p->out, "<defs>");
    for (guint s = 0; s < p->history->series->len; s++) {
        const char *lines = hatch_lines(web__series_hatch(series_name(p, s), s));
        if (!lines)
            continue;
        g_string_append_printf(p->out,
                               "<pattern id=\"h%u\" width=\"6\" height=\"6\" "
                               "patternUnits=\"userSpaceOnUse\"><path d=\"M0 0h6v6h-6z\"",
                               s);
        put_colour_attribute(p->out, "fill", web__series_colour(series_name(p, s), s, p->theme));
        g_string_append_printf(p->out, "/><path d=\"%s\" stroke-opacity=\".3\"", lines);
        put_colour_attribute(p->out, "stroke", p->palette->hatch);
        g_string_append(p->out, "/></pattern>");
    }
    g_string_append(p->out, "</defs>\n");
}

static void put_fill(const pen *p, guint s, bool hatched) {
    if (hatched && web__series_hatch(series_name(p, s), s) != WEB_HATCH_NONE)
        g_string_append_printf(p->out, " fill=\"url(#h%u)\"", s);
    else
        put_colour_attribute(p->out, "fill", web__series_colour(series_name(p, s), s, p->theme));
}

static void put_series(const pen *p, guint s) {
    g_string_append(p->out, "<path");
    put_fill(p, s, p->hatched);
    g_string_append(p->out, " d=\"");
    for (guint i = 0; i < p->layout->rects->len; i++) {
        const web_rect *r = &g_array_index(p->layout->rects, web_rect, i);
        if (r->series == s)
            put_box(p->out, r->box);
    }
    close_path(p);
}

static void put_mark(const pen *p, web_gap_kind kind, double x, double y, double r) {
    if (kind == WEB_GAP_FAILED) {
        put_point(p->out, 'M', x - r, y - r);
        put_point(p->out, 'L', x + r, y + r);
        put_point(p->out, 'M', x - r, y + r);
        put_point(p->out, 'L', x + r, y - r);
    } else if (kind == WEB_GAP_QUARANTINED) {
        put_point(p->out, 'M', x - r, y);
        put_point(p->out, 'L', x, y - r);
        put_point(p->out, 'L', x + r, y);
        put_point(p->out, 'L', x, y + r);
        g_string_append_c(p->out, 'z');
    } else {
        put_point(p->out, 'M', x - r, y);
        put_step(p->out, 'h', 2 * r);
    }
}

static void put_gaps(const pen *p) {
    const GArray *gaps = p->layout->gaps;
    for (guint i = 0; i < gaps->len; i++)
        rect(p, g_array_index(gaps, web_gap, i).box, p->palette->band);
    open_stroke(p, p->palette->muted, 1.6, NULL);
    for (guint i = 0; i < gaps->len; i++) {
        const web_gap *gap = &g_array_index(gaps, web_gap, i);
        double r = fmax(1.5, fmin(4.5, gap->box.width * 0.3));
        put_mark(p, gap->kind, gap->box.x + gap->box.width / 2, p->layout->zero_y - r - 3, r);
    }
    close_path(p);
}

static void put_grid(const pen *p) {
    open_stroke(p, p->palette->grid, 1, NULL);
    for (guint i = 0; i < p->layout->ticks->len; i++) {
        put_point(p->out, 'M', p->layout->plot.x,
                  crisp(g_array_index(p->layout->ticks, web_tick, i).y));
        put_step(p->out, 'h', p->layout->plot.width);
    }
    close_path(p);
}

static void put_zero(const pen *p) {
    open_stroke(p, p->palette->muted, 1, NULL);
    put_point(p->out, 'M', p->layout->plot.x, crisp(p->layout->zero_y));
    put_step(p->out, 'h', p->layout->plot.width);
    close_path(p);
}

static void put_boundaries(const pen *p) {
    for (int kind = 0; kind <= WEB_BOUNDARY_RELEASE; kind++) {
        bool open = false;
        for (guint i = 0; i < p->layout->boundaries->len; i++) {
            const web_boundary *at = &g_array_index(p->layout->boundaries, web_boundary, i);
            if ((int)at->kind != kind)
                continue;
            if (!open)
                open_stroke(p, p->palette->muted, 1.2, web__boundary_dashes(at->kind));
            open = true;
            put_point(p->out, 'M', crisp(at->x), p->layout->plot.y);
            put_step(p->out, 'v', p->layout->plot.height);
        }
        if (open)
            close_path(p);
    }
}

/* series: only its own, in a line chart; G_MAXUINT: the totals'. */
static void put_whiskers(const pen *p, guint series, web_colour colour) {
    open_stroke(p, colour, p->layout->column_width < 8 ? 1 : 1.4, NULL);
    for (guint i = 0; i < p->layout->whiskers->len; i++) {
        const web_whisker *w = &g_array_index(p->layout->whiskers, web_whisker, i);
        if (w->series != series)
            continue;
        put_point(p->out, 'M', w->x, w->low_y);
        put_step(p->out, 'V', w->high_y);
        if (w->cap < 1.5)
            continue;
        put_point(p->out, 'M', w->x - w->cap, w->low_y);
        put_step(p->out, 'h', 2 * w->cap);
        put_point(p->out, 'M', w->x - w->cap, w->high_y);
        put_step(p->out, 'h', 2 * w->cap);
    }
    close_path(p);
}

static void put_line(const pen *p, guint s) {
    web_colour colour = web__series_colour(series_name(p, s), s, p->theme);
    put_whiskers(p, s, colour);
    open_stroke(p, colour, 1.6, NULL);
    for (guint i = 0; i < p->layout->points->len; i++) {
        const web_point *at = &g_array_index(p->layout->points, web_point, i);
        if (at->series == s)
            put_point(p->out, at->starts ? 'M' : 'L', at->x, at->y);
    }
    close_path(p);
    g_string_append(p->out, "<path fill=\"none\" stroke-linecap=\"round\"");
    put_colour_attribute(p->out, "stroke", colour);
    put_attribute(p->out, "stroke-width", web__point_size(p->layout));
    g_string_append(p->out, " d=\"");
    for (guint i = 0; i < p->layout->points->len; i++) {
        const web_point *at = &g_array_index(p->layout->points, web_point, i);
        if (at->series != s)
            continue;
        put_point(p->out, 'M', at->x, at->y);
        g_string_append(p->out, "h0");
    }
    close_path(p);
}

static void put_ellipse(const pen *p, web_ring_kind kind, double cx, double cy, double rx,
                        double ry) {
    g_string_append(p->out, "<ellipse fill=\"none\" stroke-width=\"2\"");
    put_colour_attribute(p->out, "stroke",
                         kind == WEB_RING_ANOMALY ? p->palette->ring : p->palette->muted);
    if (kind != WEB_RING_ANOMALY)
        put_dashes(p, web__ring_dashes());
    put_attribute(p->out, "cx", cx);
    put_attribute(p->out, "cy", cy);
    put_attribute(p->out, "rx", rx);
    put_attribute(p->out, "ry", ry);
    g_string_append(p->out, "/>\n");
}

/* Up is a full triangle, down a hollow one, unknown a full dot: told apart without colour. */
static void put_arrow(const pen *p, double x, double y, int direction) {
    const double r = direction == 0 ? 3 : 4.5;
    g_string_append(p->out, "<path stroke-width=\"1.5\"");
    put_colour_attribute(p->out, "stroke", p->palette->ring);
    if (direction < 0)
        g_string_append(p->out, " fill=\"none\"");
    else
        put_colour_attribute(p->out, "fill", p->palette->ring);
    g_string_append(p->out, " d=\"");
    if (direction == 0) {
        put_point(p->out, 'M', x - r, y);
        put_point(p->out, 'L', x, y - r);
        put_point(p->out, 'L', x + r, y);
        put_point(p->out, 'L', x, y + r);
    } else {
        put_point(p->out, 'M', x - r, y + direction * r);
        put_step(p->out, 'h', 2 * r);
        put_point(p->out, 'L', x, y - direction * r);
    }
    g_string_append_c(p->out, 'z');
    close_path(p);
}

static void put_cross(const pen *p, double x, double y) {
    open_stroke(p, p->palette->muted, 1.6, NULL);
    put_mark(p, WEB_GAP_FAILED, x, y, 3);
    close_path(p);
}

static void put_rings(const pen *p) {
    for (guint i = 0; i < p->layout->rings->len; i++) {
        const web_ring *ring = &g_array_index(p->layout->rings, web_ring, i);
        put_ellipse(p, ring->kind, ring->cx, ring->cy, ring->rx, ring->ry);
        if (ring->kind == WEB_RING_ANOMALY)
            put_arrow(p, ring->mark_x, ring->mark_y, ring->direction);
        else if (ring->kind == WEB_RING_CLEARED)
            put_cross(p, ring->mark_x, ring->mark_y);
    }
}

static void put_divider(const pen *p, web_boundary_kind kind, double x, double y) {
    open_stroke(p, p->palette->muted, 1.4, web__boundary_dashes(kind));
    put_point(p->out, 'M', x, y - 7);
    put_step(p->out, 'v', 14);
    close_path(p);
}

static void put_gap_swatch(const pen *p, web_gap_kind kind, const web_swatch *swatch) {
    if (kind == WEB_GAP_MISSING)
        rect(p, swatch->box, p->palette->band);
    open_stroke(p, p->palette->muted, 1.6, NULL);
    put_mark(p, kind, swatch->box.x + swatch->box.width / 2, swatch->box.y + swatch->box.height / 2,
             4);
    close_path(p);
}

static void put_swatch(const pen *p, const web_swatch *swatch) {
    double x = swatch->box.x + swatch->box.width / 2, y = swatch->box.y + swatch->box.height / 2;
    switch (swatch->kind) {
    case WEB_SWATCH_SERIES:
        g_string_append(p->out, "<path");
        put_fill(p, swatch->series, p->layout->view == WEB_VIEW_BARS);
        g_string_append(p->out, " d=\"");
        put_box(p->out, swatch->box);
        close_path(p);
        break;
    case WEB_SWATCH_RING:
        put_ellipse(p, WEB_RING_ANOMALY, x, y, 5.5, 5.5);
        break;
    case WEB_SWATCH_WATCHED:
        put_ellipse(p, WEB_RING_WATCHED, x, y, 5.5, 5.5);
        break;
    case WEB_SWATCH_CLEARED:
        put_ellipse(p, WEB_RING_CLEARED, x, y, 5.5, 5.5);
        put_cross(p, x, y);
        break;
    case WEB_SWATCH_ENVIRONMENT:
        put_divider(p, WEB_BOUNDARY_ENVIRONMENT, x, y);
        break;
    case WEB_SWATCH_ACCEPTED:
        put_divider(p, WEB_BOUNDARY_ACCEPTED, x, y);
        break;
    case WEB_SWATCH_RELEASE:
        put_divider(p, WEB_BOUNDARY_RELEASE, x, y);
        break;
    case WEB_SWATCH_FAILED:
        put_gap_swatch(p, WEB_GAP_FAILED, swatch);
        break;
    case WEB_SWATCH_QUARANTINED:
        put_gap_swatch(p, WEB_GAP_QUARANTINED, swatch);
        break;
    case WEB_SWATCH_MISSING:
        put_gap_swatch(p, WEB_GAP_MISSING, swatch);
        break;
    }
}

/* The text, or as much of it as fits with an ellipsis. */
static char *fitted(const web_label *label) {
    if (web_text_width(label->text, label->size) <= label->max_width)
        return g_strdup(label->text);
    GString *cut = g_string_new(label->text);
    while (cut->len > 0 && web_text_width(cut->str, label->size) > label->max_width - label->size)
        g_string_truncate(cut, (gsize)(g_utf8_prev_char(cut->str + cut->len) - cut->str));
    g_string_append(cut, "…");
    return g_string_free(cut, FALSE);
}

static void put_label(const pen *p, const web_label *label) {
    double x = label->x, y = label->y + label->size * BASELINE;
    g_string_append(p->out, "<text");
    if (label->angle != 0) {
        g_string_append(p->out, " transform=\"translate(");
        put_number(p->out, label->x);
        g_string_append_c(p->out, ' ');
        put_number(p->out, label->y);
        g_string_append(p->out, ") rotate(");
        put_number(p->out, label->angle * 180 / G_PI);
        g_string_append(p->out, ")\"");
        x = 0;
        y = label->size * BASELINE;
    }
    put_attribute(p->out, "x", x);
    put_attribute(p->out, "y", y);
    put_attribute(p->out, "font-size", label->size);
    put_colour_attribute(p->out, "fill", web__label_colour(label->role, p->palette));
    if (label->align > 0)
        g_string_append(p->out,
                        label->align < 1 ? " text-anchor=\"middle\"" : " text-anchor=\"end\"");
    if (web__label_bold(label->role))
        g_string_append(p->out, " font-weight=\"bold\"");
    g_string_append_c(p->out, '>');
    g_autofree char *text = fitted(label);
    put_escaped(p->out, text);
    g_string_append(p->out, "</text>\n");
}

static void put_head(const pen *p) {
    const web_layout *l = p->layout;
    g_string_append_printf(p->out,
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                           "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title desc\" "
                           "font-family=\"DejaVu Sans,Verdana,sans-serif\">\n<title id=\"title\">",
                           (int)l->width, (int)l->height, (int)l->width, (int)l->height);
    put_escaped(p->out, l->title);
    g_string_append(p->out, "</title>\n<desc id=\"desc\">");
    put_escaped(p->out, l->description);
    g_string_append(p->out, "</desc>\n");
}

static void put_plot(const pen *p) {
    put_gaps(p);
    put_grid(p);
    bool lines = p->layout->view == WEB_VIEW_LINES;
    for (guint s = 0; s < p->history->series->len && !lines; s++)
        put_series(p, s);
    put_zero(p);
    put_boundaries(p);
    for (guint s = 0; s < p->history->series->len && lines; s++)
        put_line(p, s);
    if (!lines)
        put_whiskers(p, G_MAXUINT, p->palette->ink);
    put_rings(p);
}

GBytes *web__svg_write(const web_layout *layout, const web_history *history, web_theme theme) {
    pen p = {g_string_sized_new(1 << 14),
             layout,
             history,
             web__palette(theme),
             theme,
             layout->nights_per_column == 1 && layout->column_width * 0.7 >= HATCH_BAR_MIN};
    put_head(&p);
    put_patterns(&p);
    rect(&p, (web_box){0, 0, layout->width, layout->height}, p.palette->background);
    if (layout->ticks->len > 0)
        put_plot(&p);
    for (guint i = 0; i < layout->swatches->len; i++)
        put_swatch(&p, &g_array_index(layout->swatches, web_swatch, i));
    for (guint i = 0; i < layout->labels->len; i++)
        put_label(&p, &g_array_index(layout->labels, web_label, i));
    g_string_append(p.out, "</svg>\n");
    return g_string_free_to_bytes(p.out);
}
