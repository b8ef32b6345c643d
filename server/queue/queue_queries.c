#include "server/queue/queue_queries.h"

#include "server/store/night_count.h"

bool srv__job_insert(srv_store *store, int64_t project, int64_t revision,
                     const srv_measurement *wanted, int64_t now_ms, int64_t *job, GError **error) {
    return srv__insert(
        store,
        "INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind,"
        " priority, night, state, queued_ms) SELECT p.id, $2, p.benchmark_id,"
        " p.branch, $3, $4, $5, 'queued', $6 FROM project p WHERE p.id=$1 RETURNING id",
        SRV__ARGS(SRV__I(project), SRV__I(revision), SRV__T(srv__kind_name(wanted->kind)),
                  SRV__I(srv__priority(wanted->kind)), SRV__T(wanted->night), SRV__I(now_ms)),
        job, error);
}

bool srv__job_same(srv_store *store, int64_t project, int64_t revision, srv_kind kind, int64_t *job,
                   GError **error) {
    return srv__number(
        store,
        "SELECT j.id FROM job j JOIN benchmark b ON b.id=j.benchmark_id"
        " WHERE j.revision_id=$2 AND j.kind NOT IN "
        "('confirmation','bisection','sweep','explain','pull')"
        " AND (j.state IN ('queued','leased') OR $3=0)"
        " AND b.identity=(SELECT c.identity FROM project p"
        " JOIN benchmark c ON c.id=p.benchmark_id WHERE p.id=$1)"
        " ORDER BY j.id DESC LIMIT 1",
        SRV__ARGS(SRV__I(project), SRV__I(revision), SRV__I(kind == SRV_KIND_MANUAL)), 0, job,
        error);
}

bool srv__project_enabled(srv_store *store, int64_t project, int64_t *enabled, GError **error) {
    return srv__number(store, "SELECT enabled FROM project WHERE id=$1", SRV__ARGS(SRV__I(project)),
                       0, enabled, error);
}

bool srv__job_project(srv_store *store, int64_t job, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT p.name FROM job j JOIN project p ON p.id=j.project_id WHERE j.id=$1",
                       SRV__ARGS(SRV__I(job)), row, error);
}

/* clang-format off */
static const char job_sql[] =
    /* a runner measures two commits in turn and need not know for whom */
    "SELECT j.id, p.name AS project,"
    " CASE WHEN j.kind='pull' THEN 'confirmation' ELSE j.kind END AS kind, j.night, r.sha AS \"commit\","
    " a.sha AS before, p.repository AS \"repository.url\","
    " j.branch AS \"repository.branch\", j.id AS seed,"
    " p.detection AS \"minimum_loops{\","
    " b.body AS \"benchmark{\", j.extra AS \"extra{\", j.lease, "
    SRV__ARTIFACT_FIELDS("f", "r", "artifact") ", "
    SRV__ARTIFACT_FIELDS("g", "a", "before_artifact")
    " FROM job j JOIN project p ON p.id=j.project_id"
    " JOIN revision r ON r.id=j.revision_id"
    " JOIN benchmark b ON b.id=j.benchmark_id"
    " LEFT JOIN revision a ON a.id=j.before_id"
    SRV__ARTIFACT_JOIN("f", "r") SRV__ARTIFACT_JOIN("g", "a") " WHERE j.id=$1";
/* clang-format on */

bool srv__job_order(srv_store *store, int64_t job, json_t **row, GError **error) {
    if (!srv__object(store, job_sql, SRV__ARGS(SRV__I(job)), row, error))
        return false;
    srv__member_instead(*row, "minimum_loops", "minimum_loops");
    return true;
}

#define HOLDING                                                                                    \
    "SELECT project_id, revision_id, benchmark_id, attempts, state, lease, kind FROM job"          \
    " WHERE id=$1"

bool srv__job_holding(srv_store *store, int64_t job, json_t **row, GError **error) {
    return srv__object(store, HOLDING, SRV__ARGS(SRV__I(job)), row, error);
}

