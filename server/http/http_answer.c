/* How a complete request is answered: at once, from what is kept, or by a worker. */
#include "server/http/http_exchange.h"
#include "server/http/rate.h"

#include <malloc.h>
#include <string.h>
#include <sys/socket.h>

/*
 * A refusal while the body still comes. The library sends an answer before a body's first byte or
 * after its last one only, so this one is written to the connection here, and the connection ends
 * on our side: whoever sends sees answer and end at once. What comes after is read and forgotten
 * for a while, because a connection closed over unread bytes may lose the answer on its way.
 */

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

typedef srv__exchange exchange;

enum MHD_Result srv__http_send(exchange *e, srv_reply *reply) {
    unsigned status = 500;
    const srv_http_options *options = e->http->options;
    if (reply->fault && options->on_fault)
        options->on_fault(options->app, reply->fault);
    /* Others may read the lines between its chunks otherwise: nothing comes after it. */
    if (e->request.headers && srv_request_header(&e->request, "transfer-encoding"))
        srv_reply_header(reply, "Connection", "close");
    const char *if_none_match =
        e->request.headers ? srv_request_header(&e->request, "if-none-match") : NULL;
    struct MHD_Response *response = srv__http_response(reply, if_none_match, &status);
    if (!response)
        return MHD_NO;
    enum MHD_Result ok = MHD_queue_response(e->connection, status, response);
    MHD_destroy_response(response);
    return ok;
}

