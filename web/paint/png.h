#pragma once
/*
 * Pixels to PNG. Cairo's own writer compresses as hard as zlib can and takes four times as long for
 * a file hardly smaller: a chart is mostly one colour.
 */
#include <glib.h>

/**
 * web__png_encode - an opaque image.
 * pixels  height rows of stride bytes, each pixel 0x00RRGGBB in native byte order (Cairo's RGB24)
 * Returns the file's bytes or NULL and WEB_CHART_ERROR_PAINT. Thread-safe.
 */
GBytes *web__png_encode(const unsigned char *pixels, int width, int height, int stride,
                        GError **error);
