#pragma once
/* What divides the nights: another environment, an accepted change, a release, an incident. */
#include "web/layout/columns.h"

/** web__boundaries_height - room above the plot for the names of releases and incidents. */
double web__boundaries_height(const web_history *history);

/** web__boundaries_lay - what divides the nights, and names where they fit. */
void web__boundaries_lay(web_layout *layout, const web_history *history, const GArray *columns);
