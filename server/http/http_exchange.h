#pragma once
/* http_exchange - what the listener (http.c) and the answering (http_answer.c) share. */
#include "server/ground/json_cost.h"
#include "server/http/connections.h"
#include "server/http/heavy.h"
#include "server/http/http.h"
#include "server/http/http_keep.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct srv_http {
    const srv_http_options *options;
    struct MHD_Daemon *daemon;
    srv__http_keep *keep;
    srv__connections *connections;
    srv__heavy *heavy;
    atomic_ullong buffered; /* bytes of bodies under way, as they are allocated */
    char *url;
    int listener; /* after quiesce, ours to close; -1 */
    atomic_bool ending;
    pthread_mutex_t lock;
    pthread_cond_t fewer;
    _Atomic(time_t) complained_s; /* when the library last had something for the log */
    atomic_uint open;             /* exchanges begun and not completed */
};

/* A request on its way through the library; the request comes first, so each is the other. */
typedef struct {
    srv_request request;
    srv_http *http;
    struct MHD_Connection *connection;
    char *target;
    char *key; /* of the answer, where one is kept (route.h); NULL: none */
    bool begun;
    bool dispatched;
    bool heavy;         /* counted as one (heavy.h) */
    srv_reply *refusal; /* decided before the body was read */
    uint64_t received;
    uint64_t charged;     /* of the buffered bytes */
    srv_json_cost values; /* of a body that is JSON */
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
