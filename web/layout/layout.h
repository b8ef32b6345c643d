#pragma once
/*
 * Where everything of a chart goes, as data: no drawing here, so it can be tested by numbers.
 * Coordinates are CSS pixels, origin top left. Widths of texts are estimated from above (a fixed
 * advance a character), so labels that do not collide here do not collide on paper either.
 */
#include "web/chart/chart.h"
#include "web/chart/history.h"
#include "web/layout/text.h"

#include <glib.h>
#include <stdbool.h>

/*
 * Which values a chart from zero shows. One absurd night must not flatten all others: when few lie
 * far outside, the scale follows the many.
 *
 * Typical is what three quarters of the columns reach and zero. Values may stretch that by
 * WEB_RANGE_KEPT of its height. When they want more, what lies beyond WEB_RANGE_STRETCH is cut off,
 * which leaves room for marks: the typical keeps at least half. So a level that a quarter of the
 * nights hold is shown, however high. What both of the two newest reach is typical, too, as far as
 * WEB_RANGE_NEWEST times what the others do: it is what a reader looks for. static/typical.js has
 * the same rule and numbers.
 */

#define WEB_RANGE_KEPT 0.6
#define WEB_RANGE_STRETCH 0.45
#define WEB_RANGE_NEWEST 3.0
/* Of the typical height: what is cut off ends so far above the highest that is not. */
#define WEB_RANGE_MARGIN 0.15
/* Of fewer columns nobody can say which are typical. */
#define WEB_RANGE_COLUMNS_MIN 4

typedef struct {
    double low_ns, high_ns; /* low <= 0 <= high */
} web_range;

typedef struct {
    double x, y, width, height;
} web_box;

typedef struct {
    web_box box;
    guint portion; /* index into the history's portions */
    guint night;   /* index of the (first) night */
} web_rect;

typedef struct {
    double x, low_y, mean_y, high_y, cap; /* cap: half the width of its ends */
    guint portion; /* of a line chart; else the history's number of portions: the total */
    guint night;
} web_whisker;

typedef enum {
    WEB_LABEL_TITLE,
    WEB_LABEL_NOTE,
    WEB_LABEL_TICK,
    WEB_LABEL_UNIT,
    WEB_LABEL_DATE,
    WEB_LABEL_COMMIT,
    WEB_LABEL_VALUE,
    WEB_LABEL_LEGEND,
    WEB_LABEL_RING,
    WEB_LABEL_LINE, /* a portion's letter at the end of its line */
    WEB_LABEL_RELEASE,
    WEB_LABEL_INCIDENT,
    WEB_LABEL_GAP,
    WEB_LABEL_CUT, /* the value of what is cut off */
    WEB_LABEL_EMPTY
} web_label_role;

typedef struct {
    web_label_role role;
    double x, y;      /* anchor: y is the middle of the line */
    double align;     /* 0 starts at x, 0.5 centred, 1 ends at x */
    double angle;     /* radians, counter-clockwise is negative as in Cairo */
    double max_width; /* cut with an ellipsis beyond it */
    double size;      /* font size */
    char *text;
} web_label;

typedef enum { WEB_RING_ANOMALY, WEB_RING_WATCHED } web_ring_kind;

typedef struct {
    web_ring_kind kind;
    double cx, cy, rx, ry;
    int direction;         /* +1 up, -1 down, 0 not said */
    double mark_x, mark_y; /* of its arrow */
    bool marked;           /* has it an arrow? Where there is no room for one, the ring tells */
    guint portion, night;
} web_ring;

/* A point of a portion's line; `starts`: the line to it has no beginning (a gap lies before). */
typedef struct {
    double x, y;
    guint portion, night;
    bool starts;
} web_point;

typedef struct {
    double y, value_ns;
} web_tick;

typedef enum {
    WEB_BOUNDARY_ENVIRONMENT,
    WEB_BOUNDARY_ACCEPTED,
    WEB_BOUNDARY_RELEASE,
    WEB_BOUNDARY_INCIDENT, /* of machine or harness; with its name */
    WEB_BOUNDARY_NOTE,     /* what people say of a night; with its text */
    WEB_BOUNDARY_BASELINE  /* a level that people say begins here; with the reason */
} web_boundary_kind;

/* Between two columns; what comes after is measured, judged or released anew. */
typedef struct {
    web_boundary_kind kind;
    double x;
} web_boundary;

/* Where ink leaves the shown range: it is torn at y, and ends at the edge. */
typedef struct {
    double x, y, width; /* x: the middle */
    double edge_y, value_ns;
    bool below;
    guint night;
} web_cut;

typedef enum { WEB_GAP_FAILED, WEB_GAP_QUARANTINED, WEB_GAP_MISSING } web_gap_kind;

typedef struct {
    web_gap_kind kind;
    web_box box;  /* the column's band over the whole plot */
    guint nights; /* how many are missing here */
} web_gap;

typedef enum {
    WEB_SWATCH_PORTION,
    WEB_SWATCH_RING,
    WEB_SWATCH_WATCHED,
    WEB_SWATCH_ENVIRONMENT,
    WEB_SWATCH_ACCEPTED,
    WEB_SWATCH_RELEASE,
    WEB_SWATCH_INCIDENT,
    WEB_SWATCH_NOTE,
    WEB_SWATCH_BASELINE,
    WEB_SWATCH_FAILED,
    WEB_SWATCH_QUARANTINED,
    WEB_SWATCH_MISSING,
    WEB_SWATCH_CUT
} web_swatch_kind;

typedef struct {
    web_swatch_kind kind;
    web_box box;
    guint portion;
} web_swatch;

