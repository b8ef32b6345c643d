#pragma once
/*
 * Okabe and Ito's colours, which the colour-blind can tell apart, and a hatch each for print:
 * T grey, I orange, C bluish green, W blue, then reddish purple, yellow, sky blue, brown.
 * The same values stand in static/style.css.
 */
#include "web/chart/chart.h"
#include "web/layout/layout.h"

typedef struct {
    double red, green, blue;
} web_colour;

typedef struct {
    web_colour background, ink, muted, grid, band, ring, hatch;
} web_palette;

typedef enum { WEB_HATCH_NONE, WEB_HATCH_UP, WEB_HATCH_DOWN, WEB_HATCH_FLAT } web_hatch;

const web_palette *web__palette(web_theme theme);

/** web__portion_colour / web__portion_hatch - of the portion called name, or the index-th other
 * one. */
web_colour web__portion_colour(const char *name, guint index, web_theme theme);
web_hatch web__portion_hatch(const char *name, guint index);

/** web__boundary_dashes - on and off lengths, ending with 0; told apart without colour. */
const double *web__boundary_dashes(web_boundary_kind kind);

/** web__ring_dashes - likewise of what rings a night that was only suspected or cleared. */
const double *web__ring_dashes(void);

/** web__label_colour / web__label_bold - how a text of this role looks. */
web_colour web__label_colour(web_label_role role, const web_palette *palette);
bool web__label_bold(web_label_role role);

/** web__label_halo - does it stand over ink, so that a rim of the background keeps it readable? */
bool web__label_halo(web_label_role role);
#define WEB__HALO 3.0 /* width of the stroke below such a text */
