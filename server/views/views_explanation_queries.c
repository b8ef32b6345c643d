#include "server/views/views_queries.h"

bool srv__explanation_row(srv_store *store, int64_t alert, json_t **row, GError **error) {
    return srv__object(
        store,
        "SELECT x.state, x.reason, x.profiler, x.unit, x.job_id AS job,"
        " x.finished_ms, x.pruned_ms, o.sha AS \"before\", n.sha AS \"after\" FROM explanation x"
        " JOIN revision o ON o.id=x.before_id JOIN revision n ON n.id=x.after_id"
        " WHERE x.alert_id=$1",
        SRV__ARGS(SRV__I(alert)), row, error);
}

json_t *srv__explanation_portion_rows(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT x.portion, x.configuration, x.parent, x.sentence, x.change_ns,"
                      " x.before_units, x.after_units, x.functions AS \"functions{\""
                      " FROM explanation_portion x JOIN alert a ON a.id=x.alert_id"
                      " WHERE x.alert_id=$1 ORDER BY x.configuration<>a.configuration,"
                      " abs(x.change_ns) DESC NULLS LAST, x.configuration",
                      SRV__ARGS(SRV__I(alert)), error);
}

json_t *srv__explanation_profile_rows(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT configuration, CASE WHEN before=1 THEN 'before' ELSE 'after' END"
                      " AS \"end\", count(*) AS loops, '/api/v1/alerts/' || alert_id ||"
                      " '/profiles/' || configuration || '/' ||"
                      " CASE WHEN before=1 THEN 'before' ELSE 'after' END AS url FROM profile"
                      " WHERE alert_id=$1 GROUP BY alert_id, configuration, before"
                      " ORDER BY configuration, before DESC",
                      SRV__ARGS(SRV__I(alert)), error);
}

json_t *srv__profile_rows(srv_store *store, int64_t alert, const char *configuration, bool before,
                          GError **error) {
    return srv__array(store,
                      "SELECT loop, calls, stacks FROM profile WHERE alert_id=$1"
                      " AND configuration=$2 AND before=$3 ORDER BY loop",
                      SRV__ARGS(SRV__I(alert), SRV__T(configuration), SRV__I(before)), error);
}
