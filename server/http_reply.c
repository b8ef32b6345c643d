#include "server/http_reply.h"

#include "web/asset.h"

#include <microhttpd.h>
#include <string.h>

enum { SOURCE_BLOCK = 32 << 10 };

static const char *const security[][2] = {
    {"Content-Security-Policy", WEB_CONTENT_SECURITY_POLICY},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "same-origin"},
    {"X-Frame-Options", "DENY"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-site"},
    {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
};

static bool is_given(const srv_reply *reply, const char *name) {
    for (guint i = 0; reply != NULL && i + 1 < reply->headers->len; i += 2)
        if (g_ascii_strcasecmp(g_ptr_array_index(reply->headers, i), name) == 0)
            return true;
    return false;
}

void srv__http_harden(struct MHD_Response *response, const srv_reply *reply) {
    for (size_t i = 0; i < G_N_ELEMENTS(security); i++)
        if (!is_given(reply, security[i][0]))
            MHD_add_response_header(response, security[i][0], security[i][1]);
}

static void unref_bytes(void *bytes) {
    g_bytes_unref(bytes);
}

static ssize_t read_source(void *data, uint64_t position, char *out, size_t max) {
    (void)position;
    srv_reply_source *source = data;
    ssize_t n = source->read(source->data, out, max);
    if (n == 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    return n < 0 ? MHD_CONTENT_READER_END_WITH_ERROR : n;
}

static void free_source(void *data) {
    srv_reply_source *source = data;
    source->free(source->data);
    g_free(source);
}

static struct MHD_Response *body_of(srv_reply *reply) {
    if (reply->fd >= 0) {
        int fd = reply->fd;
        reply->fd = -1;
        return MHD_create_response_from_fd64(reply->fd_size, fd);
    }
    if (reply->source.read != NULL) {
        srv_reply_source *source = g_memdup2(&reply->source, sizeof reply->source);
        memset(&reply->source, 0, sizeof reply->source);
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, SOURCE_BLOCK, read_source,
                                                 source, free_source);
    }
    if (reply->body == NULL)
        return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    GBytes *body = g_steal_pointer(&reply->body);
    gsize size = 0;
    /* The library reads it only; its prototype has no const. */
    union {
        const void *given;
        void *wanted;
    } data = {g_bytes_get_data(body, &size)};
    return MHD_create_response_from_buffer_with_free_callback_cls(size, data.wanted, unref_bytes,
                                                                  body);
}

struct MHD_Response *srv__http_response(srv_reply *taken, const char *if_none_match,
                                        unsigned *status) {
    g_autoptr(srv_reply) reply = taken;
    *status = reply->status;
    if (reply->status == 200 && srv_reply_matches(reply, if_none_match)) {
        *status = 304;
        g_clear_pointer(&reply->body, g_bytes_unref);
    }
    struct MHD_Response *response = body_of(reply);
    if (response == NULL)
        return NULL;
    srv__http_harden(response, reply);
    if (reply->content_type != NULL && *status != 304)
        MHD_add_response_header(response, "Content-Type", reply->content_type);
    if (reply->etag != NULL)
        MHD_add_response_header(response, "ETag", reply->etag);
    MHD_add_response_header(response, "Cache-Control",
                            reply->cache != NULL ? reply->cache : "no-cache");
    for (guint i = 0; i + 1 < reply->headers->len; i += 2) {
        const char *value = g_ptr_array_index(reply->headers, i + 1);
        if (*value != '\0')
            MHD_add_response_header(response, g_ptr_array_index(reply->headers, i), value);
    }
    return response;
}
