#include "server/store/projects.h"

#include "config/json_text.h"
#include "config/model/benchmark.h"
#include "config/model/detection.h"
#include "config/number.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/nights.h"
#include "sql/projects.h"

bool srv__project_id(srv_store *store, const char *project, int64_t *id, GError **error) {
    if (!srv__number(store, ASK(project_id, project), 0, id, error))
        return false;
    return *id != 0 || srv__project_missing(store, project, error);
}

bool srv__project_missing(srv_store *store, const char *project, GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, ASK(project_now_called, project), &row, error))
        return false;
    if (!row)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no project %s", project);
    g_autoptr(GDateTime) until =
        g_date_time_new_from_unix_utc(cfg_json_integer(row, "until_ms") / 1000);
    g_autofree char *date = g_date_time_format(until, "%Y-%m-%d");
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                     "there is no project %s: it has been called %s since %s", project,
                     cfg_json_word(row, "name", NULL), date);
}

char *srv__lineage(srv_store *store, int64_t project, int64_t benchmark, const json_t *body,
                   GError **error) {
    json_auto_t *all = srv__array(store, ASK(project_lineages, project, benchmark), error);
    const size_t own = cfg_json_count(body, "configurations");
    const char *lineage = NULL;
    const json_t *row;
    size_t i, most = 0;
    json_array_foreach (all, i, row) {
        const json_t *then = json_object_get(row, "body");
        const size_t shared = MIN(own, cfg_json_count(then, "configurations"));
        if (shared <= most || !srv_benchmark_continues(body, then))
            continue;
        most = shared;
        lineage = cfg_json_word(row, "lineage", NULL);
    }
    return !all ? NULL : lineage ? g_strdup(lineage) : srv_benchmark_identity(body);
}

bool srv__benchmark_keep(srv_store *store, const json_t *body, int64_t *id, GError **error) {
    g_autofree char *text = srv_json_canonical(body);
    g_autofree char *hash = srv_json_hash(body);
    g_autofree char *identity = srv_benchmark_identity(body);
    const char *artifact = cfg_json_word(body, "artifact", NULL);
    json_int_t wait_s = cfg_json_integer(body, "artifact_wait_seconds");
    if (!srv__number(store, ASK(benchmark_id, hash), 0, id, error))
        return false;
    return *id != 0 ||
           srv__insert(store, ASK(benchmark_insert, hash, identity, text, artifact, wait_s), id,
                       error);
}

/* The settings that results are judged by, as exports carry them. What SQL asks for stands in
 * columns and rows of its own, too. */
static char *settings_text(const cfg_project *project) {
    json_auto_t *object = model_write(&cfg_detection_model, &project->detection);
    json_object_set_new(object, "node_labels",
                        cfg_json_texts(project->node_labels, project->node_labels_count));
    return srv_json_canonical(object);
}

static bool labels_keep(srv_store *store, const cfg_project *project, GError **error) {
    int64_t id;
    bool good = srv__project_id(store, project->name, &id, error) &&
                srv__run(store, ASK(project_labels_drop, id), error);
    for (unsigned i = 0; good && i < project->node_labels_count; i++)
        good = srv__run(store, ASK(project_label_add, id, project->node_labels[i]), error);
    return good;
}

static bool project_keep(srv_store *store, const cfg_project *project, GError **error) {
    int64_t benchmark;
    json_auto_t *body = model_write(&cfg_benchmark_model, &project->benchmark);
    if (!srv__benchmark_keep(store, body, &benchmark, error))
        return false;
    g_autofree char *settings = settings_text(project);
    return srv__run(store,
                    ASK(project_keep, project->name, project->title, project->repository,
                        project->branch, project->commit_url, project->enabled, benchmark, settings,
                        project->detection.ageing_days, project->detection.remeasure_minutes,
                        project->main),
                    error) &&
           labels_keep(store, project, error);
}

bool srv_projects_sync(srv_store *store, const GPtrArray *projects, GError **error) {
    if (!srv__begin(store, error))
        return false;
    bool good = srv__run(store, ASK(projects_disable), error);
    for (guint i = 0; good && i < projects->len; i++)
        good = project_keep(store, projects->pdata[i], error);
    return srv__end(store, good, error);
}

/* Two servers that have the same of this pick, measure and judge the same. */
static char *hash_of(const cfg_project *project) {
    g_autofree char *settings = settings_text(project);
    json_auto_t *all =
        json_pack("{s:s,s:s,s:s,s:s?,s:b,s:s?,s:s?,s:s?,s:s,s:o}", "title", project->title,
                  "repository", project->repository, "branch", project->branch, "commit_url",
                  project->commit_url, "enabled", project->enabled, "night_at", project->night_at,
                  "schedule", project->schedule, "time_zone", project->time_zone, "settings",
                  settings, "benchmark", model_write(&cfg_benchmark_model, &project->benchmark));
    return srv_json_hash(all);
}

GHashTable *srv_projects_hashes(const GPtrArray *projects) {
    GHashTable *hashes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < projects->len; i++) {
        const cfg_project *project = projects->pdata[i];
        g_hash_table_insert(hashes, g_strdup(project->name), hash_of(project));
    }
    return hashes;
}

bool srv_project_polled(srv_store *store, const char *project, int64_t polled_ms,
                        int64_t next_night_ms, const char *problem, bool failed, GError **error) {
    int64_t changed;
    if (!srv__begin(store, error))
        return false;
    bool good =
        srv__change(store, ASK(project_polled, project, polled_ms, next_night_ms, problem, failed),
                    &changed, error);
    return srv__end(store, good && (changed != 0 || srv__project_missing(store, project, error)),
                    error);
}

static const model_member span_members[] = {
    MODEL_CHARS_OF(srv_project_span, oldest, "oldest", MODEL_NULL),
    MODEL_CHARS_OF(srv_project_span, newest, "newest", MODEL_NULL)};
static const model_noun span_noun = MODEL_NOUN(srv_project_span, span_members, "span of nights");

bool srv_project_nights(srv_store *store, const char *project, srv_project_span *span,
                        GError **error) {
    bool there;
    return srv__one(store, ASK(project_nights, project), &span_noun, span, &there, error);
}

bool srv__commit_check(const srv_commit *commit, const char *night, GError **error) {
    if (!cfg_is_commit(commit->sha))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "'%.80s' is not a full commit id of 40 or 64 hex digits", commit->sha);
    GDate day;
    if (cfg_date_read(night, &day))
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "'%.20s' is not a night; give its date as YYYY-MM-DD", night);
}

bool srv__revision_keep(srv_store *store, int64_t project, const srv_commit *commit, int64_t *id,
                        GError **error) {
    return srv__run(store,
                    ASK(revision_keep, project, commit->sha, commit->author, commit->author_email,
                        commit->time_ms, commit->subject, commit->parent,
                        srv__arg_key(commit->place)),
                    error) &&
           srv__number(store, ASK(revision_id, project, commit->sha), 0, id, error);
}

bool srv__night_count_add(srv_store *store, int64_t experiment, GError **error) {
    return srv__run(store, ASK(night_count_add, experiment), error);
}

bool srv__nights_hide(srv_store *store, int64_t revision, GError **error) {
    return srv__run(store, ASK(night_count_hide, revision), error) &&
           srv__run(store, ASK(experiments_hide, revision), error);
}
