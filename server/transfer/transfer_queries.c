#include "server/transfer/transfer_queries.h"

#include "config/branch.h"
#include "server/result/benchmark.h"

bool srv__export_header(srv_store *store, int64_t project, int64_t now_ms, json_t **row,
                        GError **error) {
    return srv__object(store,
                       "SELECT 2 AS moowatch_export, name AS project, title, repository, branch,"
                       " commit_url, detection AS \"detection{\", $2 AS exported_ms FROM project"
                       " WHERE id=$1",
                       SRV__ARGS(SRV__I(project), SRV__I(now_ms)), row, error);
}

bool srv__export_benchmark(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT 'benchmark' AS type, body_hash AS hash, body AS \"body{\""
                       " FROM benchmark WHERE id=$1",
                       SRV__ARGS(SRV__I(id)), row, error);
}

bool srv__export_alert(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT 'alert' AS type, a.configuration, a.portion, a.direction, a.state,"
                       " r.sha AS \"commit\", e.night FROM alert a"
                       " JOIN experiment e ON e.id=a.to_experiment"
                       " JOIN revision r ON r.id=e.revision_id WHERE a.id=$1",
                       SRV__ARGS(SRV__I(id)), row, error);
}

json_t *srv__export_audit(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT at_ms, new_state AS state, author, reason"
                      " FROM alert_audit WHERE alert_id=$1 ORDER BY id",
                      SRV__ARGS(SRV__I(alert)), error);
}

GArray *srv__export_benchmarks(srv_store *store, int64_t project, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM benchmark WHERE id IN"
                    " (SELECT benchmark_id FROM experiment WHERE project_id=$1"
                    "  UNION SELECT benchmark_id FROM project WHERE id=$1) ORDER BY id",
                    SRV__ARGS(SRV__I(project)), error);
}

GArray *srv__export_nights(srv_store *store, int64_t project, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM experiment WHERE project_id=$1 AND hidden=0"
                    " AND state<>'failed' ORDER BY night, time_ms, id",
                    SRV__ARGS(SRV__I(project)), error);
}

GArray *srv__export_alerts(srv_store *store, int64_t project, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM alert WHERE project_id=$1 AND state<>'withdrawn' ORDER BY id",
                    SRV__ARGS(SRV__I(project)), error);
}

bool srv__export_incident(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT 'incident' AS type, i.kind, i.state, r.sha AS \"commit\", e.night"
                       " FROM incident i JOIN experiment e ON e.id=i.to_experiment"
                       " JOIN revision r ON r.id=e.revision_id WHERE i.id=$1",
                       SRV__ARGS(SRV__I(id)), row, error);
}

json_t *srv__export_incident_audit(srv_store *store, int64_t incident, GError **error) {
    return srv__array(store,
                      "SELECT at_ms, new_state AS state, author, reason FROM incident_audit"
                      " WHERE incident_id=$1 ORDER BY id",
                      SRV__ARGS(SRV__I(incident)), error);
}

GArray *srv__export_incidents(srv_store *store, int64_t project, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM incident WHERE project_id=$1 AND state<>'withdrawn' AND id IN"
                    " (SELECT incident_id FROM incident_audit WHERE author<>'detector')"
                    " ORDER BY id",
                    SRV__ARGS(SRV__I(project)), error);
}

GArray *srv__export_notes(srv_store *store, int64_t project, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM note WHERE project_id=$1 AND removed_ms IS NULL ORDER BY id",
                    SRV__ARGS(SRV__I(project)), error);
}

bool srv__export_note(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT 'note' AS type, night, text, author, made_ms AS at_ms FROM note"
                       " WHERE id=$1",
                       SRV__ARGS(SRV__I(id)), row, error);
}

GArray *srv__export_baselines(srv_store *store, int64_t project, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM baseline WHERE project_id=$1 AND undone_ms IS NULL ORDER BY id",
                    SRV__ARGS(SRV__I(project)), error);
}

bool srv__export_baseline(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT 'baseline' AS type, b.night, b.portions AS \"portions{\","
                       " b.reason, b.author, b.made_ms AS at_ms,"
                       " a.configuration AS \"alert.configuration\","
                       " a.direction AS \"alert.direction\", r.sha AS \"alert.commit\""
                       " FROM baseline b LEFT JOIN alert a ON a.id=b.alert_id"
                       " LEFT JOIN experiment e ON e.id=b.to_id"
                       " LEFT JOIN revision r ON r.id=e.revision_id WHERE b.id=$1",
                       SRV__ARGS(SRV__I(id)), row, error);
}

