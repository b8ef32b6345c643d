#include "server/queue/calibration_queries.h"

#include "server/queue/queue_queries.h"
#include "server/store/kinds.h"

/* The reference of project p: a commit that was a night. */
#define REFERENCE                                                                                  \
    "(SELECT min(x.id) FROM revision x WHERE x.project_id=p.id AND x.sha>=p.calibrate_commit"      \
    " AND x.sha<p.calibrate_commit || 'g' AND EXISTS(SELECT 1 FROM experiment e"                   \
    " WHERE e.revision_id=x.id AND e.series_id IS NOT NULL))"
/* The runs of project p on node n. */
#define RUNS_OF                                                                                    \
    " FROM job j WHERE j.project_id=p.id AND j.kind='calibration' AND j.only_node=n.name"
/* Runs in another environment do not count. The calibration knows which it is, but for the usual
 * node: there it is that of the newest run that was measured. */
#define RUN_ENVIRONMENT                                                                            \
    "coalesce((SELECT k.to_environment FROM calibration k WHERE k.project_id=p.id"                 \
    " AND k.to_node=n.name), (SELECT e.environment_id FROM job x JOIN experiment e"                \
    " ON e.id=x.experiment_id WHERE x.project_id=p.id AND x.kind='calibration'"                    \
    " AND x.only_node=n.name AND x.state='done' ORDER BY x.id DESC LIMIT 1))"
/* That in which node n measured for project p last, be it a run or a night. */
#define NODE_ENVIRONMENT                                                                           \
    "(SELECT e.environment_id FROM experiment e JOIN job j ON j.id=e.job_id"                       \
    " WHERE e.project_id=p.id AND e.node=n.name AND e.state='measured'"                            \
    " AND (e.series_id IS NOT NULL OR e.kind='calibration')"                                       \
    " ORDER BY j.finished_ms DESC, j.id DESC LIMIT 1)"
/* Of the newest night of project p that its usual node measured itself. */
#define USUAL_ENVIRONMENT                                                                          \
    "(SELECT e.environment_id FROM experiment e WHERE e.project_id=p.id AND e.hidden=0"            \
    " AND e.state='measured' AND e.node=p.usual_node ORDER BY e.night DESC, e.time_ms DESC,"       \
    " e.id DESC LIMIT 1)"

json_t *srv__calibrations_due(srv_store *store, int64_t seen_since_ms, int64_t now_ms,
                              GError **error) {
    return srv__array(
        store,
        "SELECT p.id AS project, p.name, n.name AS node, r.id AS revision,"
        " p.calibrate_every_ms AS every_ms, (SELECT coalesce(max(j.queued_ms),0)" RUNS_OF
        ") AS last_ms, (SELECT j.state" RUNS_OF " ORDER BY j.id DESC LIMIT 1) AS last_state,"
        " (SELECT count(*)" RUNS_OF " AND j.state='done' AND j.revision_id=r.id"
        " AND j.benchmark_id=p.benchmark_id AND j.finished_ms>$2-p.calibrate_limit_ms"
        " AND EXISTS(SELECT 1 FROM experiment m WHERE m.id=j.experiment_id"
        " AND m.environment_id=" RUN_ENVIRONMENT ")) AS runs"
        " FROM project p JOIN revision r ON r.id=" REFERENCE
        " JOIN benchmark b ON b.id=p.benchmark_id JOIN node n ON n.paused IS NULL"
        " AND n.seen_ms>=$1 AND NOT " SRV__LABELS_LACK " AND (b.artifact IS NULL OR"
        " n.can_artifact=1) WHERE p.enabled=1 AND p.calibrate_commit IS NOT NULL"
        " AND EXISTS(SELECT 1 FROM node m WHERE m.name<>n.name AND NOT " SRV__LABELS_LACK_OF(
            "m") ") AND NOT EXISTS(SELECT 1" RUNS_OF " AND j.state IN ('queued','leased'))"
                 " ORDER BY p.id, n.name",
        SRV__ARGS(SRV__I(seen_since_ms), SRV__I(now_ms)), error);
}

bool srv__calibration_job_insert(srv_store *store, const srv__calibration_run *run, int64_t now_ms,
                                 int64_t *job, GError **error) {
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind,"
                       " priority, night, state, only_node, queued_ms) SELECT p.id, $2,"
                       " p.benchmark_id, p.branch, $3, $4, $5, 'queued', $6, $7 FROM project p"
                       " WHERE p.id=$1 RETURNING id",
                       SRV__ARGS(SRV__I(run->project), SRV__I(run->revision),
                                 SRV__T(srv__kind_name(SRV_KIND_CALIBRATION)),
                                 SRV__I(srv__priority(SRV_KIND_CALIBRATION)), SRV__T(run->night),
                                 SRV__T(run->node), SRV__I(now_ms)),
                       job, error);
}

GArray *srv__calibration_jobs_left(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store,
                    "SELECT j.id FROM job j JOIN project p ON p.id=j.project_id"
                    " WHERE j.state='queued' AND j.kind='calibration'"
                    " AND (j.queued_ms<$1 OR p.enabled=0 OR p.calibrate_commit IS NULL)"
                    " ORDER BY j.id",
                    SRV__ARGS(SRV__I(before_ms)), error);
}

