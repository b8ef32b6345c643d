#pragma once
/*
 * Charts of a project's nights: Figure 11.15 of the founding thesis, a bar a night, taken apart
 * into its portions. From JSON to bytes in one call; safe to call from several threads at once.
 *
 * The way of a chart: history (what was measured) -> layout (what goes where, as data) -> paint.
 */
#include <glib.h>
#include <jansson.h>

/* A chart bigger than this is no longer looked at, and one PNG at scale 2 would cost over 46 MB. */
#define WEB_CHART_WIDTH_MAX 2400
#define WEB_CHART_HEIGHT_MAX 1200
#define WEB_CHART_WIDTH_MIN 240
#define WEB_CHART_HEIGHT_MIN 200

typedef enum { WEB_THEME_LIGHT, WEB_THEME_DARK } web_theme;
/* Bars stack a chain's portions; lines draw each from zero. */
typedef enum { WEB_VIEW_BARS, WEB_VIEW_LINES } web_chart_view;
typedef enum { WEB_OF_MEAN, WEB_OF_MEDIAN } web_chart_of;
/* Typical: few absurd nights are cut off, so that the others are not flattened. */
typedef enum { WEB_RANGE_TYPICAL, WEB_RANGE_FULL } web_chart_range;
typedef enum { WEB_CHART_SVG, WEB_CHART_PNG, WEB_CHART_PDF } web_chart_format;

typedef struct {
    const char *title; /* the project's title; NULL: none */
    const char *until; /* "YYYY-MM-DD": no night after it; NULL: up to the newest */
    const char *leaf;  /* configuration whose chain is stacked; NULL: the first chain */
    unsigned nights;   /* at most so many, the newest ones; 0: all */
    int width, height; /* CSS pixels, clamped to the limits above; 0: 900 x 380 */
    int scale;         /* PNG only: 1 or 2 device pixels a CSS pixel; 0: 1 */
    web_theme theme;
    web_chart_view view;
    web_chart_range range;
    web_chart_of of; /* median: nights without one are gaps */
} web_chart_options;

typedef enum { WEB_CHART_ERROR_INPUT, WEB_CHART_ERROR_PAINT } web_chart_error;
#define WEB_CHART_ERROR (web_chart_error_quark())
GQuark web_chart_error_quark(void);

/**
 * web_chart_render - draws the nights of one project.
 * nights   array of *night* objects (docs/api.md), any order; borrowed, not modified
 * options  NULL: the defaults
 * Returns the file's bytes (owned by the caller), or NULL and WEB_CHART_ERROR. Thread-safe.
 * No night at all is a chart that says so, not an error.
 */
GBytes *web_chart_render(const json_t *nights, const web_chart_options *options,
                         web_chart_format format, GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct web_history web_history; /* web/chart/history.h */

/**
 * web_chart_render_history - the same from a history read before (web_history_new), which may be
 * kept and shared by threads: reading is most of the time for thousands of nights. until and nights
 * choose among its nights; leaf was the history's and is not looked at.
 */
GBytes *web_chart_render_history(const web_history *history, const web_chart_options *options,
                                 web_chart_format format, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web_chart_media_type - the Content-Type of a format; a constant. */
const char *web_chart_media_type(web_chart_format format);
