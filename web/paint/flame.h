#pragma once
/* A flame graph's layout with a pen. */
#include "web/layout/flame.h"
#include "web/paint/pen.h"

/** web__flame_draw - the whole page. */
void web__flame_draw(web_pen *pen, const web_flame_layout *layout, web_theme theme);

/** web__flame_colour - of a frame that rose (share above 0) or fell; 0: neither. */
web_colour web__flame_colour(double share, web_theme theme);
