#pragma once
/*
 * routes - the table of everything the server answers, and the handlers by kind. docs/api.md and
 * docs/protocol.md say what they mean; the handlers turn requests into store calls and nothing
 * else.
 */
#include "server/http/route.h"
#include "server/store/commits.h"

/** srv_routes - the table; constant. */
const srv_route *srv_routes(size_t *count);

/* srv__commit_describe - a commit as the project's mirror has it. out: its strings live in the JSON
 * returned, which is owned; NULL with error.
 * srv__commit_night - the night that a commit belongs to by its own time. */
json_t *srv__commit_describe(srv_app *app, const char *project, const char *id, srv_commit *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv__commit_night(srv_app *app, const char *name, int64_t time_ms, char out[11]);

/* What people and programs read (routes_read.c). */
srv_reply *srv__get_status(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_projects(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_project(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_nights(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_dimensions(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_experiment(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_raw(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_calls(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_compare(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_alerts(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_project_alerts(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_alert(srv_app *app, srv_store *store, srv_request *request);
/* Where an alert's change is (routes_explain.c). */
srv_reply *srv__get_flame(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_profile(srv_app *app, srv_store *store, srv_request *request);

srv_reply *srv__get_incidents(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_project_incidents(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_incident(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_jobs(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_job(srv_app *app, srv_store *store, srv_request *request);

/* What lies between two commits (routes_commits.c). */
srv_reply *srv__get_commits(srv_app *app, srv_store *store, srv_request *request);

/* One parameter at several values (routes_sweep.c). */
srv_reply *srv__get_sweeps(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_sweep(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_sweep(srv_app *app, srv_store *store, srv_request *request);

/* srv__troubles_add - to the status' problems (NULL: nothing): why the site is not written; for who
 * sees details also a disk that is nearly full, messages that cannot be sent, the last answer that
 * failed in the last day (notify/troubles.h). */
void srv__troubles_add(srv_app *app, srv_store *store, json_t *problems, bool details);

/* Levels that people set (routes_note.c). */
srv_reply *srv__get_baselines(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_baseline(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_baseline_undo(srv_app *app, srv_store *store, srv_request *request);

/* What people say of nights (routes_note.c). */
srv_reply *srv__get_notes(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_note(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_note_remove(srv_app *app, srv_store *store, srv_request *request);

/* Before the merge (routes_pull.c). */
srv_reply *srv__get_pulls(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_pull(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_pull(srv_app *app, srv_store *store, srv_request *request);

/* What people change (routes_write.c). */
srv_reply *srv__post_job(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_poll(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_alert_state(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_incident_state(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_cancel(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_archive(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_rename(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_delete(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_node(srv_app *app, srv_store *store, srv_request *request);

/* What CI hands in (routes_artifact.c). */
srv_reply *srv__get_artifacts(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_artifact(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__put_artifact(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__delete_artifact(srv_app *app, srv_store *store, srv_request *request);
extern const srv_body_sink srv__artifact_sink;

/* Histories from elsewhere (routes_import.c). */
srv_reply *srv__post_import(srv_app *app, srv_store *store, srv_request *request);
extern const srv_body_sink srv__import_sink;

/* The runner protocol (routes_runner.c). */
srv_reply *srv__post_lease(srv_app *app, srv_store *store, srv_request *request);
void srv__lease_completed(srv_app *app, srv_request *request, bool sent);
srv_reply *srv__post_resume(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_progress(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__put_raw(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_result(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__post_failure(srv_app *app, srv_store *store, srv_request *request);
extern const srv_body_sink srv__raw_sink;

/** srv_routes_lease_again - a waiting runner's request comes back from the park; user is the
 * app. */
void srv_routes_lease_again(srv_request *request, void *user);

/* Webhooks (routes_hook.c): who sent it is decided by the handler, over the raw bytes. */
srv_reply *srv__post_hook(srv_app *app, srv_store *store, srv_request *request);
void srv__hook_completed(srv_app *app, srv_request *request, bool sent);

/* Pages, their files, charts, health (routes_page.c). */
srv_reply *srv__get_asset(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_chart(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_health(srv_app *app, srv_store *store, srv_request *request);

/* For whoever watches the watcher (routes_operate.c). */
srv_reply *srv__get_ready(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_metrics(srv_app *app, srv_store *store, srv_request *request);

/* Tokens, refusals and changes (routes_access.c). */
srv_reply *srv__get_tokens(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_audit(srv_app *app, srv_store *store, srv_request *request);

/* What other places embed (routes_reach.c). */
srv_reply *srv__get_feed(srv_app *app, srv_store *store, srv_request *request);
/**
 * srv__any_site_may_show - pictures are made for other sites' pages, too: without this, browsers
 * refuse them there. Only where everybody may read anyway.
 */
void srv__any_site_may_show(const srv_app *app, srv_reply *reply);
srv_reply *srv__get_badge(srv_app *app, srv_store *store, srv_request *request);
srv_reply *srv__get_embed(srv_app *app, srv_store *store, srv_request *request);
