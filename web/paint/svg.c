#include "web/paint/paint.h"

#include <math.h>
#include <stdlib.h>

#include "web/paint/pen.h"

#define BASELINE 0.35 /* of the font size, from the middle of a line to its baseline */
#define NUMBER_MAX 24 /* bytes of a number: sign, 20 digits, point, tenth */

typedef struct {
    web_pen pen;
    GString *out;
    double x; /* where the path is */
    web_colour background;
} svg_pen;

static GString *out_of(web_pen *pen) {
    return ((svg_pen *)(void *)pen)->out;
}

/* Where so many bytes can be written behind the text; written() says how many were. */
static char *room(GString *out, gsize bytes) {
    const gsize length = out->len;
    if (out->allocated_len - length <= bytes) {
        g_string_set_size(out, 2 * length + bytes);
        out->len = length;
    }
    return out->str + length;
}

static void written(GString *out, char *end) {
    *end = '\0';
    out->len = (gsize)(end - out->str);
}

static char *digits_to(char *to, unsigned long v) {
    gsize length = 1;
    for (unsigned long power = 10; power <= v; power *= 10)
        length++;
    for (char *at = to + length; at > to; v /= 10)
        *--at = (char)('0' + v % 10);
    return to + length;
}

/* As lround() of what a page can hold, without the call. */
static long nearest(double v) {
    const long whole = (long)v;
    const double rest = v - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* Tenths of a pixel are enough; printf would be most of the time spent here. At most NUMBER_MAX
 * bytes; returns their end. */
static char *number_to(char *to, double v) {
    const long tenths = nearest(v * 10);
    const unsigned long size = (unsigned long)labs(tenths);
    if (tenths < 0)
        *to++ = '-';
    to = digits_to(to, size / 10);
    if (size % 10 == 0)
        return to;
    *to++ = '.';
    *to++ = (char)('0' + size % 10);
    return to;
}

static char *step_to(char *to, char command, double v) {
    *to++ = command;
    return number_to(to, v);
}

static char *point_to(char *to, char command, double x, double y) {
    return step_to(step_to(to, command, x), ' ', y);
}

static void put_number(GString *out, double v) {
    written(out, number_to(room(out, NUMBER_MAX), v));
}

static void put_point(GString *out, char command, double x, double y) {
    written(out, point_to(room(out, 2 * (NUMBER_MAX + 1)), command, x, y));
}

static void put_step(GString *out, char command, double v) {
    written(out, step_to(room(out, NUMBER_MAX + 1), command, v));
}

static void put_colour(GString *out, web_colour c) {
    static const char digits[] = "0123456789abcdef";
    const double parts[] = {c.red, c.green, c.blue};
    g_string_append_c(out, '#');
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        long v = lround(parts[i] * 255);
        g_string_append_c(out, digits[v / 16]);
        g_string_append_c(out, digits[v % 16]);
    }
}

static void put_escaped(GString *out, const char *text) {
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append(out, escaped);
}

static void open_attribute(GString *out, const char *name) {
    g_string_append_c(out, ' ');
    g_string_append(out, name);
    g_string_append(out, "=\"");
}

static void put_attribute(GString *out, const char *name, double v) {
    open_attribute(out, name);
    put_number(out, v);
    g_string_append_c(out, '"');
}

static void put_colour_attribute(GString *out, const char *name, web_colour c) {
    open_attribute(out, name);
    put_colour(out, c);
    g_string_append_c(out, '"');
}

static void put_dashes(GString *out, const double *dashes) {
    g_string_append(out, " stroke-dasharray=\"");
    for (; *dashes > 0; dashes++) {
        put_number(out, *dashes);
        g_string_append_c(out, ' ');
    }
    g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '"');
}

/* A tile of WEB__HATCH_DISTANCE; what leaves it at a corner goes on in the tile beside it. */
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
    return "";
}

static void put_patterns(GString *out, const web_page *page) {
    g_string_append(out, "<defs>");
    for (guint i = 0; i < page->pattern_count; i++) {
        const web_pattern *p = &page->patterns[i];
        g_string_append_printf(out,
                               "<pattern id=\"h%u\" width=\"6\" height=\"6\" "
                               "patternUnits=\"userSpaceOnUse\"><path d=\"M0 0h6v6h-6z\"",
                               p->id);
        put_colour_attribute(out, "fill", p->ground);
        g_string_append_printf(out, "/><path d=\"%s\" stroke-opacity=\".3\"",
                               hatch_lines(p->hatch));
        put_colour_attribute(out, "stroke", p->lines);
        g_string_append(out, "/></pattern>");
    }
    g_string_append(out, "</defs>\n");
}

static void block(web_pen *pen, web_box box, web_colour fill) {
    GString *out = out_of(pen);
    g_string_append(out, "<rect");
    put_attribute(out, "x", box.x);
    put_attribute(out, "y", box.y);
    put_attribute(out, "width", box.width);
    put_attribute(out, "height", box.height);
    put_colour_attribute(out, "fill", fill);
    g_string_append(out, "/>\n");
}

static void page(web_pen *pen, const web_page *page) {
    GString *out = out_of(pen);
    ((svg_pen *)(void *)pen)->background = page->background;
    g_string_append_printf(out,
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                           "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title desc\" "
                           "font-family=\"DejaVu Sans,Verdana,sans-serif\">\n<title id=\"title\">",
                           (int)page->width, (int)page->height, (int)page->width,
                           (int)page->height);
    put_escaped(out, page->title);
    g_string_append(out, "</title>\n<desc id=\"desc\">");
    put_escaped(out, page->description);
    g_string_append(out, "</desc>\n");
    put_patterns(out, page);
    block(pen, (web_box){0, 0, page->width, page->height}, page->background);
}