bool srv__node_touch(srv_store *store, const char *node, int64_t now_ms, GError **error) {
    return srv__run(store, "UPDATE node SET seen_ms=$2 WHERE name=$1",
                    SRV__ARGS(SRV__T(node), SRV__I(now_ms)), NULL, error);
}

bool srv__job_again(srv_store *store, const char *node, int64_t now_ms, int64_t *job,
                    GError **error) {
    return srv__number(store,
                       "SELECT id FROM job WHERE state='leased' AND node=$1 AND progress IS NULL"
                       " AND lease_expires_ms>=$2 ORDER BY id LIMIT 1",
                       SRV__ARGS(SRV__T(node), SRV__I(now_ms)), 0, job, error);
}

bool srv__job_lease(srv_store *store, const srv__lease *lease, int64_t now_ms, GError **error) {
    return srv__run(store,
                    "UPDATE job SET state='leased', node=$2, lease=$3, lease_expires_ms=$4,"
                    " attempts=attempts+$5, progress=CASE WHEN $5=1 THEN NULL ELSE progress END,"
                    " started_ms=CASE WHEN $5=1 THEN $6 ELSE started_ms END WHERE id=$1",
                    SRV__ARGS(SRV__I(lease->job), SRV__T(lease->node), SRV__T(lease->id),
                              SRV__I(lease->expires_ms), SRV__I(lease->fresh), SRV__I(now_ms)),
                    NULL, error);
}

bool srv__node_holds(srv_store *store, const char *node, int64_t job, GError **error) {
    return srv__run(store, "UPDATE node SET job_id=$2 WHERE name=$1",
                    SRV__ARGS(SRV__T(node), SRV__I(job)), NULL, error);
}

bool srv__project_served(srv_store *store, int64_t job, int64_t now_ms, GError **error) {
    return srv__run(store,
                    "UPDATE project SET served_ms=$2"
                    " WHERE id=(SELECT project_id FROM job WHERE id=$1)",
                    SRV__ARGS(SRV__I(job), SRV__I(now_ms)), NULL, error);
}

bool srv__node_pause_set(srv_store *store, const char *node, const char *why, int64_t *changed,
                         GError **error) {
    return srv__run(store, "UPDATE node SET paused=$2 WHERE name=$1",
                    SRV__ARGS(SRV__T(node), SRV__T(why)), changed, error);
}

bool srv__job_progress_get(srv_store *store, int64_t job, json_t **row, GError **error) {
    return srv__object(store, "SELECT progress AS \"progress{\" FROM job WHERE id=$1",
                       SRV__ARGS(SRV__I(job)), row, error);
}

bool srv__job_progress(srv_store *store, int64_t job, const char *progress, int64_t expires_ms,
                       GError **error) {
    return srv__run(store,
                    "UPDATE job SET state='leased', progress=$2, lease_expires_ms=$3 WHERE id=$1",
                    SRV__ARGS(SRV__I(job), SRV__T(progress), SRV__I(expires_ms)), NULL, error);
}

bool srv__node_reports(srv_store *store, int64_t job, int64_t now_ms, GError **error) {
    return srv__run(store,
                    "UPDATE node SET seen_ms=$2, job_id=$1"
                    " WHERE name=(SELECT node FROM job WHERE id=$1)",
                    SRV__ARGS(SRV__I(job), SRV__I(now_ms)), NULL, error);
}

bool srv__node_free(srv_store *store, int64_t job, GError **error) {
    return srv__run(store, "UPDATE node SET job_id=NULL WHERE job_id=$1", SRV__ARGS(SRV__I(job)),
                    NULL, error);
}

bool srv__job_failed(srv_store *store, int64_t job, int64_t experiment, int64_t now_ms,
                     GError **error) {
    return srv__run(store,
                    "UPDATE job SET state='failed', experiment_id=$2, finished_ms=$3,"
                    " lease_expires_ms=NULL WHERE id=$1",
                    SRV__ARGS(SRV__I(job), SRV__ID(experiment), SRV__I(now_ms)), NULL, error);
}

