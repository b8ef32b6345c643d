#include "server/app.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

#include "web/chart/flame.h"

#include <gio/gio.h>

#include <string.h>

/* In the order of the row's words. */
static const char *dimension_of(const srv_request *request) {
    return srv_route_choice(request, "dimension") ? SRV_PROFILE_BYTES : SRV_PROFILE_TIME;
}

static srv_reply *get_profile(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    const bool before = strcmp(request->params[2], "before") == 0;
    srv_profile_name name = {
        .configuration = request->params[1], .dimension = dimension_of(request), .before = before};
    if (!srv_request_id(request, 0, &name.alert, &error))
        return srv_reply_error(error);
    if (!before && strcmp(request->params[2], "after") != 0)
        return srv_reply_problem(400, "the profile's end must be before or after");
    char *text = srv_view_profile(store, &name, &error);
    if (!text)
        return srv_reply_error(error);
    srv_reply *reply =
        srv_reply_bytes("text/plain; charset=utf-8", g_bytes_new_take(text, strlen(text)), NULL);
    srv_reply_saved_as(reply, "alert-%s-%s-%s%s.collapsed", request->params[0], request->params[1],
                       request->params[2],
                       g_str_equal(name.dimension, SRV_PROFILE_BYTES) ? "-bytes" : "");
    return reply;
}

/* What a flame graph's address asks for. */
typedef struct {
    char *configuration;
    const char *dimension;
    bool data; /* as JSON, not as a picture */
    web_chart_format format;
    web_flame_options options;
} wish;

static bool parse_file(const char *file, wish *out, GError **error) {
    const char *dot = strrchr(file, '.');
    const bool svg = g_strcmp0(dot, ".svg") == 0;
    out->data = g_strcmp0(dot, ".json") == 0;
    if (!svg && !out->data && g_strcmp0(dot, ".png") != 0)
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         "a flame graph's name ends in .svg, .png or .json");
    out->format = svg ? WEB_CHART_SVG : WEB_CHART_PNG;
    out->configuration = g_strndup(file, (gsize)(dot - file));
    return true;
}

static bool parse_wish(const srv_request *request, wish *out, GError **error) {
    uint64_t width = 0;
    uint64_t scale = 1;
    out->options.frame = srv_request_query(request, "frame");
    out->options.view = (web_flame_view)srv_route_choice(request, "view");
    out->dimension = dimension_of(request);
    out->options.theme = (web_theme)srv_route_choice(request, "theme");
    bool good = srv_request_unsigned(request, "width", WEB_CHART_WIDTH_MIN, WEB_CHART_WIDTH_MAX,
                                     &width, error) &&
                srv_request_unsigned(request, "scale", 1, 2, &scale, error);
    out->options.width = (int)width;
    out->options.scale = (int)scale;
    return good;
}

static GBytes *render(const srv_flame *flame, wish *wanted, GError **error) {
    wanted->options.title = flame->title;
    wanted->options.unit = flame->unit;
    wanted->options.scale_ns = flame->scale_ns;
    return wanted->data ? web_flame_json(flame->stacks, &flame->plan, &wanted->options)
                        : web_flame_render(flame->stacks, &flame->plan, &wanted->options,
                                           wanted->format, error);
}

static srv_reply *get_flame(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    srv_profile_name name = {0};
    wish wanted = {0};
    srv_flame flame = {0};
    GBytes *picture = NULL;
    bool good = srv_request_id(request, 0, &name.alert, &error) &&
                parse_file(request->params[1], &wanted, &error) &&
                parse_wish(request, &wanted, &error);
    name.configuration = wanted.configuration;
    name.dimension = wanted.dimension;
    if (good && srv_flame_load(&flame, store, &name, &error))
        picture = render(&flame, &wanted, &error);
    srv_flame_clear(&flame);
    g_free(wanted.configuration);
    const char *type = wanted.data ? "application/json" : web_chart_media_type(wanted.format);
    srv_reply *reply = picture ? srv_reply_bytes(type, picture, NULL) : srv_reply_error(error);
    srv__any_site_may_show(app, reply);
    return reply;
}

#define DIMENSION "dimension=" SRV_PROFILE_TIME "|" SRV_PROFILE_BYTES " "

const srv_route srv__routes_explain[] = {
    {"GET", SRV_API "alerts/{}/profiles/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ,
     .handler = get_profile, .query = DIMENSION SRV_QUERY_EXPENSIVE},
    {"GET", "/flames/{}/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_flame,
     .query = DIMENSION
     "view=difference|before|after frame theme=light|dark width scale -v " SRV_QUERY_EXPENSIVE},
    {0}};
