/* The commits of a branch between two that were measured, read from the project's mirror. */
#include "server/app.h"
#include "server/git/fetch.h"
#include "server/git/repo_name.h"
#include "server/ground/error.h"
#include "server/routes/routes.h"

#include <string.h>

enum { BETWEEN_MS = 5000, COMMITS_DEFAULT = 100, COMMITS_MAX = 1000, SHORT = 9, FULL = 40 };

/* The helper's commits as every other answer has them; nobody's address is told. */
static json_t *shown(const json_t *commits) {
    static const char *const alike[] = {"author", "time_ms", "subject"};
    json_t *items = json_array();
    size_t i;
    const json_t *commit;
    json_array_foreach (commits, i, commit) {
        const char *sha = cfg_json_word(commit, "sha", "");
        g_autofree char *beginning = g_strndup(sha, SHORT);
        json_t *item = json_pack("{s:s, s:s}", "sha", sha, "short", beginning);
        for (size_t k = 0; k < G_N_ELEMENTS(alike); k++)
            json_object_set(item, alike[k], json_object_get(commit, alike[k]));
        json_array_append_new(items, item);
    }
    return items;
}

static json_t *between(srv_app *app, json_t *question, GError **error) {
    g_autoptr(srv_fetch) fetch = srv_fetch_new(app->context.program, app->config->data_dir, -1);
    json_auto_t *answer = srv_fetch_ask(fetch, question, BETWEEN_MS, error);
    return answer
               ? json_pack("{s:o, s:O, s:O?}", "items", shown(json_object_get(answer, "commits")),
                           "total", json_object_get(answer, "total"), "reason",
                           json_object_get(answer, "reason"))
               : NULL;
}

static bool is_full_id(const char *text) {
    return text && strlen(text) == FULL && srv_repo_commit_check(text);
}

static json_t *question_of(srv_app *app, const srv_request *request, const cfg_project *project,
                           GError **error) {
    uint64_t limit = COMMITS_DEFAULT;
    const char *after = srv_request_query(request, "after");
    const char *until = srv_request_query(request, "until");
    if (!srv_request_unsigned(request, "limit", 1, COMMITS_MAX, &limit, error))
        return NULL;
    if (!is_full_id(after) || !is_full_id(until))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "after and until must be full commit ids");
    g_autofree char *mirror = srv_context_mirror(&app->context, project->name);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:b}", "op", "between", "mirror", mirror,
                     "branch", project->branch, "from", after, "to", until, "limit",
                     (json_int_t)limit, "cut", 1);
}

static json_t *get_commits(srv_call *call, GError **error) {
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&call->app->context);
    const cfg_project *project = srv_catalog_find(catalog, call->request->params[0]);
    json_auto_t *question = project
                                ? question_of(call->app, call->request, project, error)
                                : SRV__NULL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                                            "this server watches no repository for that project");
    return question ? between(call->app, question, error) : NULL;
}

const srv_route srv__routes_commits[] = {{"GET", SRV_API "projects/{}/commits", SRV__KEEPS,
                                          .act = get_commits,
                                          .query = "branch after until limit " SRV_QUERY_EXPENSIVE},
                                         {0}};
