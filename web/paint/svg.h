#pragma once
/*
 * Layout to SVG, by a pen that writes it without a drawing library: its texts stay texts (searched,
 * read aloud, a fifth of the size of outlines), the same layout always gives the same bytes, and it
 * is fast.
 */
#include "web/layout/flame.h"
#include "web/layout/layout.h"

/** web__svg_write - the file's bytes, owned by the caller. Pure; never fails. */
GBytes *web__svg_write(const web_layout *layout, const web_history *history, web_theme theme);

/** web__svg_write_flame - likewise of a flame graph. */
GBytes *web__svg_write_flame(const web_flame_layout *layout, web_theme theme);