bool srv__nights_measured(srv_store *store, int64_t revision, int64_t benchmark, int64_t *count,
                          GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM experiment e WHERE e.revision_id=$1"
                       " AND e.state='measured' AND e.benchmark_id=$2 AND e.kind<>'sweep'",
                       SRV__ARGS(SRV__I(revision), SRV__I(benchmark)), 0, count, error);
}

bool srv__experiment_failed(srv_store *store, int64_t job, const char *reason, bool hidden,
                            int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(
               store,
               "INSERT INTO experiment(project_id, job_id, revision_id, benchmark_id,"
               " kind, night, time_ms, state, reason, hidden, node, started_ms,"
               " finished_ms) SELECT j.project_id, j.id, j.revision_id, j.benchmark_id,"
               " j.kind, j.night, r.time_ms, 'failed', $2, $3, j.node, j.started_ms, $4"
               " FROM job j JOIN revision r ON r.id=j.revision_id WHERE j.id=$1 RETURNING id",
               SRV__ARGS(SRV__I(job), SRV__T(reason), SRV__I(hidden), SRV__I(now_ms)), id, error) &&
           srv__night_count_add(store, *id, error);
}

bool srv__job_error(srv_store *store, int64_t job, const char *reason, const char *log,
                    GError **error) {
    return srv__run(store, "UPDATE job SET error=$2, log=coalesce($3, log) WHERE id=$1",
                    SRV__ARGS(SRV__I(job), SRV__T(reason), SRV__T(log)), NULL, error);
}

bool srv__job_requeue(srv_store *store, int64_t job, int64_t not_before_ms, GError **error) {
    return srv__run(store,
                    "UPDATE job SET state='queued', lease_expires_ms=NULL, not_before_ms=$2"
                    " WHERE id=$1",
                    SRV__ARGS(SRV__I(job), SRV__I(not_before_ms)), NULL, error);
}

GArray *srv__leases_too_long(srv_store *store, int64_t latest_ms, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM job WHERE state='leased' AND lease_expires_ms>$1 ORDER BY id",
                    SRV__ARGS(SRV__I(latest_ms)), error);
}

bool srv__leases_shorten(srv_store *store, int64_t latest_ms, GError **error) {
    return srv__run(store,
                    "UPDATE job SET lease_expires_ms=$1 WHERE state='leased'"
                    " AND lease_expires_ms>$1",
                    SRV__ARGS(SRV__I(latest_ms)), NULL, error);
}

GArray *srv__jobs_expired(srv_store *store, int64_t now_ms, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM job WHERE state='leased' AND lease_expires_ms<$1 ORDER BY id",
                    SRV__ARGS(SRV__I(now_ms)), error);
}

bool srv__job_done_set(srv_store *store, int64_t job, int64_t experiment, int64_t now_ms,
                       GError **error) {
    return srv__run(store,
                    "UPDATE job SET state='done', experiment_id=$2, finished_ms=$3, error=NULL,"
                    " lease_expires_ms=NULL, progress=NULL WHERE id=$1",
                    SRV__ARGS(SRV__I(job), SRV__ID(experiment), SRV__I(now_ms)), NULL, error);
}

