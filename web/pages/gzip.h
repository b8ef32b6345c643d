#pragma once
/* gzip - bytes packed for the way to a browser, and unpacked. */
#include <glib.h>

/**
 * web_gzip - a gzip stream of bytes, the same each time; owned by the caller.
 * level  1 (fast) to 9 (small)
 * Returns NULL when it would not be smaller. Thread-safe. Memory: the result and 256 KiB.
 */
GBytes *web_gzip(GBytes *bytes, int level);

/**
 * web_gunzip - the bytes of a gzip stream; owned by the caller.
 * NULL: it is none, has more behind it, or is of more than `most` bytes. Thread-safe.
 */
GBytes *web_gunzip(GBytes *packed, gsize most);
