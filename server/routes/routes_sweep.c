#include "server/app.h"
#include "server/git/repo_name.h"
#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/queue/queue.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

static srv_reply *get_sweeps(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_page(store, request, srv_view_sweeps);
}

static srv_reply *get_sweep(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_one(store, request, srv_view_sweep);
}

static srv_reply *add(srv_app *app, srv_store *store, const srv_request *request,
                      const cfg_project *project, const char *id) {
    char night[11];
    GError *error = NULL;
    srv_commit commit = {0};
    int64_t sweep = 0;
    bool queued = false;
    json_auto_t *described = srv__commit_describe(app, project->name, id, &commit, &error);
    if (!described)
        return srv_reply_error(error);
    srv__commit_night(app, project->name, commit.time_ms, night);
    const srv_sweep_wanted wanted = {&commit, night, request->token};
    if (!srv_sweep_add(store, project, &wanted, srv_now_ms(), &queued, &sweep, &error))
        return srv_reply_error(error);
    if (queued)
        srv_log_info("api", "sweep", "project", project->name, "commit", commit.sha, "by",
                     request->token, NULL);
    return srv_reply_json(queued ? 201 : 200,
                          json_pack("{s:I, s:b}", "sweep", (json_int_t)sweep, "queued", queued));
}

static srv_reply *post_sweep(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    json_auto_t *body = srv_request_json(request, &error);
    if (!body)
        return srv_reply_error(error);
    const char *id = json_string_value(json_object_get(body, "commit"));
    srv_catalog *catalog = srv_context_catalog(&app->context);
    const cfg_project *project = srv_catalog_find(catalog, request->params[0]);
    srv_reply *reply = NULL;
    if (!project)
        reply = srv_reply_problem(404, "no project of that name is configured");
    else if (!srv_repo_commit_check(id))
        reply = srv_reply_problem(400, "commit: 7 to 40 hexadecimal digits are needed");
    else
        reply = add(app, store, request, project, id);
    srv_context_catalog_done(&app->context, catalog);
    return reply;
}

const srv_route srv__routes_sweep[] = {
    {"GET", SRV_API "projects/{}/sweeps", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_sweeps,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/sweeps", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON,
     .handler = post_sweep, .query = "branch"},
    {"GET", SRV_API "sweeps/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_sweep},
    {0}};