bool srv__project_job_problem(srv_store *store, int64_t project, const char *problem,
                              GError **error) {
    return srv__run(store, "UPDATE project SET job_problem=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(project), SRV__T(problem)), NULL, error);
}

bool srv__experiments_hide(srv_store *store, int64_t revision, GError **error) {
    return srv__night_count_hide(store, revision, error) &&
           srv__run(store,
                    "UPDATE experiment SET hidden=1 WHERE revision_id=$1 AND state<>'measured'",
                    SRV__ARGS(SRV__I(revision)), NULL, error);
}

#define JOB_TABLES                                                                                 \
    " FROM job j JOIN revision r ON r.id=j.revision_id JOIN benchmark b ON b.id=j.benchmark_id"

json_t *srv__jobs_overdue(srv_store *store, int64_t now_ms, GError **error) {
    return srv__array(store,
                      "SELECT j.id, b.artifact, b.artifact_wait_s AS wait_s,"
                      " j.before_id IS NOT NULL AS \"trial?\"" JOB_TABLES
                      " WHERE j.state='queued' AND b.artifact IS NOT NULL AND " SRV__ARTIFACT_UNTIL
                      "<=$1 AND " SRV__ARTIFACT_MISSING " ORDER BY j.id",
                      SRV__ARGS(SRV__I(now_ms)), error);
}

bool srv__jobs_overdue_next(srv_store *store, int64_t *due_ms, GError **error) {
    return srv__number(store,
                       "SELECT min(" SRV__ARTIFACT_UNTIL ")" JOB_TABLES
                       " WHERE j.state='queued' AND b.artifact IS NOT NULL"
                       " AND " SRV__ARTIFACT_MISSING,
                       SRV__NO_ARGS, INT64_MAX, due_ms, error);
}

bool srv__job_gave_up(srv_store *store, int64_t project, const char *sha, const char *name,
                      const char *error_begins, int64_t *job, GError **error) {
    return srv__number(
        store,
        "SELECT j.id" JOB_TABLES " WHERE j.project_id=$1 AND r.sha=$2 AND b.artifact=$3"
        " AND j.state='failed' AND substr(j.error, 1, length($4))=$4"
        " AND j.before_id IS NULL AND NOT EXISTS(SELECT 1 FROM job n"
        " WHERE n.revision_id=j.revision_id AND n.id>j.id)",
        SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(name), SRV__T(error_begins)), 0, job, error);
}

bool srv__job_insert_again(srv_store *store, int64_t old, int64_t now_ms, int64_t *id,
                           GError **error) {
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind,"
                       " priority, night, state, queued_ms) SELECT project_id, revision_id,"
                       " benchmark_id, branch, kind, priority, night, 'queued', $2 FROM job"
                       " WHERE id=$1"
                       " RETURNING id",
                       SRV__ARGS(SRV__I(old), SRV__I(now_ms)), id, error);
}

json_t *srv__jobs_waiting_for(srv_store *store, int64_t project, const char *sha, const char *name,
                              GError **error) {
    return srv__array(store,
                      "SELECT j.id" JOB_TABLES " LEFT JOIN revision a ON a.id=j.before_id"
                      " WHERE j.state='queued' AND j.project_id=$1 AND b.artifact=$3"
                      " AND (r.sha=$2 OR a.sha=$2) ORDER BY j.id",
                      SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(name)), error);
}

/* Is some job going to want the artifact f? */
#define WANTED                                                                                     \
    "EXISTS(SELECT 1 FROM job j JOIN benchmark b ON b.id=j.benchmark_id"                           \
    " JOIN revision r ON r.id=j.revision_id LEFT JOIN revision a ON a.id=j.before_id"              \
    " WHERE j.state IN ('queued','leased') AND j.project_id=f.project_id AND b.artifact=f.name"    \
    " AND (r.sha=f.sha OR a.sha=f.sha))"

bool srv__artifact_users(srv_store *store, const char *sha256, int64_t *count, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM artifact WHERE sha256=$1 AND removed_ms IS NULL",
                       SRV__ARGS(SRV__T(sha256)), 0, count, error);
}

json_t *srv__artifact_hashes(srv_store *store, GError **error) {
    return srv__array(store, "SELECT DISTINCT sha256 FROM artifact WHERE removed_ms IS NULL",
                      SRV__NO_ARGS, error);
}

bool srv__artifact_forget(srv_store *store, const char *sha256, GError **error) {
    return srv__run(store,
                    "UPDATE artifact SET removed_ms=stored_ms WHERE sha256=$1"
                    " AND removed_ms IS NULL",
                    SRV__ARGS(SRV__T(sha256)), NULL, error);
}

