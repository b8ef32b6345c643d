#include "server/views/views_calibration_queries.h"

#define CALIBRATED "p.enabled=1 AND p.calibrate_commit IS NOT NULL"

json_t *srv__calibration_rows(srv_store *store, GError **error) {
    return srv__array(store,
                      "SELECT k.id, p.name AS project, k.to_node AS node, k.from_node AS usual,"
                      " r.sha AS \"commit\", k.to_runs AS runs, k.from_runs AS usual_runs,"
                      " k.made_ms, k.until_ms, k.problem, p.take_over_ms,"
                      " k.benchmark_id<>p.benchmark_id AS \"benchmark_changed?\""
                      " FROM calibration k JOIN project p ON p.id=k.project_id"
                      " JOIN revision r ON r.id=k.revision_id WHERE " CALIBRATED
                      " ORDER BY p.name, k.to_node",
                      SRV__NO_ARGS, error);
}

bool srv__calibration_factors(srv_store *store, srv__take take, void *user, GError **error) {
    return srv__each(store,
                     "SELECT calibration_id, portion, configuration, factor AS \"factor.mean\","
                     " factor_low AS \"factor.low\", factor_high AS \"factor.high\""
                     " FROM calibration_portion ORDER BY calibration_id, ordinal",
                     SRV__NO_ARGS, take, user, error);
}

json_t *srv__calibration_waits(srv_store *store, GError **error) {
    return srv__array(store,
                      "SELECT p.name AS project, p.calibrate_commit AS \"commit\","
                      " p.usual_node AS usual, EXISTS(SELECT 1 FROM revision x"
                      " JOIN experiment e ON e.revision_id=x.id AND e.series_id IS NOT NULL"
                      " WHERE x.project_id=p.id AND x.sha>=p.calibrate_commit"
                      " AND x.sha<p.calibrate_commit || 'g') AS \"measured?\""
                      " FROM project p WHERE " CALIBRATED " AND NOT EXISTS(SELECT 1"
                      " FROM calibration k WHERE k.project_id=p.id) ORDER BY p.name",
                      SRV__NO_ARGS, error);
}
