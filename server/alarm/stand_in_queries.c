#include "server/alarm/stand_in_queries.h"

bool srv__stand_in_series(srv_store *store, const srv__stand_in_wanted *wanted, json_t **row,
                          GError **error) {
    return srv__object(
        store,
        "SELECT k.id AS calibration, s.id AS series, k.from_node AS usual FROM project p"
        " JOIN calibration k ON k.project_id=p.id AND k.from_node=p.usual_node"
        " JOIN series s ON s.project_id=p.id AND s.branch=$5 AND s.identity=$6"
        " AND s.environment_id=k.from_environment WHERE p.id=$1 AND p.take_over_ms>0"
        " AND p.calibrate_commit IS NOT NULL AND k.benchmark_id=$2 AND k.to_node=$3"
        " AND k.to_environment=$4 AND k.problem IS NULL ORDER BY s.id LIMIT 1",
        SRV__ARGS(SRV__I(wanted->project), SRV__I(wanted->benchmark), SRV__T(wanted->result->node),
                  SRV__I(wanted->environment), SRV__T(wanted->branch), SRV__T(wanted->lineage)),
        row, error);
}

bool srv__stand_in_void(srv_store *store, const srv__stand_in_wanted *wanted, const char *problem,
                        GError **error) {
    return srv__run(store,
                    "UPDATE calibration SET problem=$4"
                    " WHERE project_id=$1 AND to_node=$2 AND to_environment<>$3"
                    " AND problem IS NULL",
                    SRV__ARGS(SRV__I(wanted->project), SRV__T(wanted->result->node),
                              SRV__I(wanted->environment), SRV__T(problem)),
                    NULL, error);
}

#define FACTORS                                                                                    \
    "SELECT configuration, portion, factor, factor_low, factor_high, level_ns, share, part FROM "

json_t *srv__stand_in_factors(srv_store *store, int64_t calibration, GError **error) {
    return srv__array(store, FACTORS "calibration_portion WHERE calibration_id=$1 ORDER BY ordinal",
                      SRV__ARGS(SRV__I(calibration)), error);
}

json_t *srv__stand_in_rows(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(store, FACTORS "stand_in_portion WHERE experiment_id=$1 ORDER BY ordinal",
                      SRV__ARGS(SRV__I(experiment)), error);
}

bool srv__stand_in_insert(srv_store *store, const srv__stand_in *stand_in, int64_t experiment,
                          GError **error) {
    return srv__run(store,
                    "INSERT INTO stand_in(experiment_id, series_id, node, sentence)"
                    " SELECT $1, $2, from_node, $3 FROM calibration WHERE id=$4",
                    SRV__ARGS(SRV__I(experiment), SRV__I(stand_in->series),
                              SRV__T(stand_in->sentence), SRV__I(stand_in->calibration)),
                    NULL, error) &&
           srv__run(store,
                    "INSERT INTO stand_in_portion(experiment_id, ordinal, configuration, portion,"
                    " factor, factor_low, factor_high, level_ns, share, part) SELECT $1, ordinal,"
                    " configuration, portion, factor, factor_low, factor_high, level_ns, share,"
                    " part FROM calibration_portion WHERE calibration_id=$2",
                    SRV__ARGS(SRV__I(experiment), SRV__I(stand_in->calibration)), NULL, error);
}

bool srv__stand_in_any(srv_store *store, int64_t series, int64_t *any, GError **error) {
    return srv__number(store, "SELECT count(*) FROM stand_in WHERE series_id=$1",
                       SRV__ARGS(SRV__I(series)), 0, any, error);
}

bool srv__stand_in_before(srv_store *store, int64_t experiment, int64_t *before, GError **error) {
    return srv__number(store,
                       "SELECT o.id FROM experiment e JOIN experiment o ON o.series_id=e.series_id"
                       " AND o.state='measured'"
                       " AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id) WHERE e.id=$1"
                       " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1",
                       SRV__ARGS(SRV__I(experiment)), 0, before, error);
}

bool srv__usual_node_set(srv_store *store, int64_t project, const char *node, GError **error) {
    return srv__run(store,
                    "UPDATE project SET usual_node=$2 WHERE id=$1"
                    " AND (usual_node IS NULL OR (usual_node<>$2 AND (calibrate_commit IS NULL"
                    " OR NOT EXISTS(SELECT 1 FROM node WHERE name=usual_node)"
                    " OR EXISTS(SELECT 1 FROM project_label l WHERE l.project_id=$1"
                    " AND NOT EXISTS(SELECT 1 FROM node_label h WHERE h.node=usual_node"
                    " AND h.label=l.label)))))",
                    SRV__ARGS(SRV__I(project), SRV__T(node)), NULL, error);
}
