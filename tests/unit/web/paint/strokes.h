#pragma once
/*
 * A pen that draws nothing: it writes down each stroke as a line of text, and reads the same lines
 * back out of an SVG. Of a path stand there how many parts it has and where the first begins.
 */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "web/paint/pen.h"

typedef struct {
    web_pen pen;
    GPtrArray *strokes; /* of char * */
    GString *path;      /* what is being drawn, without its parts */
    guint parts;
    bool inked;  /* more than moves */
    double x, y; /* where the first part begins */
} recorder;

static inline recorder *recorder_of(web_pen *pen) {
    return (recorder *)(void *)pen;
}

static inline double tenths(double v) {
    double out = (double)lround(v * 10) / 10;
    return fabs(out) < 0.05 ? 0 : out; /* never "-0.0" */
}

static inline void append_colour(GString *out, web_colour c) {
    g_string_append_printf(out, " #%02x%02x%02x", (unsigned)lround(c.red * 255),
                           (unsigned)lround(c.green * 255), (unsigned)lround(c.blue * 255));
}

static inline void append_dashes(GString *out, const double *dashes) {
    for (; dashes && *dashes > 0; dashes++)
        g_string_append_printf(out, " %.1f", *dashes);
}

static inline void note(recorder *r, GString *line) {
    g_ptr_array_add(r->strokes, g_string_free(line, FALSE));
}

static inline void note_box(recorder *r, web_box box, web_colour colour) {
    GString *line = g_string_new("block");
    append_colour(line, colour);
    g_string_append_printf(line, " %.1f %.1f %.1f %.1f", tenths(box.x), tenths(box.y),
                           tenths(box.width), tenths(box.height));
    note(r, line);
}

static inline void record_page(web_pen *pen, const web_page *page) {
    note_box(recorder_of(pen), (web_box){0, 0, page->width, page->height}, page->background);
}

static inline void record_begin(web_pen *pen, const web_ink *ink) {
    recorder *r = recorder_of(pen);
    r->path = g_string_new(ink->kind == WEB_INK_LINE   ? "line"
                           : ink->kind == WEB_INK_AREA ? "area"
                                                       : "shape");
    r->parts = 0;
    r->inked = false;
    if (ink->pattern)
        g_string_append_printf(r->path, " url(#h%u)", ink->pattern->id);
    else
        append_colour(r->path, ink->colour);
    if (ink->kind != WEB_INK_AREA)
        g_string_append_printf(r->path, " %.1f", ink->width);
    append_dashes(r->path, ink->dashes);
    if (ink->round)
        g_string_append(r->path, " round");
}

static inline void record_move(web_pen *pen, double x, double y) {
    recorder *r = recorder_of(pen);
    if (r->parts++ == 0) {
        r->x = x;
        r->y = y;
    }
}

static inline void record_point(web_pen *pen, double x, double y) {
    recorder_of(pen)->inked = true;
    g_assert(isfinite(x) && isfinite(y));
}

static inline void record_step(web_pen *pen, double v) {
    recorder_of(pen)->inked = true;
    g_assert(isfinite(v));
}

static inline void record_close(web_pen *pen) {
    g_assert(recorder_of(pen)->parts > 0);
}

static inline void record_box(web_pen *pen, web_box box) {
    record_move(pen, box.x, box.y);
    recorder_of(pen)->inked = true;
    g_assert(isfinite(box.width) && isfinite(box.height));
}

static inline void record_end(web_pen *pen) {
    recorder *r = recorder_of(pen);
    g_string_append_printf(r->path, " : %u", r->parts);
    if (r->parts > 0)
        g_string_append_printf(r->path, " from %.1f %.1f", tenths(r->x), tenths(r->y));
    if (!r->inked)
        g_string_append(r->path, " without ink");
    note(r, r->path);
}

static inline void record_block(web_pen *pen, web_box box, web_colour colour) {
    note_box(recorder_of(pen), box, colour);
}

static inline void record_ellipse(web_pen *pen, const web_ink *ink, double cx, double cy, double rx,
                                  double ry) {
    GString *line = g_string_new("ellipse");
    append_colour(line, ink->colour);
    g_string_append_printf(line, " %.1f", ink->width);
    append_dashes(line, ink->dashes);
    g_string_append_printf(line, " %.1f %.1f %.1f %.1f", tenths(cx), tenths(cy), tenths(rx),
                           tenths(ry));
    note(recorder_of(pen), line);
}

static inline void record_text(web_pen *pen, const web_label *label, web_colour colour, bool bold) {
    GString *line = g_string_new("text");
    append_colour(line, colour);
    g_string_append_printf(line, " %.1f %s%s%s", label->size,
                           label->align <= 0  ? "start"
                           : label->align < 1 ? "middle"
                                              : "end",
                           bold ? " bold" : "", web__label_halo(label->role) ? " halo" : "");
    note(recorder_of(pen), line);
}

