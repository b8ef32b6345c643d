#include "server/http/http.h"

#include "config/log.h"
#include "server/http/http_exchange.h"
#include "server/store/files.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gio/gio.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    IDLE_TIMEOUT_S = 30,     /* of a connection on which nothing moves */
    MEMORY_LIMIT = 16 << 10, /* request line and headers of a connection */
    BACKLOG = 512,
    DRAIN_MAX = 16 << 20, /* of a refused body that is read so that the refusal arrives */
    RAW_TIMEOUT_S = 1800, /* 64 MiB over a bad line */
    COMPLAINT_PAUSE_S = 60,
    BODY_FIRST = 4 << 10, /* that the first bytes of a body are charged */
    VALUES_MAX = 4 << 20  /* of JSON, in memory; a result may have all that bodies may have */
};

typedef srv__exchange exchange;

static time_t monotonic_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void *on_target(void *data, const char *target, struct MHD_Connection *connection) {
    exchange *e = g_new(exchange, 1);
    /* calloc would not take back what the last request of this thread gave */
    *e = (exchange){.http = data,
                    .connection = connection,
                    .target = g_strdup(target),
                    .late = atomic_load(&((srv_http *)data)->ending),
                    .began_s = monotonic_s()};
    if (!e->late)
        atomic_fetch_add(&e->http->open, 1);
    return e;
}

static void on_completed(void *data, struct MHD_Connection *connection, void **slot,
                         enum MHD_RequestTerminationCode how) {
    srv_http *http = data;
    exchange *e = *slot;
    if (!e)
        return;
    *slot = NULL;
    const bool late = e->late;
    const srv_route *route = e->request.route;
    srv__connections_await(http->connections, connection, SRV__AWAITS_NEXT);
    atomic_fetch_sub(&http->buffered, e->charged);
    srv__incoming_free(e->request.upload);
    if (route && route->completed && e->request.held)
        route->completed(http->options->app, &e->request,
                         how == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    if (e->expensive)
        srv__expensive_leave(http->expensive, e->request.client);
    srv_reply_free(e->refusal);
    srv_reply_free(atomic_load(&e->reply));
    srv__http_kept_unref(atomic_load(&e->kept));
    g_free(e->target);
    g_free(e->key);
    if (e->request.method) /* else nothing was read of it */
        srv_request_clear(&e->request);
    g_free(e);
    if (late || atomic_fetch_sub(&http->open, 1) > 1 || !atomic_load(&http->ending))
        return;
    pthread_mutex_lock(&http->lock);
    pthread_cond_signal(&http->fewer);
    pthread_mutex_unlock(&http->lock);
}

static srv_reply *begin(exchange *e, const char *method) {
    srv_request *request = &e->request;
    const srv_http_options *options = e->http->options;
    GError *error = NULL;
    request->method = g_strdup(method);
    srv__headers_read(e->connection, options, request);
    if (!srv_request_parse_target(request, e->target, &error))
        return srv_reply_error(error);
    if (atomic_load(&e->http->ending))
        return srv_reply_problem(503, "the server is stopping; try again soon");
    srv_reply *refusal = srv__http_gate(options, e->http->url, request);
    if (!refusal && request->route->upload)
        refusal = request->route->upload(options->app, request, srv__http_length(request));
    return refusal;
}

bool srv_http_client_there(const srv_request *request) {
    const exchange *e = (const exchange *)(const void *)request;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(e->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info)
        return false;
    struct pollfd socket = {.fd = info->connect_fd, .events = POLLRDHUP};
    return poll(&socket, 1, 0) == 0;
}

/* A short rest is waited for, and the connection goes on; an answer to any other goes at once. */
static enum MHD_Result drain(exchange *e, size_t size) {
    bool short_rest = e->length >= 0 && (uint64_t)e->length - e->received <= DRAIN_MAX;
    if (e->refusal && !short_rest) {
        srv__http_refuse_now(e);
        e->began_s = monotonic_s();
    }
    e->drained += size;
    return e->drained <= e->http->options->config->body_limit_bytes + DRAIN_MAX ? MHD_YES : MHD_NO;
}

/* The largest is what will be in memory at once. */
static void count_lines(exchange *e, const char *data, size_t size) {
    const char *const end = data + size;
    while (data < end) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        srv_json_cost_add(&e->line, data, (size_t)((newline ? newline : end) - data));
        e->values.bytes = MAX(e->values.bytes, e->line.bytes);
        if (newline) {
            e->line = (srv_json_cost){0};
            e->lines++;
        }
        data = newline ? newline + 1 : end;
    }
}

