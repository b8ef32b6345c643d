#include "server/views/views_baseline_queries.h"

json_t *srv__baseline_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                           GError **error) {
    return srv__array(store,
                      "SELECT b.id, p.name AS project, b.night, b.portions AS \"portions{\","
                      " b.alert_id AS alert, t.night AS was, b.reason, b.author, b.made_ms"
                      " FROM baseline b JOIN project p ON p.id=b.project_id"
                      " LEFT JOIN experiment t ON t.id=b.to_id WHERE b.project_id=$1"
                      " AND b.undone_ms IS NULL AND b.id<$2 ORDER BY b.id DESC LIMIT $3",
                      SRV__ARGS(SRV__I(project), SRV__I(below), SRV__I(count)), error);
}
