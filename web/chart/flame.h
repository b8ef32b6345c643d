#pragma once
/*
 * Flame graphs of a portion: its profile before, after, or what changed between them. A frame is as
 * wide as what it and all below it cost; of a difference as wide as all that changed in them, up or
 * down. From profiles to bytes in one call; safe to call from several threads at once.
 */
#include "detector/profile/contrast.h"
#include "web/chart/chart.h"
#include "web/layout/layout.h"

#define WEB_FLAME_ROWS_MAX 60 /* deeper frames are left out, and the picture says so */

typedef enum { WEB_FLAME_DIFFERENCE, WEB_FLAME_BEFORE, WEB_FLAME_AFTER } web_flame_view;

typedef struct {
    const char *title; /* NULL: none */
    const char *frame; /* only what is below functions of this name; NULL: everything */
    const char *unit;  /* of the stacks, for those that have no time */
    double scale_ns;   /* ns for each unit; NaN: costs are told in units */
    web_flame_view view;
    int width; /* CSS pixels, clamped as of a chart; 0: 900. The height follows from the depth */
    int scale; /* PNG only: 1 or 2 */
    web_theme theme;
} web_flame_options;

/**
 * web_flame_render - stacks and plan as of det_contrast_make; borrowed.
 * Returns the file's bytes, SVG or PNG, owned by the caller, or NULL and WEB_CHART_ERROR.
 */
GBytes *web_flame_render(const det_stacks *stacks, const det_contrast_plan *plan,
                         const web_flame_options *options, web_chart_format format,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * web_flame_json - the same as data, for a page that draws it and lets people go through it: JSON
 * {"title","note","width","rows","frames":[{"name","words","row","x","width","fill"}]}, x and width
 * in CSS pixels, fill "#rrggbb" of the theme; a frame comes after the one that it stands below.
 */
GBytes *web_flame_json(const det_stacks *stacks, const det_contrast_plan *plan,
                       const web_flame_options *options);

/* Where each frame of a flame graph goes, as data. The outermost are on top. */

#define WEB__FLAME_ROW 18.0  /* height of a row */
#define WEB__FLAME_LEAST 0.5 /* width of a frame that is still drawn */

typedef struct {
    web_box box;
    uint32_t frame;
    double share; /* of its width that it rose (above 0) or fell, -1 … 1; 0 but in a difference */
    double net;   /* what it and all below changed, or cost, in the profiles' unit */
    int row;      /* 0: the outermost */
} web_flame_rect;

typedef struct {
    double width, height;
    GArray *rects;  /* web_flame_rect */
    GArray *labels; /* web_label: of the frames, then title and notes */
    char *title, *description;
} web_flame_layout;
