#include "server/app.h"
#include "server/git/repo.h"
#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/pull/pull.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

#include <string.h>

static srv_reply *get_pulls(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_page(store, request, srv_view_pulls);
}

static srv_reply *get_pull(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_one(store, request, srv_view_pull);
}

static bool is_full(const char *commit) {
    return commit && strlen(commit) == 40 && strspn(commit, "0123456789abcdef") == 40;
}

static srv_reply *ask(srv_app *app, srv_store *store, const srv_request *request,
                      const cfg_project *project, const char *commit, bool queue) {
    GError *error = NULL;
    int64_t id = 0;
    const srv_pull_facts facts = {.provider = queue ? SRV_PULL_QUEUE : SRV_PULL_SUBMITTED,
                                  .head = commit,
                                  .title = "",
                                  .author = request->token ? request->token : ""};
    if (!srv_pull_ask(store, project, &facts, srv_now_ms(), &id, &error))
        return srv_reply_error(error);
    srv_log_info("api", "pull", "project", project->name, "commit", commit, "by", request->token,
                 NULL);
    srv_poller_kick(app->poller, project->name);
    return srv_reply_json(202, json_pack("{s:I}", "pull_request", (json_int_t)id));
}

static srv_reply *post_pull(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    json_auto_t *body = srv_request_json(request, &error);
    if (!body)
        return srv_reply_error(error);
    const char *commit = json_string_value(json_object_get(body, "commit"));
    const json_t *queue = json_object_get(body, "merge_queue");
    srv_catalog *catalog = srv_context_catalog(&app->context);
    const cfg_project *project = srv_catalog_find(catalog, request->params[0]);
    srv_reply *reply = NULL;
    if (!project)
        reply = srv_reply_problem(404, "no project of that name is configured");
    else if (!is_full(commit))
        reply = srv_reply_problem(400, "commit: the full id is needed, 40 hexadecimal digits as "
                                       "git rev-parse prints them");
    else if (queue && !json_is_boolean(queue))
        reply = srv_reply_problem(400, "merge_queue: true or false");
    else
        reply = ask(app, store, request, project, commit, json_is_true(queue));
    srv_context_catalog_done(&app->context, catalog);
    return reply;
}

const srv_route srv__routes_pull[] = {
    {"GET", SRV_API "projects/{}/pull-requests", SRV_SCOPE_READ, SRV_RUN_READ, .handler = get_pulls,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/pull-requests", SRV_SCOPE_SUBMIT, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_pull, .query = "branch"},
    {"GET", SRV_API "pull-requests/{}", SRV_SCOPE_READ, SRV_RUN_READ, .handler = get_pull},
    {0}};
