#include "server/routes/branch.h"

#include "server/app.h"

#include <string.h>

/* Pages read theirs in the browser. */
static bool takes_branch(const srv_route *route) {
    return strstr(route->pattern, "projects/{}") != NULL && route->run != SRV_RUN_ASSET;
}

void srv_branch_meant(srv_app *app, srv_request *request) {
    const char *branch = srv_request_query(request, "branch");
    if (!branch || !takes_branch(request->route))
        return;
    srv_catalog *catalog = srv_context_catalog(&app->context);
    char *name = srv_catalog_branch(catalog, request->params[0], branch);
    srv_context_catalog_done(&app->context, catalog);
    g_free(request->params[0]);
    request->params[0] = name;
}
