#include "config/log.h"
#include "server/alarm/alerts.h"
#include "server/alarm/incidents.h"
#include "server/app.h"
#include "server/git/fetch.h"
#include "server/git/mirror.h"
#include "server/git/repo_name.h"
#include "server/ground/clock.h"
#include "server/ground/fields.h"
#include "server/poll/question.h"
#include "server/pull/pull.h"
#include "server/queue/queue.h"
#include "server/routes/routes.h"
#include "server/store/projects.h"
#include "server/store/store_audit.h"
#include "server/transfer/disposal.h"
#include "server/views/views.h"

#include <gio/gio.h>
#include <string.h>

enum { DESCRIBE_MS = 10000 /* reads the local mirror only */ };

#define NODE_REASON_MAX 1000

const cfg_project *srv__configured(const srv_catalog *catalog, const srv_request *request,
                                   GError **error) {
    const cfg_project *project = srv_catalog_find(catalog, request->params[0]);
    return project ? project
                   : SRV__NULL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                               "no project of that name is configured");
}

/* A commit as the project's mirror has it. out: its strings live in the JSON returned, which is
 * owned; NULL with error, also when id is none. night: out, which it belongs to by its own time. */
static json_t *describe(srv_app *app, const cfg_project *project, const char *id, srv_commit *out,
                        char night[11], GError **error) {
    if (!srv_repo_commit_check(id))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "commit: 7 to 40 hexadecimal digits are needed");
    g_autoptr(srv_fetch) fetch = srv_fetch_new(app->context.program, app->config->data_dir, -1);
    g_autofree char *mirror = srv_context_mirror(&app->context, project->name);
    json_auto_t *request =
        json_pack("{s:s, s:s, s:s}", "op", "describe", "mirror", mirror, "commit", id);
    json_auto_t *answer = srv_fetch_ask(fetch, request, DESCRIBE_MS, error);
    if (!answer) {
        if (g_error_matches(*error, G_IO_ERROR, G_IO_ERROR_FAILED))
            (*error)->code = G_IO_ERROR_INVALID_ARGUMENT;
        return NULL;
    }
    if (!srv__commit_read(json_object_get(answer, "commit"), out, error))
        return NULL;
    srv_catalog_night(project, out->time_ms, srv_now_ms(), night);
    return g_steal_pointer(&answer);
}

static json_t *post_job(srv_call *call, GError **error) {
    char own_night[11];
    srv_commit commit = {0};
    int64_t job = 0, day = 0;
    bool queued = false;
    const char *token = call->request->token, *night = cfg_json_word(call->body, "night", NULL);
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    const cfg_project *project = srv__configured(catalog, call->request, error);
    const char *id = cfg_json_word(call->body, "commit", NULL);
    if (!project)
        return NULL;
    if (srv_repo_commit_check(id) && json_object_get(call->body, "night") != NULL &&
        !srv_day_read(night, &day))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID, "night: must be a date, YYYY-MM-DD");
    json_auto_t *described = describe(call->app, project, id, &commit, own_night, error);
    const srv_measurement wanted = {&commit, night ? night : own_night, SRV_KIND_MANUAL};
    if (!described ||
        !srv_night_add(call->store, project->name, &wanted, srv_now_ms(), &queued, &job, error))
        return NULL;
    if (queued)
        cfg_log("info", "api", "queued", "project=%s commit=%s by=%s", project->name, commit.sha,
                token);
    call->status = queued ? 201 : 200;
    return json_pack("{s:I, s:b}", "job", (json_int_t)job, "queued", queued);
}

static json_t *post_sweep(srv_call *call, GError **error) {
    char night[11];
    srv_commit commit = {0};
    int64_t sweep = 0;
    bool queued = false;
    const char *token = call->request->token;
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    const cfg_project *project = srv__configured(catalog, call->request, error);
    json_auto_t *described =
        project ? describe(call->app, project, cfg_json_word(call->body, "commit", NULL), &commit,
                           night, error)
                : NULL;
    const srv_sweep_wanted wanted = {&commit, night, token};
    if (!described ||
        !srv_sweep_add(call->store, project, &wanted, srv_now_ms(), &queued, &sweep, error))
        return NULL;
    if (queued)
        cfg_log("info", "api", "sweep", "project=%s commit=%s by=%s", project->name, commit.sha,
                token);
    call->status = queued ? 201 : 200;
    return json_pack("{s:I, s:b}", "sweep", (json_int_t)sweep, "queued", queued);
}

static json_t *pull_ask(srv_call *call, const cfg_project *project, const char *commit, bool queue,
                        GError **error) {
    int64_t id = 0;
    const char *token = call->request->token;
    const srv_pull_facts facts = {.provider = queue ? SRV_PULL_QUEUE : SRV_PULL_SUBMITTED,
                                  .head = commit,
                                  .title = "",
                                  .author = token ? token : ""};
    if (!srv_pull_ask(call->store, project, &facts, srv_now_ms(), &id, error))
        return NULL;
    cfg_log("info", "api", "pull", "project=%s commit=%s by=%s", project->name, commit, token);
    srv_poller_kick(call->app->poller, project->name);
    call->status = 202;
    return json_pack("{s:I}", "pull_request", (json_int_t)id);
}

