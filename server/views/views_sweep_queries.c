#include "server/views/views_sweep_queries.h"

/* clang-format off */
#define SWEEP                                                                                      \
    "SELECT s.id, p.name AS project, " SRV__COMMIT_FIELDS("r") ", s.parameter, s.author,"          \
    " s.asked_ms, (SELECT count(*) FROM sweep_point q WHERE q.sweep_id=s.id) AS points,"           \
    " (SELECT count(*) FROM sweep_point q JOIN job j ON j.id=q.job_id WHERE q.sweep_id=s.id"       \
    " AND j.state IN ('queued','leased')) AS waiting,"                                             \
    " (SELECT count(*) FROM sweep_point q JOIN job j ON j.id=q.job_id JOIN experiment e"           \
    " ON e.id=j.experiment_id WHERE q.sweep_id=s.id AND e.state='measured') AS measured"           \
    " FROM sweep s JOIN project p ON p.id=s.project_id JOIN revision r ON r.id=s.revision_id"
/* clang-format on */

json_t *srv__sweep_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                        GError **error) {
    return srv__array(store, SWEEP " WHERE s.project_id=$1 AND s.id<$2 ORDER BY s.id DESC LIMIT $3",
                      SRV__ARGS(SRV__I(project), SRV__I(below), SRV__I(count)), error);
}

bool srv__sweep_row_get(srv_store *store, int64_t sweep, json_t **row, GError **error) {
    return srv__object(store, SWEEP " WHERE s.id=$1", SRV__ARGS(SRV__I(sweep)), row, error);
}

json_t *srv__sweep_value_rows(srv_store *store, int64_t sweep, GError **error) {
    return srv__array(
        store,
        "SELECT q.value, j.id AS job, CASE WHEN e.state='measured' THEN 'measured' WHEN"
        " e.state='quarantined' THEN 'quarantined' ELSE j.state END AS state,"
        " coalesce(e.reason, j.error) AS error, j.node, e.id AS experiment, e.level"
        " FROM sweep_point q JOIN job j ON j.id=q.job_id LEFT JOIN experiment e"
        " ON e.id=j.experiment_id WHERE q.sweep_id=$1 ORDER BY q.place",
        SRV__ARGS(SRV__I(sweep)), error);
}

json_t *srv__sweep_portion_rows(srv_store *store, int64_t sweep, GError **error) {
    return srv__array(store,
                      "SELECT q.value, o.portion, o.configuration, o.parent, o.mean_ns, o.low_ns,"
                      " o.high_ns FROM sweep_point q JOIN job j ON j.id=q.job_id"
                      " JOIN experiment e ON e.id=j.experiment_id AND e.state='measured'"
                      " JOIN portion o ON o.experiment_id=e.id WHERE q.sweep_id=$1"
                      " ORDER BY q.place, o.ordinal",
                      SRV__ARGS(SRV__I(sweep)), error);
}
