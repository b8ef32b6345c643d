/* What other places embed: the Atom feed and the badge. */
#include "server/app.h"
#include "server/notify/feed.h"
#include "server/routes/routes.h"
#include "server/views/badge.h"
#include "server/views/views.h"

#include <string.h>

#define FEED_ALERTS 100u

static srv_reply *text_reply(const char *type, char *text) {
    return srv_reply_bytes(type, g_bytes_new_take(text, strlen(text)), NULL);
}

srv_reply *srv__get_feed(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    const char *project = request->params[0];
    json_t *alerts =
        srv_view_alerts(store, project, NULL, (srv_page){.limit = FEED_ALERTS}, &error);
    if (!alerts)
        return srv_reply_error(error);
    g_autofree char *title =
        project ? g_strdup_printf("Overhead of %s", project) : g_strdup("Overhead, all projects");
    char *feed =
        srv_feed(app->config->public_url, request->path, title, json_object_get(alerts, "items"));
    json_decref(alerts);
    return text_reply("application/atom+xml; charset=utf-8", feed);
}

void srv__any_site_may_show(const srv_app *app, srv_reply *reply) {
    if (app->config->public_read)
        srv_reply_header(reply, "Cross-Origin-Resource-Policy", "cross-origin");
}

static srv_reply *badge_reply(const srv_request *request, const srv_badge *badge) {
    if (g_str_has_suffix(request->path, ".svg"))
        return text_reply("image/svg+xml", srv_badge_svg(badge));
    return srv_reply_json(200, srv_badge_shields(badge));
}

srv_reply *srv__get_badge(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    g_auto(srv_badge) badge = {0};
    g_auto(model_list) nights = {0};
    g_autofree char *next = NULL;
    srv_reply *reply;
    const char *name = request->params[0], *portion = srv_request_query(request, "portion");
    json_auto_t *project = srv_view_project(store, name, &error);
    if (!project || !srv_nights_page(store, name, (srv_dates){0}, (srv_page){.limit = 1}, false,
                                     &nights, &next, &error))
        reply = srv_reply_error(error);
    else if (!srv_badge_of(&badge, project, nights.items, portion))
        reply = srv_reply_problem(404, "the newest night has no such portion");
    else
        reply = badge_reply(request, &badge);
    srv__any_site_may_show(app, reply);
    return reply;
}