static srv_reply *too_many_values(const exchange *e) {
    g_autofree char *detail =
        g_strdup_printf("line %" G_GUINT64_FORMAT " has more JSON values than body_buffer_bytes "
                        "has room for; raise it",
                        e->lines + 1);
    return srv_reply_problem(413, detail);
}

/* Straight to the disk. */
static srv_reply *upload_body(exchange *e, const char *data, size_t size) {
    GError *error = NULL;
    srv_request *request = &e->request;
    if (request->route->body == SRV_BODY_LINES)
        count_lines(e, data, size);
    const bool fits = e->values.bytes <= e->http->options->config->body_buffer_bytes;
    if (fits && srv__incoming_write(request->upload, data, size, &error))
        return NULL;
    srv__incoming_free(g_steal_pointer(&request->upload));
    return fits ? srv_reply_error(error) : too_many_values(e);
}

/* Takes what the array will have allocated out of what all bodies may have together. */
static bool charge(exchange *e) {
    const uint64_t whole = e->http->options->config->body_buffer_bytes;
    const uint64_t room = e->request.token ? whole : whole / 2;
    uint64_t needed = BODY_FIRST;
    while (needed < e->received)
        needed *= 2;
    if (needed <= e->charged)
        return true;
    const uint64_t more = needed - e->charged;
    if (atomic_fetch_add(&e->http->buffered, more) + more > room) {
        atomic_fetch_sub(&e->http->buffered, more);
        return false;
    }
    e->charged = needed;
    return true;
}

static bool is_result(const exchange *e) {
    return e->request.route->run == SRV_RUN_TAKE;
}

/* Before any of them is made. Of a webhook whoever checks its signature refuses what is too much; a
 * form may hide what it has by its encoding. */
static bool count_values(exchange *e, const char *data, size_t size) {
    const srv_route *route = e->request.route;
    if (!route || (route->body != SRV_BODY_JSON && route->body != SRV_BODY_HOOK))
        return true;
    srv_json_cost_add(&e->values, data, size);
    if (route->body == SRV_BODY_HOOK) {
        const char *type = srv_request_header(&e->request, "content-type");
        if (type && g_str_has_prefix(type, "application/x-www-form-urlencoded"))
            e->values.bytes = e->received * SRV_JSON_COST_BYTE;
        return true;
    }
    const uint64_t room = e->http->options->config->body_buffer_bytes - e->charged;
    return e->values.bytes <= (is_result(e) ? room : MIN(room, VALUES_MAX));
}

static void forget_body(exchange *e) {
    g_clear_pointer(&e->request.body, g_byte_array_unref);
    atomic_fetch_sub(&e->http->buffered, e->charged);
    e->charged = 0;
}

static srv_reply *keep_body(exchange *e, const char *data, size_t size) {
    srv_request *request = &e->request;
    if (e->received > e->http->options->config->body_limit_bytes) {
        forget_body(e);
        return srv_reply_problem(413, "the body is larger than body_limit_bytes allows");
    }
    if (!charge(e)) {
        forget_body(e);
        return srv_reply_problem(
            503, "the request bodies being received fill body_buffer_bytes; send it again later");
    }
    if (!count_values(e, data, size)) {
        forget_body(e);
        return srv_reply_problem(413, is_result(e)
                                          ? "the result has more JSON values than "
                                            "body_buffer_bytes has room for; raise it, or have "
                                            "fewer configurations or loops"
                                          : "the body has more JSON values than this call may "
                                            "have");
    }
    if (!request->body)
        request->body = g_byte_array_new();
    g_byte_array_append(request->body, (const guint8 *)data, (guint)size);
    return NULL;
}

