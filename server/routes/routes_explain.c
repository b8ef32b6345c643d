#include "server/app.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

#include "web/chart/flame.h"

#include <gio/gio.h>

#include <string.h>

static bool refuse(GError **error, const char *text) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", text);
}

static bool parse_dimension(const srv_request *request, const char **out, GError **error) {
    const char *asked = srv_request_query(request, "dimension");
    const bool bytes = g_strcmp0(asked, SRV_PROFILE_BYTES) == 0;
    *out = bytes ? SRV_PROFILE_BYTES : SRV_PROFILE_TIME;
    return !asked || bytes || strcmp(asked, SRV_PROFILE_TIME) == 0 ||
           refuse(error, "dimension must be time or bytes");
}

static srv_reply *get_profile(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    const bool before = strcmp(request->params[2], "before") == 0;
    srv_profile_name name = {.configuration = request->params[1], .before = before};
    if (!srv_request_id(request, 0, &name.alert, &error) ||
        !parse_dimension(request, &name.dimension, &error))
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

static bool parse_view(const char *view, web_flame_view *out, GError **error) {
    static const char *const names[] = {[WEB_FLAME_DIFFERENCE] = "difference",
                                        [WEB_FLAME_BEFORE] = "before",
                                        [WEB_FLAME_AFTER] = "after"};
    *out = WEB_FLAME_DIFFERENCE;
    for (size_t i = 0; view && i < G_N_ELEMENTS(names); i++)
        if (strcmp(view, names[i]) == 0) {
            *out = (web_flame_view)i;
            return true;
        }
    return !view || refuse(error, "view must be difference, before or after");
}

static bool parse_wish(const srv_request *request, wish *out, GError **error) {
    uint64_t width = 0;
    uint64_t scale = 1;
    const char *theme = srv_request_query(request, "theme");
    if (theme && strcmp(theme, "light") != 0 && strcmp(theme, "dark") != 0)
        return refuse(error, "theme must be light or dark");
    out->options.frame = srv_request_query(request, "frame");
    out->options.theme = g_strcmp0(theme, "dark") == 0 ? WEB_THEME_DARK : WEB_THEME_LIGHT;
    bool good = srv_request_unsigned(request, "width", WEB_CHART_WIDTH_MIN, WEB_CHART_WIDTH_MAX,
                                     &width, error) &&
                srv_request_unsigned(request, "scale", 1, 2, &scale, error) &&
                parse_dimension(request, &out->dimension, error) &&
                parse_view(srv_request_query(request, "view"), &out->options.view, error);
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

const srv_route srv__routes_explain[] = {
    {"GET", SRV_API "alerts/{}/profiles/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ,
     .handler = get_profile, .query = "dimension " SRV_QUERY_HEAVY},
    {"GET", "/flames/{}/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_flame,
     .query = "dimension view frame theme width scale -v " SRV_QUERY_HEAVY},
    {0}};
