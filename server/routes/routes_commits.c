/* The commits of a branch between two that were measured, read from the project's mirror. */
#include "server/app.h"
#include "server/git/fetch.h"
#include "server/git/repo_name.h"
#include "server/routes/routes.h"

#include <gio/gio.h>
#include <string.h>

enum { BETWEEN_MS = 5000, COMMITS_DEFAULT = 100, COMMITS_MAX = 1000, SHORT = 9, FULL = 40 };

/* The helper's commits as every other answer has them; nobody's address is told. */
static json_t *shown(const json_t *commits) {
    json_t *items = json_array();
    size_t i;
    const json_t *commit;
    json_array_foreach (commits, i, commit) {
        const char *sha = json_string_value(json_object_get(commit, "sha"));
        g_autofree char *beginning = g_strndup(sha ? sha : "", SHORT);
        json_array_append_new(items, json_pack("{s:O, s:s, s:O, s:O, s:O}", "sha",
                                               json_object_get(commit, "sha"), "short", beginning,
                                               "author", json_object_get(commit, "author"),
                                               "time_ms", json_object_get(commit, "time_ms"),
                                               "subject", json_object_get(commit, "subject")));
    }
    return items;
}

static srv_reply *between(srv_app *app, json_t *question) {
    GError *error = NULL;
    g_autoptr(srv_fetch) fetch = srv_fetch_new(app->context.program, app->config->data_dir, -1);
    json_t *answer = srv_fetch_ask(fetch, question, BETWEEN_MS, &error);
    if (!answer)
        return srv_reply_error(error);
    json_t *reason = json_object_get(answer, "reason");
    json_t *body = json_pack("{s:o, s:O, s:O?}", "items", shown(json_object_get(answer, "commits")),
                             "total", json_object_get(answer, "total"), "reason", reason);
    json_decref(answer);
    return srv_reply_json(200, body);
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
    if (!is_full_id(after) || !is_full_id(until)) {
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                            "after and until must be full commit ids");
        return NULL;
    }
    g_autofree char *mirror = srv_context_mirror(&app->context, project->name);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:b}", "op", "between", "mirror", mirror,
                     "branch", project->branch, "from", after, "to", until, "limit",
                     (json_int_t)limit, "cut", 1);
}

static srv_reply *get_commits(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    GError *error = NULL;
    json_t *question = NULL;
    srv_catalog *catalog = srv_context_catalog(&app->context);
    const cfg_project *project = srv_catalog_find(catalog, request->params[0]);
    if (project)
        question = question_of(app, request, project, &error);
    else
        g_set_error_literal(&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                            "this server watches no repository for that project");
    srv_context_catalog_done(&app->context, catalog);
    if (!question)
        return srv_reply_error(error);
    srv_reply *reply = between(app, question);
    json_decref(question);
    return reply;
}

const srv_route srv__routes_commits[] = {{"GET", SRV_API "projects/{}/commits", SRV_SCOPE_READ,
                                          SRV_RUN_KEPT, .handler = get_commits,
                                          .query = "branch after until limit " SRV_QUERY_HEAVY},
                                         {0}};
