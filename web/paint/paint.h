#pragma once
/* Layout to PNG and PDF: the surfaces that Cairo's pen (cairo_pen.h) draws on. */
#include "web/layout/flame.h"
#include "web/layout/layout.h"

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