static enum MHD_Result take_body(exchange *e, const char *data, size_t size) {
    srv_request *request = &e->request;
    e->received += size;
    bool raw = request->route && request->route->upload;
    if (monotonic_s() - e->began_s >
        (raw && !e->refused ? RAW_TIMEOUT_S : (time_t)e->http->options->config->body_timeout_s))
        return MHD_NO;
    if (e->refusal || e->refused)
        return drain(e, size);
    if (raw)
        e->refusal = upload_body(e, data, size);
    else
        e->refusal = keep_body(e, data, size);
    return !e->refusal ? MHD_YES : drain(e, size);
}

/* NOLINTNEXTLINE(readability-function-size): libmicrohttpd's callback */
static enum MHD_Result on_request(void *data, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *body,
                                  size_t *body_size, void **slot) {
    (void)data;
    (void)url;
    exchange *e = *slot;
    if (!e)
        return MHD_NO;
    enum MHD_Result result = MHD_NO;
    if (!e->begun) {
        e->begun = true;
        srv_reply *unclear = srv__headers_refusal(connection, method, version);
        if (unclear)
            return srv__http_send(e, unclear);
        e->refusal = begin(e, method);
        const bool raw = e->request.route && e->request.route->upload;
        srv__connections_await(e->http->connections, connection,
                               raw && !e->refusal ? SRV__AWAITS_RAW : SRV__AWAITS_BODY);
        e->length = srv__http_length(&e->request);
        if (e->refusal && (e->length > DRAIN_MAX || e->length == -2))
            return srv__http_send(e, g_steal_pointer(&e->refusal));
        return MHD_YES;
    }
    if (*body_size > 0) {
        size_t size = *body_size;
        *body_size = 0;
        return take_body(e, body, size);
    }
    if (e->refused)
        return MHD_NO; /* all is said; the connection closes */
    if (srv__http_resumed(e, &result))
        return result;
    if (e->refusal)
        return srv__http_send(e, g_steal_pointer(&e->refusal));
    if (e->dispatched)
        return MHD_NO;
    e->dispatched = true;
    srv__connections_await(e->http->connections, connection, SRV__AWAITS_US);
    return srv__http_dispatch(e);
}

G_GNUC_PRINTF(2, 0)
static void on_library_log(void *data, const char *format, va_list arguments) {
    srv_http *http = data;
    time_t now_s = monotonic_s();
    /* What strangers can provoke must not fill the log. */
    if (now_s - atomic_exchange(&http->complained_s, now_s) < COMPLAINT_PAUSE_S)
        return;
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    cfg_log("info", "http", "library", "text=%s", g_strstrip(text));
}

/* The address to bind to; listen: numeric, as the configuration has it. */
static void address_of(const char *listen, uint16_t port, struct sockaddr_storage *out) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, listen, &v4.sin_addr) == 1)
        memcpy(out, &v4, sizeof v4);
    else if (inet_pton(AF_INET6, listen, &v6.sin6_addr) == 1)
        memcpy(out, &v6, sizeof v6);
}

/* A listening socket; -1 with error. */
static int listen_on(const cfg_server *config, struct sockaddr_storage *address, GError **error) {
    static const int on = 1;
    bool v6 = address->ss_family == AF_INET6;
    socklen_t size = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(fd, (struct sockaddr *)address, size) == 0 && listen(fd, BACKLOG) == 0 &&
        getsockname(fd, (struct sockaddr *)address, &size) == 0)
        return fd;
    int code = errno;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(code),
                "cannot listen on %s port %u: %s; is another server running there?", config->listen,
                config->port, g_strerror(code));
    if (fd >= 0)
        close(fd);
    return -1;
}