static json_t *post_pull(srv_call *call, GError **error) {
    const char *commit = cfg_json_word(call->body, "commit", "");
    srv__fields in = {.object = call->body, .where = "", .error = error};
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    const cfg_project *project = srv__configured(catalog, call->request, error);
    if (!project)
        return NULL;
    if (strlen(commit) != 40 || strspn(commit, "0123456789abcdef") != 40)
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "commit: the full id is needed, 40 hexadecimal digits as git rev-parse "
                         "prints them");
    const bool queue = srv__field_bool(&in, "merge_queue", false);
    return in.failed ? NULL : pull_ask(call, project, commit, queue, error);
}

/* Whatever its body says. */
static srv_reply *post_poll(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&app->context);
    const cfg_project *project = srv_catalog_find(catalog, request->params[0]);
    if (!project || !project->enabled)
        return srv_reply_problem(404, "no enabled project of that name is configured");
    srv_poller_kick(app->poller, request->params[0]);
    return srv_reply_json(202, json_object());
}

/* Who answers is who has the token; a name in the body could be anybody's. */
static bool author_left_away(const srv_call *call, GError **error) {
    if (!json_object_get(call->body, "author"))
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "author: leave it out; the token's name, %s, is stored with the change",
                     call->request->token);
}

static json_t *set_alert(srv_call *call, GError **error) {
    const char *state = cfg_json_word(call->body, "state", ""), *by = call->request->token;
    if (!author_left_away(call, error) ||
        !srv_alert_set(call->store, call->id, state, by, call->reason, srv_now_ms(), error))
        return NULL;
    cfg_log("info", "api", "alert_set", "alert=%s state=%s by=%s", call->request->params[0], state,
            by);
    return srv_view_alert(call->store, call->id, error);
}

static json_t *set_incident(srv_call *call, GError **error) {
    const char *state = cfg_json_word(call->body, "state", ""), *by = call->request->token;
    if (!author_left_away(call, error) ||
        !srv_incident_set(call->store, call->id, state, by, call->reason, srv_now_ms(), error))
        return NULL;
    cfg_log("info", "api", "incident_set", "incident=%s state=%s by=%s", call->request->params[0],
            state, by);
    return srv_view_incident(call->store, call->id, error);
}

/* what: of the kind, as in "job 7 cancelled". */
static bool audit(const srv_call *call, const char *kind, const char *what, const char *why,
                  GError **error) {
    const int64_t now_ms = srv_now_ms();
    const srv_request *request = call->request;
    const srv_audit_row row = {now_ms, now_ms, kind, request->token, request->client, what, why, 1};
    return srv_audit_change(call->store, &row, error);
}

static json_t *cancel(srv_call *call, GError **error) {
    g_autofree char *what = g_strdup_printf("job %" G_GINT64_FORMAT " cancelled", call->id);
    if (!srv_queue_cancel(call->store, call->id, call->reason, srv_now_ms(), error) ||
        !audit(call, "job", what, call->reason, error))
        return NULL;
    json_t *job = srv_view_job(call->store, call->id, error);
    if (job)
        cfg_log("info", "api", "cancelled", "job=%s by=%s", call->request->params[0],
                call->request->token);
    return job;
}

/* {"paused": true, "reason"} or {"paused": false}: its name and why, or that it was resumed. */
static json_t *post_node(srv_call *call, GError **error) {
    const json_t *paused = json_object_get(call->body, "paused");
    const char *reason = call->reason ? call->reason : "", *token = call->request->token;
    const char *name = call->request->params[0];
    const size_t length = strlen(reason);
    if (!json_is_boolean(paused))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID, "paused: true or false is needed");
    if (json_is_true(paused) && (length == 0 || length > NODE_REASON_MAX))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "reason: say why, in at most 1000 bytes");
    g_autofree char *why = json_is_true(paused) ? g_strdup_printf("%s: %s", token, reason) : NULL;
    g_autofree char *what = g_strdup_printf("node %s %s", name, why ? "paused" : "resumed");
    if (!srv_node_pause(call->store, name, why, error) ||
        !audit(call, "node", what, why ? reason : "", error))
        return NULL;
    cfg_log("info", "api", why ? "node_paused" : "node_works", "node=%s by=%s", name, token);
    return json_pack("{s:s,s:s?}", "name", name, "paused", why);
}

/* --- what becomes of a project --- */

/* Has this server a file for it? A reload would make the project anew. */
static bool has_no_file(const srv_call *call, GError **error) {
    const char *name = call->request->params[0];
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    return !srv_catalog_find(catalog, name) ||
           SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "%s has a file in projects_dir: take it out, or write the new name there, and "
                     "reload the server (SIGHUP) first",
                     name);
}

/* Nobody fetches into it any more. */
static void mirror_forget(const srv_call *call) {
    g_autofree char *mirror = srv_context_mirror(&call->app->context, call->request->params[0]);
    srv__mirror_forget(mirror);
}

