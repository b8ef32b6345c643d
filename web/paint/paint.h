#pragma once
/* Layout to PNG and PDF: the surfaces that Cairo's pen (cairo_pen.h) draws on. */
#include "web/chart/flame.h"
#include "web/layout/layout.h"

#include <glib.h>

/**
 * web__paint - draws a layout; format is WEB_CHART_PNG or WEB_CHART_PDF.
 * scale  device pixels a CSS pixel, PNG only
 * Returns the file's bytes or NULL and WEB_CHART_ERROR_PAINT. Thread-safe.
 */
GBytes *web__paint(const web_layout *layout, const web_history *history, web_theme theme,
                   web_chart_format format, int scale, GError **error);

/** web__paint_flame - a flame graph as PNG; likewise. */
GBytes *web__paint_flame(const web_flame_layout *layout, web_theme theme, int scale,
                         GError **error);

/*
 * Layout to SVG, by a pen that writes it without a drawing library: its texts stay texts (searched,
 * read aloud, a fifth of the size of outlines), the same layout always gives the same bytes, and it
 * is fast.
 */

/** web__svg_write - the file's bytes, owned by the caller. Pure; never fails. */
GBytes *web__svg_write(const web_layout *layout, const web_history *history, web_theme theme);

/** web__svg_write_flame - likewise of a flame graph. */
GBytes *web__svg_write_flame(const web_flame_layout *layout, web_theme theme);

/*
 * Pixels to PNG. Cairo's own writer compresses as hard as zlib can and takes four times as long for
 * a file hardly smaller: a chart is mostly one colour.
 */

/* An opaque image whose rows are made when they are wanted. */
typedef struct {
    int width, height;
    int stride; /* bytes from a row to the next */
    int band;   /* rows that are made at once */
    /* The band that begins with row `first`, each pixel 0x00RRGGBB in native byte order (Cairo's
     * RGB24); it is read before the next one is asked for. NULL with error ends it. */
    const unsigned char *(*rows)(void *user, int first, GError **error);
    void *user;
} web__png_image;
