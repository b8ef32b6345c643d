#pragma once
/* whose - which projects a request is about, for tokens that are for some projects alone. */
#include "server/http/reply.h"
#include "server/http/request.h"
#include "server/store/store.h"

typedef struct srv_app srv_app;

/**
 * srv_whose_foreign - the 403 for a request that is not about request->projects; NULL: it is, or
 * is about none (a page's files), or there is no such thing, which its handler tells.
 * store  NULL: what only the store can say is said later
 * later  out: it has to be
 */
srv_reply *srv_whose_foreign(srv_app *app, srv_store *store, const srv_request *request,
                             bool *later);
