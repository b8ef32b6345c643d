#pragma once
/*
 * The files of the pages (static/), compiled into the program: nothing to install, nothing to lose.
 */
#include <glib.h>

typedef struct {
    const char *path;         /* "/static/app.js", or a page's file: "/index.html" */
    const char *content_type; /* with charset */
    const char *etag;         /* strong, with its quotes: the content's SHA-256 */
    GBytes *bytes;            /* borrowed, lives as long as the program */
    GBytes *gzip;             /* likewise, packed; NULL when that is not smaller */
} web_asset;

/**
 * web_asset_find - the file behind a request's path, pages included:
 * "/", "/jobs", "/projects/…", "/experiments/…", "/alerts/…" are pages, "/static/<name>" the rest.
 * Returns NULL when there is none. The result is constant. Thread-safe. The first call packs all
 * files.
 */
const web_asset *web_asset_find(const char *path);

/** The header that all pages are written for: nothing inline, nothing from elsewhere. */
#define WEB_CONTENT_SECURITY_POLICY                                                                \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "              \
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
