#pragma once
/*
 * source - what a site is made of: a server's answers, asked for with the ETag of the last time.
 */
#include "ci/command/client.h"
#include "ci/site/files.h"

typedef struct {
    ci_client *client;
    ci_files *files;
    json_t *projects; /* the API's items, borrowed by what works on them */
    const char *url;  /* where the site will be served, without the last '/', or NULL */
    gint64 now_ms;
} ci_source;

/** ci_source_get - an answer of the API: "/projects". As ci_client_get, with "/api/v1" in front. */
json_t *ci_source_get(const ci_source *source, const char *path,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_source_keep - writes what an address answers to a file, asked for again only when it changed.
 * address  as on the server
 * change   what is written in place of the bytes (owned by the callee's caller); NULL: the bytes
 */
typedef GBytes *(*ci_source_change)(const ci_source *source, GBytes *bytes);
bool ci_source_keep(const ci_source *source, const char *address, const char *path,
                    ci_source_change change, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_source_digest - of JSON, to know it again: 32 characters, owned. */
char *ci_source_digest(const json_t *json);
