#include "config/credential.h"
#include "config/number.h"
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/notify/troubles.h"
#include "server/routes/routes.h"
#include "server/views/views.h"
#include "server/views/withhold.h"

/* A repository's address may carry a password; nobody who reads needs it. What the job that runs
 * has printed is asked of the job. */
static void hide_secret(json_t *project) {
    srv_withhold_job(json_object_get(project, "running"), false);
    const char *url = cfg_json_word(project, "repository", NULL);
    if (!url)
        return;
    g_autofree char *shown = cfg_url_hide(url, url);
    json_object_set_new(project, "repository", json_string(shown));
}

void srv__troubles_add(srv_app *app, srv_store *store, json_t *problems, bool details) {
    g_autofree char *site = srv_site_problem(app->site);
    if (problems && site)
        json_array_append_new(problems, json_string(site));
    if (problems && details)
        srv_troubles_add(&app->context, store, problems);
}

json_t *srv__status(srv_app *app, srv_store *store, GError **error) {
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&app->context);
    return srv_view_status(store, app->started_ms, (int64_t)app->rules.lease_s * 1000,
                           catalog->problems, srv_now_ms(), error);
}

static json_t *get_status(srv_call *call, GError **error) {
    srv_app *app = call->app;
    const bool details = call->request->details;
    json_t *status = srv__status(app, call->store, error);
    srv__troubles_add(app, call->store, json_object_get(status, "problems"), details);
    srv_withhold_nodes(json_object_get(status, "nodes"), details);
    json_object_set_new(status, "commit",
                        app->commit && *app->commit ? json_string(app->commit) : json_null());
    /* A site of files is written without anybody who may ask. */
    if (app->auth && !srv_auth_grants(app->auth, SRV_SCOPE_RUN, srv_now_ms()))
        json_object_set_new(status, "read_only", json_true());
    return status;
}

static json_t *get_projects(srv_call *call, GError **error) {
    const srv_request *request = call->request;
    const char *like = srv_request_query(request, "like");
    srv_page page = {0};
    const bool paged = srv_request_query(request, "limit") || srv_request_query(request, "cursor");
    const bool archived = srv_request_query(request, "archived") != NULL;
    if (paged && !srv__page_asked(request, &page, error))
        return NULL;
    json_t *view = like ? srv_view_projects_like(call->store, like, error)
                        : srv_view_projects(call->store, page, archived, error);
    size_t i = 0;
    json_t *project = NULL;
    cfg_json_each (view, "items", i, project)
        hide_secret(project);
    return view;
}

static json_t *get_project(srv_call *call, GError **error) {
    json_t *view = srv_view_project(call->store, call->request->params[0], error);
    hide_secret(view);
    return view;
}

static bool is_date(const char *text) {
    GDate day;
    return !text || cfg_date_read(text, &day);
}

/* An answer as it is written, in the form that was asked for. */
typedef struct {
    GString *body;
    unsigned form;
} nights_body;

/* The nights are text as soon as a piece of them is read. */
static bool add_text(void *user, const cfg_night *nights, unsigned count, GError **error) {
    const nights_body *to = user;
    (void)error;
    for (unsigned i = 0; i < count; i++) {
        json_auto_t *night = model_write_as(&cfg_night_model, &nights[i], to->form);
        g_autofree char *text = cfg_json_text(night, 0);
        if (to->body->str[to->body->len - 1] != '[')
            g_string_append_c(to->body, ',');
        g_string_append(to->body, text);
    }
    return true;
}

static srv_reply *nights_text(srv_store *store, const char *project, srv_dates dates, srv_page page,
                              bool brief) {
    GError *error = NULL;
    g_autofree char *next = NULL;
    GString *body = g_string_new("{\"items\":[");
    nights_body to = {body, brief ? CFG_NIGHT_BRIEF : CFG_NIGHT_FULL};
    const srv_nights_taker taker = {brief, add_text, &to};
    if (!srv_nights_each(store, project, dates, page, &taker, &next, &error)) {
        g_string_free(body, TRUE);
        return srv_reply_error(error);
    }
    json_auto_t *cursor = next ? json_string(next) : json_null();
    g_autofree char *text = json_dumps(cursor, JSON_ENCODE_ANY);
    g_string_append_printf(body, "],\"next\":%s}", text);
    return srv_reply_bytes("application/json", g_string_free_to_bytes(body), NULL);
}

static srv_reply *get_nights(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    srv_page page;
    if (!srv__page_asked(request, &page, &error))
        return srv_reply_error(error);
    const srv_dates dates = {.since = srv_request_query(request, "since"),
                             .until = srv_request_query(request, "until")};
    if (!is_date(dates.since) || !is_date(dates.until))
        return srv_reply_problem(400, "since and until must be dates such as 2013-04-17");
    const char *project = request->params[0];
    enum { FULL, BRIEF, COLUMNS } portions = srv_route_choice(request, "portions");
    if (portions != COLUMNS)
        return nights_text(store, project, dates, page, portions == BRIEF);
    json_t *view = srv_view_nights_columns(store, project, dates, page, &error);
    return view ? srv_reply_json(200, view) : srv_reply_error(error);
}

