#include "server/app.h"
#include "server/git/repo_name.h"
#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/queue/sweep.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

srv_reply *srv__get_sweeps(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    srv_page page = {.cursor = srv_request_query(request, "cursor")};
    uint64_t limit = SRV_PAGE_DEFAULT;
    json_t *list = NULL;
    if (srv_request_unsigned(request, "limit", 1, SRV_PAGE_LIMIT, &limit, &error)) {
        page.limit = (unsigned)limit;
        list = srv_view_sweeps(store, request->params[0], page, &error);
    }
    return list ? srv_reply_json(200, list) : srv_reply_error(error);
}

srv_reply *srv__get_sweep(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    int64_t id = 0;
    json_t *sweep =
        srv_request_id(request, 0, &id, &error) ? srv_view_sweep(store, id, &error) : NULL;
    return sweep ? srv_reply_json(200, sweep) : srv_reply_error(error);
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

srv_reply *srv__post_sweep(srv_app *app, srv_store *store, srv_request *request) {
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
