#include "server/alarm/alerts.h"
#include "server/alarm/incidents.h"
#include "server/app.h"
#include "server/git/fetch.h"
#include "server/git/mirror.h"
#include "server/git/repo_name.h"
#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/routes/routes.h"
#include "server/store/projects.h"
#include "server/store/store_audit.h"
#include "server/transfer/disposal.h"
#include "server/views/views.h"

#include <gio/gio.h>
#include <string.h>

enum { DESCRIBE_MS = 10000 /* reads the local mirror only */ };

#define NODE_REASON_MAX 1000

json_t *srv__commit_describe(srv_app *app, const char *project, const char *id, srv_commit *out,
                             GError **error) {
    g_autoptr(srv_fetch) fetch = srv_fetch_new(app->context.program, app->config->data_dir, -1);
    g_autofree char *mirror = srv_context_mirror(&app->context, project);
    json_int_t time_ms = 0;
    json_t *request =
        json_pack("{s:s, s:s, s:s}", "op", "describe", "mirror", mirror, "commit", id);
    json_t *answer = srv_fetch_ask(fetch, request, DESCRIBE_MS, error);
    json_decref(request);
    if (!answer) {
        if (g_error_matches(*error, G_IO_ERROR, G_IO_ERROR_FAILED))
            (*error)->code = G_IO_ERROR_INVALID_ARGUMENT;
        return NULL;
    }
    if (json_unpack(answer, "{s:{s:s, s:s, s:s, s:I, s:s, s?:s}}", "commit", "sha", &out->sha,
                    "author", &out->author, "author_email", &out->author_email, "time_ms", &time_ms,
                    "subject", &out->subject, "parent", &out->parent) == 0) {
        out->time_ms = time_ms;
        return answer;
    }
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "the git process gave an invalid answer");
    json_decref(answer);
    return NULL;
}

void srv__commit_night(srv_app *app, const char *name, int64_t time_ms, char out[11]) {
    srv_catalog *catalog = srv_context_catalog(&app->context);
    const cfg_project *project = srv_catalog_find(catalog, name);
    if (project)
        srv_catalog_night(project, time_ms, srv_now_ms(), out);
    else
        srv_day_text(time_ms / 1000 / 86400, out);
    srv_context_catalog_done(&app->context, catalog);
}

static srv_reply *add_job(srv_app *app, srv_store *store, const srv_request *request,
                          const char *id, const char *night) {
    char own_night[11];
    GError *error = NULL;
    srv_commit commit = {0};
    int64_t job = 0;
    bool queued = false;
    const char *project = request->params[0];
    json_t *described = srv__commit_describe(app, project, id, &commit, &error);
    if (described && !night) {
        srv__commit_night(app, project, commit.time_ms, own_night);
        night = own_night;
    }
    bool ok = described &&
              srv_night_add(store, project, &(srv_measurement){&commit, night, SRV_KIND_MANUAL},
                            srv_now_ms(), &queued, &job, &error);
    if (ok && queued)
        srv_log_info("api", "queued", "project", project, "commit", commit.sha, "by",
                     request->token, NULL);
    json_decref(described);
    if (!ok)
        return srv_reply_error(error);
    return srv_reply_json(queued ? 201 : 200,
                          json_pack("{s:I, s:b}", "job", (json_int_t)job, "queued", queued));
}

static srv_reply *post_job(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    json_t *body = srv_request_json(request, &error);
    if (!body)
        return srv_reply_error(error);
    const char *id = json_string_value(json_object_get(body, "commit"));
    const char *night = json_string_value(json_object_get(body, "night"));
    int64_t day = 0;
    srv_reply *reply = NULL;
    srv_catalog *catalog = srv_context_catalog(&app->context);
    if (!srv_catalog_find(catalog, request->params[0]))
        reply = srv_reply_problem(404, "no project of that name is configured");
    else if (!srv_repo_commit_check(id))
        reply = srv_reply_problem(400, "commit: 7 to 40 hexadecimal digits are needed");
    else if (json_object_get(body, "night") != NULL && !srv_day_read(night, &day))
        reply = srv_reply_problem(400, "night: must be a date, YYYY-MM-DD");
    else
        reply = add_job(app, store, request, id, night);
    srv_context_catalog_done(&app->context, catalog);
    json_decref(body);
    return reply;
}

