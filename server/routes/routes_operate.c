#include "config/log.h"
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

#include <gio/gio.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static srv_reply *get_ready(srv_app *app, srv_store *store, srv_request *request) {
    (void)request;
    GError *error = NULL;
    json_auto_t *status = srv_view_status(store, app->started_ms, 0, NULL, srv_now_ms(), &error);
    if (!status) {
        srv_reply_free(srv_reply_error(error)); /* its text goes to the log */
        return srv_reply_problem(503, "the database does not answer; see the log");
    }
    json_t *problems = json_object_get(status, "problems");
    srv__troubles_add(app, store, problems, true);
    srv_reply *reply = srv_reply_json(200, json_pack("{s:s, s:I}", "status", "ready", "problems",
                                                     (json_int_t)json_array_size(problems)));
    reply->cache = "no-store";
    return reply;
}

static double number(json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static const char *text(json_t *object, const char *key) {
    return cfg_json_word(object, key, "");
}

/* OpenMetrics 1.0 text, which is also Prometheus' 0.0.4; base units, labels escaped, gauges only (a
 * counter's name would have to end in _total). */
typedef struct {
    GString *text;
    const char *name; /* of the family under way */
} metrics;

static void append_escaped(GString *text, const char *value) {
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    for (const char *c = valid; *c != '\0'; c++)
        if (*c == '\n')
            g_string_append(text, "\\n");
        else if (*c == '"' || *c == '\\')
            g_string_append_printf(text, "\\%c", *c);
        else
            g_string_append_c(text, *c);
}

/*
 * Begins a family; all its samples follow before the next one begins.
 * name  with its unit as suffix; unit: "seconds", "bytes" or NULL
 */
static void family(metrics *m, const char *name, const char *unit, const char *help) {
    m->name = name;
    g_string_append_printf(m->text, "# TYPE %s gauge\n", name);
    if (unit)
        g_string_append_printf(m->text, "# UNIT %s %s\n", name, unit);
    g_string_append_printf(m->text, "# HELP %s ", name);
    append_escaped(m->text, help);
    g_string_append_c(m->text, '\n');
}

/* Pairs of label name and value, ended by NULL. A value that is not a number is left out. */
static void sample(metrics *m, double value, ...) G_GNUC_NULL_TERMINATED;
static void sample(metrics *m, double value, ...) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    va_list pairs;
    if (!isfinite(value))
        return;
    g_string_append(m->text, m->name);
    va_start(pairs, value);
    char open = '{';
    for (const char *name = va_arg(pairs, const char *); name; name = va_arg(pairs, const char *)) {
        g_string_append_printf(m->text, "%c%s=\"", open, name);
        append_escaped(m->text, va_arg(pairs, const char *));
        g_string_append_c(m->text, '"');
        open = ',';
    }
    va_end(pairs);
    if (open == ',')
        g_string_append_c(m->text, '}');
    /* A point as the decimal separator whatever the locale. */
    g_string_append_printf(m->text, " %s\n",
                           g_ascii_formatd(number, sizeof number, "%.15g", value));
}

static void add_service(metrics *m, const srv_app *app, json_t *status) {
    static const char *const states[] = {"queued", "leased", "failed"};
    json_t *queue = json_object_get(status, "queue");
    size_t i = 0;
    json_t *node = NULL;
    family(m, "moowatch_build_info", NULL, "Version and commit of the service.");
    sample(m, 1, "version", MOOWATCH_VERSION, "commit", app->commit ? app->commit : "", NULL);
    family(m, "moowatch_start_time_seconds", "seconds", "When the service was started, Unix time.");
    sample(m, (double)app->started_ms / 1000, NULL);
    family(m, "moowatch_jobs", NULL, "Jobs by state.");
    for (size_t k = 0; k < G_N_ELEMENTS(states); k++)
        sample(m, number(queue, states[k]), "state", states[k], NULL);
    family(m, "moowatch_node_seen_seconds", "seconds",
           "When a node last asked or reported, Unix time.");
    cfg_json_each (status, "nodes", i, node) {
        sample(m, number(node, "seen_ms") / 1000, "node", text(node, "name"), "state",
               text(node, "state"), NULL);
    }
    family(m, "moowatch_configuration_problems", NULL, "Invalid project files.");
    sample(m, (double)cfg_json_count(status, "problems"), NULL);
    family(m, "moowatch_event_streams", NULL, "Open event streams.");
    sample(m, srv_stream_count(app->hub), NULL);
    family(m, "moowatch_requests_waiting", NULL, "Requests that wait for a worker.");
    sample(m, srv_work_waiting(app->readers), "worker", "reader", NULL);
    sample(m, srv_work_waiting(app->expensive), "worker", "heavy", NULL);
    sample(m, srv_work_waiting(app->writer), "worker", "writer", NULL);
    sample(m, srv_work_waiting(app->takers), "worker", "taker", NULL);
}

/* One gauge over all projects, from a key of the project. */
static void add_gauge(metrics *m, json_t *projects, const char *name, const char *unit,
                      const char *help, const char *key, double scale) {
    size_t i = 0;
    json_t *project = NULL;
    family(m, name, unit, help);
    json_array_foreach (projects, i, project)
        sample(m, number(project, key) * scale, "project", text(project, "name"), NULL);
}

