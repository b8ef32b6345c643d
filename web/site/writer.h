#pragma once
/* writer - one answer after the other becomes a file of a site. For site.c alone. */
#include "web/site/site.h"

#include <glib.h>
#include <jansson.h>

#define WEB__MANY "?limit=5000" /* what a list hands out at most */

typedef struct {
    const web_site_options *options;
    web_files *files;
    const char *version; /* of the server */
} web__writer;

/**
 * web__keep - an answer in its file, asked for once a run.
 * source  of what the answer follows: while that is the same it is not asked for; NULL: the
 *         server's ETag says whether it is another one
 * What the server does not have the site has not either: then true.
 */
bool web__keep(const web__writer *w, const char *address, const char *source,
               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web__kept - likewise, JSON; owned, NULL with error: also where the server does not have it. */
json_t *web__kept(const web__writer *w, const char *address,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web__asked - an answer that is no file; owned, NULL with error. */
json_t *web__asked(const web__writer *w, const char *address,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web__items - of a list, which is taken (NULL: error is set already); owned, NULL with error. */
json_t *web__items(json_t *list, const char *address, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web__put_json - a file that is no answer. Takes json. */
bool web__put_json(const web__writer *w, const char *path, json_t *json,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web__put_page - a page or a module at its path. */
bool web__put_page(const web__writer *w, const char *page, const char *path,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web__filled - the pattern with name in place of its "%s"; caller frees. */
char *web__filled(const char *pattern, const char *name);

/*
 * name - which file of a site has what a server answers to a GET; web/site/place.js has the same
 * rule, tests/unit/web/site/names.txt holds both to it.
 *
 * The path, and of the query what the answer hangs on, sorted: "/api/v1/jobs?state=done&limit=300"
 * is "api/v1/jobs,state=done.json", "/charts/x.svg?theme=dark" is "charts/x,theme=dark.svg". Lists
 * come whole, so limit, cursor, since and until are left out; so is what is usual (theme=light).
 * What is large and what there is many of is packed: "….json.gz".
 */

/** web_site_name - address: "/path?query", escaped. Caller frees. */
char *web_site_name(const char *address);

/*
 * sitefile - the pages' files for a site without a server: addresses relative to where they stand,
 * so that the site may lie in any folder; a module that a site has otherwise in place of the
 * server's.
 */

/** web_sitefile_names - all names, sorted; free with g_strfreev. */
char **web_sitefile_names(void);
