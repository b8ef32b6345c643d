#include "server/routes.h"

#define API "/api/v1/"
#define RUNNER API "runner/"

static const srv_route table[] = {
    {"GET", API "status", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_status, NULL, NULL},
    {"GET", API "projects", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_projects, NULL,
     NULL},
    {"GET", API "projects/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_project, NULL,
     NULL},
    {"GET", API "projects/{}/nights", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_nights,
     NULL, NULL},
    {"GET", API "projects/{}/alerts", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE,
     srv__get_project_alerts, NULL, NULL},
    {"POST", API "projects/{}/jobs", SRV_SCOPE_RUN, SRV_RUN_READ, SRV_BODY_JSON, srv__post_job,
     NULL, NULL},
    {"POST", API "projects/{}/poll", SRV_SCOPE_SUBMIT, SRV_RUN_HERE, SRV_BODY_JSON, srv__post_poll,
     NULL, NULL},
    {"POST", API "alerts/{}/state", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_alert_state, NULL, NULL},
    {"POST", API "jobs/{}/cancel", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON, srv__post_cancel,
     NULL, NULL},
    {"GET", API "experiments/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_experiment,
     NULL, NULL},
    {"GET", API "experiments/{}/raw/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE,
     srv__get_raw, NULL, NULL},
    {"GET", API "alerts", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_alerts, NULL, NULL},
    {"GET", API "alerts/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_alert, NULL,
     NULL},
    {"GET", API "jobs", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_jobs, NULL, NULL},
    {"GET", API "jobs/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_job, NULL, NULL},
    {"GET", API "events", SRV_SCOPE_READ, SRV_RUN_STREAM, SRV_BODY_NONE, NULL, NULL, NULL},

    {"POST", RUNNER "lease", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON, srv__post_lease, NULL,
     srv__lease_completed},
    {"POST", RUNNER "jobs/{}/resume", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_resume, NULL, NULL},
    {"POST", RUNNER "jobs/{}/progress", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_progress, NULL, NULL},
    {"PUT", RUNNER "jobs/{}/raw/{}", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_RAW, srv__put_raw,
     &srv__raw_sink, NULL},
    {"POST", RUNNER "jobs/{}/result", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_result, NULL, NULL},
    {"POST", RUNNER "jobs/{}/failure", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     srv__post_failure, NULL, NULL},

    {"POST", API "hooks/{}", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_HOOK, srv__post_hook, NULL,
     srv__hook_completed},
    {"POST", API "hooks/{}/{}", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_HOOK, srv__post_hook, NULL,
     srv__hook_completed},

    {"GET", "/charts/{}", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_chart, NULL, NULL},
    {"GET", "/feed.atom", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_feed, NULL, NULL},
    {"GET", "/projects/{}/feed.atom", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_feed,
     NULL, NULL},
    {"GET", "/projects/{}/badge.svg", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_badge,
     NULL, NULL},
    {"GET", "/projects/{}/badge.json", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_badge,
     NULL, NULL},
    {"GET", "/healthz", SRV_SCOPE_NONE, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_health, NULL, NULL},
    {"GET", "/readyz", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_NONE, srv__get_ready, NULL, NULL},
    {"GET", "/metrics", SRV_SCOPE_READ, SRV_RUN_READ, SRV_BODY_NONE, srv__get_metrics, NULL, NULL},
    {"GET", "/static/{*}", SRV_SCOPE_NONE, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_asset, NULL, NULL},
    {"GET", "/favicon.ico", SRV_SCOPE_NONE, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL},
    {"GET", "/", SRV_SCOPE_READ, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_asset, NULL, NULL},
    {"GET", "/jobs", SRV_SCOPE_READ, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_asset, NULL, NULL},
    {"GET", "/projects/{}", SRV_SCOPE_READ, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL},
    {"GET", "/experiments/{}", SRV_SCOPE_READ, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_asset, NULL,
     NULL},
    {"GET", "/alerts/{}", SRV_SCOPE_READ, SRV_RUN_HERE, SRV_BODY_NONE, srv__get_asset, NULL, NULL},
};

const srv_route *srv_routes(size_t *count) {
    *count = G_N_ELEMENTS(table);
    return table;
}
