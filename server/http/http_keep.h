#pragma once
/*
 * http_keep - answers that are sent again as long as nothing has changed, and those who wait for
 * one that is being made: many clients that ask for the same at once cost one handler. Thread-safe.
 */
#include "server/http/http_reply.h"
#include "server/store/changes.h"

typedef struct srv__http_keep srv__http_keep;

/* Which answer (srv_route_key), made when this was the generation of its kind. */
typedef struct {
    const char *key;
    unsigned kind; /* srv_changes_kind */
    uint64_t generation;
} srv__http_what;

/** srv__http_keep_new - changes outlives it. A sixteenth of the bytes is for tags, which outlive
 * the bodies: whoever asks for everything again gets most of it as not modified, and nothing is
 * made anew. */
srv__http_keep *srv__http_keep_new(gsize max_bytes, const srv_changes *changes);
void srv__http_keep_free(srv__http_keep *keep);

/** srv__http_keep_find - of whatever kind; a reference for the caller, NULL: not there, or old. */
srv__http_kept *srv__http_keep_find(srv__http_keep *keep, const char *key);

/** srv__http_keep_tags - of the answer, though its bodies may have gone; a reference for the
 * caller, NULL: not there, or old. */
srv__http_tags *srv__http_keep_tags(srv__http_keep *keep, const char *key);

/**
 * srv__http_keep_join - as find, or waits for it.
 * what    generation is filled in
 * waiter  given back by done, unless lead
 * lead    out: nobody makes it yet; the caller does, and calls done whatever comes of it
 */
srv__http_kept *srv__http_keep_join(srv__http_keep *keep, srv__http_what *what, void *waiter,
                                    bool *lead);

/**
 * srv__http_keep_done - kept: what was made, borrowed; NULL: nothing that may be kept.
 * Returns those who waited; caller frees.
 */
GPtrArray *srv__http_keep_done(srv__http_keep *keep, const srv__http_what *what,
                               srv__http_kept *kept);

/** srv__http_keep_put - without anybody waiting. */
void srv__http_keep_put(srv__http_keep *keep, const srv__http_what *what, srv__http_kept *kept);