static srv_reply *post_poll(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    srv_catalog *catalog = srv_context_catalog(&app->context);
    const cfg_project *project = srv_catalog_find(catalog, request->params[0]);
    bool there = project && project->enabled;
    srv_context_catalog_done(&app->context, catalog);
    if (!there)
        return srv_reply_problem(404, "no enabled project of that name is configured");
    srv_poller_kick(app->poller, request->params[0]);
    return srv_reply_json(202, json_object());
}

/* A change that somebody answers for. */
typedef struct {
    srv_app *app;
    srv_store *store;
    const srv_request *request;
    int64_t id; /* of the thing in the address; 0: it has a name */
    const json_t *body;
    const char *reason; /* in body, not empty */
} decision;

/* Has act make a change; act: the thing as it is now, owned, or NULL with error. */
typedef json_t *act_fn(const decision *d, GError **error);

static srv_reply *decide_named(decision d, act_fn *act) {
    GError *error = NULL;
    json_t *body = srv_request_json(d.request, &error), *answer = NULL;
    d.body = body;
    d.reason = json_string_value(json_object_get(body, "reason"));
    if (body && (!d.reason || d.reason[0] == '\0'))
        g_set_error_literal(&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                            "reason: must not be empty; it is stored with the change");
    else if (body)
        answer = act(&d, &error);
    json_decref(body);
    return answer ? srv_reply_json(200, answer) : srv_reply_error(error);
}

static srv_reply *decide(srv_store *store, const srv_request *request, act_fn *act) {
    GError *error = NULL;
    decision d = {.store = store, .request = request};
    return srv_request_id(request, 0, &d.id, &error) ? decide_named(d, act)
                                                     : srv_reply_error(error);
}

/* Who answers is who has the token; a name in the body could be anybody's. */
static bool author_left_away(const decision *d, GError **error) {
    if (!json_object_get(d->body, "author"))
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "author: leave it out; the token's name, %s, is stored with the change",
                     d->request->token);
}

static json_t *set_alert(const decision *d, GError **error) {
    const char *state = json_string_value(json_object_get(d->body, "state"));
    if (!author_left_away(d, error) ||
        !srv_alert_set(d->store, d->id, state ? state : "", d->request->token, d->reason,
                       srv_now_ms(), error))
        return NULL;
    srv_log_info("api", "alert_set", "alert", d->request->params[0], "state", state, "by",
                 d->request->token, NULL);
    return srv_view_alert(d->store, d->id, error);
}

static srv_reply *post_alert_state(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return decide(store, request, set_alert);
}

static json_t *set_incident(const decision *d, GError **error) {
    const char *state = json_string_value(json_object_get(d->body, "state"));
    if (!author_left_away(d, error) ||
        !srv_incident_set(d->store, d->id, state ? state : "", d->request->token, d->reason,
                          srv_now_ms(), error))
        return NULL;
    srv_log_info("api", "incident_set", "incident", d->request->params[0], "state", state, "by",
                 d->request->token, NULL);
    return srv_view_incident(d->store, d->id, error);
}

static srv_reply *post_incident_state(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return decide(store, request, set_incident);
}

/* what: of the kind, as in "job 7 cancelled". */
static bool audit(srv_store *store, const srv_request *request, const char *kind, const char *what,
                  const char *why, GError **error) {
    const int64_t now_ms = srv_now_ms();
    const srv_audit_row row = {now_ms, now_ms, kind, request->token, request->client, what, why, 1};
    return srv_audit_change(store, &row, error);
}

