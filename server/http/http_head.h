#pragma once
/*
 * http_head - the headers that decide whether a kept answer fits, found in one pass over all that
 * came; each look-up of the library's is a pass of its own.
 */
#include <microhttpd.h>
#include <stdbool.h>

/* Borrowed from the connection; NULL: absent. Of several with one name, the first. */
typedef struct {
    const char *host;
    const char *accept_encoding;
    const char *if_none_match;
    bool authorised; /* there is an Authorization, of whatever kind */
    bool body;       /* one is announced: Content-Length or Transfer-Encoding */
} srv__http_head;

/** srv__http_head_take - a MHD_KeyValueIteratorN; data: srv__http_head. */
enum MHD_Result srv__http_head_take(void *data, enum MHD_ValueKind kind, const char *name,
                                    size_t name_size, const char *value, size_t value_size);

/** srv__http_head_read - of the request that the connection has now. */
srv__http_head srv__http_head_read(struct MHD_Connection *connection);
