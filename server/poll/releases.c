#include "server/poll/releases.h"

#include "server/poll/poll_queries.h"
#include "server/store/projects.h"

/* Commits that are no release any more. */
static bool unmark(srv_store *store, int64_t project, const json_t *releases, GError **error) {
    json_t *marked = srv__releases_marked(store, project, error);
    bool good = marked != NULL;
    size_t i;
    json_t *row;
    json_array_foreach (marked, i, row) {
        const char *sha = json_string_value(json_object_get(row, "sha"));
        if (!json_object_get(releases, sha))
            good = good && srv__release_set(store, project, sha, NULL, error);
    }
    json_decref(marked);
    return good;
}

static bool mark(srv_store *store, int64_t project, json_t *releases, GError **error) {
    const char *sha;
    json_t *release;
    bool good = unmark(store, project, releases, error);
    json_object_foreach (releases, sha, release)
        good = good && srv__release_set(store, project, sha, json_string_value(release), error);
    return good;
}

bool srv_releases_mark(srv_store *store, const char *project, json_t *releases, GError **error) {
    int64_t id;
    if (!srv__project_id(store, project, &id, error) || !srv__begin(store, error))
        return false;
    return srv__end(store, mark(store, id, releases, error), error);
}