static json_t *cancel(const decision *d, GError **error) {
    g_autofree char *what = g_strdup_printf("job %" G_GINT64_FORMAT " cancelled", d->id);
    if (!srv_queue_cancel(d->store, d->id, d->reason, srv_now_ms(), error) ||
        !audit(d->store, d->request, "job", what, d->reason, error))
        return NULL;
    json_t *job = srv_view_job(d->store, d->id, error);
    if (job)
        srv_log_info("api", "cancelled", "job", d->request->params[0], "by", d->request->token,
                     NULL);
    return job;
}

static srv_reply *post_cancel(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return decide(store, request, cancel);
}

/* {"paused": true, "reason"} or {"paused": false}: its name and why, or that it was resumed. */
static srv_reply *post_node(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    json_t *body = srv_request_json(request, &error);
    if (!body)
        return srv_reply_error(error);
    const json_t *paused = json_object_get(body, "paused");
    const char *reason = json_string_value(json_object_get(body, "reason"));
    const size_t length = reason ? strlen(reason) : 0;
    srv_reply *reply = NULL;
    if (!json_is_boolean(paused))
        reply = srv_reply_problem(400, "paused: true or false is needed");
    else if (json_is_true(paused) && (length == 0 || length > NODE_REASON_MAX))
        reply = srv_reply_problem(400, "reason: say why, in at most 1000 bytes");
    if (!reply) {
        g_autofree char *why =
            json_is_true(paused) ? g_strdup_printf("%s: %s", request->token, reason) : NULL;
        g_autofree char *what =
            g_strdup_printf("node %s %s", request->params[0], why ? "paused" : "resumed");
        reply = srv_node_pause(store, request->params[0], why, &error) &&
                        audit(store, request, "node", what, why ? reason : "", &error)
                    ? srv_reply_json(
                          200, json_pack("{s:s,s:s?}", "name", request->params[0], "paused", why))
                    : srv_reply_error(error);
        if (!error)
            srv_log_info("api", why ? "node_paused" : "node_works", "node", request->params[0],
                         "by", request->token, NULL);
    }
    json_decref(body);
    return reply;
}

/* --- what becomes of a project --- */

/* Has this server a file for it? A reload would make the project anew. */
static bool has_no_file(const decision *d, GError **error) {
    const char *name = d->request->params[0];
    srv_catalog *catalog = srv_context_catalog(&d->app->context);
    const bool has = srv_catalog_find(catalog, name) != NULL;
    srv_context_catalog_done(&d->app->context, catalog);
    if (has)
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "%s has a file in projects_dir: take it out, or write the new name there, and "
                    "reload the server (SIGHUP) first",
                    name);
    return !has;
}

/* Nobody fetches into it any more. */
static void mirror_forget(const decision *d) {
    g_autofree char *mirror = srv_context_mirror(&d->app->context, d->request->params[0]);
    srv__mirror_forget(mirror);
}

static bool project_audit(const decision *d, const char *what, GError **error) {
    srv_log_info("api", "project", "name", d->request->params[0], "what", what, "by",
                 d->request->token, NULL);
    return audit(d->store, d->request, "project", what, d->reason, error);
}

static json_t *archive(const decision *d, GError **error) {
    const char *name = d->request->params[0];
    const json_t *archived = json_object_get(d->body, "archived");
    const bool back = json_is_false(archived);
    g_autofree char *what = g_strdup_printf("%s %s", name, back ? "fetched back" : "archived");
    if (archived && !json_is_boolean(archived))
        g_set_error_literal(error, SRV_ERROR, SRV_ERROR_INVALID, "archived: true or false");
    else if (srv_project_archive(d->store, name, !back, d->reason, srv_now_ms(), error) &&
             project_audit(d, what, error))
        return json_pack("{s:s, s:b}", "name", name, "archived", !back);
    return NULL;
}

