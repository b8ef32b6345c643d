#pragma once
/* http_reply - a reply as the HTTP library's response, with the headers that every answer has. */
#include "server/http/reply.h"

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

/*
 * kept - a reply made ready to be sent many times: plain, packed, and "not modified" of both.
 * Sending it costs no copy, and no thread waits until another one has sent its own. Counted
 * references; thread-safe.
 */
typedef struct srv__http_kept srv__http_kept;

/**
 * srv__http_kept_new - from a reply with a body; takes it over, packs it. NULL when memory fails.
 * A large body that shrinks well is kept packed only.
 */
srv__http_kept *srv__http_kept_new(srv_reply *reply);
srv__http_kept *srv__http_kept_ref(srv__http_kept *kept);
void srv__http_kept_unref(srv__http_kept *kept);

/** srv__http_kept_bytes - of its bodies. */
gsize srv__http_kept_bytes(const srv__http_kept *kept);

/*
 * tags - what is left of a kept reply when its bodies have gone: by what name each form is known,
 * and its headers. Counted references; thread-safe.
 */
typedef struct srv__http_tags srv__http_tags;

/** srv__http_kept_tags - borrowed. */
srv__http_tags *srv__http_kept_tags(const srv__http_kept *kept);
srv__http_tags *srv__http_tags_ref(srv__http_tags *tags);
void srv__http_tags_unref(srv__http_tags *tags);
gsize srv__http_tags_bytes(const srv__http_tags *tags);

/** srv__http_tags_response - 304, to be destroyed by the caller; NULL when the client has another
 * version, or none. */
struct MHD_Response *srv__http_tags_response(const srv__http_tags *tags,
                                             const char *accept_encoding,
                                             const char *if_none_match);

/**
 * srv__http_kept_response - what this thread is to send; borrowed. status: out.
 * NULL when only the packed body is kept and the client does not take it.
 */
struct MHD_Response *srv__http_kept_response(const srv__http_kept *kept,
                                             const char *accept_encoding, const char *if_none_match,
                                             unsigned *status);

/** srv__http_kept_in_pages - does the body of that response go out apart from its head? */
bool srv__http_kept_in_pages(const srv__http_kept *kept, const struct MHD_Response *response);
