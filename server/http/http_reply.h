#pragma once
/* http_reply - a reply as the HTTP library's response, with the headers that every answer has. */
#include "server/http/reply.h"
#include "server/store/changes.h"

struct MHD_Response;

/**
 * srv__http_response - takes reply over, also its body and file.
 * if_none_match  of the request, NULL: absent; a match answers 304 without a body
 * status         out
 * Returns a response to be destroyed by the caller, or NULL when memory or a file fails.
 */
struct MHD_Response *srv__http_response(srv_reply *reply, const char *if_none_match,
                                        unsigned *status);

/** srv__http_harden - the security headers of every answer, but those that reply (may be NULL) sets
 * itself; an empty value leaves a header out. */
void srv__http_harden(struct MHD_Response *response, const srv_reply *reply);

/** srv__http_accepts_gzip - does Accept-Encoding (NULL: absent) allow it? */
bool srv__http_accepts_gzip(const char *accept_encoding);

/** srv__http_pack - packs the body when it is text and long enough to be worth it. Takes time. */
void srv__http_pack(srv_reply *reply);

/* kept - a reply that is sent many times: its bytes, packed too where that is worth it, and the tag
 * of both. Counted references; thread-safe. */
typedef struct srv__http_kept srv__http_kept;

/** srv__http_kept_new - from a reply with a body; takes it over, packs it. */
srv__http_kept *srv__http_kept_new(srv_reply *reply);
srv__http_kept *srv__http_kept_ref(srv__http_kept *kept);
void srv__http_kept_unref(srv__http_kept *kept);

/** srv__http_kept_response - as srv__http_response, of what is kept. */
struct MHD_Response *srv__http_kept_response(const srv__http_kept *kept,
                                             const char *accept_encoding, const char *if_none_match,
                                             unsigned *status);

/*
 * http_keep - answers that are sent again as long as nothing was committed, and those who wait for
 * one that is being made: many clients that ask for the same at once cost one handler. Thread-safe.
 */

typedef struct srv__http_keep srv__http_keep;

/* Which answer (srv_route_key), made when this was the number of changes. */
typedef struct {
    const char *key;
    uint64_t generation;
} srv__http_what;

/** srv__http_keep_new - changes outlives it. */
srv__http_keep *srv__http_keep_new(gsize max_bytes, const srv_changes *changes);
void srv__http_keep_free(srv__http_keep *keep);

/**
 * srv__http_keep_join - a reference for the caller; NULL: it is not there, or old. Then the caller
 * waits for it.
 * what    generation is filled in
 * waiter  given back by done, unless lead
 * lead    out: nobody makes it yet; the caller does, and calls done whatever comes of it
 */
srv__http_kept *srv__http_keep_join(srv__http_keep *keep, srv__http_what *what, void *waiter,
                                    bool *lead);

/** srv__http_keep_find - as join, without waiting. */
srv__http_kept *srv__http_keep_find(srv__http_keep *keep, const char *key);

/**
 * srv__http_keep_done - kept: what was made, borrowed; NULL: nothing that may be kept.
 * Returns those who waited; caller frees.
 */
GPtrArray *srv__http_keep_done(srv__http_keep *keep, const srv__http_what *what,
                               srv__http_kept *kept);
