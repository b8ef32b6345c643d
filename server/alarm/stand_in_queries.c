#include "server/alarm/stand_in_queries.h"

#define SERIES                                                                                     \
    "SELECT k.id AS calibration, s.id AS series, k.from_node AS usual FROM project p"              \
    " JOIN calibration k ON k.project_id=p.id AND k.from_node=p.usual_node"                        \
    " JOIN series s ON s.project_id=p.id AND s.branch=$5 AND s.identity=$6"                        \
    " AND s.environment_id=k.from_environment WHERE p.id=$1 AND p.take_over_ms>0"                  \
    " AND p.calibrate_commit IS NOT NULL AND k.benchmark_id=$2 AND k.to_node=$3"                   \
    " AND k.to_environment=$4 AND k.problem IS NULL ORDER BY s.id LIMIT 1"
#define SERIES_ARGS                                                                                \
    SRV__ARGS(SRV__I(wanted->project), SRV__I(wanted->benchmark), SRV__T(wanted->result->node),    \
              SRV__I(wanted->environment), SRV__T(wanted->branch), SRV__T(wanted->lineage))

bool srv__stand_in_series(srv_store *store, const srv__stand_in_wanted *wanted, json_t **row,
                          GError **error) {
    return srv__object(store, SERIES, SERIES_ARGS, row, error);
}

bool srv__stand_in_void(srv_store *store, const srv__stand_in_wanted *wanted, const char *problem,
                        GError **error) {
    return srv__run(store,
                    "UPDATE calibration SET problem=$4, to_environment=$3, to_runs=0"
                    " WHERE project_id=$1 AND to_node=$2 AND to_environment<>$3",
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

static double real_at(const json_t *row, const char *key) {
    return json_number_value(json_object_get(row, key));
}

static bool factor_insert(srv_store *store, int64_t experiment, int64_t ordinal, const json_t *row,
                          GError **error) {
    return srv__run(store,
                    "INSERT INTO stand_in_portion(experiment_id, ordinal, configuration, portion,"
                    " factor, factor_low, factor_high, level_ns, share, part)"
                    " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)",
                    SRV__ARGS(SRV__I(experiment), SRV__I(ordinal),
                              SRV__T(json_string_value(json_object_get(row, "configuration"))),
                              SRV__T(json_string_value(json_object_get(row, "portion"))),
                              SRV__D(real_at(row, "factor")), SRV__D(real_at(row, "factor_low")),
                              SRV__D(real_at(row, "factor_high")), SRV__D(real_at(row, "level_ns")),
                              SRV__D(real_at(row, "share")), SRV__D(real_at(row, "part"))),
                    NULL, error);
}

bool srv__stand_in_insert_told(srv_store *store, const srv__stand_in *stand_in, int64_t experiment,
                               GError **error) {
    bool good = srv__run(store,
                         "INSERT INTO stand_in(experiment_id, series_id, node, sentence)"
                         " VALUES($1,$2,$3,$4)",
                         SRV__ARGS(SRV__I(experiment), SRV__I(stand_in->series),
                                   SRV__T(stand_in->usual), SRV__T(stand_in->sentence)),
                         NULL, error);
    for (size_t i = 0; good && i < json_array_size(stand_in->factors); i++)
        good = factor_insert(store, experiment, (int64_t)i, json_array_get(stand_in->factors, i),
                             error);
    return good;
}

bool srv__stand_in_before(srv_store *store, int64_t experiment, int64_t *before, GError **error) {
    return srv__number(store,
                       "SELECT o.id FROM experiment e JOIN experiment o ON o.series_id=e.series_id"
                       " AND o.state='measured'"
                       " AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id) WHERE e.id=$1"
                       " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1",
                       SRV__ARGS(SRV__I(experiment)), 0, before, error);
}

/* Of project $1: has it a night after $3 that was judged? */
#define NEWER                                                                                      \
    "EXISTS(SELECT 1 FROM experiment e WHERE e.project_id=$1 AND e.hidden=0"                       \
    " AND e.state='measured' AND e.series_id IS NOT NULL AND e.night>$3)"
#define USUAL_IS_HERE "EXISTS(SELECT 1 FROM node WHERE name=usual_node)"

bool srv__usual_node_set(srv_store *store, int64_t project, const char *node, const char *night,
                         GError **error) {
    return srv__run(store,
                    "UPDATE project SET usual_node=$2 WHERE id=$1"
                    " AND (usual_node IS NULL OR (usual_node<>$2 AND (NOT " USUAL_IS_HERE
                    " OR (calibrate_commit IS NULL AND NOT " NEWER ")"
                    " OR EXISTS(SELECT 1 FROM project_label l WHERE l.project_id=$1"
                    " AND NOT EXISTS(SELECT 1 FROM node_label h WHERE h.node=usual_node"
                    " AND h.label=l.label)))))",
                    SRV__ARGS(SRV__I(project), SRV__T(node), SRV__T(night)), NULL, error);
}

bool srv__usual_node_import(srv_store *store, int64_t project, const char *node, const char *night,
                            GError **error) {
    return srv__run(store,
                    "UPDATE project SET usual_node=$2 WHERE id=$1 AND (usual_node IS NULL"
                    " OR (usual_node<>$2 AND NOT " USUAL_IS_HERE " AND NOT " NEWER "))",
                    SRV__ARGS(SRV__I(project), SRV__T(node), SRV__T(night)), NULL, error);
}
