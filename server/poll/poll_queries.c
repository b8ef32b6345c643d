#include "server/poll/poll_queries.h"

json_t *srv__releases_marked(srv_store *store, int64_t project, GError **error) {
    return srv__array(store,
                      "SELECT sha, release FROM revision WHERE project_id=$1"
                      " AND release IS NOT NULL ORDER BY id",
                      SRV__ARGS(SRV__I(project)), error);
}

bool srv__release_set(srv_store *store, int64_t project, const char *sha, const char *release,
                      GError **error) {
    return srv__run(store,
                    "UPDATE revision SET release=$3 WHERE project_id=$1 AND sha=$2"
                    " AND release IS DISTINCT FROM $3",
                    SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(release)), NULL, error);
}
