#include "server/http/http_reply.h"

#include "server/ground/lru.h"
#include "server/ground/thread.h"
#include "web/pages/asset.h"

#include <microhttpd.h>
#include <pthread.h>
#include <string.h>

enum {
    SOURCE_BLOCK = 32 << 10,
    PACK_MIN = 1024,      /* less fits one packet anyway */
    PACK_LEVEL = 5,       /* 6 and more cost much time for little */
    REPLY_BYTES = 1 << 10 /* of a reply and its headers, without bodies */
};

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
    for (guint i = 0; reply && i + 1 < reply->headers->len; i += 2)
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

/* The library reads it only; its prototype has no const. Takes body over. */
static struct MHD_Response *from_bytes(GBytes *body) {
    gsize size = 0;
    union {
        const void *given;
        void *wanted;
    } data = {g_bytes_get_data(body, &size)};
    return MHD_create_response_from_buffer_with_free_callback_cls(size, data.wanted, unref_bytes,
                                                                  body);
}

static struct MHD_Response *nothing(void) {
    return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *body_of(srv_reply *reply) {
    if (reply->fd >= 0) {
        int fd = reply->fd;
        reply->fd = -1;
        return MHD_create_response_from_fd64(reply->fd_size, fd);
    }
    if (reply->source.read) {
        srv_reply_source *source = g_memdup2(&reply->source, sizeof reply->source);
        memset(&reply->source, 0, sizeof reply->source);
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, SOURCE_BLOCK, read_source,
                                                 source, free_source);
    }
    return reply->body ? from_bytes(g_steal_pointer(&reply->body)) : nothing();
}

/* What browsers unpack anyway and what shrinks. */
static bool is_text(const char *type) {
    static const char *const beginnings[] = {"text/",
                                             "application/json",
                                             "application/problem+json",
                                             "application/atom+xml",
                                             "application/openmetrics-text",
                                             "image/svg+xml"};
    for (size_t i = 0; type && i < G_N_ELEMENTS(beginnings); i++)
        if (g_str_has_prefix(type, beginnings[i]))
            return true;
    return false;
}

/* Another client may get other bytes of this; caches on the way must know. */
static bool varies(const srv_reply *reply) {
    return reply->encoding ||
           (is_text(reply->content_type) && reply->fd < 0 && !reply->source.read);
}

/* Weight of a coding whose parameters these are (";q=0.5"); 1 without. */
static bool is_wanted(const char *parameters, size_t length) {
    for (const char *at = parameters; at + 1 < parameters + length; at++)
        if (g_ascii_tolower(at[0]) == 'q' && at[1] == '=')
            return g_ascii_strtod(at + 2, NULL) > 0;
    return true;
}

bool srv__http_accepts_gzip(const char *accept_encoding) {
    const char *at = accept_encoding;
    /* strspn and strcspn fill a table of 256 bytes first. */
    while (at && *at != '\0') {
        size_t length = 0, name = 0;
        while (*at == ',' || *at == ' ' || *at == '\t')
            at++;
        while (at[length] != ',' && at[length] != '\0')
            length++;
        while (name < length && at[name] != ';' && at[name] != ' ' && at[name] != '\t')
            name++;
        if ((name == 4 && g_ascii_strncasecmp(at, "gzip", 4) == 0) || (name == 1 && *at == '*'))
            return is_wanted(at + name, length - name);
        at += length;
    }
    return false;
}

static GBytes *packed_body(const srv_reply *reply) {
    if (reply->gzip)
        return g_bytes_ref(reply->gzip);
    bool worth = reply->body && !reply->encoding && is_text(reply->content_type) &&
                 g_bytes_get_size(reply->body) >= PACK_MIN;
    return worth ? web_gzip(reply->body, PACK_LEVEL) : NULL;
}

/* Other bytes, another ETag: "abc" becomes "abc-gz". NULL stays. */
static char *packed_etag(const char *etag) {
    return etag ? g_strdup_printf("%.*s-gz\"", (int)strlen(etag) - 1, etag) : NULL;
}

void srv__http_pack(srv_reply *reply) {
    GBytes *packed = packed_body(reply);
    if (!packed)
        return;
    g_bytes_unref(reply->body);
    reply->body = packed;
    reply->encoding = "gzip";
    char *etag = packed_etag(reply->etag);
    g_free(reply->etag);
    reply->etag = etag;
}

/* Takes response; body: it has one; vary: others may get other bytes. */
static struct MHD_Response *dress(struct MHD_Response *response, const srv_reply *reply, bool body,
                                  bool vary, const char *encoding, const char *etag) {
    if (!response)
        return NULL;
    srv__http_harden(response, reply);
    if (reply->content_type && body)
        MHD_add_response_header(response, "Content-Type", reply->content_type);
    if (encoding && body)
        MHD_add_response_header(response, "Content-Encoding", encoding);
    if (vary)
        MHD_add_response_header(response, "Vary", "Accept-Encoding");
    if (etag)
        MHD_add_response_header(response, "ETag", etag);
    MHD_add_response_header(response, "Cache-Control", reply->cache ? reply->cache : "no-cache");
    for (guint i = 0; i + 1 < reply->headers->len; i += 2) {
        const char *value = g_ptr_array_index(reply->headers, i + 1);
        if (*value != '\0')
            MHD_add_response_header(response, g_ptr_array_index(reply->headers, i), value);
    }
    return response;
}

