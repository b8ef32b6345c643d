#include "server/transfer/disposal.h"

#include "config/json_text.h"
#include "config/projects.h"
#include "server/ingest/raw_store.h"
#include "server/queue/queue.h"
#include "server/store/projects.h"
#include "server/store/store_move.h"
#include "server/store/store_sql.h"
#include "sql/projects.h"

#include <string.h>

/* A project, or a further branch of it. */
typedef struct {
    int64_t id, enabled;
    char *name;
} member;

static const model_member member_members[] = {MODELS(member, id, enabled, name)};
static const model_noun member_noun = MODEL_NOUN(member, member_members, "project");

static const model_member content_members[] = {
    MODELS(srv_project_content, nights, jobs, alerts, artifacts, raw_files, raw_bytes)};
static const model_noun content_noun =
    MODEL_NOUN(srv_project_content, content_members, "project's content");

static bool content_read(srv_store *store, const char *name, srv_project_content *content,
                         GError **error) {
    return srv__one(store, ASK(project_content, name), &content_noun, content, NULL, error);
}

/* What is not measured, with its branches: [member]. */
static bool family_read(srv_store *store, const char *name, model_list *family, GError **error) {
    g_autofree char *main = cfg_branch_main(name);
    if (!g_str_equal(main, name))
        return SRV__FAIL(
            error, SRV_ERROR, SRV_ERROR_INVALID,
            "%s is a branch of %s: take it out of the project's file; it goes with the "
            "project alone",
            name, main);
    if (!srv__many(store, ASK(project_family, name), &member_noun, family, error))
        return false;
    if (family->count == 0)
        return srv__project_missing(store, name, error);
    for (unsigned i = 0; i < family->count; i++)
        if (((const member *)family->items)[i].enabled)
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                             "%s is measured: take its file out of projects_dir (or write enabled: "
                             "false there, to put it away), and reload the server (SIGHUP)",
                             name);
    return true;
}

static bool family_check(srv_store *store, const char *name, GError **error) {
    g_auto(model_list) family = {0};
    return family_read(store, name, &family, error);
}

/* One that ended meanwhile is fine. */
static bool jobs_cancel(srv_store *store, const char *name, const char *reason, int64_t now_ms,
                        GError **error) {
    g_autoptr(GArray) jobs = srv__ids(store, ASK(project_jobs_open, name), error);
    bool good = jobs != NULL;
    for (guint i = 0; good && i < jobs->len; i++) {
        g_autoptr(GError) wrong = NULL;
        good = srv_queue_cancel(store, g_array_index(jobs, int64_t, i), reason, now_ms, &wrong) ||
               g_error_matches(wrong, SRV_ERROR, SRV_ERROR_CONFLICT);
        if (!good)
            g_propagate_error(error, g_steal_pointer(&wrong));
    }
    return good;
}

bool srv_project_archive(srv_store *store, const char *name, bool archived, const char *reason,
                         int64_t now_ms, GError **error) {
    return family_check(store, name, error) &&
           (!archived || jobs_cancel(store, name, reason, now_ms, error)) &&
           srv__begin(store, error) &&
           srv__end(store,
                    family_check(store, name, error) &&
                        srv__run(store,
                                 ASK(project_archive, name, srv__arg_key(archived ? now_ms : 0)),
                                 error),
                    error);
}

/* In a transaction. */
static bool take_apart(srv_store *store, const char *name, int64_t now_ms, GError **error) {
    g_autoptr(GArray) jobs = srv__ids(store, ASK(project_jobs_raw, name), error);
    bool good = jobs != NULL;
    for (guint i = 0; good && i < jobs->len; i++) {
        int64_t files;
        good =
            srv__raw_drop(store, g_array_index(jobs, int64_t, i), "deleted", now_ms, &files, error);
    }
    return good && srv__run(store, ASK(project_nodes_forget, name), error) &&
           srv__project_remove(store, name, error);
}

/* --- another name --- */

static bool call(srv_store *store, const member *one, const char *old, const char *to,
                 int64_t now_ms, GError **error) {
    const char *branch = one->name + strlen(old); /* "" or "~…" */
    g_autofree char *name = g_strconcat(to, branch, NULL);
    return srv__run(store, ASK(project_rename, one->id, name, *branch ? to : NULL), error) &&
           srv__run(store, ASK(project_was_called, one->name, one->id, now_ms), error) &&
           srv__run(store, ASK(project_is_called, name), error);
}

