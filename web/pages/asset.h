#pragma once
/*
 * The files of the pages (static/), compiled into the program: nothing to install, nothing to lose.
 */
#include <glib.h>

typedef struct {
    const char *content_type; /* with charset */
    const char *etag;         /* strong, with its quotes: the content's SHA-256 */
    GBytes *bytes;            /* borrowed, lives as long as the program */
    GBytes *gzip;             /* likewise, packed; NULL when that is not smaller */
} web_asset;

/**
 * web_asset_find - a file by its name, "index.html", "style.css"; NULL: there is none. The result
 * is constant. Thread-safe. The first call packs all files.
 */
const web_asset *web_asset_find(const char *name);

#define WEB_ASSETS "/moowatch/"           /* the files of the pages */
#define WEB_SITE_ASSETS "/moowatch-site/" /* what a site of files has instead, or beside them */

/** web_asset_bytes - a file of one of these folders, as it is; owned, NULL: there is none. */
GBytes *web_asset_bytes(const char *folder, const char *name);

/** web_asset_names - the names of a folder's files; free with g_strfreev. */
char **web_asset_names(const char *folder);

/** The header that all pages are written for: nothing inline, nothing from elsewhere. */
#define WEB_CONTENT_SECURITY_POLICY                                                                \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "              \
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/* gzip - bytes packed for the way to a browser, and unpacked. */

/**
 * web_gzip - a gzip stream of bytes, the same each time; owned by the caller.
 * level  1 (fast) to 9 (small)
 * Returns NULL when it would not be smaller. Thread-safe. Memory: the result and 256 KiB.
 */
GBytes *web_gzip(GBytes *bytes, int level);

/**
 * web_gunzip - the bytes of a gzip stream; owned by the caller.
 * NULL: it is none, has more behind it, or is of more than `most` bytes. Thread-safe.
 */
GBytes *web_gunzip(GBytes *packed, gsize most);
