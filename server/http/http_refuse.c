/*
 * A refusal while the body still comes. The library sends an answer before a body's first byte or
 * after its last one only, so this one is written to the connection here, and the connection ends
 * on our side: whoever sends sees answer and end at once. What comes after is read and forgotten
 * for a while, because a connection closed over unread bytes may lose the answer on its way.
 */
#include "server/http/http_exchange.h"

#include <string.h>
#include <sys/socket.h>

static enum MHD_Result add_header(void *data, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind;
    g_string_append_printf(data, "%s: %s\r\n", name, value);
    return MHD_YES;
}

/* Head and body as they go over the line; takes the reply over. NULL when memory fails. */
static GString *text_of(srv_reply *reply) {
    unsigned status = 500;
    g_autoptr(GBytes) body = g_bytes_ref(reply->body);
    struct MHD_Response *response = srv__http_response(reply, NULL, &status);
    if (!response)
        return NULL;
    gsize size = 0;
    const char *bytes = g_bytes_get_data(body, &size);
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    /* The daemon never leaves the C locale, so these names are English. */
    g_autofree char *date = g_date_time_format(now, "%a, %d %b %Y %H:%M:%S GMT");
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "HTTP/1.1 %u %s\r\nDate: %s\r\nConnection: close\r\n", status,
                           MHD_get_reason_phrase_for(status), date);
    MHD_get_response_headers(response, add_header, text);
    g_string_append_printf(text, "Content-Length: %" G_GSIZE_FORMAT "\r\n\r\n", size);
    g_string_append_len(text, bytes, (gssize)size);
    MHD_destroy_response(response);
    return text;
}

/* Nothing was sent for this request yet, so the kernel's buffer has room; if not, it is gone. */
static void send_last(struct MHD_Connection *connection, const GString *text) {
    const union MHD_ConnectionInfo *tls =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    void *session = tls ? tls->tls_session : NULL;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info)
        return;
    int fd = info->connect_fd;
    if (session)
        srv__http_tls_send_last(session, text->str, text->len);
    else
        (void)!send(fd, text->str, text->len, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(fd, SHUT_WR);
}

void srv__http_refuse_now(srv__exchange *e) {
    GString *text = text_of(g_steal_pointer(&e->refusal));
    e->refused = true;
    if (!text)
        return;
    send_last(e->connection, text);
    g_string_free(text, TRUE);
}
