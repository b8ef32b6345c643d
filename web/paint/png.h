#pragma once
/*
 * Pixels to PNG. Cairo's own writer compresses as hard as zlib can and takes four times as long for
 * a file hardly smaller: a chart is mostly one colour.
 */
#include <glib.h>

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

/**
 * web__png_encode - Returns the file's bytes or NULL and WEB_CHART_ERROR_PAINT, or the error of
 * `rows`. Thread-safe.
 */
GBytes *web__png_encode(const web__png_image *image, GError **error);
