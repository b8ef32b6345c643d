#include "server/routes/routes.h"

#include "server/app.h"

#include <string.h>

/* Pages read theirs in the browser. */
static bool takes_branch(const srv_route *route) {
    return strstr(route->pattern, "projects/{}") != NULL && route->run != SRV_RUN_ASSET;
}

void srv_branch_meant(srv_app *app, srv_request *request) {
    const char *branch = srv_request_query(request, "branch");
    if (!branch || !takes_branch(request->route))
        return;
    srv_catalog *catalog = srv_context_catalog(&app->context);
    char *name = srv_catalog_branch(catalog, request->params[0], branch);
    srv_context_catalog_done(&app->context, catalog);
    g_free(request->params[0]);
    request->params[0] = name;
}

static bool is_plain(const srv_route *route) {
    return route && route->handler && route->body == SRV_BODY_NONE &&
           (route->scope & (SRV_SCOPE_READ | SRV_SCOPE_NONE)) == route->scope;
}

static srv_reply *answer(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    if (!srv_route_query_check(request->route, request, &error))
        return srv_reply_error(error);
    request->details = app->config->public_details;
    srv_branch_meant(app, request);
    return request->route->handler(app, store, request);
}

srv_reply *srv_routes_ask(void *app, srv_store *store, const char *address) {
    GError *error = NULL;
    size_t count = 0;
    g_autofree char *allowed = NULL;
    srv_reply *reply = NULL;
    const srv_route *routes = srv_routes(&count);
    srv_request request = {.method = g_strdup("GET")};
    if (!srv_request_parse_target(&request, address, &error))
        reply = srv_reply_error(error);
    else if (is_plain(request.route = srv_route_find(routes, count, &request, &allowed)))
        reply = answer(app, store, &request);
    srv_request_clear(&request);
    return reply ? reply : srv_reply_problem(404, "there is no such address to read");
}

#define API "/api/v1/"
#define RUNNER API "runner/"

