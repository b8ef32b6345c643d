#pragma once
/*
 * A project in a page that needs no script, for a frame in somebody else's wiki or dashboard: the
 * verdict, the chart, and the newest nights as a table.
 */
#include "config/model/night.h"

#include "web/chart/chart.h"

typedef struct {
    unsigned nights;   /* drawn; 0: 30 */
    const char *theme; /* "light" or "dark"; NULL: the reader's */
    const char *leaf;  /* as of the chart; NULL: the first chain */
    web_chart_view view;
    web_chart_range range;
    web_chart_of of;
} web_embed_options;

/* What such a page may load: pictures and one style sheet; who may frame it follows. */
#define WEB_EMBED_SECURITY_POLICY                                                                  \
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "  \
    "frame-ancestors "

/* As many as the table under the chart holds. */
#define WEB_EMBED_ROWS 10

/**
 * web_embed_page - the page's HTML.
 * project  a *project* object; nights: of cfg_night, newest first, at least the first
 *          WEB_EMBED_ROWS; both borrowed
 * options  may be NULL
 * Everything from the objects is text or a URL with its characters escaped. Free with g_free.
 */
char *web_embed_page(const json_t *project, const model_list *nights,
                     const web_embed_options *options);
