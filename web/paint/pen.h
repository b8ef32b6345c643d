#pragma once
/*
 * The few ways to leave ink on a page. draw.c says what is drawn and in which order; a pen says it
 * in its own language: Cairo's (cairo_pen.c) or SVG's (svg.c). Coordinates are CSS pixels, origin
 * top left. A pen never fails half way: what went wrong is known when the page is done.
 */
#include "web/chart/chart.h"
#include "web/chart/flame.h"
#include "web/layout/layout.h"

/*
 * Okabe and Ito's colours, which the colour-blind can tell apart, and a hatch each for print:
 * T grey, I orange, C bluish green, W blue, then reddish purple, yellow, sky blue, brown.
 * The same values stand in static/style.css.
 */

typedef struct {
    double red, green, blue;
} web_colour;

typedef struct {
    web_colour background, ink, muted, grid, band, ring, hatch;
} web_palette;

typedef enum { WEB_HATCH_NONE, WEB_HATCH_UP, WEB_HATCH_DOWN, WEB_HATCH_FLAT } web_hatch;

/** web__label_halo - does it stand over ink, so that a rim of the background keeps it readable? */
bool web__label_halo(web_label_role role);
#define WEB__HALO 3.0 /* width of the stroke below such a text */

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

/* A layout drawn with any pen: the one place that knows what lies over what. */

/** web__draw - draws a page; the same layout makes the same strokes whatever the pen. */
void web__draw(web_pen *pen, const web_layout *layout, const web_history *history, web_theme theme);

/* A flame graph's layout with a pen. */

/** web__flame_draw - the whole page. */
void web__flame_draw(web_pen *pen, const web_flame_layout *layout, web_theme theme);

/** web__flame_colour - of a frame that rose (share above 0) or fell; 0: neither. */
web_colour web__flame_colour(double share, web_theme theme);
