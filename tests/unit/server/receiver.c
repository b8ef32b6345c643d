#include "receiver.h"

#include <stdbool.h>
#include <string.h>

#include <microhttpd.h>
#include <pthread.h>

struct receiver {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    const receiver_answer *answers;
    guint answers_count, used;
    const receiver_page *pages;
    guint pages_count;
    const void *bytes;
    gsize bytes_size;
    GPtrArray *requests;
};

static void request_free(void *pointer) {
    receiver_request *r = pointer;
    g_free(r->line);
    g_free(r->query);
    g_free(r->authorization);
    g_free(r->type);
    g_free(r->digest);
    g_free(r->lease);
    g_free(r->known);
    g_free(r->body);
    g_free(r->event);
    g_free(r->delivery);
    g_free(r->signature);
    g_free(r);
}

static char *header(struct MHD_Connection *connection, const char *name) {
    return g_strdup(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name));
}

static enum MHD_Result query_add(void *user, enum MHD_ValueKind kind, const char *name,
                                 const char *value) {
    (void)kind;
    GString *to = user;
    g_string_append_printf(to, "%s%s=%s", to->len ? "&" : "", name, value);
    return MHD_YES;
}

static char *query(struct MHD_Connection *connection) {
    GString *all = g_string_new(NULL);
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, query_add, all);
    return g_string_free(all, FALSE);
}

static const receiver_answer *page_of(const receiver *r, const receiver_request *one) {
    static const receiver_answer none = {404, NULL, NULL, "{\"title\": \"Not Found\"}"};
    static const receiver_answer same = {304, NULL, NULL, NULL};
    const char *path = strchr(one->line, ' ') + 1;
    g_autofree char *whole = g_strconcat(path, "?", one->query, NULL);
    for (guint i = 0; i < r->pages_count; i++) {
        const receiver_page *page = &r->pages[i];
        if (!g_str_equal(page->address, strchr(page->address, '?') ? whole : path))
            continue;
        const bool known = page->answer.header && g_str_equal(page->answer.header, "ETag") &&
                           g_strcmp0(page->answer.value, one->known) == 0;
        return known ? &same : &page->answer;
    }
    return &none;
}

static const receiver_answer *next_of(receiver *r) {
    static const receiver_answer good = {200, NULL, NULL, "ok"};
    return r->used < r->answers_count ? &r->answers[r->used++] : &good;
}

static enum MHD_Result answer(receiver *r, struct MHD_Connection *connection,
                              const receiver_request *one) {
    const receiver_answer *a = r->pages ? page_of(r, one) : next_of(r);
    const char *body = a->body ? a->body : "";
    const gsize size = r->bytes ? r->bytes_size : strlen(body);
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(
        size, g_memdup2(r->bytes ? r->bytes : body, size), g_free);
    if (a->header)
        MHD_add_response_header(response, a->header, a->value);
    const enum MHD_Result queued = MHD_queue_response(connection, a->status, response);
    MHD_destroy_response(response);
    return queued;
}

/* NOLINTNEXTLINE(readability-function-size): libmicrohttpd's callback */
static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **request) {
    (void)version;
    receiver *r = user;
    if (!*request) {
        *request = g_string_new(NULL);
        return MHD_YES;
    }
    if (*size) {
        g_string_append_len(*request, data, (gssize)*size);
        *size = 0;
        return MHD_YES;
    }
    receiver_request *one = g_new0(receiver_request, 1);
    one->line = g_strdup_printf("%s %s", method, url);
    one->query = query(connection);
    one->authorization = header(connection, "Authorization");
    one->type = header(connection, "Content-Type");
    one->lease = header(connection, "X-Moowatch-Lease");
    one->digest = header(connection, "Content-Digest");
    one->known = header(connection, "If-None-Match");
    one->body = g_strdup(((GString *)*request)->str);
    one->event = header(connection, "X-Moowatch-Event");
    one->delivery = header(connection, "X-Moowatch-Delivery");
    one->signature = header(connection, "X-Moowatch-Signature-256");
    pthread_mutex_lock(&r->lock);
    g_ptr_array_add(r->requests, one);
    const enum MHD_Result queued = answer(r, connection, one);
    pthread_mutex_unlock(&r->lock);
    return queued;
}

static void completed(void *user, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode code) {
    (void)user;
    (void)connection;
    (void)code;
    if (*request)
        g_string_free(*request, TRUE);
}

receiver *receiver_new(void) {
    receiver *r = g_new0(receiver, 1);
    pthread_mutex_init(&r->lock, NULL);
    r->requests = g_ptr_array_new_with_free_func(request_free);
    r->daemon =
        MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle, r,
                         MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
    g_assert_nonnull(r->daemon);
    return r;
}

void receiver_free(receiver *r) {
    MHD_stop_daemon(r->daemon);
    g_ptr_array_unref(r->requests);
    pthread_mutex_destroy(&r->lock);
    g_free(r);
}

unsigned receiver_port(const receiver *r) {
    return MHD_get_daemon_info(r->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

void receiver_serve(receiver *r, const void *bytes, gsize size) {
    pthread_mutex_lock(&r->lock);
    r->bytes = bytes;
    r->bytes_size = size;
    pthread_mutex_unlock(&r->lock);
}

void receiver_script(receiver *r, const receiver_answer *answers, guint count) {
    pthread_mutex_lock(&r->lock);
    r->answers = answers;
    r->answers_count = count;
    r->used = 0;
    pthread_mutex_unlock(&r->lock);
}

void receiver_pages(receiver *r, const receiver_page *pages, guint count) {
    pthread_mutex_lock(&r->lock);
    r->pages = pages;
    r->pages_count = count;
    pthread_mutex_unlock(&r->lock);
}

guint receiver_count(receiver *r) {
    pthread_mutex_lock(&r->lock);
    const guint count = r->requests->len;
    pthread_mutex_unlock(&r->lock);
    return count;
}

const receiver_request *receiver_get(receiver *r, guint i) {
    pthread_mutex_lock(&r->lock);
    const receiver_request *one = i < r->requests->len ? r->requests->pdata[i] : NULL;
    pthread_mutex_unlock(&r->lock);
    return one;
}

void receiver_forget(receiver *r) {
    pthread_mutex_lock(&r->lock);
    g_ptr_array_set_size(r->requests, 0);
    pthread_mutex_unlock(&r->lock);
}
