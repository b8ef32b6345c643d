#pragma once
/* Nights to slots: gaps where nights are missing, aggregates where pixels are missing. */
#include "web/layout/layout_parts.h"

/* One slot of the horizontal axis. */
typedef struct {
    guint first, count; /* nights [first, first + count); count 0: days without a night */
    guint missing;      /* number of such days */
    bool failed, quarantined;
    double x; /* left edge */
} web__column;

/** web__columns_new - slots for a plot of this width; sets layout's nights_per_column and width. */
GArray *web__columns_new(const web_history *history, web_layout *layout);
