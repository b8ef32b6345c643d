#pragma once
/*
 * The few ways to leave ink on a page. draw.c says what is drawn and in which order; a pen says it
 * in its own language: Cairo's (cairo_pen.c) or SVG's (svg.c). Coordinates are CSS pixels, origin
 * top left. A pen never fails half way: what went wrong is known when the page is done.
 */
#include "web/layout/layout_parts.h"
#include "web/paint/palette.h"

/* An area's colour with lines over it, WEB__HATCH_DISTANCE apart and in step on the whole page. */
typedef struct {
    guint id; /* of its portion */
    web_hatch hatch;
    web_colour ground, lines;
} web_pattern;

#define WEB__HATCH_DISTANCE 6.0
#define WEB__HATCH_OPACITY 0.3

typedef struct {
    double width, height;
    const char *title, *description; /* for those who hear the chart */
    web_colour background;
    const web_pattern *patterns; /* all that areas will be filled with */
    guint pattern_count;
} web_page;

typedef enum {
    WEB_INK_LINE, /* along the path */
    WEB_INK_AREA, /* inside the path */
    WEB_INK_SHAPE /* inside and along it in the same colour */
} web_ink_kind;

typedef struct {
    web_ink_kind kind;
    web_colour colour;
    const web_pattern *pattern; /* an area's, in place of the colour; NULL: none */
    double width;               /* of lines */
    const double *dashes;       /* on and off lengths, ending with 0; NULL: one stroke */
    bool round;                 /* ends: a line of no length is a dot */
} web_ink;

typedef struct web_pen web_pen;
struct web_pen {
    /* Once, before all else: size, words, background. */
    void (*page)(web_pen *, const web_page *);

    /* A path: begin, any of its parts, end. Only end leaves ink. */
    void (*begin)(web_pen *, const web_ink *);
    void (*move)(web_pen *, double x, double y);
    void (*line)(web_pen *, double x, double y);
    void (*across)(web_pen *, double dx);
    void (*down)(web_pen *, double dy);
    void (*close)(web_pen *);
    void (*box)(web_pen *, web_box); /* closed, from its top left corner */
    void (*end)(web_pen *);

    void (*block)(web_pen *, web_box, web_colour); /* a filled box alone */
    void (*ellipse)(web_pen *, const web_ink *line, double cx, double cy, double rx, double ry);
    /* Anchored, turned and cut with an ellipsis as the label says. */
    void (*text)(web_pen *, const web_label *, web_colour, bool bold);
};
