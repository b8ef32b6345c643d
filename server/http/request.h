#pragma once
/*
 * request - one HTTP request as the handlers see it: no library type, all strings valid UTF-8
 * without control characters, all sizes bounded before a handler runs. It owns everything it points
 * to and goes when the exchange ends.
 */
#include "server/ground/auth.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define SRV_REQUEST_PARAMS 4

typedef struct srv_route srv_route;

typedef struct srv_request {
    char *method;
    char *path;                       /* decoded, starts with '/' */
    char *params[SRV_REQUEST_PARAMS]; /* the route's {…} segments in order, decoded */
    GHashTable *query;                /* name → value, decoded; the first of each name */
    GHashTable *headers;              /* lower-case name → value */
    GByteArray *body;                 /* NULL: none */
    char *client;                     /* address, for the log */
    char *token;                      /* name of the token used; NULL: none */
    char *token_key;                  /* of its secret (auth.h), not to be logged; NULL: none */
    char **projects;                  /* the token is for these alone; NULL: any */
    unsigned scopes;                  /* srv_scope bits that the token has */
    bool details;                     /* may see logs and the values of environment variables */
    bool apart;                       /* and others who may read may not */
    bool later; /* whether it is about one of the projects only the store can say */
    const srv_route *route;
    struct srv__incoming *upload; /* of a raw body (store/files.h) */
    void *held; /* what the handler keeps until the answer has left (route.h: completed) */
} srv_request;

/**
 * srv_request_parse_target - path and query of a request target ("/a%20b?x=1").
 * Fills path, query. Returns false with error when it is not an absolute path, an escape is broken,
 * a decoded byte is NUL or a control character, it is not UTF-8, or a segment is "." or "..".
 */
bool srv_request_parse_target(srv_request *request, const char *target,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_request_clear - frees everything but upload and held, which belong to the route. */
void srv_request_clear(srv_request *request);

/** srv_request_header, srv_request_query - NULL when absent; borrowed. Header name in lower
 * case. */
const char *srv_request_header(const srv_request *request, const char *name);
const char *srv_request_query(const srv_request *request, const char *name);

/**
 * srv_request_unsigned - a query parameter as a whole number.
 * out   left alone when the parameter is absent
 * Returns false with error when it is not a number from min to max.
 */
bool srv_request_unsigned(const srv_request *request, const char *name, uint64_t min, uint64_t max,
                          uint64_t *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_request_id - path parameter index as a positive number.
 * Returns false with error (G_IO_ERROR_INVALID_ARGUMENT) otherwise.
 */
bool srv_request_id(const srv_request *request, unsigned index, int64_t *out,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_request_json - the body as a JSON object.
 * Returns it, owned by the caller, or NULL with error naming line and column.
 */
json_t *srv_request_json(const srv_request *request, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * digest - the header Content-Digest (RFC 9530), as far as SHA-256 goes.
 */

/**
 * srv_digest_sha256 - the hash that a Content-Digest names, "sha-256=:BASE64:", among others or
 * alone. sha256  out: 64 lower-case hex digits and NUL Returns false when there is none, or one
 * that is no hash; the last of two counts, as in every structured field (RFC 8941).
 */
bool srv_digest_sha256(const char *header, char sha256[65]);
