#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/queue/queue.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

static json_t *post_sweep(srv_call *call, GError **error) {
    char night[11];
    srv_commit commit = {0};
    int64_t sweep = 0;
    bool queued = false;
    const char *token = call->request->token;
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    const cfg_project *project = srv__configured(catalog, call->request, error);
    json_auto_t *described =
        project
            ? srv__commit_describe(call->app, project, cfg_json_word(call->body, "commit", NULL),
                                   &commit, night, error)
            : NULL;
    const srv_sweep_wanted wanted = {&commit, night, token};
    if (!described ||
        !srv_sweep_add(call->store, project, &wanted, srv_now_ms(), &queued, &sweep, error))
        return NULL;
    if (queued)
        srv_log_info("api", "sweep", "project", project->name, "commit", commit.sha, "by", token,
                     NULL);
    call->status = queued ? 201 : 200;
    return json_pack("{s:I, s:b}", "sweep", (json_int_t)sweep, "queued", queued);
}

const srv_route srv__routes_sweep[] = {
    {"GET", SRV_API "projects/{}/sweeps", SRV__KEEPS, .list = &srv_list_sweeps,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/sweeps", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON,
     .handler = srv__answer, .act = post_sweep, .query = "branch"},
    {"GET", SRV_API "sweeps/{}", SRV__KEEPS, .one = srv_view_sweep},
    {0}};
