#pragma once
/* A layout drawn with any pen: the one place that knows what lies over what. */
#include "web/paint/pen.h"

/** web__draw - draws a page; the same layout makes the same strokes whatever the pen. */
void web__draw(web_pen *pen, const web_layout *layout, const web_history *history, web_theme theme);