typedef struct {
    double width, height;
    web_chart_view view;
    web_chart_of of;
    web_box plot;
    web_axis axis;
    web_range shown; /* of values; the axis may go on, for marks */
    bool cut_above, cut_below;
    double zero_y;
    double column_width;
    guint nights_per_column; /* 1, or more when there are more nights than pixels */
    GArray *rects;           /* web_rect; none of a line chart */
    GArray *points;          /* web_point, portion by portion; none of a bar chart */
    GArray *whiskers;        /* web_whisker: 95 % interval, or the range of an aggregated column */
    GArray *labels;          /* web_label */
    GArray *rings;           /* web_ring */
    GArray *ticks;           /* web_tick */
    GArray *boundaries;      /* web_boundary */
    GArray *gaps;            /* web_gap */
    GArray *cuts;            /* web_cut */
    GArray *swatches;        /* web_swatch */
    char *unit;              /* of its values; NULL: they are times */
    char *title, *description; /* for those who hear the chart */
} web_layout;

/**
 * web_layout_new - lays a history out.
 * options  as of web_chart_render; sizes are clamped; may be NULL
 * Free with web_layout_free. Pure: same input, same layout; no drawing library.
 */
web_layout *web_layout_new(const web_history *history, const web_chart_options *options);
void web_layout_free(web_layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(web_layout, web_layout_free)

/** web__point_size - the diameter of a line chart's points. */
static inline double web__point_size(const web_layout *layout) {
    return layout->column_width >= 5 ? 5 : layout->column_width >= 3 ? 3 : 2;
}

/** web_text_width - an upper estimate of a text's width at a font size, in pixels. */
double web_text_width(const char *text, double size);

/** web__label_add - label.text is set to a copy of text. */
void web__label_add(web_layout *layout, web_label label, const char *text);

/** web__cut_whole - does all from low to high lie outside the shown range? */
static inline bool web__cut_whole(const web_layout *l, double low_ns, double high_ns) {
    return (l->cut_above && low_ns > l->shown.high_ns) ||
           (l->cut_below && high_ns < l->shown.low_ns);
}

/* What changed, and what is being asked. A mark must be rare to mean something: what was asked and
 * cleared has none. */
static inline bool web__is_marked(web_verdict verdict) {
    return verdict == WEB_VERDICT_ANOMALY || verdict == WEB_VERDICT_SUSPECT;
}

/* Pixels between a segment and the ring around it. */
#define WEB__RING_MARGIN 5.0

/** web__y_of - where a value lies; the axis must be known. */
double web__y_of(const web_layout *layout, double ns);

/** web__y_shown - the same, but at the edge of the shown range for a value outside of it. */
double web__y_shown(const web_layout *layout, double ns);

/** web__ring_add - around a segment, if its value's verdict is one to mark; else nothing. */
void web__ring_add(web_layout *layout, web_box segment, const web_value *value, guint portion,
                   guint night);

/* Nights to slots: gaps where nights are missing, aggregates where pixels are missing. */

/* One slot of the horizontal axis. */
typedef struct {
    guint first, count; /* nights [first, first + count); count 0: days without a night */
    guint missing;      /* number of such days */
    bool failed, quarantined;
    double x; /* left edge */
} web__column;

/** web__columns_new - slots for a plot of this width; sets layout's nights_per_column and width. */
GArray *web__columns_new(const web_history *history, web_layout *layout);

/* What each column of the chart holds. */

/* Every column's values, made once: [column][portion], the total last; free values with g_free. */
typedef struct {
    const web_history *history;
    const GArray *columns;
    web_value *values;
    guint width;
} web__values;

web__values web__values_make(const web_history *history, web_chart_of of, const GArray *columns);

static inline const web_value *web__value_at(const web__values *m, guint column, guint portion) {
    return &m->values[column * m->width + portion];
}

static inline const web_value *web__total_at(const web__values *m, guint column) {
    return web__value_at(m, column, m->width - 1);
}

/* What lies outside the range that a chart shows: cut off at its edge, marked, its value written.
 */

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

/* The horizontal axis: dates and short commits, thinned out or slanted so that none collide. */

/**
 * web__dates_height / web__dates_lay - room for and labels of the horizontal axis.
 * centre  of the bar, from its column's left edge
 */
double web__dates_height(const web_layout *layout, const web_history *history);
void web__dates_lay(web_layout *layout, const web_history *history, const GArray *columns,
                    double centre);

/* What divides the nights: another environment, an accepted change, a release, an incident. */

/** web__boundaries_height - room above the plot for the names of releases and incidents. */
double web__boundaries_height(const web_history *history);

/** web__boundaries_lay - what divides the nights, and names where they fit. */
void web__boundaries_lay(web_layout *layout, const web_history *history, const GArray *columns);

/* What stands above the plot: title, what is shown, and what the colours and marks mean. */

/** web__legend_lay - title, note and legend, each colour and mark once; returns the y below
 * them. */
double web__legend_lay(web_layout *layout, const web_history *history, const GArray *columns,
                       const char *title);

/* A line chart: every portion from zero, side by side. */

/** web__lines_lay - points, intervals and rings of a line chart. */
void web__lines_lay(web_layout *layout, const web__values *values);

/* The arrows of rings, and which portion each is of, where they cover nothing that is written. */

/* Pixels from one arrow up to the next. */
#define WEB__MARK_ROW 13.0

/**
 * web__marks_lay - moves the arrow of every anomaly up until it is free, or leaves it out, and
 * writes the portion's name beside it where there is room. All other labels must be laid.
 */
void web__marks_lay(web_layout *layout, const web_history *history);

/* The chart in words, for those who do not see it. */

/** web__describe - the chart in words, from its history; free with g_free. */
char *web__describe(const web_history *history, web_chart_of of);
