#include "config/number.h"
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

#include "web/chart/chart.h"
#include "web/pages/asset.h"

#include <gio/gio.h>
#include <string.h>

enum { NIGHTS_DEFAULT = 30 };

static srv_reply *get_asset(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    (void)store;
    const char *file = request->route->file;
    const web_asset *asset = web_asset_find(file ? file : request->params[0]);
    if (!asset)
        return srv_reply_problem(404, "there is no such page");
    srv_reply *reply = srv_reply_bytes(asset->content_type, g_bytes_ref(asset->bytes), asset->etag);
    reply->gzip = asset->gzip ? g_bytes_ref(asset->gzip) : NULL;
    return reply;
}

/* What a page is about, where that has a number. */
static const struct {
    const char *file;
    srv_thing thing;
} numbered[] = {{"jobs.html", SRV_THING_JOB},    {"experiment.html", SRV_THING_EXPERIMENT},
                {"alert.html", SRV_THING_ALERT}, {"sweep.html", SRV_THING_SWEEP},
                {"pull.html", SRV_THING_PULL},   {"incident.html", SRV_THING_INCIDENT}};

/* False with error, NOT_FOUND where there is nothing of that name or number. */
static bool is_there(srv_store *store, const srv_request *request, GError **error) {
    const char *named = request->params[0];
    guint64 number;
    int64_t id;
    for (size_t i = 0; i < G_N_ELEMENTS(numbered); i++) {
        if (!g_str_equal(numbered[i].file, request->route->file))
            continue;
        if (!cfg_number_unsigned(named, 0, INT64_MAX, &number))
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "it is no number");
        g_autofree char *of = srv_view_project_of(store, numbered[i].thing, (int64_t)number, error);
        return of != NULL;
    }
    return srv__project_id(store, named, &id, error);
}

/* The page itself says what is not there, as it does of what goes while somebody looks at it; and
 * it tells of a store that fails. */
static srv_reply *get_page(srv_app *app, srv_store *store, srv_request *request) {
    g_autoptr(GError) error = NULL;
    srv_reply *reply = get_asset(app, store, request);
    if (!request->projects && /* whose token is of some projects learns no other's name */
        !is_there(store, request, &error) &&
        g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND)) {
        reply->status = 404;
        reply->cache = "no-store";
        g_clear_pointer(&reply->etag, g_free);
    }
    return reply;
}

static srv_reply *get_health(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    (void)store;
    (void)request;
    srv_reply *reply = srv_reply_json(200, json_pack("{s:s}", "status", "alive"));
    reply->cache = "no-store";
    return reply;
}

/* What a chart's address asks for. */
typedef struct {
    char *project;
    web_chart_format format;
    web_chart_options options;
} wish;

static bool parse_file(const char *file, wish *out, GError **error) {
    const char *dot = strrchr(file, '.');
    static const struct {
        const char *suffix;
        web_chart_format format;
    } formats[] = {{".svg", WEB_CHART_SVG}, {".png", WEB_CHART_PNG}, {".pdf", WEB_CHART_PDF}};
    for (size_t i = 0; dot && i < G_N_ELEMENTS(formats); i++)
        if (strcmp(dot, formats[i].suffix) == 0) {
            out->format = formats[i].format;
            out->project = g_strndup(file, (gsize)(dot - file));
            return true;
        }
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     "a chart's name ends in .svg, .png or .pdf");
}

static bool parse_wish(const srv_request *request, wish *out, GError **error) {
    uint64_t nights = NIGHTS_DEFAULT;
    uint64_t width = 0;
    uint64_t height = 0;
    uint64_t scale = 1;
    int64_t day = 0;
    const char *until = srv_request_query(request, "until");
    if (!srv_request_unsigned(request, "nights", 1, SRV_PAGE_LIMIT, &nights, error) ||
        !srv_request_unsigned(request, "width", WEB_CHART_WIDTH_MIN, WEB_CHART_WIDTH_MAX, &width,
                              error) ||
        !srv_request_unsigned(request, "height", WEB_CHART_HEIGHT_MIN, WEB_CHART_HEIGHT_MAX,
                              &height, error) ||
        !srv_request_unsigned(request, "scale", 1, 2, &scale, error))
        return false;
    if (until && !srv_day_read(until, &day))
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "until must be a date, YYYY-MM-DD");
    out->options = (web_chart_options){
        .until = until,
        .leaf = srv_request_query(request, "leaf"),
        .nights = (unsigned)nights,
        .width = (int)width,
        .height = (int)height,
        .scale = (int)scale,
        .theme = (web_theme)srv_route_choice(request, "theme"),
        .view = (web_chart_view)srv_route_choice(request, "view"),
        .range = (web_chart_range)srv_route_choice(request, "range"),
        .of = (web_chart_of)srv_route_choice(request, "value"),
    };
    return true;
}

/* The listener keeps the chart by its address; this is done once for each change of the nights. */
static srv_reply *get_chart(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    wish wanted = {0};
    g_autoptr(srv_history) history = NULL;
    GBytes *chart = NULL;
    const web_chart_options *o = &wanted.options;
    if (parse_file(request->params[0], &wanted, &error) && parse_wish(request, &wanted, &error))
        history = srv_histories_get(app->histories, store, wanted.project, o->until, o->leaf,
                                    o->nights, &error);
    if (history) {
        wanted.options.title = history->title;
        chart = web_chart_render_history(history->nights, o, wanted.format, &error);
    }
    g_free(wanted.project);
    srv_reply *reply = chart ? srv_reply_bytes(web_chart_media_type(wanted.format), chart, NULL)
                             : srv_reply_error(error);
    srv__any_site_may_show(app, reply);
    return reply;
}

/* A page, and one of something; what it shows it reads in the browser. */
#define PAGE SRV_SCOPE_READ, SRV_RUN_ASSET, .handler = get_asset, .query = SRV_QUERY_ANY
#define PAGE_OF SRV_SCOPE_READ, SRV_RUN_PAGE, .handler = get_page, .query = SRV_QUERY_ANY

const srv_route srv__routes_page[] = {
    {"GET", "/charts/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_chart,
     .query = "nights>1000 until view=bars|lines value=mean|median range=typical|full "
              "leaf theme=light|dark width>1600 height>800 scale -v"},
    {"GET", "/healthz", SRV_SCOPE_NONE, SRV_RUN_HERE, .handler = get_health},
    {"GET", "/static/{*}", SRV_SCOPE_NONE, SRV_RUN_ASSET, .handler = get_asset,
     .query = SRV_QUERY_ANY},
    {"GET", "/favicon.ico", SRV_SCOPE_NONE, SRV_RUN_ASSET, .handler = get_asset,
     .file = "favicon.ico", .query = SRV_QUERY_ANY},
    {"GET", "/", PAGE, .file = "index.html"},
    {"GET", "/jobs", PAGE, .file = "jobs.html"},
    {"GET", "/jobs/{}", PAGE_OF, .file = "jobs.html"},
    {"GET", "/projects/{}", PAGE_OF, .file = "project.html"},
    {"GET", "/experiments/{}", PAGE_OF, .file = "experiment.html"},
    {"GET", "/compare", PAGE, .file = "compare.html"},
    {"GET", "/alerts/{}", PAGE_OF, .file = "alert.html"},
    {"GET", "/sweeps/{}", PAGE_OF, .file = "sweep.html"},
    {"GET", "/pull-requests", PAGE, .file = "pulls.html"},
    {"GET", "/pull-requests/{}", PAGE_OF, .file = "pull.html"},
    {"GET", "/incidents/{}", PAGE_OF, .file = "incident.html"},
    {0}};
