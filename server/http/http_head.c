#include "server/http/http_head.h"

#include <glib.h>
#include <string.h>

#define NAME(text) sizeof(text) - 1, text

static void keep_first(const char **slot, const char *value) {
    if (!*slot)
        *slot = value ? value : "";
}

/* Nearly all clients write a name as the standard does. */
static bool is(const char *name, size_t size, size_t wanted_size, const char *wanted) {
    return size == wanted_size &&
           (memcmp(name, wanted, size) == 0 || g_ascii_strncasecmp(name, wanted, size) == 0);
}

enum MHD_Result srv__http_head_take(void *data, enum MHD_ValueKind kind, const char *name,
                                    size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    (void)value_size;
    srv__http_head *head = data;
    if (is(name, name_size, NAME(MHD_HTTP_HEADER_HOST)))
        keep_first(&head->host, value);
    else if (is(name, name_size, NAME(MHD_HTTP_HEADER_ACCEPT_ENCODING)))
        keep_first(&head->accept_encoding, value);
    else if (is(name, name_size, NAME(MHD_HTTP_HEADER_IF_NONE_MATCH)))
        keep_first(&head->if_none_match, value);
    else if (is(name, name_size, NAME(MHD_HTTP_HEADER_AUTHORIZATION)))
        head->authorised = true;
    else if (is(name, name_size, NAME(MHD_HTTP_HEADER_CONTENT_LENGTH)) ||
             is(name, name_size, NAME(MHD_HTTP_HEADER_TRANSFER_ENCODING)))
        head->body = true;
    return MHD_YES;
}

srv__http_head srv__http_head_read(struct MHD_Connection *connection) {
    srv__http_head head = {0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, srv__http_head_take, &head);
    return head;
}