static enum MHD_Result send_stream(exchange *e) {
    struct MHD_Response *response = srv_stream_open(
        e->http->options->hub, e->connection, e->request.client,
        e->http->options->config->public_read && !e->request.apart ? NULL : e->request.token_key,
        e->request.details);
    if (!response)
        return srv__http_send(
            e,
            srv_reply_problem(
                503,
                "the limit of event streams is reached (stream_limit, client_stream_limit); poll "
                "the state instead"));
    e->http->options->on_stream(e->http->options->app);
    srv__http_harden(response, NULL);
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Accel-Buffering", "no");
    enum MHD_Result ok = MHD_queue_response(e->connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return ok;
}

void srv_http_answer(srv_request *request, srv_reply *reply) {
    exchange *e = (exchange *)(void *)request;
    struct MHD_Connection *connection = e->connection;
    atomic_store(&e->reply, reply);
    MHD_resume_connection(connection);
}

static bool takes_gzip(const exchange *e) {
    return srv__http_accepts_gzip(srv_request_header(&e->request, "accept-encoding"));
}

/* The refusal of a token that is not for this project; NULL: it is, or is for all. */
static srv_reply *foreign(exchange *e, srv_store *store) {
    const srv_http_options *options = e->http->options;
    bool later = false;
    return e->request.later ? options->foreign(options->app, store, &e->request, &later) : NULL;
}

/* What its JSON takes while it is read. A webhook that comes alone always has room. */
static uint64_t values_of(const exchange *e) {
    const uint64_t most =
        MIN(e->http->options->config->body_buffer_bytes - e->charged, SRV_JSON_COST_HOOK);
    return e->request.route->body == SRV_BODY_HOOK ? MIN(e->values.bytes, most) : e->values.bytes;
}

/* With its values, which are charged as bodies are. What is freed lies in small pieces below others
 * that live, and would be of use to this thread's next request only: the system gets it back. */
static srv_reply *handled(exchange *e, srv_store *store) {
    enum { LEFT_OVER_MAX = 8 << 20 };
    srv_http *http = e->http; /* the exchange may have ended with the handler */
    const srv_http_options *options = http->options;
    const uint64_t values = values_of(e);
    srv_reply *reply = NULL;
    if (atomic_fetch_add(&http->buffered, values) + values > options->config->body_buffer_bytes)
        reply = srv_reply_problem(503, "the requests under way fill body_buffer_bytes; send it "
                                       "again later");
    else
        reply = e->request.route->handler(options->app, store, &e->request);
    if (values > LEFT_OVER_MAX)
        (void)malloc_trim(0);
    atomic_fetch_sub(&http->buffered, values);
    return reply;
}

static void run_handler(srv_store *store, void *data) {
    exchange *e = data;
    srv_reply *reply = foreign(e, store);
    if (!reply)
        reply = handled(e, store);
    if (!reply)
        return;
    if (takes_gzip(e))
        srv__http_pack(reply);
    srv_http_answer(&e->request, reply);
}

/* Takes a reference over. */
static void answer_kept(exchange *e, srv__http_kept *kept) {
    struct MHD_Connection *connection = e->connection;
    atomic_store(&e->kept, kept);
    MHD_resume_connection(connection);
}

/* Cheap requests never wait for expensive ones, which have a worker of their own. */
static srv_work *reader_of(exchange *e, srv_reply **refusal) {
    const srv_http_options *options = e->http->options;
    if (e->expensive || !srv_route_expensive(e->request.route, &e->request))
        return e->expensive ? options->expensive : options->readers;
    e->expensive = srv__expensive_enter(e->http->expensive, e->request.client);
    if (!e->expensive)
        *refusal =
            srv_reply_problem(503, "too many expensive requests are running, from this client or "
                                   "in total; try again later, or ask for less at once");
    return options->expensive;
}

/* False: run is never called, and refusal is what to answer. */
static bool push(exchange *e, srv_work_fn run, srv_reply **refusal) {
    *refusal = NULL;
    srv_work *work = reader_of(e, refusal);
    char client[SRV_RATE_KEY_SIZE];
    srv_rate_key(e->request.client, client);
    if (!*refusal && !srv_work_push_for(work, client, run, e))
        *refusal = srv_reply_problem(503, "too many requests are waiting; try again");
    return !*refusal;
}

static void push_suspended(exchange *e, srv_work_fn run) {
    srv_reply *refusal = NULL;
    if (!push(e, run, &refusal))
        srv_http_answer(&e->request, refusal);
}

/* Those who waited get what was made, or have it made each for itself. */
static void serve_waiters(GPtrArray *waiters, srv__http_kept *kept) {
    for (guint i = 0; i < waiters->len; i++) {
        exchange *e = g_ptr_array_index(waiters, i);
        if (kept)
            answer_kept(e, srv__http_kept_ref(kept));
        else
            push_suspended(e, run_handler);
    }
    g_ptr_array_unref(waiters);
}

/* Makes an answer that is to be kept, for all who wait for it. */
static void run_lead(srv_store *store, void *data) {
    exchange *e = data;
    srv_http *http = e->http;
    srv_reply *reply = e->request.route->handler(http->options->app, store, &e->request);
    srv__http_kept *kept = reply->status == 200 && reply->body ? srv__http_kept_new(reply) : NULL;
    serve_waiters(srv__http_keep_done(http->keep, &e->what, kept), kept);
    if (kept)
        answer_kept(e, kept);
    else
        srv_http_answer(&e->request, reply);
}

static const char *header_of(const exchange *e, const char *name) {
    return MHD_lookup_connection_value(e->connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_kept(exchange *e, const srv__http_kept *kept) {
    unsigned status;
    struct MHD_Response *response =
        srv__http_kept_response(kept, header_of(e, MHD_HTTP_HEADER_ACCEPT_ENCODING),
                                header_of(e, MHD_HTTP_HEADER_IF_NONE_MATCH), &status);
    if (!response)
        return MHD_NO;
    enum MHD_Result result = MHD_queue_response(e->connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result dispatch_kept(exchange *e) {
    srv_http *http = e->http;
    srv_reply *refusal = NULL;
    bool lead = false;
    e->key = srv_route_key(e->request.route, &e->request);
    srv__http_kept *kept = srv__http_keep_find(http->keep, e->key);
    if (kept) {
        enum MHD_Result result = send_kept(e, kept);
        srv__http_kept_unref(kept);
        return result;
    }
    /* Suspended first: the worker may be done before this function returns. */
    MHD_suspend_connection(e->connection);
    e->what = (srv__http_what){.key = e->key};
    kept = srv__http_keep_join(http->keep, &e->what, e, &lead);
    if (kept)
        answer_kept(e, kept);
    else if (lead && !push(e, run_lead, &refusal)) {
        serve_waiters(srv__http_keep_done(http->keep, &e->what, NULL), NULL);
        srv_http_answer(&e->request, refusal);
    }
    return MHD_YES;
}

static enum MHD_Result send_here(exchange *e) {
    srv_reply *reply = handled(e, NULL);
    if (reply->gzip && takes_gzip(e))
        srv__http_pack(reply);
    return srv__http_send(e, reply);
}

/* Whose queue a handler that writes is for; NULL: it does not write. */
static srv_work *writer_of(const exchange *e) {
    const srv_run run = e->request.route->run;
    return run == SRV_RUN_WRITE  ? e->http->options->writer
           : run == SRV_RUN_TAKE ? e->http->options->takers
                                 : NULL;
}

enum MHD_Result srv__http_dispatch(exchange *e) {
    const srv_route *route = e->request.route;
    srv_work *writer = writer_of(e);
    /* What is kept is not looked at for a token that may not be for it. */
    switch (e->request.later && !writer ? SRV_RUN_READ : route->run) {
    case SRV_RUN_STREAM:
        return strcmp(e->request.method, "HEAD") != 0 ? send_stream(e)
                                                      : srv__http_send(e, srv_reply_new(200));
    case SRV_RUN_HERE:
    case SRV_RUN_ASSET:
        return send_here(e);
    case SRV_RUN_KEPT:
        return dispatch_kept(e);
    case SRV_RUN_PAGE:
    case SRV_RUN_READ:
    case SRV_RUN_WRITE:
    case SRV_RUN_TAKE:
        break;
    }
    /* Suspended first: the worker may be done before this function returns. */
    MHD_suspend_connection(e->connection);
    if (!writer)
        push_suspended(e, run_handler);
    else if (!srv_work_push(writer, run_handler, e))
        srv_http_answer(&e->request,
                        srv_reply_problem(503, "too many requests are waiting; try again"));
    return MHD_YES;
}

bool srv__http_resumed(exchange *e, enum MHD_Result *result) {
    srv_reply *reply = atomic_exchange(&e->reply, NULL);
    srv__http_kept *kept = atomic_load(&e->kept);
    if (reply)
        *result = srv__http_send(e, reply);
    else if (kept)
        *result = send_kept(e, kept);
    return reply || kept;
}
