#include "server/poll/releases.h"

#include "server/result/benchmark.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"

static bool mark(srv_store *store, int64_t project, const char *list, GError **error) {
    return srv__run(store,
                    "UPDATE revision SET release=NULL WHERE project_id=$1 AND release IS NOT NULL"
                    " AND sha NOT IN (SELECT key FROM json_each($2))",
                    SRV__ARGS(SRV__I(project), SRV__T(list)), NULL, error) &&
           srv__run(store,
                    "UPDATE revision SET release=(SELECT value FROM json_each($2) WHERE key=sha)"
                    " WHERE project_id=$1 AND sha IN (SELECT key FROM json_each($2))"
                    " AND release IS NOT (SELECT value FROM json_each($2) WHERE key=sha)",
                    SRV__ARGS(SRV__I(project), SRV__T(list)), NULL, error);
}

bool srv_releases_mark(srv_store *store, const char *project, const json_t *releases,
                       GError **error) {
    int64_t id;
    g_autofree char *list = releases ? srv_json_canonical(releases) : g_strdup("{}");
    if (!srv__project_id(store, project, &id, error) || !srv__begin(store, error))
        return false;
    return srv__end(store, mark(store, id, list, error), error);
}