static bool project_audit(const srv_call *call, const char *what, GError **error) {
    cfg_log("info", "api", "project", "name=%s what=%s by=%s", call->request->params[0], what,
            call->request->token);
    return audit(call, "project", what, call->reason, error);
}

static json_t *archive(srv_call *call, GError **error) {
    const char *name = call->request->params[0];
    srv__fields in = {.object = call->body, .where = "", .error = error};
    const bool back = !srv__field_bool(&in, "archived", true);
    g_autofree char *what = g_strdup_printf("%s %s", name, back ? "fetched back" : "archived");
    return !in.failed &&
                   srv_project_archive(call->store, name, !back, call->reason, srv_now_ms(),
                                       error) &&
                   project_audit(call, what, error)
               ? json_pack("{s:s, s:b}", "name", name, "archived", !back)
               : NULL;
}

/* What the file of the new name says holds at once. */
static bool sync_projects(const srv_call *call, GError **error) {
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    return srv_projects_sync(call->store, catalog->projects, error);
}

/* A name may be another project's, or become one's: who answers for a few takes none of others. */
static bool may_take(const srv_call *call, const char *to, GError **error) {
    const srv_request *request = call->request;
    if (!to || !request->projects || g_strv_contains((const char *const *)request->projects, to))
        return true;
    g_autofree char *names = g_strjoinv(", ", request->projects);
    srv_app_refused(call->app, request, "another project");
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_FORBIDDEN,
                     "this token is only for %s: a new name needs a token that is for %s, too, or "
                     "for all projects",
                     names, to);
}

static json_t *rename_project(srv_call *call, GError **error) {
    const char *name = call->request->params[0], *to = cfg_json_word(call->body, "name", NULL);
    g_autofree char *what = g_strdup_printf("%s renamed to %s", name, to ? to : "");
    if (!may_take(call, to, error) || !has_no_file(call, error) ||
        !srv_project_rename(call->store, name, to, srv_now_ms(), error) ||
        !sync_projects(call, error) || !project_audit(call, what, error))
        return NULL;
    mirror_forget(call);
    return json_pack("{s:s}", "name", to);
}

static json_t *delete_project(srv_call *call, GError **error) {
    const char *name = call->request->params[0];
    srv_project_content had;
    if (!has_no_file(call, error) ||
        !srv_project_delete(call->store, call->app->artifacts, name,
                            cfg_json_word(call->body, "confirm", NULL), srv_now_ms(), &had, error))
        return NULL;
    g_autofree char *what =
        g_strdup_printf("%s deleted, %" G_GINT64_FORMAT " results, %" G_GINT64_FORMAT " raw files",
                        name, had.nights, had.raw_files);
    mirror_forget(call);
    return project_audit(call, what, error)
               ? json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "name", name, "nights",
                           had.nights, "jobs", had.jobs, "alerts", had.alerts, "artifacts",
                           had.artifacts, "raw_files", had.raw_files, "raw_bytes", had.raw_bytes)
               : NULL;
}

#define DECIDES SRV__CHANGES(SRV_SCOPE_RUN), .reasoned = true, .numbered = true
#define DISPOSES SRV__CHANGES(SRV_SCOPE_ADMIN), .reasoned = true, .query = "branch"

const srv_route srv__routes_write[] = {
    {"POST", SRV_API "projects/{}/archive", DISPOSES, .act = archive},
    {"POST", SRV_API "projects/{}/rename", DISPOSES, .act = rename_project},
    {"POST", SRV_API "projects/{}/delete", DISPOSES, .act = delete_project},
    {"POST", SRV_API "projects/{}/jobs", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON,
     .handler = srv__answer, .act = post_job, .query = "branch"},
    {"GET", SRV_API "projects/{}/sweeps", SRV__KEEPS, .list = &srv_list_sweeps,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/sweeps", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON,
     .handler = srv__answer, .act = post_sweep, .query = "branch"},
    {"GET", SRV_API "sweeps/{}", SRV__KEEPS, .one = srv_view_sweep},
    {"GET", SRV_API "projects/{}/pull-requests", SRV__READS, .list = &srv_list_pulls,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/pull-requests", SRV__CHANGES(SRV_SCOPE_SUBMIT), .act = post_pull,
     .query = "branch"},
    {"GET", SRV_API "pull-requests/{}", SRV__READS, .one = srv_view_pull},
    {"POST", SRV_API "projects/{}/poll", SRV_SCOPE_SUBMIT, SRV_RUN_HERE, SRV_BODY_JSON,
     .handler = post_poll, .query = "branch"},
    {"POST", SRV_API "incidents/{}/state", DECIDES, .act = set_incident},
    {"POST", SRV_API "alerts/{}/state", DECIDES, .act = set_alert},
    {"POST", SRV_API "nodes/{}", SRV__CHANGES(SRV_SCOPE_RUN), .act = post_node},
    {"POST", SRV_API "jobs/{}/cancel", DECIDES, .act = cancel},
    {0}};