bool srv__artifact_known(srv_store *store, int64_t project, const char *commit, const char *name,
                         json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT sha256, removed_ms IS NULL AS \"present?\" FROM artifact"
                       " WHERE project_id=$1 AND sha=$2 AND name=$3",
                       SRV__ARGS(SRV__I(project), SRV__T(commit), SRV__T(name)), row, error);
}

bool srv__artifact_oldest(srv_store *store, int64_t project, int64_t before_ms, json_t **row,
                          GError **error) {
    return srv__object(store,
                       "SELECT f.id, f.sha256, f.bytes FROM artifact f WHERE f.removed_ms IS NULL"
                       " AND ($1=0 OR f.project_id=$1) AND f.stored_ms<$2 AND NOT " WANTED
                       " ORDER BY f.stored_ms, f.id LIMIT 1",
                       SRV__ARGS(SRV__I(project), SRV__I(before_ms)), row, error);
}

bool srv__artifact_retire(srv_store *store, int64_t id, int64_t now_ms, GError **error) {
    return srv__run(store, "UPDATE artifact SET removed_ms=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__I(now_ms)), NULL, error);
}

bool srv__artifact_bytes(srv_store *store, int64_t project, int64_t *bytes, GError **error) {
    return srv__number(store,
                       "SELECT CAST(sum(bytes) AS BIGINT) FROM artifact WHERE project_id=$1 AND "
                       "removed_ms IS NULL",
                       SRV__ARGS(SRV__I(project)), 0, bytes, error);
}

bool srv__artifact_bytes_wanted(srv_store *store, int64_t project, int64_t *bytes, GError **error) {
    return srv__number(store,
                       "SELECT CAST(sum(bytes) AS BIGINT) FROM artifact f WHERE project_id=$1"
                       " AND removed_ms IS NULL AND " WANTED,
                       SRV__ARGS(SRV__I(project)), 0, bytes, error);
}

bool srv__artifact_put(srv_store *store, const srv__artifact_row *row, int64_t now_ms,
                       GError **error) {
    return srv__run(store,
                    "INSERT INTO artifact(project_id, sha, name, sha256, bytes, author, stored_ms)"
                    " VALUES($1,$2,$3,$4,$5,$6,$7) ON CONFLICT(project_id, sha, name)"
                    " DO UPDATE SET removed_ms=NULL, author=excluded.author,"
                    " stored_ms=excluded.stored_ms",
                    SRV__ARGS(SRV__I(row->project), SRV__T(row->commit), SRV__T(row->name),
                              SRV__T(row->sha256), SRV__I(row->bytes), SRV__T(row->by),
                              SRV__I(now_ms)),
                    NULL, error);
}

bool srv__artifact_get(srv_store *store, int64_t project, const char *commit, const char *name,
                       json_t **row, GError **error) {
    return srv__object(store,
                       SRV__ARTIFACT_VIEW " WHERE f.project_id=$1 AND f.sha=$2 AND f.name=$3"
                                          " AND f.removed_ms IS NULL",
                       SRV__ARGS(SRV__I(project), SRV__T(commit), SRV__T(name)), row, error);
}

bool srv__artifact_wanted(srv_store *store, int64_t id, int64_t *wanted, GError **error) {
    return srv__number(store, "SELECT count(*) FROM artifact f WHERE f.id=$1 AND " WANTED,
                       SRV__ARGS(SRV__I(id)), 0, wanted, error);
}

bool srv__artifact_leased(srv_store *store, int64_t project, const char *commit, const char *node,
                          int64_t *jobs, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM job j JOIN revision r ON r.id=j.revision_id OR"
                       " r.id=j.before_id WHERE j.state='leased' AND j.project_id=$1 AND r.sha=$2"
                       " AND ($3='' OR j.node=$3)",
                       SRV__ARGS(SRV__I(project), SRV__T(commit), SRV__T(node ? node : "")), 0,
                       jobs, error);
}