bool srv__calibration_about(srv_store *store, int64_t project, json_t **row, GError **error) {
    return srv__object(
        store,
        "SELECT p.usual_node AS usual, " USUAL_ENVIRONMENT " AS environment,"
        " p.benchmark_id AS benchmark, " REFERENCE " AS revision, p.calibrate_limit_ms AS limit_ms,"
        " p.calibrate_commit AS \"commit\", p.detection AS \"detection{\", b.body AS \"body{\""
        " FROM project p JOIN benchmark b ON b.id=p.benchmark_id WHERE p.id=$1"
        " AND p.calibrate_commit IS NOT NULL AND p.usual_node IS NOT NULL",
        SRV__ARGS(SRV__I(project)), row, error);
}

static int64_t key_at(const json_t *row, const char *key) {
    return json_integer_value(json_object_get(row, key));
}

json_t *srv__calibration_runs(srv_store *store, int64_t project, const json_t *about,
                              int64_t since_ms, GError **error) {
    return srv__array(store,
                      "SELECT j.only_node AS node, e.environment_id AS environment,"
                      " e.id AS experiment, j.finished_ms FROM job j"
                      " JOIN experiment e ON e.id=j.experiment_id WHERE j.project_id=$1"
                      " AND j.kind='calibration' AND j.state='done' AND e.state='measured'"
                      " AND j.revision_id=$2 AND j.benchmark_id=$3 AND j.finished_ms>$4"
                      " ORDER BY j.finished_ms DESC, j.id DESC",
                      SRV__ARGS(SRV__I(project), SRV__I(key_at(about, "revision")),
                                SRV__I(key_at(about, "benchmark")), SRV__I(since_ms)),
                      error);
}

json_t *srv__calibration_means(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(store,
                      "SELECT name, mean_ns FROM configuration WHERE experiment_id=$1"
                      " ORDER BY ordinal",
                      SRV__ARGS(SRV__I(experiment)), error);
}

json_t *srv__calibration_nodes(srv_store *store, int64_t project, const char *usual,
                               GError **error) {
    return srv__array(store,
                      "SELECT n.name, (SELECT CASE WHEN j.state='failed' THEN j.error END" RUNS_OF
                      " AND j.state IN ('failed','done') ORDER BY j.id DESC LIMIT 1) AS error,"
                      " " NODE_ENVIRONMENT " AS environment"
                      " FROM project p JOIN node n ON NOT " SRV__LABELS_LACK
                      " WHERE p.id=$1 AND n.name<>$2 ORDER BY n.name",
                      SRV__ARGS(SRV__I(project), SRV__T(usual)), error);
}

bool srv__calibration_other(srv_store *store, int64_t project, int64_t *other, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM calibration k JOIN project p ON p.id=k.project_id"
                       " WHERE k.project_id=$1 AND (k.from_node<>p.usual_node OR"
                       " k.from_environment IS NULL OR k.from_environment<>" USUAL_ENVIRONMENT ")",
                       SRV__ARGS(SRV__I(project)), 0, other, error);
}

bool srv__calibrations_drop(srv_store *store, int64_t project, GError **error) {
    return srv__run(store,
                    "DELETE FROM calibration_portion WHERE calibration_id IN"
                    " (SELECT id FROM calibration WHERE project_id=$1)",
                    SRV__ARGS(SRV__I(project)), NULL, error) &&
           srv__run(store, "DELETE FROM calibration WHERE project_id=$1",
                    SRV__ARGS(SRV__I(project)), NULL, error);
}

bool srv__calibration_insert(srv_store *store, const srv__calibration_row *row, int64_t now_ms,
                             int64_t *id, GError **error) {
    return srv__insert(
        store,
        "INSERT INTO calibration(project_id, benchmark_id, revision_id, from_node, to_node,"
        " from_environment, to_environment, from_runs, to_runs, made_ms, until_ms, problem)"
        " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12) RETURNING id",
        SRV__ARGS(SRV__I(row->project), SRV__I(row->benchmark), SRV__I(row->revision),
                  SRV__T(row->from), SRV__T(row->to), SRV__ID(row->from_environment),
                  SRV__ID(row->to_environment), SRV__I(row->from_runs), SRV__I(row->to_runs),
                  SRV__I(now_ms), SRV__I(row->until_ms), SRV__T(row->problem)),
        id, error);
}

bool srv__calibration_portion_insert(srv_store *store, const srv__calibration_place *place,
                                     const det_factor *factor, GError **error) {
    return srv__run(store,
                    "INSERT INTO calibration_portion(calibration_id, ordinal, configuration,"
                    " portion, factor, factor_low, factor_high, level_ns, share, part)"
                    " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)",
                    SRV__ARGS(SRV__I(place->calibration), SRV__I(place->ordinal),
                              SRV__T(place->configuration), SRV__T(place->portion),
                              SRV__D(factor->factor.mean), SRV__D(factor->factor.low),
                              SRV__D(factor->factor.high), SRV__D(factor->level),
                              SRV__D(factor->share), SRV__D(factor->part)),
                    NULL, error);
}
