#pragma once
/* remote - what waits for the bucket has threads of its own, so that nobody else waits with it. */
#include "server/app.h"

typedef srv_reply *(*srv__remote_act)(srv_app *app, srv_store *store, srv_request *request);

/**
 * srv__remotely - for a handler: answers by act, on this thread where nothing is remote; else act
 * runs on one of those threads, and NULL (answered later) is returned, or why there is no room.
 */
srv_reply *srv__remotely(srv_app *app, srv_store *store, srv_request *request, srv__remote_act act);
