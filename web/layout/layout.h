#pragma once
/* Lays a chart out; what comes of it, and what it is made of, is in layout_parts.h. */
#include "web/layout/layout_parts.h"

/**
 * web_layout_new - lays a history out.
 * options  as of web_chart_render; sizes are clamped; may be NULL
 * Free with web_layout_free. Pure: same input, same layout; no drawing library.
 */
web_layout *web_layout_new(const web_history *history, const web_chart_options *options);
void web_layout_free(web_layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(web_layout, web_layout_free)
