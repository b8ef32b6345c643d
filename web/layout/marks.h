#pragma once
/* The arrows of rings, and which portion each is of, where they cover nothing that is written. */
#include "web/layout/layout_parts.h"

/* Pixels from one arrow up to the next. */
#define WEB__MARK_ROW 13.0

/**
 * web__marks_lay - moves the arrow of every anomaly up until it is free, or leaves it out, and
 * writes the portion's name beside it where there is room. All other labels must be laid.
 */
void web__marks_lay(web_layout *layout, const web_history *history);
