/* For the administrator: which tokens there are, who was refused, who changed what. */
#include "server/app.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

srv_reply *srv__get_tokens(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    (void)request;
    srv_reply *reply =
        srv_reply_json(200, json_pack("{s:o, s:n}", "items", srv_auth_list(app->auth), "next"));
    reply->cache = "no-store";
    return reply;
}

srv_reply *srv__get_audit(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    srv_page page;
    if (!srv__page_asked(request, &page, &error))
        return srv_reply_error(error);
    json_t *view = srv_view_audit(store, srv_request_query(request, "kind"), page, &error);
    srv_reply *reply = view ? srv_reply_json(200, view) : srv_reply_error(error);
    if (view)
        reply->cache = "no-store";
    return reply;
}
