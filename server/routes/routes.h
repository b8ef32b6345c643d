#pragma once
/*
 * routes - the table of everything the server answers, in files by kind. docs/api.md and
 * docs/protocol.md say what it means; the handlers turn requests into store calls and nothing else.
 */
#include "config/json_text.h"
#include "server/app.h"
#include "server/hook/hook.h"
#include "server/http/reply.h"
#include "server/http/request.h"
#include "server/http/route.h"
#include "server/store/projects.h"
#include "server/store/store.h"
#include "server/views/views.h"

/** srv_routes - the table; constant. */
const srv_route *srv_routes(size_t *count);

/* srv__configured - the project that the address names first; NULL with error, NOT_FOUND. */
const cfg_project *srv__configured(const srv_catalog *catalog, const srv_request *request,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__status - srv_view_status of this server, now. */
json_t *srv__status(srv_app *app, srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define SRV_API "/api/v1/"

/* What rows have in common behind their addresses: who may read, or change, JSON. */
#define SRV__READS SRV_SCOPE_READ, SRV_RUN_READ, .handler = srv__answer
#define SRV__KEEPS SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = srv__answer
#define SRV__CHANGES(scope) (scope), SRV_RUN_WRITE, SRV_BODY_JSON, .handler = srv__answer

/* The rows of each file, the last one without a method. A handler's address, scope and parameters
 * stand below it; a new file's rows are gathered in routes.c. */
extern const srv_route srv__routes_artifact[]; /* what CI hands in; histories from elsewhere */
extern const srv_route srv__routes_commits[];  /* what lies between two commits */
extern const srv_route srv__routes_explain[];  /* where an alert's change is */
extern const srv_route srv__routes_hook[];     /* webhooks */
extern const srv_route srv__routes_look[];     /* a night's calls, two nights side by side */
extern const srv_route srv__routes_note[];     /* what people say of nights; levels that they set */
extern const srv_route srv__routes_operate[];  /* for whoever watches the watcher */
extern const srv_route srv__routes_page[];     /* pages, their files, charts, health */
extern const srv_route srv__routes_reach[];    /* what other places embed */
extern const srv_route srv__routes_read[];     /* what people and programs read */
extern const srv_route srv__routes_runner[];   /* the runner protocol */
extern const srv_route srv__routes_write[];    /* what people ask for and change */

/* srv__troubles_add - to the status' problems (NULL: nothing): why the site is not written; for who
 * sees details also a disk that is nearly full, messages that cannot be sent, the last answer that
 * failed in the last day (notify/troubles.h). */
void srv__troubles_add(srv_app *app, srv_store *store, json_t *problems, bool details);

/** srv_routes_lease_again - a waiting runner's request comes back; user is the
 * app. */
void srv_routes_lease_again(srv_request *request, void *user);

/**
 * srv__any_site_may_show - pictures are made for other sites' pages, too: without this, browsers
 * refuse them there. Only where everybody may read anyway.
 */
void srv__any_site_may_show(const srv_app *app, srv_reply *reply);

/* ask - what this server answers, without a connection: as to a reader without a token. */

/** srv_routes_ask - app: an srv_app whose parts the address needs; address: "/path?query". The
 * reply, owned; of a route that is no plain GET the problem 404. */
srv_reply *srv_routes_ask(void *app, srv_store *store, const char *address);

/* branch - the further branches of a project, as addresses ask for them. */

/** srv_branch_meant - of "/api/v1/projects/kieker/nights?branch=1.15.x" the first of the params
 * becomes the name that this branch is kept under; without the parameter it stays. */
void srv_branch_meant(srv_app *app, srv_request *request);

/* scope - which projects a request is about, for tokens that are for some projects alone. */

typedef struct srv_app srv_app;

/**
 * srv_scope_foreign - the 403 for a request that is not about request->projects; NULL: it is, or
 * is about none (a page's files), or there is no such thing, which its handler tells.
 * store  NULL: what only the store can say is said later
 * later  out: it has to be
 */
srv_reply *srv_scope_foreign(srv_app *app, srv_store *store, const srv_request *request,
                             bool *later);

/*
 * hook_batch - deliveries that wait to be written down, many in one transaction.
 *
 * A disk syncs a few hundred times a second, webhooks may come faster: those that arrive while one
 * transaction is being synced go into the next one together. A request is answered only after its
 * delivery is on disk.
 */

typedef struct srv_hook_batch srv_hook_batch;

srv_hook_batch *srv_hook_batch_new(srv_app *app);
void srv_hook_batch_free(srv_hook_batch *batch);

/*
 * listing - what all calls about a list, or about one thing by its number, share.
 */

/* srv__page_asked - the query's limit and cursor; borrowed from the request. INVALID. */
bool srv__page_asked(const srv_request *request, srv_page *page,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__answer - the handler of all calls that are answered with JSON: by the route's act; its one
 * for the thing whose number the address names first; its page of the list of the project that the
 * address names first; or its list, of that project, or of the one that the query names, or of all.
 */
srv_reply *srv__answer(srv_app *app, srv_store *store, srv_request *request);

/* remote - what waits for the bucket has threads of its own, so that nobody else waits with it. */

/**
 * srv__remotely - a handler: answers by the route's remote, on this thread where nothing is remote;
 * else that runs on one of those threads, and NULL (answered later) is returned, or why there is no
 * room.
 */
srv_reply *srv__remotely(srv_app *app, srv_store *store, srv_request *request);

/* raw_csv - a stored raw file, unpacked while it is sent. Memory: 1 MiB a download. */

/** srv_raw_csv - takes fd over; a broken file ends the download with an error. */
srv_reply_source srv_raw_csv(int fd);
