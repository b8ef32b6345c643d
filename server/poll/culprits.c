#include "server/poll/question.h"

#include "server/alarm/bisection.h"
#include "server/ground/log.h"

#include <gio/gio.h>

enum { BETWEEN_MS = 30000 }; /* reads the local mirror only, up to thousands of commits */

/* Borrows from the answer. */
static bool commits_read(const json_t *answer, GArray *commits, GError **error) {
    size_t i = 0;
    json_t *item = NULL;
    json_array_foreach (json_object_get(answer, "commits"), i, item) {
        srv_commit commit = {0};
        json_int_t time_ms = 0;
        if (json_unpack(item, "{s:s, s:s, s:s, s:I, s:s, s?:s}", "sha", &commit.sha, "author",
                        &commit.author, "author_email", &commit.author_email, "time_ms", &time_ms,
                        "subject", &commit.subject, "parent", &commit.parent) != 0) {
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                        "the git process gave an invalid answer");
            return false;
        }
        commit.time_ms = time_ms;
        g_array_append_val(commits, commit);
    }
    return true;
}

static bool look(srv_store *store, srv_fetch *fetch, const cfg_project *project, const char *mirror,
                 const srv_search_wanted *wanted, int64_t now_ms, GError **error) {
    g_autoptr(GArray) commits = g_array_new(FALSE, FALSE, sizeof(srv_commit));
    json_t *request = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i}", "op", "between", "mirror", mirror,
                                "branch", project->branch, "from", wanted->from, "to", wanted->to,
                                "limit", (int)SRV_BISECTION_COMMITS);
    json_t *answer = srv_fetch_ask(fetch, request, BETWEEN_MS, error);
    json_decref(request);
    bool ok =
        answer && commits_read(answer, commits, error) &&
        srv_bisection_begin(store, wanted->alert, (const srv_commit *)(const void *)commits->data,
                            commits->len, json_string_value(json_object_get(answer, "reason")),
                            now_ms, error);
    json_decref(answer);
    g_autofree char *number = g_strdup_printf("%u", commits->len);
    if (ok)
        srv_log_info("culprits", "search", "project", project->name, "commits", number, NULL);
    return ok;
}

bool srv_culprits_look(srv_store *store, srv_fetch *fetch, const cfg_project *project,
                       const char *mirror, int64_t now_ms, GError **error) {
    g_auto(model_list) list = {0};
    bool ok = srv_bisections_wanted(store, project->name, &list, error);
    for (unsigned i = 0; ok && i < list.count; i++)
        ok = look(store, fetch, project, mirror, (const srv_search_wanted *)list.items + i, now_ms,
                  error);
    return ok;
}
