#include "server/routes/ask.h"

#include "server/app.h"
#include "server/routes/branch.h"
#include "server/routes/routes.h"

static bool is_plain(const srv_route *route) {
    return route && route->handler && route->body == SRV_BODY_NONE &&
           (route->scope & (SRV_SCOPE_READ | SRV_SCOPE_NONE)) == route->scope;
}

static srv_reply *answer(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    if (!srv_route_query_check(request->route, request, &error))
        return srv_reply_error(error);
    request->details = app->config->public_details;
    srv_branch_meant(app, request);
    return request->route->handler(app, store, request);
}

srv_reply *srv_routes_ask(void *app, srv_store *store, const char *address) {
    GError *error = NULL;
    size_t count = 0;
    g_autofree char *allowed = NULL;
    srv_reply *reply = NULL;
    const srv_route *routes = srv_routes(&count);
    srv_request request = {.method = g_strdup("GET")};
    if (!srv_request_parse_target(&request, address, &error))
        reply = srv_reply_error(error);
    else if (is_plain(request.route = srv_route_find(routes, count, &request, &allowed)))
        reply = answer(app, store, &request);
    srv_request_clear(&request);
    return reply ? reply : srv_reply_problem(404, "there is no such address to read");
}