static void put_line(GString *out, const web_ink *ink) {
    g_string_append(out, " fill=\"none\"");
    if (ink->round)
        g_string_append(out, " stroke-linecap=\"round\"");
    put_colour_attribute(out, "stroke", ink->colour);
    put_attribute(out, "stroke-width", ink->width);
    if (ink->dashes)
        put_dashes(out, ink->dashes);
}

static void put_shape(GString *out, const web_ink *ink) {
    put_attribute(out, "stroke-width", ink->width);
    put_colour_attribute(out, "stroke", ink->colour);
    put_colour_attribute(out, "fill", ink->colour);
}

static void begin(web_pen *pen, const web_ink *ink) {
    GString *out = out_of(pen);
    g_string_append(out, "<path");
    switch (ink->kind) {
    case WEB_INK_LINE:
        put_line(out, ink);
        break;
    case WEB_INK_AREA:
        if (ink->pattern)
            g_string_append_printf(out, " fill=\"url(#h%u)\"", ink->pattern->id);
        else
            put_colour_attribute(out, "fill", ink->colour);
        break;
    case WEB_INK_SHAPE:
        put_shape(out, ink);
        break;
    }
    g_string_append(out, " d=\"");
}

static void end(web_pen *pen) {
    g_string_append(out_of(pen), "\"/>\n");
}

static void move(web_pen *pen, double x, double y) {
    ((svg_pen *)(void *)pen)->x = x;
    put_point(out_of(pen), 'M', x, y);
}

static void line(web_pen *pen, double x, double y) {
    svg_pen *p = (svg_pen *)(void *)pen;
    if (x <= p->x && x >= p->x) /* half the bytes of thousands of whiskers */
        put_step(p->out, 'V', y);
    else
        put_point(p->out, 'L', x, y);
    p->x = x;
}

static void across(web_pen *pen, double dx) {
    ((svg_pen *)(void *)pen)->x += dx;
    put_step(out_of(pen), 'h', dx);
}

static void down(web_pen *pen, double dy) {
    put_step(out_of(pen), 'v', dy);
}

static void close_path(web_pen *pen) {
    g_string_append_c(out_of(pen), 'z');
}

static void box(web_pen *pen, web_box at) {
    GString *out = out_of(pen);
    char *to = point_to(room(out, 5 * (NUMBER_MAX + 1) + 1), 'M', at.x, at.y);
    to = step_to(to, 'h', at.width);
    to = step_to(to, 'v', at.height);
    to = step_to(to, 'h', -at.width);
    *to++ = 'z';
    written(out, to);
}

static void ellipse(web_pen *pen, const web_ink *ink, double cx, double cy, double rx, double ry) {
    GString *out = out_of(pen);
    g_string_append(out, "<ellipse fill=\"none\"");
    put_attribute(out, "stroke-width", ink->width);
    put_colour_attribute(out, "stroke", ink->colour);
    if (ink->dashes)
        put_dashes(out, ink->dashes);
    put_attribute(out, "cx", cx);
    put_attribute(out, "cy", cy);
    put_attribute(out, "rx", rx);
    put_attribute(out, "ry", ry);
    g_string_append(out, "/>\n");
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

static void text(web_pen *pen, const web_label *label, web_colour colour, bool bold) {
    GString *out = out_of(pen);
    double x = label->x, y = label->y + label->size * BASELINE;
    g_string_append(out, "<text");
    if (label->angle != 0) {
        g_string_append(out, " transform=\"translate(");
        put_number(out, label->x);
        g_string_append_c(out, ' ');
        put_number(out, label->y);
        g_string_append(out, ") rotate(");
        put_number(out, label->angle * 180 / G_PI);
        g_string_append(out, ")\"");
        x = 0;
        y = label->size * BASELINE;
    }
    put_attribute(out, "x", x);
    put_attribute(out, "y", y);
    put_attribute(out, "font-size", label->size);
    put_colour_attribute(out, "fill", colour);
    if (label->align > 0)
        g_string_append(out, label->align < 1 ? " text-anchor=\"middle\"" : " text-anchor=\"end\"");
    if (bold)
        g_string_append(out, " font-weight=\"bold\"");
    if (web__label_halo(label->role)) {
        put_colour_attribute(out, "stroke", ((svg_pen *)(void *)pen)->background);
        put_attribute(out, "stroke-width", WEB__HALO);
        g_string_append(out, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
    }
    g_string_append_c(out, '>');
    g_autofree char *words = fitted(label);
    put_escaped(out, words);
    g_string_append(out, "</text>\n");
}

static svg_pen pen_new(void) {
    static const web_pen ways = {.page = page,
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
                                 .text = text};
    return (svg_pen){.pen = ways, .out = g_string_sized_new(1 << 14)};
}

static GBytes *pen_end(svg_pen *pen) {
    g_string_append(pen->out, "</svg>\n");
    return g_string_free_to_bytes(pen->out);
}

GBytes *web__svg_write(const web_layout *layout, const web_history *history, web_theme theme) {
    svg_pen pen = pen_new();
    web__draw(&pen.pen, layout, history, theme);
    return pen_end(&pen);
}

GBytes *web__svg_write_flame(const web_flame_layout *layout, web_theme theme) {
    svg_pen pen = pen_new();
    web__flame_draw(&pen.pen, layout, theme);
    return pen_end(&pen);
}
