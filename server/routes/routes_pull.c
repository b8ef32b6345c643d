#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/ground/log.h"
#include "server/pull/pull.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

#include <string.h>

static json_t *ask(srv_call *call, const cfg_project *project, const char *commit, bool queue,
                   GError **error) {
    int64_t id = 0;
    const char *token = call->request->token;
    const srv_pull_facts facts = {.provider = queue ? SRV_PULL_QUEUE : SRV_PULL_SUBMITTED,
                                  .head = commit,
                                  .title = "",
                                  .author = token ? token : ""};
    if (!srv_pull_ask(call->store, project, &facts, srv_now_ms(), &id, error))
        return NULL;
    srv_log_info("api", "pull", "project", project->name, "commit", commit, "by", token, NULL);
    srv_poller_kick(call->app->poller, project->name);
    call->status = 202;
    return json_pack("{s:I}", "pull_request", (json_int_t)id);
}

static json_t *post_pull(srv_call *call, GError **error) {
    const char *commit = cfg_json_word(call->body, "commit", "");
    const json_t *queue = json_object_get(call->body, "merge_queue");
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    const cfg_project *project = srv__configured(catalog, call->request, error);
    if (!project)
        return NULL;
    if (strlen(commit) != 40 || strspn(commit, "0123456789abcdef") != 40)
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "commit: the full id is needed, 40 hexadecimal digits as git rev-parse "
                         "prints them");
    if (queue && !json_is_boolean(queue))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID, "merge_queue: true or false");
    return ask(call, project, commit, json_is_true(queue), error);
}

const srv_route srv__routes_pull[] = {
    {"GET", SRV_API "projects/{}/pull-requests", SRV__READS, .list = &srv_list_pulls,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/pull-requests", SRV__CHANGES(SRV_SCOPE_SUBMIT), .act = post_pull,
     .query = "branch"},
    {"GET", SRV_API "pull-requests/{}", SRV__READS, .one = srv_view_pull},
    {0}};