struct MHD_Response *srv__http_response(srv_reply *taken, const char *if_none_match,
                                        unsigned *status) {
    g_autoptr(srv_reply) reply = taken;
    bool known = reply->status == 200 && srv_etag_matches(reply->etag, if_none_match);
    const bool vary = varies(reply); /* before the body is taken out of it */
    *status = known ? 304 : reply->status;
    struct MHD_Response *response = known ? nothing() : body_of(reply);
    return dress(response, reply, !known, vary, reply->encoding, reply->etag);
}

struct srv__http_kept {
    gint references;
    srv_reply *reply;  /* its gzip: packed, where that is worth it */
    char *packed_etag; /* of that */
};

srv__http_kept *srv__http_kept_new(srv_reply *reply) {
    srv__http_kept *kept = g_new0(srv__http_kept, 1);
    kept->references = 1;
    kept->reply = reply;
    if (!reply->gzip)
        reply->gzip = packed_body(reply);
    kept->packed_etag = packed_etag(reply->etag);
    return kept;
}

srv__http_kept *srv__http_kept_ref(srv__http_kept *kept) {
    g_atomic_int_inc(&kept->references);
    return kept;
}

void srv__http_kept_unref(srv__http_kept *kept) {
    if (!kept || !g_atomic_int_dec_and_test(&kept->references))
        return;
    srv_reply_free(kept->reply);
    g_free(kept->packed_etag);
    g_free(kept);
}

/* Of its bodies, and what is held with them. */
static gsize http_kept_bytes(const srv__http_kept *kept) {
    const srv_reply *reply = kept->reply;
    return REPLY_BYTES + g_bytes_get_size(reply->body) +
           (reply->gzip ? g_bytes_get_size(reply->gzip) : 0);
}

struct MHD_Response *srv__http_kept_response(const srv__http_kept *kept,
                                             const char *accept_encoding, const char *if_none_match,
                                             unsigned *status) {
    const srv_reply *reply = kept->reply;
    const bool gzip = reply->gzip && srv__http_accepts_gzip(accept_encoding);
    const char *etag = gzip ? kept->packed_etag : reply->etag;
    const bool known = srv_etag_matches(etag, if_none_match);
    *status = known ? 304 : 200;
    return dress(known ? nothing() : from_bytes(g_bytes_ref(gzip ? reply->gzip : reply->body)),
                 reply, !known, varies(reply), gzip ? "gzip" : reply->encoding, etag);
}

struct srv__http_keep {
    srv_lru *answers;
    const srv_changes *changes;
    pthread_mutex_t lock;
    GHashTable *making; /* generation and key → GPtrArray of waiters */
};

static gpointer ref(gpointer kept) {
    return srv__http_kept_ref(kept);
}

static void unref(gpointer kept) {
    srv__http_kept_unref(kept);
}

srv__http_keep *srv__http_keep_new(gsize max_bytes, const srv_changes *changes) {
    srv__http_keep *keep = g_new0(srv__http_keep, 1);
    keep->answers = srv_lru_new(max_bytes, ref, unref);
    keep->changes = changes;
    keep->making = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    pthread_mutex_init(&keep->lock, NULL);
    return keep;
}

void srv__http_keep_free(srv__http_keep *keep) {
    if (!keep)
        return;
    srv_lru_free(keep->answers);
    g_hash_table_unref(keep->making);
    pthread_mutex_destroy(&keep->lock);
    g_free(keep);
}

/* What waits for an older generation must not get it in a newer one's place. */
static char *name_of(const srv__http_what *what) {
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", what->generation, what->key);
}

srv__http_kept *srv__http_keep_find(srv__http_keep *keep, const char *key) {
    return srv_lru_get(keep->answers, key, srv_changes_now(keep->changes));
}

srv__http_kept *srv__http_keep_join(srv__http_keep *keep, srv__http_what *what, void *waiter,
                                    bool *lead) {
    what->generation = srv_changes_now(keep->changes);
    g_autofree char *name = name_of(what);
    *lead = false;
    SRV_HOLD(&keep->lock);
    srv__http_kept *kept = srv__http_keep_find(keep, what->key);
    GPtrArray *waiters = !kept ? g_hash_table_lookup(keep->making, name) : NULL;
    if (waiters) {
        g_ptr_array_add(waiters, waiter);
    } else if (!kept) {
        g_hash_table_insert(keep->making, g_steal_pointer(&name), g_ptr_array_new());
        *lead = true;
    }
    return kept;
}

GPtrArray *srv__http_keep_done(srv__http_keep *keep, const srv__http_what *what,
                               srv__http_kept *kept) {
    g_autofree char *name = name_of(what);
    SRV_HOLD(&keep->lock);
    if (kept)
        srv_lru_put(keep->answers, what->key, what->generation, kept, http_kept_bytes(kept));
    GPtrArray *waiters = g_hash_table_lookup(keep->making, name);
    g_hash_table_remove(keep->making, name);
    return waiters;
}