static void add_portions(metrics *m, json_t *portions) {
    size_t i = 0;
    json_t *portion = NULL;
    bool units = false;
    family(m, "overhead_portion_seconds", "seconds",
           "Mean of a portion of the response time in the newest measured night.");
    json_array_foreach (portions, i, portion) {
        if (*text(portion, "unit") != '\0') {
            units = true;
            continue;
        }
        sample(m, number(portion, "mean_ns") * 1e-9, "project", text(portion, "project"), "portion",
               text(portion, "portion"), "configuration", text(portion, "configuration"), NULL);
    }
    if (units)
        family(m, "overhead_value", NULL,
               "A value of a unit of its own in the newest measured night.");
    json_array_foreach (portions, i, portion)
        if (*text(portion, "unit") != '\0')
            sample(m, number(portion, "mean_ns"), "project", text(portion, "project"), "portion",
                   text(portion, "portion"), "unit", text(portion, "unit"), NULL);
}

static void add_projects(metrics *m, json_t *counted) {
    json_t *projects = json_object_get(counted, "items");
    size_t i = 0;
    json_t *project = NULL;
    add_gauge(m, projects, "moowatch_project_polled_seconds", "seconds",
              "When the repository was last asked, Unix time.", "polled_ms", 1e-3);
    add_gauge(m, projects, "moowatch_project_nights", NULL, "Nights measured or failed.", "nights",
              1);
    add_gauge(m, projects, "moowatch_project_jobs_queued", NULL, "Queued jobs.", "queued", 1);
    add_gauge(m, projects, "moowatch_project_alerts_open", NULL, "Open alerts.", "open_alerts", 1);
    family(m, "moowatch_project_problem", NULL,
           "1 while the repository cannot be fetched or the last job has failed.");
    json_array_foreach (projects, i, project) {
        sample(m, cfg_json_word(project, "problem", NULL) ? 1 : 0, "project", text(project, "name"),
               NULL);
    }
    add_portions(m, json_object_get(counted, "portions"));
}

static srv_reply *get_metrics(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    json_auto_t *status = srv__status(app, store, &error);
    json_auto_t *projects = status ? srv_view_projects_counted(store, &error) : NULL;
    if (!projects)
        return srv_reply_error(error);
    metrics m = {g_string_new(NULL), NULL};
    add_service(&m, app, status);
    add_projects(&m, projects);
    g_string_append(m.text, "# EOF\n");
    const char *accept = srv_request_header(request, "accept");
    bool open = accept && strstr(accept, "application/openmetrics-text") != NULL;
    return srv_reply_bytes(open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                : "text/plain; version=0.0.4; charset=utf-8",
                           g_string_free_to_bytes(m.text), NULL);
}

static json_t *get_tokens(srv_call *call, GError **error) {
    (void)error;
    return json_pack("{s:o, s:n}", "items", srv_auth_list(call->app->auth), "next");
}

static srv_reply *identity_refused(srv_app *app, const srv_request *request, const GError *error) {
    cfg_log("warning", "identity", "refused", "client=%s reason=%s", request->client,
            error->message);
    srv_app_refused(app, request, "job's token");
    return error->code == G_IO_ERROR_NOT_CONNECTED ? srv_reply_later(error->message, 60)
                                                   : srv_reply_problem(403, error->message);
}

/* A forge's job shows the token that the forge has signed for it, and has one of ours. */
static srv_reply *post_job_token(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    GError *wrong = NULL;
    g_autoptr(GError) error = NULL;
    int64_t expires_ms = 0;
    json_auto_t *body = srv_request_json(request, &wrong);
    if (!body)
        return srv_reply_error(wrong);
    const char *shown = cfg_json_word(body, "token", NULL);
    if (!shown)
        return srv_reply_problem(400, "token: what the forge has signed for this job is needed");
    if (!srv_rate_take(app->unproved, request->client, g_get_monotonic_time()))
        return srv_reply_later("too many tokens that are not good from this address", 60);
    const cfg_identity *rule = srv_identity_check(app->identities, shown, srv_now_ms(), &error);
    if (!rule)
        return identity_refused(app, request, error);
    srv_rate_give(app->unproved, request->client, g_get_monotonic_time());
    g_autofree char *secret =
        srv_identity_token(app->auth, rule, srv_now_ms(), &expires_ms, &wrong);
    if (!secret)
        return srv_reply_error(wrong);
    cfg_log("info", "identity", "token", "repository=%s branch=%s scope=%s client=%s",
            rule->repository, rule->branch, rule->scope, request->client);
    srv_reply *reply =
        srv_reply_json(201, json_pack("{s:s, s:s, s:I}", "token", secret, "scope", rule->scope,
                                      "expires_ms", (json_int_t)expires_ms));
    reply->cache = "no-store";
    return reply;
}

static json_t *get_audit(srv_call *call, GError **error) {
    srv_page page;
    return srv__page_asked(call->request, &page, error)
               ? srv_view_list(call->store, &srv_list_audit, NULL,
                               srv_request_query(call->request, "kind"), page, error)
               : NULL;
}

const srv_route srv__routes_operate[] = {
    {"GET", SRV_API "audit", SRV_SCOPE_ADMIN, SRV_RUN_READ, .handler = srv__answer,
     .act = get_audit, .fresh = true, .query = "kind limit>500 cursor"},
    {"GET", SRV_API "tokens", SRV_SCOPE_ADMIN, SRV_RUN_READ, .handler = srv__answer,
     .act = get_tokens, .fresh = true},
    {"POST", SRV_API "job-tokens", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_JSON,
     .handler = post_job_token, .query = SRV_QUERY_EXPENSIVE}, /* it may wait for the forge */
    {"GET", "/readyz", SRV_SCOPE_NONE, SRV_RUN_READ, .handler = get_ready},
    {"GET", "/metrics", SRV_SCOPE_READ, SRV_RUN_READ, .handler = get_metrics},
    {0}};