json_t *srv__export_loops(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(
        store,
        "SELECT c.name AS configuration, l.loop, l.position, l.started_ms,"
        " l.seconds, l.disturbed AS \"disturbed?\", l.failed, l.calls, l.warmup_calls,"
        " l.summary AS \"summary{\", l.calls_per_second AS \"calls_per_second{\","
        " l.readings AS \"readings{\", l.raw_sha256 AS \"raw.sha256\", l.raw_bytes AS"
        " \"raw.bytes\", l.raw_uncompressed_bytes AS \"raw.uncompressed_bytes\" FROM loop l"
        " JOIN configuration c ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal"
        " WHERE l.experiment_id=$1 ORDER BY l.position, l.ordinal, l.loop",
        SRV__ARGS(SRV__I(experiment)), error);
}

bool srv__export_experiment(srv_store *store, int64_t experiment, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT 'night' AS type, e.kind, e.night, e.state, s.branch,"
                       " b.body_hash AS benchmark, r.sha AS \"commit.sha\","
                       " r.author AS \"commit.author\", r.author_email AS \"commit.author_email\","
                       " r.time_ms AS \"commit.time_ms\", r.subject AS \"commit.subject\","
                       " r.parent AS \"commit.parent\", r.release AS \"commit.release\""
                       " FROM experiment e"
                       " JOIN benchmark b ON b.id=e.benchmark_id"
                       " JOIN revision r ON r.id=e.revision_id"
                       " LEFT JOIN series s ON s.id=e.series_id WHERE e.id=$1",
                       SRV__ARGS(SRV__I(experiment)), row, error);
}

bool srv__export_result(srv_store *store, int64_t experiment, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT e.node, e.started_ms, e.finished_ms, v.body AS \"environment{\","
                       " e.environment_detail AS \"detail{\" FROM experiment e"
                       " JOIN environment v ON v.id=e.environment_id WHERE e.id=$1",
                       SRV__ARGS(SRV__I(experiment)), row, error);
}

bool srv__import_project(srv_store *store, const char *name, int64_t *id, GError **error) {
    return srv__number(store, "SELECT id FROM project WHERE name=$1", SRV__ARGS(SRV__T(name)), 0,
                       id, error);
}

/* As config/ has it. */
#define AGEING_DAYS_MOST 36500
#define AGEING_DAYS_USUAL 30

bool srv__import_newest_benchmark(srv_store *store, int64_t project, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT b.body AS \"body{\" FROM experiment e"
                       " JOIN benchmark b ON b.id=e.benchmark_id WHERE e.project_id=$1"
                       " AND e.hidden=0 ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT 1",
                       SRV__ARGS(SRV__I(project)), row, error);
}

bool srv__import_project_insert(srv_store *store, const char *name, const json_t *header,
                                const char *branch, int64_t benchmark, int64_t *id,
                                GError **error) {
    const json_t *detection = json_object_get(header, "detection");
    g_autofree char *limits = srv_json_canonical(detection);
    g_autofree char *whole = cfg_branch_main(name);
    const json_t *said = json_object_get(detection, "ageing_days");
    const json_int_t ageing_days = said ? json_integer_value(said) : AGEING_DAYS_USUAL;
    return srv__insert(store,
                       "INSERT INTO project(name, title, repository, branch, enabled, benchmark_id,"
                       " detection, ageing_days, main) VALUES($1,$2,$3,$4,0,$5,$6,$7,$8)"
                       " RETURNING id",
                       SRV__ARGS(SRV__T(name),
                                 SRV__T(json_string_value(json_object_get(header, "title"))),
                                 SRV__T(json_string_value(json_object_get(header, "repository"))),
                                 SRV__T(branch), SRV__I(benchmark), SRV__T(limits),
                                 SRV__I(CLAMP(ageing_days, 0, AGEING_DAYS_MOST)),
                                 SRV__T(g_strcmp0(whole, name) == 0 ? NULL : whole)),
                       id, error);
}

