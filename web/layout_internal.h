#pragma once
/* What the layout's files share: columns (nights, gaps, aggregates) and how to add to a layout. */
#include "web/layout.h"

/* One slot of the horizontal axis. */
typedef struct {
    guint first, count; /* nights [first, first + count); count 0: days without a night */
    guint missing;      /* number of such days */
    bool failed, quarantined;
    double x; /* left edge */
} web__column;

/** web__columns_new - slots for a plot of this width; sets layout's nights_per_column and width. */
GArray *web__columns_new(const web_history *history, web_layout *layout);

/* Every column's values, made once: [column][series], the total last; free values with g_free. */
typedef struct {
    const web_history *history;
    const GArray *columns;
    web_value *values;
    guint width;
} web__values;

web__values web__values_make(const web_history *history, web_chart_of of, const GArray *columns);

static inline const web_value *web__value_at(const web__values *m, guint column, guint series) {
    return &m->values[column * m->width + series];
}

static inline const web_value *web__total_at(const web__values *m, guint column) {
    return web__value_at(m, column, m->width - 1);
}

static inline bool web__is_marked(web_verdict verdict) {
    return verdict == WEB_VERDICT_ANOMALY || verdict == WEB_VERDICT_SUSPECT ||
           verdict == WEB_VERDICT_CLEARED;
}

/** web__y_of - where a value lies; the axis must be known. */
double web__y_of(const web_layout *layout, double ns);

/** web__ring_add - around a segment, if its value's verdict is one to mark; else nothing. */
void web__ring_add(web_layout *layout, web_box segment, const web_value *value, guint series,
                   guint night);

/** web__lines_lay - points, intervals and rings of a line chart. */
void web__lines_lay(web_layout *layout, const web__values *values);

void web__label_add(web_layout *layout, web_label label, const char *text);

/** web__legend_lay - title, note and legend, each colour and mark once; returns the y below them.
 */
double web__legend_lay(web_layout *layout, const web_history *history, const GArray *columns,
                       const char *title);

/** web__boundaries_height - room above the plot for the releases' names. */
double web__boundaries_height(const web_history *history);

/** web__boundaries_lay - what divides the nights, and the releases' names where they fit. */
void web__boundaries_lay(web_layout *layout, const web_history *history, const GArray *columns);

/**
 * web__dates_height / web__dates_lay - room for and labels of the horizontal axis.
 * centre  of the bar, from its column's left edge
 */
double web__dates_height(const web_layout *layout, const web_history *history);
void web__dates_lay(web_layout *layout, const web_history *history, const GArray *columns,
                    double centre);

/** web__describe - the chart in words, from its history; free with g_free. */
char *web__describe(const web_history *history, web_chart_of of);

/** web__night_label - "7 Mar" or "7 Mar 2013" for a night; free with g_free. */
char *web__night_label(const web_night *night, bool with_year);