static const srv_route table[] = {
    {"GET", API "status", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_status, NULL, NULL,
     NULL},
    {"GET", API "projects", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_projects, NULL,
     NULL, "like archived limit>500 cursor"},
    {"GET", API "projects/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_project, NULL,
     NULL, "branch"},
    {"POST", API "projects/{}/archive", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_archive, NULL, NULL, "branch"},
    {"POST", API "projects/{}/rename", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_rename, NULL, NULL, "branch"},
    {"POST", API "projects/{}/delete", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_delete, NULL, NULL, "branch"},
    {"GET", API "projects/{}/nights", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_nights,
     NULL, NULL, "branch since until limit>500 cursor portions"},
    {"GET", API "projects/{}/alerts", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE,
     srv__get_project_alerts, NULL, NULL, "branch state limit>500 cursor"},
    {"GET", API "projects/{}/incidents", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE,
     srv__get_project_incidents, NULL, NULL, "branch state limit>500 cursor"},
    {"GET", API "projects/{}/commits", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE,
     srv__get_commits, NULL, NULL, "branch after until limit " SRV_QUERY_HEAVY},
    {"POST", API "projects/{}/jobs", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON, srv__post_job,
     NULL, NULL, "branch"},
    {"GET", API "projects/{}/dimensions", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE,
     srv__get_dimensions, NULL, NULL, "branch dimension limit>500 cursor"},
    {"GET", API "projects/{}/sweeps", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_sweeps,
     NULL, NULL, "branch limit>500 cursor"},
    {"POST", API "projects/{}/sweeps", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON, srv__post_sweep,
     NULL, NULL, "branch"},
    {"GET", API "sweeps/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_sweep, NULL,
     NULL, NULL},
    {"GET", API "projects/{}/notes", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_notes,
     NULL, NULL, "branch limit>500 cursor"},
    {"POST", API "projects/{}/notes", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON, srv__post_note,
     NULL, NULL, "branch"},
    {"POST", API "notes/{}/remove", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_note_remove, NULL, NULL, NULL},
    {"GET", API "projects/{}/baselines", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE,
     srv__get_baselines, NULL, NULL, "branch limit>500 cursor"},
    {"POST", API "projects/{}/baselines", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_baseline, NULL, NULL, "branch"},
    {"POST", API "baselines/{}/undo", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_baseline_undo, NULL, NULL, NULL},
    {"GET", API "projects/{}/pull-requests", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE,
     srv__get_pulls, NULL, NULL, "branch limit>500 cursor"},
    {"POST", API "projects/{}/pull-requests", SRV_SCOPE_SUBMIT, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_pull, NULL, NULL, "branch"},
    {"GET", API "pull-requests/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_pull,
     NULL, NULL, NULL},
    {"POST", API "projects/{}/poll", SRV_SCOPE_SUBMIT, SRV_RUN_HERE, SRV_BODY_JSON, srv__post_poll,
     NULL, NULL, "branch"},
    {"GET", API "projects/{}/artifacts", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE,
     srv__get_artifacts, NULL, NULL, "branch limit>500 cursor"},
    {"GET", API "projects/{}/artifacts/{}/{}", SRV_SCOPE_SUBMIT | SRV_SCOPE_RUNNER, SRV_RUN_READ,
     SRV_BODY_NONE, srv__get_artifact, NULL, NULL, "branch"},
    {"PUT", API "projects/{}/artifacts/{}/{}", SRV_SCOPE_SUBMIT, SRV_RUN_WRITE, SRV_BODY_RAW,
     srv__put_artifact, &srv__artifact_sink, NULL, "branch"},
    {"DELETE", API "projects/{}/artifacts/{}/{}", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_NONE,
     srv__delete_artifact, NULL, NULL, "branch"},
    {"POST", API "projects/{}/import", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_RAW,
     srv__post_import, &srv__import_sink, NULL, "branch"},
    {"POST", API "incidents/{}/state", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_incident_state, NULL, NULL, NULL},
    {"POST", API "alerts/{}/state", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_alert_state, NULL, NULL, NULL},
    {"POST", API "nodes/{}", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON, srv__post_node, NULL,
     NULL, NULL},
    {"POST", API "jobs/{}/cancel", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON, srv__post_cancel,
     NULL, NULL, NULL},
    {"GET", API "experiments/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_experiment,
     NULL, NULL, SRV_QUERY_DETAILS},
    {"GET", API "experiments/{}/raw/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE,
     srv__get_raw, NULL, NULL, "format"},
    {"GET", API "experiments/{}/calls/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE,
     srv__get_calls, NULL, NULL, SRV_QUERY_HEAVY},
    {"GET", API "compare", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_compare, NULL,
     NULL, "a b " SRV_QUERY_DETAILS},
    {"GET", API "alerts", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_alerts, NULL, NULL,
     "project state limit>500 cursor"},
    {"GET", API "alerts/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_alert, NULL,
     NULL, NULL},
    {"GET", API "alerts/{}/profiles/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE,
     srv__get_profile, NULL, NULL, "dimension " SRV_QUERY_HEAVY},
    {"GET", API "incidents", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_incidents, NULL,
     NULL, "project state limit>500 cursor"},
    {"GET", API "incidents/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_incident,
     NULL, NULL, NULL},
    {"GET", API "jobs", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_jobs, NULL, NULL,
     "project state limit>500 cursor"},
    {"GET", API "jobs/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_job, NULL, NULL,
     NULL},
    {"GET", API "events", SRV_SCOPE_READ, SRV_RUN_STREAM, SRV_BODY_NONE, NULL, NULL, NULL, NULL},

    {"GET", API "audit", SRV_SCOPE_ADMIN, SRV_RUN_READ, SRV_BODY_NONE, srv__get_audit, NULL, NULL,
     "kind limit>500 cursor"},
    {"GET", API "tokens", SRV_SCOPE_ADMIN, SRV_RUN_READ, SRV_BODY_NONE, srv__get_tokens, NULL, NULL,
     NULL},

    {"POST", RUNNER "lease", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON, srv__post_lease, NULL,
     srv__lease_completed, NULL},
    {"POST", RUNNER "jobs/{}/resume", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_resume, NULL, NULL, NULL},
    {"POST", RUNNER "jobs/{}/progress", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_progress, NULL, NULL, NULL},
    {"PUT", RUNNER "jobs/{}/raw/{}", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_RAW, srv__put_raw,
     &srv__raw_sink, NULL, NULL},
    {"POST", RUNNER "jobs/{}/result", SRV_SCOPE_RUNNER, SRV_RUN_TAKE, SRV_BODY_JSON,
     srv__post_result, NULL, NULL, NULL},
    {"POST", RUNNER "jobs/{}/failure", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_failure, NULL, NULL, NULL},

    {"POST", API "hooks/{}", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_HOOK, srv__post_hook, NULL,
     srv__hook_completed, SRV_QUERY_ANY},
    {"POST", API "hooks/{}/{}", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_HOOK, srv__post_hook, NULL,
     srv__hook_completed, SRV_QUERY_ANY},

    {"GET", "/charts/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_chart, NULL, NULL,
     "nights>1000 until view value range leaf theme width>1600 height>800 scale -v"},
    {"GET", "/flames/{}/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_flame, NULL,
     NULL, "dimension view frame theme width scale -v " SRV_QUERY_HEAVY},
    {"GET", "/feed.atom", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_feed, NULL, NULL,
     NULL},
    {"GET", "/projects/{}/feed.atom", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_feed,
     NULL, NULL, "branch"},
    {"GET", "/projects/{}/badge.svg", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_badge,
     NULL, NULL, "branch portion"},
    {"GET", "/projects/{}/badge.json", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_badge,
     NULL, NULL, "branch portion"},
    {"GET", "/embed/{}", SRV_SCOPE_READ, SRV_RUN_KEPT, SRV_BODY_NONE, srv__get_embed, NULL, NULL,
     "nights>1000 view value range leaf theme"},
    {"GET", "/healthz", SRV_SCOPE_NONE, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_health, NULL, NULL,
     NULL},
    {"GET", "/readyz", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_NONE, srv__get_ready, NULL, NULL,
     NULL},
    {"GET", "/metrics", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_metrics, NULL, NULL,
     NULL},
    {"GET", "/static/{*}", SRV_SCOPE_NONE, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL, NULL,
     SRV_QUERY_ANY},
    {"GET", "/favicon.ico", SRV_SCOPE_NONE, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL, SRV_QUERY_ANY},
    {"GET", "/", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL, NULL,
     SRV_QUERY_ANY},
    {"GET", "/jobs", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL, NULL,
     SRV_QUERY_ANY},
    {"GET", "/jobs/{}", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL, NULL,
     SRV_QUERY_ANY},
    {"GET", "/projects/{}", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL, SRV_QUERY_ANY},
    {"GET", "/experiments/{}", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL, SRV_QUERY_ANY},
    {"GET", "/compare", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL, NULL,
     SRV_QUERY_ANY},
    {"GET", "/alerts/{}", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL, NULL,
     SRV_QUERY_ANY},
    {"GET", "/sweeps/{}", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL, NULL,
     SRV_QUERY_ANY},
    {"GET", "/pull-requests", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL, SRV_QUERY_ANY},
    {"GET", "/pull-requests/{}", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL, SRV_QUERY_ANY},
    {"GET", "/incidents/{}", SRV_SCOPE_READ, SRV_RUN_ASSET, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL, SRV_QUERY_ANY},
};

const srv_route *srv_routes(size_t *count) {
    *count = G_N_ELEMENTS(table);
    return table;
}
