#pragma once
/* What lies outside the range that a chart shows: cut off at its edge, marked, its value written.
 */
#include "web/layout/values.h"

/** web__cuts_range - sets layout's shown range and whether something is cut above or below it. */
void web__cuts_range(web_layout *layout, const web__values *values, web_chart_range wanted);

/**
 * web__cuts_scale - sets the axis, so that the shown range leaves `room` pixels above it free for
 * marks; a written value's row comes to it on each side that is cut.
 */
void web__cuts_scale(web_layout *layout, double room);

/**
 * web__cuts_lay - the marks, and the values as far as they do not cover each other.
 * centre, bar  of the bar, from its column's left edge; written: each bar has its value beside it
 */
void web__cuts_lay(web_layout *layout, const web__values *values, double centre, double bar,
                   bool written);
