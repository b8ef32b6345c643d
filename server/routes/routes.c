#include "server/routes/routes.h"

#include "server/app.h"

#include <pthread.h>
#include <string.h>

static bool takes_branch(const srv_route *route) {
    return strstr(route->pattern, "projects/{}") != NULL && !srv_route_is_page(route);
}

void srv_branch_meant(srv_app *app, srv_request *request) {
    const char *branch = srv_request_query(request, "branch");
    if (!branch || !takes_branch(request->route))
        return;
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&app->context);
    char *name = srv_catalog_branch(catalog, request->params[0], branch);
    g_free(request->params[0]);
    request->params[0] = name;
}

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

static const srv_route *const parts[] = {
    srv__routes_read,     srv__routes_write, srv__routes_commits, srv__routes_note,
    srv__routes_artifact, srv__routes_look,  srv__routes_explain, srv__routes_operate,
    srv__routes_runner,   srv__routes_hook,  srv__routes_page,    srv__routes_reach};

static GArray *gathered;

static void gather(void) {
    gathered = g_array_new(FALSE, FALSE, sizeof(srv_route));
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        for (const srv_route *row = parts[i]; row->method; row++)
            g_array_append_val(gathered, *row);
}

const srv_route *srv_routes(size_t *count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, gather);
    *count = gathered->len;
    return (const srv_route *)(const void *)gathered->data;
}