bool srv__import_release(srv_store *store, int64_t revision, const char *release, GError **error) {
    return srv__run(store, "UPDATE revision SET release=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(revision), SRV__T(release)), NULL, error);
}

bool srv__import_settings(srv_store *store, int64_t benchmark, int64_t project, json_t **row,
                          GError **error) {
    return srv__object(store,
                       "SELECT b.lineage, b.body AS \"body{\", p.detection AS \"detection{\""
                       " FROM benchmark b JOIN project p ON p.id=$2 WHERE b.id=$1",
                       SRV__ARGS(SRV__I(benchmark), SRV__I(project)), row, error);
}

bool srv__import_raw_there(srv_store *store, const char *sha256, int64_t *there, GError **error) {
    return srv__number(store, "SELECT count(*) FROM raw WHERE sha256=$1", SRV__ARGS(SRV__T(sha256)),
                       0, there, error);
}

bool srv__import_night_there(srv_store *store, int64_t revision, const char *lineage,
                             const char *node, int64_t started_ms, int64_t *there, GError **error) {
    return srv__number(
        store,
        "SELECT count(*) FROM experiment e JOIN benchmark b ON b.id=e.benchmark_id"
        " WHERE e.revision_id=$1 AND b.lineage=$2 AND e.node=$3"
        " AND e.started_ms=$4",
        SRV__ARGS(SRV__I(revision), SRV__T(lineage), SRV__T(node), SRV__I(started_ms)), 0, there,
        error);
}

bool srv__import_job_insert(srv_store *store, int64_t project, const srv__night *night,
                            const srv__result *result, int64_t now_ms, int64_t *id,
                            GError **error) {
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind,"
                       " priority, night, state, attempts, node, queued_ms, started_ms,"
                       " finished_ms) VALUES($1,$2,$3,$4,$5,0,$6,'done',1,$7,$8,$9,$10)"
                       " RETURNING id",
                       SRV__ARGS(SRV__I(project), SRV__I(night->revision), SRV__I(night->benchmark),
                                 SRV__T(night->branch), SRV__T(night->kind), SRV__T(night->night),
                                 SRV__T(result->node), SRV__I(now_ms), SRV__I(result->started_ms),
                                 SRV__I(result->finished_ms)),
                       id, error);
}

bool srv__import_note_there(srv_store *store, int64_t project, const srv_note *note, int64_t at_ms,
                            int64_t *there, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM note WHERE project_id=$1 AND night=$2 AND text=$3"
                       " AND author=$4 AND made_ms=$5",
                       SRV__ARGS(SRV__I(project), SRV__T(note->night), SRV__T(note->text),
                                 SRV__T(note->author), SRV__I(at_ms)),
                       0, there, error);
}

bool srv__import_baseline_there(srv_store *store, int64_t project, const srv_baseline *said,
                                int64_t at_ms, int64_t *there, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM baseline WHERE project_id=$1 AND author=$2"
                       " AND reason=$3 AND made_ms=$4 AND coalesce(night,'')=$5",
                       SRV__ARGS(SRV__I(project), SRV__T(said->author), SRV__T(said->reason),
                                 SRV__I(at_ms), SRV__T(said->night ? said->night : "")),
                       0, there, error);
}

bool srv__import_job_close(srv_store *store, int64_t job, int64_t experiment, GError **error) {
    return srv__run(store, "UPDATE job SET experiment_id=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(job), SRV__I(experiment)), NULL, error);
}

bool srv__import_alert_find(srv_store *store, int64_t project, const char *configuration,
                            const char *direction, const char *commit, int64_t *alert,
                            GError **error) {
    return srv__number(
        store,
        "SELECT a.id FROM alert a JOIN experiment e ON e.id=a.to_experiment"
        " JOIN alert_portion p ON p.alert_id=a.id"
        " JOIN revision r ON r.id=e.revision_id WHERE a.project_id=$1"
        " AND p.configuration=$2 AND p.direction=$3 AND r.sha=$4"
        " AND a.state<>'withdrawn' ORDER BY a.id DESC LIMIT 1",
        SRV__ARGS(SRV__I(project), SRV__T(configuration), SRV__T(direction), SRV__T(commit)), 0,
        alert, error);
}

bool srv__import_audit_there(srv_store *store, int64_t alert, int64_t at_ms, const char *author,
                             int64_t *there, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM alert_audit WHERE alert_id=$1 AND at_ms=$2"
                       " AND author=$3",
                       SRV__ARGS(SRV__I(alert), SRV__I(at_ms), SRV__T(author)), 0, there, error);
}
