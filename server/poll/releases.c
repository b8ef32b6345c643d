#include "server/poll/releases.h"

#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/poll.h"

/* Commits that are no release any more. */
static bool unmark(srv_store *store, int64_t project, const json_t *releases, GError **error) {
    static const model_member member[] = {MODEL_IT(char *, "sha")};
    static const model_noun noun = MODEL_NOUN(char *, member, "release");
    g_auto(model_list) marked = {0};
    bool good =
        srv__many(store, SQL(releases_marked), SRV__ARGS(SRV__I(project)), &noun, &marked, error);
    char *const *sha = marked.items;
    for (unsigned i = 0; good && i < marked.count; i++)
        good = json_object_get(releases, sha[i]) ||
               srv__run(store, SQL(release_set),
                        SRV__ARGS(SRV__I(project), SRV__T(sha[i]), SRV__T(NULL)), NULL, error);
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
