#pragma once
/* ask - what this server answers, without a connection: as to a reader without a token. */
#include "server/http/reply.h"
#include "server/store/store.h"

/** srv_routes_ask - app: an srv_app whose parts the address needs; address: "/path?query". The
 * reply, owned; of a route that is no plain GET the problem 404. */
srv_reply *srv_routes_ask(void *app, srv_store *store, const char *address);
