#pragma once
/*
 * http - the listener: takes requests in with limits, has them answered elsewhere, sends the
 * replies.
 *
 * No handler ever blocks one of its threads: a request that needs the database, git or a drawing is
 * suspended, waits in a bounded queue (full: 503 with Retry-After), is answered by a worker, and is
 * resumed. Memory: about 16 KiB a connection plus the bodies under way (each below
 * body_limit_bytes, all together below body_buffer_bytes).
 */
#include "server/ground/auth.h"
#include "server/http/rate.h"
#include "server/http/route.h"
#include "server/http/stream.h"
#include "server/store/changes.h"
#include "server/work.h"

#include <glib.h>
#include <stdbool.h>

/*
 * http_tls - the listener's certificate, replaceable while connections are open.
 * TLS 1.2 and 1.3. Files are PEM: the chain, leaf first, and the key without a password.
 */

typedef struct srv_http_tls srv_http_tls;

/** srv_http_tls_new - reads both files; NULL with error naming the file. */
srv_http_tls *srv_http_tls_new(const char *certificate_file, const char *key_file,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_http_tls_reload - reads them again, for new connections; on error the old ones stay. */
bool srv_http_tls_reload(srv_http_tls *tls, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_http_tls_free - after the listener has ended. NULL is fine. */
void srv_http_tls_free(srv_http_tls *tls);

/** srv__http_tls_use - the certificate for the listener's handshakes; one listener a process. */
void srv__http_tls_use(srv_http_tls *tls);

/** srv__http_tls_callback - what the HTTP library is given (MHD_OPTION_HTTPS_CERT_CALLBACK). */
void *srv__http_tls_callback(void);

/** srv__http_tls_send_last - these bytes and the end; session: the library's, of a connection. */
void srv__http_tls_send_last(void *session, const void *data, size_t size);

#define SRV__HTTP_TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

typedef struct srv_http srv_http;

/* Handlers never wait, so two threads serve thousands. */
#define SRV_HTTP_THREADS 2u

/* That the library may have open: more than connection_limit, since it takes none while those that
 * make room are still closing. */
#define SRV_HTTP_CONNECTIONS(limit) ((limit) + (limit) / 8 + 32)

typedef struct {
    const cfg_server *config; /* where it listens, limits, who may read; those without a token have
                               * half of body_buffer_bytes, public_url's origin may write */
    srv_http_tls *tls;        /* NULL: plain HTTP */
    srv_rate *requests;       /* of one client */
    srv_rate *failures;       /* calls with a wrong token or signature */
    const srv_route *routes;
    size_t routes_count;
    const srv_changes *changes; /* kept answers are good until this one moves */
    srv_app *app;               /* handed to the handlers */
    srv_auth *auth;
    srv_stream_hub *hub;
    void (*on_stream)(void *app); /* told of every new stream, on an HTTP thread */
    /* Told of the first use of a token in an hour, and of what is refused and why; on any thread.
     */
    void (*on_use)(void *app);
    void (*on_refusal)(void *app, const srv_request *request, const char *why);
    /* Told why an answer was 500 or 507; on any thread. */
    void (*on_fault)(void *app, const char *why);
    /* Puts what is meant by the parameters into request->params, before these are looked at. */
    void (*meant)(srv_app *app, srv_request *request);
    /* What is answered to a token for some projects alone, of a request that is not about them;
     * NULL: it is. later: out: only the store can say, which is NULL before a worker has it. */
    srv_reply *(*foreign)(srv_app *app, srv_store *store, const srv_request *request, bool *later);
    srv_work *readers;
    srv_work *expensive; /* one worker for what is expensive (route.h) */
    srv_work *writer;
    srv_work *takers;
} srv_http_options;

/** srv_http_start - listens; options and all it points to outlive the listener. NULL with error. */
srv_http *srv_http_start(const srv_http_options *options, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_http_url - where it really listens, "http://127.0.0.1:8300"; borrowed. */
const char *srv_http_url(const srv_http *http);

/**
 * srv_http_answer - answers a request that a handler left waiting. Takes reply over. The request
 * must not be touched afterwards. Thread-safe.
 */
void srv_http_answer(srv_request *request, srv_reply *reply);

/** srv_http_client_there - has the client of a waiting request not hung up? */
bool srv_http_client_there(const srv_request *request);

/**
 * srv_http_quiesce - new requests get 503. Connections are still taken: MHD_quiesce_daemon
 * (libmicrohttpd up to 1.0.1) aborts the process when one of its threads wakes up meanwhile.
 */
void srv_http_quiesce(srv_http *http);

/**
 * srv_http_stop - waits until every request of before srv_http_quiesce is answered (at most
 * grace_ms for the sending), then ends. Waiting requests and streams must have been answered and
 * closed before.
 */
void srv_http_stop(srv_http *http, int grace_ms);