/* Free strokes with g_ptr_array_unref. */
static inline recorder recorder_new(void) {
    return (recorder){.pen = {.page = record_page,
                              .begin = record_begin,
                              .move = record_move,
                              .line = record_point,
                              .across = record_step,
                              .down = record_step,
                              .close = record_close,
                              .box = record_box,
                              .end = record_end,
                              .block = record_block,
                              .ellipse = record_ellipse,
                              .text = record_text},
                      .strokes = g_ptr_array_new_with_free_func(g_free)};
}

/* An attribute of the element that is being read, or NULL. */
static inline const char *attribute(const char **names, const char **values, const char *name) {
    for (; *names; names++, values++)
        if (strcmp(*names, name) == 0)
            return *values;
    return NULL;
}

static inline double number(const char **names, const char **values, const char *name) {
    const char *text = attribute(names, values, name);
    return text ? g_ascii_strtod(text, NULL) : 0;
}

static inline void append_text_dashes(GString *out, const char *dashes) {
    while (dashes && *dashes)
        g_string_append_printf(out, " %.1f", g_ascii_strtod(dashes, (char **)(void *)&dashes));
}

static inline void append_parts(GString *out, const char *d) {
    guint parts = 0;
    for (const char *at = d; *at; at++)
        parts += *at == 'M';
    g_string_append_printf(out, " : %u", parts);
    char *rest;
    double x = *d ? g_ascii_strtod(d + 1, &rest) : 0;
    if (*d)
        g_string_append_printf(out, " from %.1f %.1f", x, g_ascii_strtod(rest, NULL));
    if (!strpbrk(d, "LVhvz"))
        g_string_append(out, " without ink");
}

static inline void read_path(GString *line, const char **n, const char **v) {
    const char *fill = attribute(n, v, "fill"), *stroke = attribute(n, v, "stroke");
    bool shape = g_strcmp0(n[0], "stroke-width") == 0, empty = strcmp(fill, "none") == 0;
    g_string_append_printf(line, "%s %s",
                           shape   ? "shape"
                           : empty ? "line"
                                   : "area",
                           stroke ? stroke : fill);
    if (stroke)
        g_string_append_printf(line, " %.1f", number(n, v, "stroke-width"));
    append_text_dashes(line, attribute(n, v, "stroke-dasharray"));
    if (attribute(n, v, "stroke-linecap"))
        g_string_append(line, " round");
    append_parts(line, attribute(n, v, "d"));
}

static inline void read_element(GMarkupParseContext *context, const char *element, const char **n,
                                const char **v, gpointer data, GError **error) {
    (void)error;
    const GSList *above = g_markup_parse_context_get_element_stack(context)->next;
    if (above && strcmp(above->data, "pattern") == 0)
        return;
    GString *line = g_string_new(NULL);
    if (strcmp(element, "path") == 0) {
        read_path(line, n, v);
    } else if (strcmp(element, "rect") == 0) {
        g_string_append_printf(line, "block %s %.1f %.1f %.1f %.1f", attribute(n, v, "fill"),
                               number(n, v, "x"), number(n, v, "y"), number(n, v, "width"),
                               number(n, v, "height"));
    } else if (strcmp(element, "ellipse") == 0) {
        g_string_append_printf(line, "ellipse %s %.1f", attribute(n, v, "stroke"),
                               number(n, v, "stroke-width"));
        append_text_dashes(line, attribute(n, v, "stroke-dasharray"));
        g_string_append_printf(line, " %.1f %.1f %.1f %.1f", number(n, v, "cx"), number(n, v, "cy"),
                               number(n, v, "rx"), number(n, v, "ry"));
    } else if (strcmp(element, "text") == 0) {
        const char *anchor = attribute(n, v, "text-anchor");
        g_string_append_printf(line, "text %s %.1f %s%s%s", attribute(n, v, "fill"),
                               number(n, v, "font-size"), anchor ? anchor : "start",
                               attribute(n, v, "font-weight") ? " bold" : "",
                               attribute(n, v, "paint-order") ? " halo" : "");
    }
    if (line->len > 0)
        g_ptr_array_add(data, g_string_free(line, FALSE));
    else
        g_string_free(line, TRUE);
}

/* The strokes of an SVG; free with g_ptr_array_unref. */
static inline GPtrArray *strokes_of_svg(GBytes *svg) {
    GPtrArray *strokes = g_ptr_array_new_with_free_func(g_free);
    gsize size;
    const char *text = g_bytes_get_data(svg, &size);
    const GMarkupParser parser = {.start_element = read_element};
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, strokes, NULL);
    g_assert(g_markup_parse_context_parse(context, text, (gssize)size, NULL));
    return strokes;
}
