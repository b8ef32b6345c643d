#pragma once
/* listener - the HTTP listener with routes that a test gives, and a client that sends bytes as they
 * are and shows the answer as it came. */
#include "server/catalog.h"
#include "server/http/http.h"

typedef struct {
    char *dir;
    srv_http_options options; /* may be changed until listener_start, with its config */
    cfg_server config;
    char listen[sizeof "255.255.255.255"];
    srv_http *http;
    srv_auth *auth;
    srv_changes *changes;
} listener;

/* On a free port of 127.0.0.1, public, with limits that no test reaches by chance; app is handed to
 * the handlers as their srv_app, routes are borrowed; context: whose database the workers have,
 * NULL: they have none. */
listener *listener_new(const srv_route *routes, size_t count, void *app,
                       const srv_context *context);
void listener_start(listener *at);
void listener_free(listener *at);

/* A token with these scopes; the caller's. */
char *listener_token(listener *at, const char *name, const char *scopes);

/* A new connection, with what waits for longer than a minute given up. */
int listener_connect(const listener *at);
/* As listener_connect, by this machine's address in the network instead of loopback (listen must be
 * 0.0.0.0); -1: it has none. */
int listener_connect_far(const listener *at);
/* Sends these bytes; false when the other side does not take them. */
bool listener_send(int fd, const char *bytes, size_t size);
/* What has come, at most size bytes; 0 at the end, negative: nothing came. */
ssize_t listener_receive(int fd, void *block, size_t size);
/* All that comes until the end; the caller's. */
char *listener_read(int fd);
/* One answer with a Content-Length, or without a body; the connection stays. The caller's. */
char *listener_read_one(int fd);

/* Sends this on a connection of its own, "Connection: close" and the end of the head are added to
 * what has no body; the whole answer, the caller's. */
char *listener_ask(const listener *at, const char *head);
/* As a POST with this body. headers: "Name: value\r\n…" */
char *listener_post(const listener *at, const char *path, const char *headers, const char *body);

/* Of an answer: its status, a header (NULL: absent; the caller's), and where the body begins. */
unsigned answer_status(const char *answer);
char *answer_header(const char *answer, const char *name);
const char *answer_body(const char *answer);
