#pragma once
/* gzip - bytes packed for the way to a browser. */
#include <glib.h>

/**
 * web_gzip - a gzip stream of bytes, the same each time; owned by the caller.
 * level  1 (fast) to 9 (small)
 * Returns NULL when it would not be smaller. Thread-safe. Memory: the result and 256 KiB.
 */
GBytes *web_gzip(GBytes *bytes, int level);
