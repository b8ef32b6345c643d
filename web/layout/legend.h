#pragma once
/* What stands above the plot: title, what is shown, and what the colours and marks mean. */
#include "web/layout/columns.h"

/** web__legend_lay - title, note and legend, each colour and mark once; returns the y below
 * them. */
double web__legend_lay(web_layout *layout, const web_history *history, const GArray *columns,
                       const char *title);
