#include "server/poll/releases.h"

#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/poll.h"

/* Commits that are no release any more. */
static bool unmark(srv_store *store, int64_t project, const json_t *releases, GError **error) {
    json_t *marked = srv__array(store, SQL(releases_marked), SRV__ARGS(SRV__I(project)), error);
    bool good = marked != NULL;
    size_t i;
    json_t *row;
    json_array_foreach (marked, i, row) {
        const char *sha = json_string_value(json_object_get(row, "sha"));
        if (!json_object_get(releases, sha))
            good = good &&
                   srv__run(store, SQL(release_set),
                            SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(NULL)), NULL, error);
    }
    json_decref(marked);
    return good;
}

static bool mark(srv_store *store, int64_t project, json_t *releases, GError **error) {
    const char *sha;
    json_t *release;
    bool good = unmark(store, project, releases, error);
    json_object_foreach (releases, sha, release)
        good = good &&
               srv__run(store, SQL(release_set),
                        SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(json_string_value(release))),
                        NULL, error);
    return good;
}

bool srv_releases_mark(srv_store *store, const char *project, json_t *releases, GError **error) {
    int64_t id;
    if (!srv__project_id(store, project, &id, error) || !srv__begin(store, error))
        return false;
    return srv__end(store, mark(store, id, releases, error), error);
}