bool srv__artifact_delete(srv_store *store, int64_t id, GError **error) {
    return srv__run(store, "DELETE FROM artifact WHERE id=$1", SRV__ARGS(SRV__I(id)), NULL, error);
}

bool srv__artifact_first_ms(srv_store *store, int64_t *stored_ms, GError **error) {
    return srv__number(store, "SELECT min(stored_ms) FROM artifact WHERE removed_ms IS NULL",
                       SRV__NO_ARGS, INT64_MAX, stored_ms, error);
}

void srv__member_instead(json_t *row, const char *key, const char *member) {
    json_t *value = json_object_get(json_object_get(row, key), member);
    if (row)
        json_object_set_new(row, key, value ? json_incref(value) : json_null());
}

bool srv__node_get(srv_store *store, const char *node, json_t **row, GError **error) {
    return srv__object(store, "SELECT seen_ms, labels, can FROM node WHERE name=$1",
                       SRV__ARGS(SRV__T(node)), row, error);
}

bool srv__node_put(srv_store *store, const srv__node_row *node, int64_t now_ms, GError **error) {
    return srv__run(
        store,
        "INSERT INTO node(name, version, labels, can, can_confirm, can_artifact, seen_ms,"
        " can_explain) VALUES($1,$2,$3,$4,$5,$6,$7,$8) ON CONFLICT(name) DO UPDATE SET "
        "version=excluded.version,"
        " labels=excluded.labels, can=excluded.can, can_confirm=excluded.can_confirm,"
        " can_artifact=excluded.can_artifact, seen_ms=excluded.seen_ms,"
        " can_explain=excluded.can_explain",
        SRV__ARGS(SRV__T(node->name), SRV__T(node->version), SRV__T(node->labels),
                  SRV__T(node->can), SRV__I(node->confirms), SRV__I(node->takes_artifacts),
                  SRV__I(now_ms), SRV__I(node->explains)),
        NULL, error);
}

bool srv__node_labels_drop(srv_store *store, const char *node, GError **error) {
    return srv__run(store, "DELETE FROM node_label WHERE node=$1", SRV__ARGS(SRV__T(node)), NULL,
                    error);
}

bool srv__node_label_add(srv_store *store, const char *node, const char *label, GError **error) {
    return srv__run(store,
                    "INSERT INTO node_label(node, label) VALUES($1,$2)"
                    " ON CONFLICT(node, label) DO NOTHING",
                    SRV__ARGS(SRV__T(node), SRV__T(label)), NULL, error);
}

/* Beside a night that waits: what goes before it, and others of its kind. */
#define BESIDE                                                                                     \
    "($4=0 OR EXISTS (SELECT 1 FROM job h WHERE h.id=$4 AND (j.priority>h.priority OR ($5=1"       \
    " AND j.kind=h.kind AND j.project_id=h.project_id AND j.benchmark_id=h.benchmark_id))))"

bool srv__job_next(srv_store *store, const srv_node *node, int64_t now_ms, int64_t *job,
                   GError **error) {
    return srv__number(store,
                       "SELECT j.id FROM job j JOIN project p ON p.id=j.project_id"
                       " JOIN revision r ON r.id=j.revision_id"
                       " JOIN benchmark b ON b.id=j.benchmark_id JOIN node n ON n.name=$1"
                       " WHERE j.state='queued' AND (j.not_before_ms<=$2 OR j.not_before_ms>$3)"
                       " AND p.enabled=1"
                       " AND n.paused IS NULL AND " BESIDE " AND " SRV__NODE_ABLE
                       " AND (b.artifact IS NULL OR NOT " SRV__ARTIFACT_MISSING ")"
                       " AND NOT " SRV__REMEASURE_OVER(
                           "$2") " ORDER BY j.priority DESC, p.served_ms, j.night, j.id LIMIT 1",
                       SRV__ARGS(SRV__T(node->name), SRV__I(now_ms),
                                 SRV__I(now_ms + SRV__PAUSE_LAST_MS), SRV__I(node->beside),
                                 SRV__I(node->room)),
                       0, job, error);
}