/* What the file of the new name says holds at once. */
static bool sync_projects(const decision *d, GError **error) {
    srv_catalog *catalog = srv_context_catalog(&d->app->context);
    const bool good = srv_projects_sync(d->store, catalog->projects, error);
    srv_context_catalog_done(&d->app->context, catalog);
    return good;
}

/* A name may be another project's, or become one's: who answers for a few takes none of others. */
static bool may_take(const decision *d, const char *to, GError **error) {
    const srv_request *request = d->request;
    if (!to || !request->projects || g_strv_contains((const char *const *)request->projects, to))
        return true;
    g_autofree char *names = g_strjoinv(", ", request->projects);
    g_set_error(error, SRV_ERROR, SRV_ERROR_FORBIDDEN,
                "this token is only for %s: a new name needs a token that is for %s, too, or for "
                "all projects",
                names, to);
    srv_app_refused(d->app, request, "another project");
    return false;
}

static json_t *rename_project(const decision *d, GError **error) {
    const char *name = d->request->params[0],
               *to = json_string_value(json_object_get(d->body, "name"));
    g_autofree char *what = g_strdup_printf("%s renamed to %s", name, to ? to : "");
    if (!may_take(d, to, error) || !has_no_file(d, error) ||
        !srv_project_rename(d->store, name, to, srv_now_ms(), error) || !sync_projects(d, error) ||
        !project_audit(d, what, error))
        return NULL;
    mirror_forget(d);
    return json_pack("{s:s}", "name", to);
}

static json_t *delete_project(const decision *d, GError **error) {
    const char *name = d->request->params[0],
               *confirmed = json_string_value(json_object_get(d->body, "confirm"));
    srv_project_content gone;
    if (!has_no_file(d, error) || !srv_project_delete(d->store, d->app->artifacts, name, confirmed,
                                                      srv_now_ms(), &gone, error))
        return NULL;
    g_autofree char *what =
        g_strdup_printf("%s deleted, %" G_GINT64_FORMAT " nights, %" G_GINT64_FORMAT " raw files",
                        name, gone.nights, gone.raw_files);
    mirror_forget(d);
    return project_audit(d, what, error)
               ? json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "name", name, "nights",
                           gone.nights, "jobs", gone.jobs, "alerts", gone.alerts, "artifacts",
                           gone.artifacts, "raw_files", gone.raw_files, "raw_bytes", gone.raw_bytes)
               : NULL;
}

static srv_reply *post_archive(srv_app *app, srv_store *store, srv_request *request) {
    return decide_named((decision){.app = app, .store = store, .request = request}, archive);
}

static srv_reply *post_rename(srv_app *app, srv_store *store, srv_request *request) {
    return decide_named((decision){.app = app, .store = store, .request = request}, rename_project);
}

static srv_reply *post_delete(srv_app *app, srv_store *store, srv_request *request) {
    return decide_named((decision){.app = app, .store = store, .request = request}, delete_project);
}

const srv_route srv__routes_write[] = {
    {"POST", SRV_API "projects/{}/archive", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_archive, .query = "branch"},
    {"POST", SRV_API "projects/{}/rename", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_rename, .query = "branch"},
    {"POST", SRV_API "projects/{}/delete", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_delete, .query = "branch"},
    {"POST", SRV_API "projects/{}/jobs", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON,
     .handler = post_job, .query = "branch"},
    {"POST", SRV_API "projects/{}/poll", SRV_SCOPE_SUBMIT, SRV_RUN_HERE, SRV_BODY_JSON,
     .handler = post_poll, .query = "branch"},
    {"POST", SRV_API "incidents/{}/state", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_incident_state},
    {"POST", SRV_API "alerts/{}/state", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_alert_state},
    {"POST", SRV_API "nodes/{}", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON, .handler = post_node},
    {"POST", SRV_API "jobs/{}/cancel", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_cancel},
    {0}};
