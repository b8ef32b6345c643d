#include "server/http/http_reply.h"

#include "server/http/http.h"

#include "web/pages/asset.h"
#include "web/pages/gzip.h"

#include <fcntl.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SOURCE_BLOCK = 32 << 10,
    PACK_MIN = 1024,          /* less fits one packet anyway */
    PACK_LEVEL = 5,           /* 6 and more cost much time for little */
    PLAIN_KEPT_MAX = 1 << 20, /* beyond, those without gzip have it made again */
    FORM_BYTES = 4 << 10, /* of two responses with their headers, as the library allocates them */
    TAGS_BYTES = 320      /* of a reply without body and headers */
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

/* Pages of memory that the kernel sends without copying them; -1: not possible, copy. */
static int pages_new(GBytes *body) {
    gsize size = 0, done = 0;
    const char *bytes = g_bytes_get_data(body, &size);
    int fd = memfd_create("answer", MFD_CLOEXEC);
    ssize_t n = 1;
    while (fd >= 0 && n > 0 && done < size)
        done += (gsize)MAX(n = write(fd, bytes + done, size - done), 0);
    if (fd >= 0 && done == size)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* With a descriptor of its own; NULL: there is none left. */
static struct MHD_Response *from_pages(int pages, gsize size) {
    int fd = fcntl(pages, F_DUPFD_CLOEXEC, 0);
    struct MHD_Response *response = fd >= 0 ? MHD_create_response_from_fd64(size, fd) : NULL;
    if (!response && fd >= 0)
        close(fd);
    return response;
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

/* One way of sending it. The library holds a response's lock while it sends from a descriptor, so
 * each thread has a response of its own then; without, all have the first. */
typedef struct {
    char *etag;
    struct MHD_Response *whole[SRV_HTTP_THREADS]; /* with the body; first NULL: not this way */
    struct MHD_Response *known;                   /* 304 */
    bool in_pages;                                /* the body is sent from a descriptor */
} form;

struct srv__http_tags {
    gint references;
    bool packs;       /* it is sent packed to who takes that */
    srv_reply *reply; /* without a body */
};

struct srv__http_kept {
    gint references;
    srv__http_tags *tags;
    gsize bytes;        /* bodies and all that is held with them */
    form plain, packed; /* whole NULL: there is none */
};

/* Which of the threads that send this one is, as they came. */
static unsigned thread_number(void) {
    static atomic_uint threads;
    static _Thread_local unsigned own; /* 0: not yet known */
    if (own == 0)
        own = 1 + atomic_fetch_add(&threads, 1) % SRV_HTTP_THREADS;
    return own - 1;
}

static struct MHD_Response *whole_of(const form *of) {
    struct MHD_Response *own = of->whole[thread_number()];
    return own ? own : of->whole[0];
}

static void fill_from_pages(form *to, const srv_reply *reply, GBytes *body, const char *encoding,
                            const char *etag) {
    const int pages = pages_new(body);
    for (unsigned i = 0; pages >= 0 && i < SRV_HTTP_THREADS; i++)
        to->whole[i] = dress(from_pages(pages, g_bytes_get_size(body)), reply, true, varies(reply),
                             encoding, etag);
    if (pages >= 0)
        close(pages);
}

static bool form_fill(form *to, const srv_reply *reply, GBytes *body, const char *encoding,
                      const char *etag) {
    to->etag = g_strdup(etag);
    if (g_bytes_get_size(body) >= SRV_HTTP_PAGES_MIN)
        fill_from_pages(to, reply, body, encoding, etag);
    to->in_pages = to->whole[0] != NULL;
    if (!to->whole[0])
        to->whole[0] =
            dress(from_bytes(g_bytes_ref(body)), reply, true, varies(reply), encoding, etag);
    to->known = dress(nothing(), reply, false, varies(reply), encoding, etag);
    return to->whole[0] && to->known;
}

/* What it holds, with a body of this size. */
static gsize form_bytes(gsize size) {
    const gsize others = size >= SRV_HTTP_PAGES_MIN ? SRV_HTTP_THREADS - 1 : 0;
    return size + FORM_BYTES + others * FORM_BYTES / 2;
}

static void form_clear(form *gone) {
    g_free(gone->etag);
    for (unsigned i = 0; i < SRV_HTTP_THREADS; i++)
        if (gone->whole[i])
            MHD_destroy_response(gone->whole[i]);
    if (gone->known)
        MHD_destroy_response(gone->known);
}

srv__http_tags *srv__http_tags_ref(srv__http_tags *tags) {
    g_atomic_int_inc(&tags->references);
    return tags;
}

void srv__http_tags_unref(srv__http_tags *tags) {
    if (!tags || !g_atomic_int_dec_and_test(&tags->references))
        return;
    srv_reply_free(tags->reply);
    g_free(tags);
}

gsize srv__http_tags_bytes(const srv__http_tags *tags) {
    gsize bytes = TAGS_BYTES;
    for (guint i = 0; i < tags->reply->headers->len; i++)
        bytes += strlen(g_ptr_array_index(tags->reply->headers, i)) + 2 * sizeof(gpointer);
    return bytes;
}

struct MHD_Response *srv__http_tags_response(const srv__http_tags *tags,
                                             const char *accept_encoding,
                                             const char *if_none_match) {
    const srv_reply *reply = tags->reply;
    const bool gzip = tags->packs && srv__http_accepts_gzip(accept_encoding);
    g_autofree char *packed = gzip ? packed_etag(reply->etag) : NULL;
    const char *etag = gzip ? packed : reply->etag;
    return srv_etag_matches(etag, if_none_match)
               ? dress(nothing(), reply, false, varies(reply), reply->encoding, etag)
               : NULL;
}

/* Takes the reply, which has been made ready. */
static srv__http_tags *tags_new(srv_reply *reply, bool packs) {
    srv__http_tags *tags = g_new0(srv__http_tags, 1);
    tags->references = 1;
    tags->packs = packs;
    tags->reply = reply;
    g_clear_pointer(&reply->body, g_bytes_unref);
    g_clear_pointer(&reply->gzip, g_bytes_unref);
    return tags;
}

srv__http_kept *srv__http_kept_new(srv_reply *taken) {
    g_autoptr(srv_reply) reply = taken;
    g_autoptr(GBytes) packed = packed_body(reply);
    g_autofree char *etag = packed_etag(reply->etag);
    gsize size = g_bytes_get_size(reply->body);
    bool plain_too = !packed || size <= PLAIN_KEPT_MAX;
    srv__http_kept *kept = g_new0(srv__http_kept, 1);
    kept->references = 1;
    kept->bytes = (plain_too ? form_bytes(size) : 0) +
                  (packed ? form_bytes(g_bytes_get_size(packed)) : 0) + sizeof *kept;
    if ((!plain_too || form_fill(&kept->plain, reply, reply->body, reply->encoding, reply->etag)) &&
        (!packed || form_fill(&kept->packed, reply, packed, "gzip", etag))) {
        kept->tags = tags_new(g_steal_pointer(&reply), packed != NULL);
        kept->bytes += srv__http_tags_bytes(kept->tags);
        return kept;
    }
    srv__http_kept_unref(kept);
    return NULL;
}

srv__http_kept *srv__http_kept_ref(srv__http_kept *kept) {
    g_atomic_int_inc(&kept->references);
    return kept;
}

void srv__http_kept_unref(srv__http_kept *kept) {
    if (!kept || !g_atomic_int_dec_and_test(&kept->references))
        return;
    form_clear(&kept->plain);
    form_clear(&kept->packed);
    srv__http_tags_unref(kept->tags);
    g_free(kept);
}

srv__http_tags *srv__http_kept_tags(const srv__http_kept *kept) {
    return kept->tags;
}

gsize srv__http_kept_bytes(const srv__http_kept *kept) {
    return kept->bytes;
}

struct MHD_Response *srv__http_kept_response(const srv__http_kept *kept,
                                             const char *accept_encoding, const char *if_none_match,
                                             unsigned *status) {
    bool gzip = kept->packed.whole[0] && srv__http_accepts_gzip(accept_encoding);
    const form *chosen = gzip ? &kept->packed : &kept->plain;
    bool known = srv_etag_matches(chosen->etag, if_none_match);
    *status = known ? 304 : 200;
    return known ? chosen->known : whole_of(chosen);
}

static bool sends_pages(const form *of, const struct MHD_Response *response) {
    return of->in_pages && response == whole_of(of);
}

bool srv__http_kept_in_pages(const srv__http_kept *kept, const struct MHD_Response *response) {
    return sends_pages(&kept->plain, response) || sends_pages(&kept->packed, response);
}
