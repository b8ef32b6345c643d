#pragma once
/*
 * http_keep - answers that are sent again as long as nothing was committed, and those who wait for
 * one that is being made: many clients that ask for the same at once cost one handler. Thread-safe.
 */
#include "server/http/http_reply.h"
#include "server/store/changes.h"

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
