#pragma once
/* The horizontal axis: dates and short commits, thinned out or slanted so that none collide. */
#include "web/layout/columns.h"

/**
 * web__dates_height / web__dates_lay - room for and labels of the horizontal axis.
 * centre  of the bar, from its column's left edge
 */
double web__dates_height(const web_layout *layout, const web_history *history);
void web__dates_lay(web_layout *layout, const web_history *history, const GArray *columns,
                    double centre);

/** web__night_label - "7 Mar" or "7 Mar 2013" for a night; free with g_free. */
char *web__night_label(const web_night *night, bool with_year);
