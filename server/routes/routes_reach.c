#include "server/app.h"
#include "server/notify/feed.h"
#include "server/routes/routes.h"
#include "server/views/badge.h"
#include "server/views/views.h"
#include "web/pages/embed.h"

#include <string.h>

#define FEED_ALERTS 100u

static srv_reply *text_reply(const char *type, char *text) {
    return srv_reply_bytes(type, g_bytes_new_take(text, strlen(text)), NULL);
}

static srv_reply *get_feed(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    const char *project = request->params[0];
    g_auto(model_list) alerts = {0};
    if (!srv_alerts_newest(store, project, FEED_ALERTS, &alerts, &error))
        return srv_reply_error(error);
    g_autofree char *title =
        project ? g_strdup_printf("Overhead of %s", project) : g_strdup("Overhead, all projects");
    const char *url = app->config->public_url;
    if (app->http && g_str_has_suffix(url, ":0")) /* the system chose the port */
        url = srv_http_url(app->http);
    return text_reply("application/atom+xml; charset=utf-8",
                      srv_feed(url, request->path, title, &alerts));
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

static srv_reply *get_badge(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    g_auto(srv_badge) badge = {0};
    g_auto(model_list) nights = {0};
    g_auto(cfg_night) night = {0}; /* with its limits */
    g_autofree char *next = NULL;
    srv_reply *reply;
    const char *name = request->params[0], *portion = srv_request_query(request, "portion");
    json_auto_t *project = srv_view_project(store, name, &error);
    json_t *told = project ? srv_open_changes(store, name, &error) : NULL;
    if (!told || json_object_set_new(project, "told", told) < 0 ||
        !srv_nights_page(store, name, (srv_dates){0}, (srv_page){.limit = 1}, &nights, &next,
                         &error) ||
        (nights.count > 0 &&
         !srv_experiment_read(store, ((cfg_night *)nights.items)->experiment, &night, &error)))
        reply = srv_reply_error(error);
    else if (!srv_badge_of(&badge, project, nights.count > 0 ? &night : NULL, portion))
        reply = srv_reply_problem(404, "the newest night has no such portion");
    else
        reply = badge_reply(request, &badge);
    srv__any_site_may_show(app, reply);
    return reply;
}

enum { NIGHTS_DEFAULT = 30 };

static bool parse(const srv_request *request, web_embed_options *out, GError **error) {
    uint64_t nights = NIGHTS_DEFAULT;
    if (!srv_request_unsigned(request, "nights", 1, SRV_PAGE_LIMIT, &nights, error))
        return false;
    *out = (web_embed_options){.nights = (unsigned)nights,
                               .theme = srv_request_query(request, "theme"),
                               .leaf = srv_request_query(request, "leaf"),
                               .view = (web_chart_view)srv_route_choice(request, "view"),
                               .range = (web_chart_range)srv_route_choice(request, "range"),
                               .of = (web_chart_of)srv_route_choice(request, "value")};
    return true;
}

static srv_reply *get_embed(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    web_embed_options options;
    g_auto(model_list) nights = {0};
    g_autofree char *next = NULL;
    json_auto_t *project = parse(request, &options, &error)
                               ? srv_view_project(store, request->params[0], &error)
                               : NULL;
    if (!project || !srv_nights_page(store, request->params[0], (srv_dates){0},
                                     (srv_page){.limit = WEB_EMBED_ROWS}, &nights, &next, &error))
        return srv_reply_error(error);
    char *html = web_embed_page(project, &nights, &options);
    srv_reply *reply =
        srv_reply_bytes("text/html; charset=utf-8", g_bytes_new_take(html, strlen(html)), NULL);
    g_autofree char *policy =
        g_strconcat(WEB_EMBED_SECURITY_POLICY, app->config->embed_ancestors, NULL);
    srv_reply_header(reply, "Content-Security-Policy", policy);
    srv_reply_header(reply, "X-Frame-Options", "");
    return reply;
}

const srv_route srv__routes_reach[] = {
    {"GET", "/feed.atom", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_feed},
    {"GET", "/projects/{}/feed.atom", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_feed,
     .query = "branch"},
    {"GET", "/projects/{}/badge.svg", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_badge,
     .query = "branch portion"},
    {"GET", "/projects/{}/badge.json", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_badge,
     .query = "branch portion"},
    {"GET", "/embed/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_embed,
     .query = "nights>1000 view=bars|lines value=mean|median range=typical|full leaf "
              "theme=light|dark"},
    {0}};
