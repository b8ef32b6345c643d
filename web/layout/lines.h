#pragma once
/* A line chart: every portion from zero, side by side. */
#include "web/layout/values.h"

/** web__lines_lay - points, intervals and rings of a line chart. */
void web__lines_lay(web_layout *layout, const web__values *values);