static char *url_of(const char *scheme, const char *host, const struct sockaddr_storage *address) {
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    memcpy(&v4, address, sizeof v4);
    memcpy(&v6, address, sizeof v6);
    bool is_v6 = address->ss_family == AF_INET6;
    if (strcmp(host, "0.0.0.0") == 0)
        host = "127.0.0.1";
    else if (strcmp(host, "::") == 0)
        host = "::1";
    return g_strdup_printf(is_v6 ? "%s://[%s]:%u" : "%s://%s:%u", scheme, host,
                           (unsigned)ntohs(is_v6 ? v6.sin6_port : v4.sin_port));
}

static struct MHD_Daemon *start_daemon(srv_http *http, int fd) {
    const srv_http_options *options = http->options;
    char tls_priorities[] = SRV__HTTP_TLS_PRIORITIES; /* read while it starts */
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem secure[] = {{MHD_OPTION_HTTPS_CERT_CALLBACK, 0, srv__http_tls_callback()},
                                      {MHD_OPTION_HTTPS_PRIORITIES, 0, tls_priorities},
                                      {MHD_OPTION_END, 0, NULL}};
    if (options->tls)
        srv__http_tls_use(options->tls);
    /* Not epoll, which it would choose: up to 0.9.75 it misses now and then that a client has hung
     * up within a body, and keeps the connection, and our room for the body, until its timeout. */
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
            (options->tls ? MHD_USE_TLS : MHD_NO_FLAG),
        0, NULL, NULL, on_request, http, MHD_OPTION_EXTERNAL_LOGGER, on_library_log, http,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_URI_LOG_CALLBACK, on_target, http,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, http, MHD_OPTION_THREAD_POOL_SIZE,
        SRV_HTTP_THREADS, MHD_OPTION_CONNECTION_LIMIT,
        SRV_HTTP_CONNECTIONS(options->config->connection_limit), MHD_OPTION_NOTIFY_CONNECTION,
        srv__connections_notify, http->connections, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY_LIMIT, MHD_OPTION_ARRAY, options->tls ? secure : plain, MHD_OPTION_END);
}

srv_http *srv_http_start(const srv_http_options *options, GError **error) {
    const cfg_server *config = options->config;
    struct sockaddr_storage address;
    address_of(config->listen, config->port, &address);
    int fd = listen_on(config, &address, error);
    if (fd < 0)
        return NULL;
    srv_http *http = g_new0(srv_http, 1);
    http->options = options;
    http->keep = srv__http_keep_new(config->answer_cache_bytes, options->changes);
    http->expensive = srv__expensive_new();
    http->url = url_of(options->tls ? "https" : "http", config->listen, &address);
    pthread_mutex_init(&http->lock, NULL);
    pthread_cond_init(&http->fewer, NULL);
    const srv__connections_limits limits = {config->connection_limit,
                                            config->client_connection_limit,
                                            config->head_timeout_s,
                                            config->body_timeout_s,
                                            RAW_TIMEOUT_S,
                                            IDLE_TIMEOUT_S};
    http->connections = srv__connections_new(&limits, error);
    http->daemon = http->connections ? start_daemon(http, fd) : NULL;
    if (http->daemon)
        return http;
    if (http->connections)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                    "cannot serve on %s: the HTTP library failed; the log may say why", http->url);
    close(fd);
    srv_http_stop(http, 0);
    return NULL;
}

const char *srv_http_url(const srv_http *http) {
    return http->url;
}

void srv_http_quiesce(srv_http *http) {
    atomic_store(&http->ending, true);
}

void srv_http_stop(srv_http *http, int grace_ms) {
    if (!http)
        return;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += grace_ms / 1000;
    pthread_mutex_lock(&http->lock);
    while (atomic_load(&http->open) > 0 &&
           pthread_cond_timedwait(&http->fewer, &http->lock, &until) == 0) {
    }
    pthread_mutex_unlock(&http->lock);
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    srv__connections_free(http->connections);
    pthread_cond_destroy(&http->fewer);
    pthread_mutex_destroy(&http->lock);
    srv__expensive_free(http->expensive);
    srv__http_keep_free(http->keep);
    g_free(http->url);
    g_free(http);
}
