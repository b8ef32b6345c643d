#pragma once
/* http_reply - a reply as the HTTP library's response, with the headers that every answer has. */
#include "server/reply.h"

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