/* What CI has handed in under the new name stays: nobody would hand it in again. */
static bool artifacts_take(srv_store *store, const char *name, const char *to, GError **error) {
    if (!srv__run(store, ASK(artifacts_replaced, name, to), error) ||
        !srv__run(store, ASK(artifacts_take, name, to), error))
        return false;
    json_auto_t *left = srv__array(store, ASK(project_artifacts, to), error);
    const json_t *first = json_array_get(left, 0);
    if (first)
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "%s has an artifact %s of commit %s that %s cannot take over, because it has "
                    "one of its own or no such branch: remove one of them first",
                    cfg_json_word(first, "project", NULL), cfg_json_word(first, "name", NULL),
                    cfg_json_word(first, "sha", NULL), name);
    return left && !first;
}

/* Nobody is called so, or one that has no night yet. */
static bool make_way(srv_store *store, const char *name, const char *to, int64_t now_ms,
                     GError **error) {
    srv_project_content content;
    if (!content_read(store, to, &content, error))
        return false;
    if (content.nights == 0)
        return artifacts_take(store, name, to, error) && take_apart(store, to, now_ms, error);
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "%s has %" G_GINT64_FORMAT
                     " nights of its own: two histories do not become one. "
                     "Take another name, or delete %s first",
                     to, content.nights, to);
}

static bool rename_in(srv_store *store, const char *name, const char *to, int64_t now_ms,
                      GError **error) {
    g_auto(model_list) family = {0};
    bool good =
        family_read(store, name, &family, error) && make_way(store, name, to, now_ms, error);
    for (unsigned i = 0; good && i < family.count; i++)
        good = call(store, (const member *)family.items + i, name, to, now_ms, error);
    return good;
}

bool srv_project_rename(srv_store *store, const char *name, const char *to, int64_t now_ms,
                        GError **error) {
    if (!to || !cfg_is_name(to) || g_str_equal(name, to))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "name: must be another one of a-z, 0-9, '.', '_', '-', at most 100 long");
    return srv__begin(store, error) &&
           srv__end(store, rename_in(store, name, to, now_ms, error), error);
}

/* --- deleted --- */

static bool confirm(const char *name, const char *confirmed, const srv_project_content *content,
                    GError **error) {
    g_autofree char *bytes = g_format_size((guint64)content->raw_bytes);
    if (g_strcmp0(name, confirmed) == 0)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "deleting %s removes for ever: results %" G_GINT64_FORMAT
                     ", jobs %" G_GINT64_FORMAT ", alerts %" G_GINT64_FORMAT
                     ", artifacts %" G_GINT64_FORMAT ", raw files %" G_GINT64_FORMAT
                     " (%s); moowatchd export keeps a copy of what was "
                     "measured. If you want that, confirm it by the name %s",
                     name, content->nights, content->jobs, content->alerts, content->artifacts,
                     content->raw_files, bytes, name);
}

static bool artifacts_remove(srv_store *store, srv_artifacts *artifacts, const char *name,
                             int64_t now_ms, GError **error) {
    json_auto_t *rows = srv__array(store, ASK(project_artifacts, name), error);
    bool good = rows != NULL;
    for (size_t i = 0; good && i < json_array_size(rows); i++) {
        const char *project, *commit, *file;
        good = json_unpack(json_array_get(rows, i), "{s:s,s:s,s:s}", "project", &project, "sha",
                           &commit, "name", &file) == 0 &&
               srv_artifact_remove(artifacts, store, project, commit, file, now_ms, error);
    }
    return good;
}

bool srv_project_delete(srv_store *store, srv_artifacts *artifacts, const char *name,
                        const char *confirmed, int64_t now_ms, srv_project_content *content,
                        GError **error) {
    if (!family_check(store, name, error) || !content_read(store, name, content, error) ||
        !confirm(name, confirmed, content, error) ||
        !jobs_cancel(store, name, "its project is deleted", now_ms, error) ||
        !artifacts_remove(store, artifacts, name, now_ms, error) || !srv__begin(store, error))
        return false;
    return srv__end(
        store, family_check(store, name, error) && take_apart(store, name, now_ms, error), error);
}
