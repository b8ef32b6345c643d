#include "server/views/views_note_queries.h"

json_t *srv__note_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                       GError **error) {
    return srv__array(store,
                      "SELECT n.id, p.name AS project, n.night, n.text, n.author, n.made_ms"
                      " FROM note n JOIN project p ON p.id=n.project_id WHERE n.project_id=$1"
                      " AND n.removed_ms IS NULL AND n.id<$2 ORDER BY n.id DESC LIMIT $3",
                      SRV__ARGS(SRV__I(project), SRV__I(below), SRV__I(count)), error);
}
