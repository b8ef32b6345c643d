#include "config/log.h"
#include "server/poll/question.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/poll.h"

#include <gio/gio.h>

/* Commits that are no release any more. */
static bool unmark(srv_store *store, int64_t project, const json_t *releases, GError **error) {
    static const model_member member[] = {MODEL_IT(char *, "sha")};
    static const model_noun noun = MODEL_NOUN(char *, member, "release");
    g_auto(model_list) marked = {0};
    bool good = srv__many(store, ASK(releases_marked, project), &noun, &marked, error);
    char *const *sha = marked.items;
    for (unsigned i = 0; good && i < marked.count; i++)
        good = json_object_get(releases, sha[i]) ||
               srv__run(store, ASK(release_set, project, sha[i], NULL), error);
    return good;
}

static bool mark(srv_store *store, int64_t project, json_t *releases, GError **error) {
    const char *sha;
    json_t *release;
    bool good = unmark(store, project, releases, error);
    json_object_foreach (releases, sha, release)
        good = good &&
               srv__run(store, ASK(release_set, project, sha, json_string_value(release)), error);
    return good;
}

bool srv_releases_mark(srv_store *store, const char *project, json_t *releases, GError **error) {
    int64_t id;
    if (!srv__project_id(store, project, &id, error) || !srv__begin(store, error))
        return false;
    return srv__end(store, mark(store, id, releases, error), error);
}

enum { CONTAINS_MS = 30000, AT_ONCE = 50 };

/* The commit behind an alert of another branch. */
typedef struct {
    int64_t alert;
    char *project, *commit;
} wanted_commit;

static const model_member wanted_members[] = {MODELS(wanted_commit, alert, project, commit)};
static const model_noun wanted_noun = MODEL_NOUN(wanted_commit, wanted_members, "backport");

/* What the git process says of it; state NULL: nothing. */
typedef struct {
    char *state, *as;
} contained;

static const model_member contained_members[] = {MODEL(contained, state, "state"),
                                                 MODEL(contained, as, "as", MODEL_NULL)};
static const model_noun contained_noun =
    MODEL_NOUN(contained, contained_members, "the git process' answer");

static bool ask(srv_context *context, srv_fetch *fetch, const cfg_project *project,
                const wanted_commit *wanted, contained *out, GError **error) {
    g_autofree char *mirror = srv_context_mirror(context, project->name);
    g_autofree char *other = srv_context_mirror(context, wanted->project);
    json_auto_t *request =
        json_pack("{s:s, s:s, s:s, s:s, s:s}", "op", "contains", "mirror", mirror, "branch",
                  project->branch, "other", other, "commit", wanted->commit);
    json_auto_t *answer = srv_fetch_ask(fetch, request, CONTAINS_MS, error);
    *out = (contained){0};
    return answer && model_read(&contained_noun, answer, out, error);
}

static bool keep(srv_store *store, const cfg_project *project, const char *head, int64_t alert,
                 const contained *answer, GError **error) {
    return srv__run(store,
                    ASK(backport_keep, alert, project->name, head, answer->state, answer->as),
                    error) &&
           srv__run(store, ASK(backport_tries_forget, alert, project->name), error);
}

bool srv_backports_look(srv_context *context, srv_store *store, srv_fetch *fetch,
                        const cfg_project *project, const char *head, GError **error) {
    g_auto(model_list) list = {0};
    bool good = srv__many(store, ASK(backports_wanted, project->name, head, AT_ONCE), &wanted_noun,
                          &list, error);
    for (unsigned i = 0; good && i < list.count; i++) {
        const wanted_commit *wanted = (const wanted_commit *)list.items + i;
        g_autoptr(GError) problem = NULL;
        MODEL_HELD(contained, answer, contained_noun);
        const bool told = ask(context, fetch, project, wanted, &answer, &problem);
        if (g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return false;
        }
        if (!told) {
            cfg_log("warning", "backports", "not_asked", "project=%s reason=%s", project->name,
                    problem->message);
            return srv__run(store, ASK(backport_tried, wanted->alert, project->name), error);
        }
        good = keep(store, project, head, wanted->alert, &answer, error);
    }
    return good;
}