static json_t *get_dimensions(srv_call *call, GError **error) {
    srv_page page;
    const char *dimension = srv_request_query(call->request, "dimension");
    return srv__page_asked(call->request, &page, error)
               ? srv_view_dimension(call->store, call->request->params[0],
                                    dimension ? dimension : "instructions", page, error)
               : NULL;
}

static json_t *get_experiment(srv_call *call, GError **error) {
    json_t *experiment = srv_view_experiment(call->store, call->id, error);
    srv_withhold_experiment(experiment, call->request->details);
    return experiment;
}

/* Says of each why nobody takes it; NULL with error when that cannot be found out. Takes view. */
static json_t *with_held(const srv_call *call, json_t *view, json_t *jobs, GError **error) {
    if (view && !srv_view_jobs_held(call->store, jobs, (int64_t)call->app->rules.lease_s * 1000,
                                    srv_now_ms(), error))
        g_clear_pointer(&view, json_decref);
    return view;
}

static json_t *get_jobs(srv_call *call, GError **error) {
    const srv_request *request = call->request;
    srv_page page;
    if (!srv__page_asked(request, &page, error))
        return NULL;
    json_t *view = srv_view_list(call->store, &srv_list_jobs, srv_request_query(request, "project"),
                                 srv_request_query(request, "state"), page, error);
    view = with_held(call, view, json_object_get(view, "items"), error);
    srv_withhold_jobs(json_object_get(view, "items"), request->details);
    return view;
}

static json_t *get_job(srv_call *call, GError **error) {
    json_t *view = srv_view_job(call->store, call->id, error);
    json_auto_t *alone = view ? json_pack("[O]", view) : NULL;
    view = with_held(call, view, alone, error);
    srv_withhold_job(view, call->request->details);
    return view;
}

static srv_reply *send_raw(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    int64_t experiment = 0;
    guint64 loop = 0;
    uint64_t size = 0;
    if (!srv_request_id(request, 0, &experiment, &error))
        return srv_reply_error(error);
    if (!cfg_number_unsigned(request->params[2], 0, G_MAXINT32, &loop))
        return srv_reply_problem(400, "the loop must be a whole number");
    const char *format = srv_request_query(request, "format");
    g_autofree char *sha256 =
        srv_view_raw(store, experiment, request->params[1], (int64_t)loop, &error);
    int fd = sha256 ? srv__place_read(app->raw, sha256, &size, &error) : -1;
    if (fd < 0)
        return srv_reply_error(error);
    srv_reply *reply = format ? srv_reply_stream("text/csv; charset=utf-8", srv_raw_csv(fd))
                              : srv_reply_file("application/zstd", fd, size);
    reply->etag = g_strdup_printf("\"%.32s%s\"", sha256, format ? "-csv" : "");
    srv_reply_saved_as(reply, "experiment-%s-%s-%s.csv%s", request->params[0], request->params[1],
                       request->params[2], format ? "" : ".zst");
    return reply;
}

#define ALERT_STATES "state=open|acknowledged|accepted|fixed|false|withdrawn|aged "
#define INCIDENT_STATES "state=open|closed|withdrawn "

const srv_route srv__routes_read[] = {
    {"GET", SRV_API "status", SRV__READS, .act = get_status},
    {"GET", SRV_API "projects", SRV__KEEPS, .act = get_projects,
     .query = "like archived=true limit>500 cursor"},
    {"GET", SRV_API "projects/{}", SRV__KEEPS, .act = get_project, .query = "branch"},
    {"GET", SRV_API "projects/{}/nights", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_nights,
     .query = "branch since until limit>500 cursor portions=full|brief|columns"},
    {"GET", SRV_API "projects/{}/alerts", SRV__KEEPS, .list = &srv_list_alerts,
     .query = "branch " ALERT_STATES "limit>500 cursor"},
    {"GET", SRV_API "projects/{}/incidents", SRV__KEEPS, .list = &srv_list_incidents,
     .query = "branch " INCIDENT_STATES "limit>500 cursor"},
    {"GET", SRV_API "projects/{}/dimensions", SRV__KEEPS, .act = get_dimensions,
     .query = "branch dimension limit>500 cursor"},
    {"GET", SRV_API "experiments/{}", SRV__KEEPS, .act = get_experiment, .numbered = true,
     .query = SRV_QUERY_DETAILS},
    {"GET", SRV_API "experiments/{}/raw/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ,
     .handler = srv__remotely, .remote = send_raw, .query = "format=csv"},
    {"GET", SRV_API "alerts", SRV__KEEPS, .list = &srv_list_alerts,
     .query = "project " ALERT_STATES "limit>500 cursor"},
    {"GET", SRV_API "alerts/{}", SRV__KEEPS, .one = srv_view_alert},
    {"GET", SRV_API "incidents", SRV__KEEPS, .list = &srv_list_incidents,
     .query = "project " INCIDENT_STATES "limit>500 cursor"},
    {"GET", SRV_API "incidents/{}", SRV__KEEPS, .one = srv_view_incident},
    {"GET", SRV_API "jobs", SRV__READS, .act = get_jobs,
     .query = "project state=queued|leased|done|failed|cancelled limit>500 cursor"},
    {"GET", SRV_API "jobs/{}", SRV__READS, .act = get_job, .numbered = true},
    /* the listener does the rest */
    {"GET", SRV_API "events", SRV_SCOPE_READ, .run = SRV_RUN_STREAM},
    {0}};
