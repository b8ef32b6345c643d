#pragma once
/* http_exchange - what the listener (http.c) and the answering (http_answer.c) share. */
#include "server/ground/fields.h"
#include "server/http/http.h"
#include "server/http/http_reply.h"
#include "server/http/rate.h"

#include <glib.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

struct srv_http {
    const srv_http_options *options;
    struct MHD_Daemon *daemon;
    srv__http_keep *keep;
    struct srv__connections *connections;
    srv__expensive *expensive;
    atomic_ullong buffered; /* bytes of bodies under way, as they are allocated */
    char *url;
    atomic_bool ending;
    pthread_mutex_t lock;
    pthread_cond_t fewer;
    _Atomic(time_t) complained_s; /* when the library last had something for the log */
    atomic_uint open;             /* exchanges begun before the end, and not completed */
};

/* A request on its way through the library; the request comes first, so each is the other. */
typedef struct {
    srv_request request;
    srv_http *http;
    struct MHD_Connection *connection;
    char *target;
    char *key; /* of the answer, where one is kept (route.h); NULL: none */
    bool begun;
    bool late; /* it came when the end had begun, and is not waited for */
    bool dispatched;
    bool expensive;     /* counted as one (rate.h) */
    srv_reply *refusal; /* decided before the body was read */
    uint64_t received;
    uint64_t charged;     /* of the buffered bytes */
    srv_json_cost values; /* of a body that is JSON, or of the largest of its lines */
    srv_json_cost line;   /* that comes now */
    uint64_t lines;       /* before it */
    uint64_t drained;     /* of it, after the refusal */
    int64_t length;       /* as announced; -1: not */
    bool refused;         /* the refusal has left while the body still came */
    time_t began_s;
    srv__http_what what; /* of what is kept: when the request was dispatched */
    _Atomic(srv_reply *) reply;
    _Atomic(srv__http_kept *) kept; /* the answer, when not reply */
} srv__exchange;

/** srv__http_send - takes the reply over. */
enum MHD_Result srv__http_send(srv__exchange *e, srv_reply *reply);

/** srv__http_refuse_now - sends e->refusal amidst the body; nothing else may be sent after it. */
void srv__http_refuse_now(srv__exchange *e);

/** srv__http_dispatch - has the complete request answered, here or by a worker. */
enum MHD_Result srv__http_dispatch(srv__exchange *e);

/** srv__http_resumed - sends what a worker has made; false: there is nothing yet. */
bool srv__http_resumed(srv__exchange *e, enum MHD_Result *result);

/*
 * connections - who is connected since when: how many of one address, and until when head and body
 * of a request must be there, and who makes room when there are too many. The library only ends a
 * connection on which nothing at all moves; a byte now and then holds one for ever. Thread-safe.
 */

typedef struct srv__connections srv__connections;

typedef struct {
    unsigned total;      /* beyond, the one that has been idle for longest ends; the new one, when
                            none is */
    unsigned per_client; /* of one address (IPv6: of one /64), loopback excepted; 0: no limit */
    unsigned head_s; /* from the connection's begin, or the last answer's end, to a whole head */
    unsigned body_s; /* of a body that is collected */
    unsigned raw_s;  /* of a body that goes to a file */
    unsigned idle_s; /* that a connection may wait for its next request */
} srv__connections_limits;

/** srv__connections_new - starts the thread that looks once a second. NULL with error. */
srv__connections *srv__connections_new(const srv__connections_limits *limits, GError **error);

/** srv__connections_free - after the library has closed all connections. */
void srv__connections_free(srv__connections *all);

/** srv__connections_notify - for MHD_OPTION_NOTIFY_CONNECTION; data: srv__connections. */
void srv__connections_notify(void *data, struct MHD_Connection *connection, void **slot,
                             enum MHD_ConnectionNotificationCode what);

/** srv__connections_address - of the peer, "" where it has none; caller frees. */
char *srv__connections_address(struct MHD_Connection *connection);

/* What a connection is waited for. */
typedef enum {
    SRV__AWAITS_NEXT, /* another request, after an answer */
    SRV__AWAITS_BODY,
    SRV__AWAITS_RAW,
    SRV__AWAITS_US /* nothing: the answer is ours to make */
} srv__awaits;

void srv__connections_await(srv__connections *all, struct MHD_Connection *connection,
                            srv__awaits what);

/*
 * headers - all that a request's headers say, read in one place: by name, who the client is, and
 * whether they leave a doubt about where the body ends. What another server on the way may read
 * otherwise than we do is how requests are smuggled: it is refused, and the connection closed.
 */

/* What is looked at header by header, without a copy. */
typedef struct {
    const char *next;  /* where the next name begins if all lines end as they should; NULL: the
                          library looks itself */
    unsigned headers;  /* so far */
    unsigned framings; /* bits: those that may stand once and were there */
    unsigned status;   /* 0: all is clear; else why the request is refused */
    const char *wrong;
} srv__headers_look;

/**
 * srv__headers_refusal - asked before anything else. method, version: as the library gives them,
 * with the request's head between them. NULL: all is clear; else the connection is to be closed.
 */
srv_reply *srv__headers_refusal(struct MHD_Connection *connection, const char *method,
                                const char *version);

/** srv__headers_read - fills headers (lower-case name → value, the first of each name) and client
 * of the request. */
void srv__headers_read(struct MHD_Connection *connection, const srv_http_options *options,
                       srv_request *request);

/*
 * http_gate - everything that is decided about a request before its body is read: is there such a
 * route, may this client use it, is the body of an acceptable kind and size.
 */

/**
 * srv__http_gate - decides from the request line and the headers.
 * Fills request->route, params, token, scopes. Returns NULL to go on, or the refusal.
 */
srv_reply *srv__http_gate(const srv_http_options *options, const char *own_url,
                          srv_request *request);

/** srv__http_length - Content-Length; 0: no body announced, -1: chunked, -2: not a number. */
int64_t srv__http_length(const srv_request *request);
