#pragma once
/*
 * route - one row of the table that says what the server answers (routes.c has all of them).
 */
#include "server/http/reply.h"
#include "server/http/request.h"
#include "server/store/store.h"

typedef struct srv_app srv_app; /* app.h */

/* Where a handler runs. The HTTP threads must never wait, so only what neither reads the database
 * nor computes may run there. */
typedef enum {
    SRV_RUN_HERE,  /* on the HTTP thread; store is NULL */
    SRV_RUN_READ,  /* on a reading worker */
    SRV_RUN_WRITE, /* on the one writing worker */
    SRV_RUN_TAKE,  /* on one of those that take results in */
    /* As READ, and the answer is kept by path and parameters until anything was committed. It must
     * hang on nothing else: not on the time, the client, a header. */
    SRV_RUN_KEPT,
    SRV_RUN_ASSET, /* as HERE: a file of web/pages/asset.h, of no project */
    SRV_RUN_PAGE,  /* as READ: likewise; the store says whether there is what it is about */
    SRV_RUN_STREAM /* keeps the connection as an event stream; no handler */
} srv_run;

typedef enum {
    SRV_BODY_NONE,
    SRV_BODY_JSON, /* collected up to body_limit_bytes, Content-Type application/json */
    SRV_BODY_HOOK, /* collected likewise; of any type: what signs it is not parsed yet */
    SRV_BODY_RAW,  /* into request->upload as it comes */
    SRV_BODY_LINES /* likewise, of JSON: what the largest takes in memory is charged like a body */
} srv_body;

/**
 * srv_handler - answers a request.
 * Returns the reply, or NULL when the request waits (longpoll.h) and is answered later.
 */
typedef srv_reply *(*srv_handler)(srv_app *app, srv_store *store, srv_request *request);

/* A call that is answered with JSON (routes.h: srv__answer). */
typedef struct {
    srv_app *app;
    srv_store *store;
    srv_request *request;
    int64_t id;         /* the number that the address names first, where the route is numbered */
    json_t *body;       /* where the route takes JSON; borrowed */
    const char *reason; /* in body; not empty where the route is reasoned; NULL: there is none */
    unsigned status;    /* of the answer, 200; an act may set another */
} srv_call;

/** srv_act - what a call is answered with, owned; NULL with error. */
typedef json_t *(*srv_act)(srv_call *call, GError **error);

/* Pages read theirs in the browser; a webhook's sender would not repeat what was refused. */
#define SRV_QUERY_ANY "*"
#define SRV_QUERY_IGNORED '-' /* before a name: taken, but the answer does not hang on it */

/* Expensive requests are answered by one worker of their own, one after the other, and a client may
 * have few of them (rate.h). "limit>500" among the names: when the parameter is more; this one:
 * always. */
#define SRV_QUERY_EXPENSIVE ">"

/* Behind a name: the words that the parameter may be, divided by '|'; "view=bars|lines". */
#define SRV_QUERY_WORDS "="

/* Among the names: who may see details (request.h) gets another answer. */
#define SRV_QUERY_DETAILS "+"

struct srv_route {
    const char *method;  /* GET routes answer HEAD too */
    const char *pattern; /* "/api/v1/jobs/{}": {} is one segment, {*} the rest */
    srv_scope scope;     /* READ is given to everybody when public_read is set */
    srv_run run;
    srv_body body;
    srv_handler handler;
    /* Of a raw body: makes request->upload, on the HTTP thread; a reply refuses the body. */
    srv_reply *(*upload)(srv_app *app, srv_request *request, int64_t length);
    /* Told when the exchange has ended: sent is false when the client was gone; may be NULL. */
    void (*completed)(srv_app *app, srv_request *request, bool sent);
    const char *query; /* names of the parameters, divided by spaces; NULL: it takes none */
    /* Of a handler that many rows have: what is its own. */
    const char *file;   /* of a page (web/pages/asset.h) */
    srv_handler remote; /* srv__remotely: what may wait for the bucket */
    srv_act act;        /* srv__answer: this, or one of the following two */
    json_t *(*one)(srv_store *store, int64_t id, GError **error);
    const struct srv_list *list; /* views.h */
    bool numbered, reasoned;     /* srv_call: id, reason */
    bool fresh;                  /* the answer is kept by nobody */
};

/** srv_route_is_page - a page or a file of one, of no project: what it shows it reads in the
 * browser.
 */
static inline bool srv_route_is_page(const srv_route *route) {
    return route->run == SRV_RUN_ASSET || route->run == SRV_RUN_PAGE;
}

/**
 * srv_route_find - the route of a request; its params are filled in.
 * allowed  when no method fits but the path exists: the methods that would, "GET, HEAD" (caller
 *          frees); NULL when the path does not exist
 */
const srv_route *srv_route_find(const srv_route *routes, size_t n, srv_request *request,
                                char **allowed);

/**
 * srv_route_query_check - are all parameters of the query among those that the route knows, and
 * their values among their words?
 * Returns false with error (G_IO_ERROR_INVALID_ARGUMENT) that names the other one and the known.
 */
bool srv_route_query_check(const srv_route *route, const srv_request *request,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_route_choice - which of its words a parameter of the request's route is, in their order; 0,
 * the first, when it is absent. */
unsigned srv_route_choice(const srv_request *request, const char *name);

/** srv_route_expensive - is this request an expensive one? */
bool srv_route_expensive(const srv_route *route, const srv_request *request);

/**
 * srv_route_key - what an answer hangs on: the path and the known parameters in the route's order,
 * escaped, and whether it has details, so that no two requests that differ have the same. Caller
 * frees.
 */
char *srv_route_key(const srv_route *route, const srv_request *request);
