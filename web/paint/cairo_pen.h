#pragma once
/* A pen for Cairo's surfaces: pixels and PDF. */
#include <pango/pangocairo.h>

#include "web/paint/pen.h"

typedef struct {
    web_pen pen;
    cairo_t *cr;
    PangoLayout *words;
    PangoFontDescription *font;
    web_ink ink; /* of the path that was begun */
    web_colour background;
} web__cairo_pen;

/**
 * web__cairo_pen_take - makes a pen that draws with cr, which must live as long as the pen. Not
 * thread-safe: Cairo and Pango share caches. Drop it with web__cairo_pen_drop.
 */
void web__cairo_pen_take(web__cairo_pen *pen, cairo_t *cr);
void web__cairo_pen_drop(web__cairo_pen *pen);
