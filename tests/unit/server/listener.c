#include "tests/unit/test.h"

#include "tests/unit/server/listener.h"

#include "tests/unit/server/folder.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_S = 60, STREAMS = 4, QUEUE = 64 };

static void ignore_stream(void *app) {
    (void)app;
}

static srv_work *worker(const char *name, const srv_context *context) {
    srv_store *stores[1] = {context ? srv_context_store(context, NULL) : NULL};
    assert_true(!context || stores[0]);
    srv_work *work = srv_work_new(name, stores, 1, QUEUE, NULL);
    assert_non_null(work);
    return work;
}

listener *listener_new(const srv_route *routes, size_t count, void *app,
                       const srv_context *context) {
    listener *at = g_new0(listener, 1);
    at->dir = folder_new();
    g_autofree char *tokens = g_build_filename(at->dir, SRV_AUTH_FILE, NULL);
    g_autofree char *database =
        context ? g_strdup(context->database) : g_build_filename(at->dir, "moowatch.db", NULL);
    (void)signal(SIGPIPE, SIG_IGN); /* as the daemon has it */
    at->auth = srv_auth_open(tokens, NULL);
    at->changes = srv_changes_open(database, NULL);
    assert_true(at->auth && at->changes);
    g_strlcpy(at->listen, "127.0.0.1", sizeof at->listen);
    at->config = (cfg_server){.listen = at->listen,
                              .connection_limit = 100,
                              .head_timeout_s = PATIENCE_S,
                              .body_timeout_s = PATIENCE_S,
                              .body_limit_bytes = 10000,
                              .body_buffer_bytes = 1 << 20,
                              .answer_cache_bytes = 1 << 20,
                              .public_read = true};
    at->options = (srv_http_options){.config = &at->config,
                                     .requests = srv_rate_new(0, 0),
                                     .failures = srv_rate_new(0, 0),
                                     .routes = routes,
                                     .routes_count = count,
                                     .changes = at->changes,
                                     .app = app,
                                     .auth = at->auth,
                                     .hub = srv_stream_hub_new(STREAMS, STREAMS - 1),
                                     .on_stream = ignore_stream,
                                     .readers = worker("reader", context),
                                     .writer = worker("writer", context),
                                     .expensive = worker("heavy", context)};
    return at;
}

void listener_start(listener *at) {
    g_autoptr(GError) error = NULL;
    at->http = srv_http_start(&at->options, &error);
    if (!at->http)
        fail_msg("%s", error->message);
}

void listener_free(listener *at) {
    if (at->http)
        srv_http_quiesce(at->http);
    srv_stream_close(at->options.hub);
    srv_work_end(at->options.readers);
    srv_work_end(at->options.expensive);
    srv_work_end(at->options.writer);
    srv_http_stop(at->http, 1000);
    srv_work_free(at->options.readers);
    srv_work_free(at->options.expensive);
    srv_work_free(at->options.writer);
    srv_stream_hub_free(at->options.hub);
    srv_rate_free(at->options.requests);
    srv_rate_free(at->options.failures);
    srv_auth_close(at->auth);
    srv_changes_close(at->changes);
    folder_free(at->dir);
    g_free(at);
}

char *listener_token(listener *at, const char *name, const char *scopes) {
    g_autoptr(GError) error = NULL;
    char *token =
        srv_auth_create(at->auth, &(srv_auth_wish){.name = name, .scopes = scopes}, 1, &error);
    if (!token)
        fail_msg("%s", error->message);
    return token;
}

static int connect_to(const listener *at, in_addr_t host) {
    const char *port = strrchr(srv_http_url(at->http), ':') + 1;
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port =
                                            htons((uint16_t)g_ascii_strtoull(port, NULL, 10)),
                                        .sin_addr.s_addr = host};
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

int listener_connect(const listener *at) {
    return connect_to(at, htonl(INADDR_LOOPBACK));
}

/* A datagram socket's connect() sends nothing, but chooses the address to send from. */
int listener_connect_far(const listener *at) {
    const struct sockaddr_in far = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = inet_addr("198.51.100.1")};
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool known = fd >= 0 && connect(fd, (const struct sockaddr *)&far, sizeof far) == 0 &&
                       getsockname(fd, (struct sockaddr *)&own, &size) == 0;
    if (fd >= 0)
        close(fd);
    return known ? connect_to(at, own.sin_addr.s_addr) : -1;
}

bool listener_send(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

ssize_t listener_receive(int fd, void *block, size_t size) {
    ssize_t n;
    do
        n = recv(fd, block, size, 0);
    while (n < 0 && errno == EINTR); /* a child of a handler has ended */
    return n;
}

char *listener_read(int fd) {
    GString *text = g_string_new(NULL);
    char block[4096];
    for (ssize_t n; (n = listener_receive(fd, block, sizeof block)) > 0;)
        g_string_append_len(text, block, n);
    return g_string_free(text, FALSE);
}

char *listener_read_one(int fd) {
    GString *text = g_string_new(NULL);
    char byte;
    while (!strstr(text->str, "\r\n\r\n") && listener_receive(fd, &byte, 1) == 1)
        g_string_append_c(text, byte);
    g_autofree char *length = answer_header(text->str, "Content-Length");
    for (guint64 left = length ? g_ascii_strtoull(length, NULL, 10) : 0;
         left > 0 && listener_receive(fd, &byte, 1) == 1; left--)
        g_string_append_c(text, byte);
    return g_string_free(text, FALSE);
}

char *listener_ask(const listener *at, const char *head) {
    const int fd = listener_connect(at);
    g_autofree char *whole = g_strconcat(head, "Connection: close\r\n\r\n", NULL);
    listener_send(fd, whole, strlen(whole));
    char *answer = listener_read(fd);
    close(fd);
    return answer;
}

char *listener_post(const listener *at, const char *path, const char *headers, const char *body) {
    const int fd = listener_connect(at);
    g_autofree char *whole = g_strdup_printf(
        "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %zu\r\n%s\r\n"
        "%s",
        path, strlen(body), headers, body);
    listener_send(fd, whole, strlen(whole));
    char *answer = listener_read(fd);
    close(fd);
    return answer;
}

unsigned answer_status(const char *answer) {
    return g_str_has_prefix(answer, "HTTP/1.1 ")
               ? (unsigned)g_ascii_strtoull(answer + strlen("HTTP/1.1 "), NULL, 10)
               : 0;
}

char *answer_header(const char *answer, const char *name) {
    const char *end = strstr(answer, "\r\n\r\n");
    g_auto(GStrv) lines = g_strsplit(answer, "\r\n", -1);
    const size_t length = strlen(name);
    for (guint i = 1; end && lines[i] && *lines[i] != '\0'; i++)
        if (g_ascii_strncasecmp(lines[i], name, length) == 0 && lines[i][length] == ':')
            return g_strdup(g_strstrip(lines[i] + length + 1));
    return NULL;
}

const char *answer_body(const char *answer) {
    const char *end = strstr(answer, "\r\n\r\n");
    return end ? end + strlen("\r\n\r\n") : "";
}
