#include "server/alarm/explanation.h"

#include "config/json_text.h"
#include "config/model/detection.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/ground/clock.h"
#include "server/result/result.h"
#include "server/store/job_kind.h"
#include "server/store/projects.h"
#include "sql/explanation.h"

#include <math.h>

/* The ends of an alert's search, and where it was seen. */
typedef struct {
    bool there; /* an explanation is */
    bool can;   /* that node can profile */
    bool timed; /* one of its portions is a time */
    int64_t before, after;
    char *node, *dimension; /* that the alert is of; "time" where it tells of any time */
    cfg_detection detection;
    json_t *body;
} wanted_row;

static const model_member wanted_members[] = {
    MODEL(wanted_row, there, "there"),
    MODEL(wanted_row, before, "before_id"),
    MODEL(wanted_row, after, "after_id"),
    MODEL(wanted_row, node, "node", MODEL_NULL),
    MODEL(wanted_row, dimension, "dimension"),
    MODELS(wanted_row, can, timed),
    MODEL_A(wanted_row, detection, cfg_detection_model, MODEL_PART, "detection"),
    MODEL(wanted_row, body, "body")};
static const model_noun wanted_noun = MODEL_NOUN(wanted_row, wanted_members, "explanation");

/* A portion of an alert, by its configuration. */
static const model_member changed_members[] = {
    MODELS(srv__explained, configuration, portion),
    MODEL(srv__explained, change_ns, "change_ns", MODEL_NULL, NAN),
    MODEL(srv__explained, judged, "judged")};
const model_noun srv__explained_model =
    MODEL_NOUN(srv__explained, changed_members, "portion of an alert");

static void name_add(GHashTable *names, const srv__tree *tree, const char *configuration) {
    const int c = srv__tree_find(tree, configuration);
    if (c >= 0)
        g_hash_table_add(names, g_strdup(configuration));
    if (c >= 0 && tree->chain.parent[c] >= 0)
        g_hash_table_add(names, g_strdup(tree->name[tree->chain.parent[c]]));
}

/* The configurations that bound an alert's portions: a set of names, owned; NULL with error. */
static GHashTable *names_of(srv_store *store, int64_t alert, const json_t *body, GError **error) {
    srv__tree tree;
    g_auto(model_list) portions = {0};
    if (!srv__many(store, ASK(explanation_portions, alert), &srv__explained_model, &portions,
                   error) ||
        !srv__tree_read(&tree, body, error))
        return NULL;
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const srv__explained *one = portions.items;
    for (unsigned i = 0; i < portions.count; i++, one++)
        name_add(names, &tree, one->configuration);
    return names;
}

/* What the runner is told beside the commits and the benchmark; to g_free. */
static char *extra_of(const wanted_row *row) {
    static const model_member members[] = {
        MODEL(cfg_detection, explain_minutes, "explain_minutes", MODEL_WRITTEN, .whole = true),
        MODEL(cfg_detection, profile_command, "profile_command", MODEL_LEFT_OUT),
        MODEL(cfg_detection, profile_root, "profile_root", MODEL_LEFT_OUT)};
    static const model_noun noun = MODEL_NOUN(cfg_detection, members, "profiles");
    json_auto_t *extra = model_write(&noun, &row->detection);
    const det_dimension *of = det_dimension_find(row->dimension);
    if (of && of->profile)
        json_object_set_new(extra, "profile_of", json_string(of->profile));
    return srv_json_canonical(extra);
}

/* job: that tells; 0: none can. */
static bool insert(srv_store *store, int64_t alert, int64_t job, const wanted_row *row,
                   GError **error) {
    return srv__run(
        store, ASK(explanation_insert, alert, srv__arg_key(job), row->before, row->after), error);
}

/* That of a time goes before what waits for a node with nothing to do. */
static int priority_of(const wanted_row *row) {
    return g_str_equal(row->dimension, SRV__TIME) ? SRV__PRIORITY_OF_TIME
                                                  : srv__priority(SRV_KIND_EXPLAIN);
}

static bool job_queue(srv_store *store, int64_t alert, const wanted_row *row, int64_t now_ms,
                      GError **error) {
    int64_t job, benchmark;
    json_t *body = row->body;
    g_autofree char *extra = extra_of(row);
    g_autoptr(GHashTable) names = names_of(store, alert, body, error);
    if (!names)
        return false;
    if (g_hash_table_size(names) == 0)
        return true; /* the benchmark has changed its configurations since */
    srv__benchmark_restrict(body, names, 1);
    return srv__benchmark_keep(store, body, &benchmark, error) &&
           srv__insert(store,
                       ASK(explanation_job_insert, alert, row->after, row->before, benchmark,
                           srv__kind_name(SRV_KIND_EXPLAIN), priority_of(row), row->node, now_ms,
                           extra),
                       &job, error) &&
           insert(store, alert, job, row, error) && srv__event(store, SRV_EVENT_JOB, job);
}

/* Why no job could tell, NULL: one can; owned. An older runner would never take it. */
static char *unable_of(const wanted_row *row) {
    const char *driver = cfg_json_word(row->body, "driver", "");
    if (!row->timed)
        return g_strdup("its values are no times of calls, which a profile shows");
    if (!row->can)
        return g_strdup_printf("the runner of node %s cannot profile; a newer one can", row->node);
    if (cfg_json_true(row->body, "whole_rounds"))
        return g_strdup("one run measures all configurations, so none can be profiled alone");
    if (g_str_equal(driver, "command") && row->detection.profile_command_count == 0)
        return g_strdup("this driver has no profiler of its own; detection.profile_command can "
                        "name one");
    return NULL;
}

/* People are told at once. */
static bool tell_unable(srv_store *store, int64_t alert, const wanted_row *row, const char *reason,
                        int64_t now_ms, GError **error) {
    return insert(store, alert, 0, row, error) &&
           srv__run(store, ASK(explanation_fail, alert, reason, now_ms), error);
}

/* Nobody here can run what was measured elsewhere, even if a node has the same name. */
static bool is_imported(const wanted_row *row) {
    return g_str_equal(cfg_json_word(row->body, "driver", ""), "imported");
}

static bool start(srv_store *store, int64_t alert, const wanted_row *row, int64_t now_ms,
                  GError **error) {
    if (row->there || !(row->detection.explain_minutes > 0) || row->before == row->after ||
        is_imported(row))
        return true;
    g_autofree char *unable = unable_of(row);
    return unable ? tell_unable(store, alert, row, unable, now_ms, error)
                  : job_queue(store, alert, row, now_ms, error);
}

bool srv__explanation_start(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    MODEL_HELD(wanted_row, row, wanted_noun);
    bool there;
    return srv__one(store, ASK(explanation_wanted, alert), &wanted_noun, &row, &there, error) &&
           (!there || start(store, alert, &row, now_ms, error));
}

/* One that waits for its job to begin. */
typedef struct {
    int64_t job, before, after, priority;
} queued_row;

static bool queued_get(srv_store *store, int64_t alert, queued_row *row, bool *there,
                       GError **error) {
    static const model_member members[] = {
        MODEL(queued_row, job, "job"), MODEL(queued_row, before, "before_id"),
        MODEL(queued_row, after, "after_id"), MODEL(queued_row, priority, "priority")};
    static const model_noun noun = MODEL_NOUN(queued_row, members, "explanation");
    return srv__one(store, ASK(explanation_queued, alert), &noun, row, there, error);
}

static bool drop(srv_store *store, int64_t alert, int64_t job, const char *reason, int64_t now_ms,
                 GError **error) {
    return srv__run(store, ASK(explanation_remove, alert), error) &&
           srv__job_cancel(store, job, reason, now_ms, error);
}

bool srv__explanation_drop(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                           GError **error) {
    queued_row row;
    bool there;
    return queued_get(store, alert, &row, &there, error) &&
           (!there || drop(store, alert, row.job, reason, now_ms, error));
}

bool srv__explanation_forget(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                             GError **error) {
    g_autoptr(GArray) jobs = srv__ids(store, ASK(explanation_jobs, alert), error);
    bool good = jobs && srv__run(store, ASK(profiles_drop, alert), error) &&
                srv__run(store, ASK(explanation_portions_drop, alert), error) &&
                srv__run(store, ASK(explanation_remove, alert), error);
    for (guint i = 0; good && i < jobs->len; i++)
        good = srv__job_cancel(store, g_array_index(jobs, int64_t, i), reason, now_ms, error);
    return good;
}

bool srv__explanation_follow(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    queued_row queued;
    MODEL_HELD(wanted_row, wanted, wanted_noun);
    bool is_queued, is_there;
    if (!queued_get(store, alert, &queued, &is_queued, error) ||
        !srv__one(store, ASK(explanation_wanted, alert), &wanted_noun, &wanted, &is_there, error))
        return false;
    return !is_queued || !is_there ||
           (queued.before == wanted.before && queued.after == wanted.after &&
            queued.priority == priority_of(&wanted)) ||
           (drop(store, alert, queued.job, "the alert has changed since", now_ms, error) &&
            srv__explanation_start(store, alert, now_ms, error));
}

static const model_member job_members[] = {MODEL(srv__explaining, alert, "alert_id"),
                                           MODEL(srv__explaining, experiment, "experiment"),
                                           MODEL(srv__explaining, hash, "result_hash", MODEL_NULL),
                                           MODELS(srv__explaining, before, after),
                                           MODEL(srv__explaining, level, "level", MODEL_NULL),
                                           MODEL(srv__explaining, body, "body")};
const model_noun srv__explaining_model = MODEL_NOUN(srv__explaining, job_members, "explanation");

bool srv__explaining_get(srv_store *store, int64_t job, srv__explaining *row, bool *there,
                         GError **error) {
    return srv__one(store, ASK(explanation_of, job, 0), &srv__explaining_model, row, there, error);
}

bool srv__explanation_there(srv_store *store, const srv__explanation_result *result,
                            int64_t *experiment, GError **error) {
    MODEL_HELD(srv__explaining, row, srv__explaining_model);
    bool there;
    *experiment = 0;
    if (!srv__explaining_get(store, result->job, &row, &there, error))
        return false;
    *experiment = row.hash ? row.experiment : 0;
    return !row.hash || g_str_equal(row.hash, result->hash) ||
           SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "job %" G_GINT64_FORMAT " already has another result; discard this one",
                     result->job);
}

bool srv__explanation_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                             GError **error) {
    MODEL_HELD(srv__explaining, row, srv__explaining_model);
    bool there;
    return srv__explaining_get(store, job, &row, &there, error) &&
           (!there || (srv__run(store, ASK(explanation_fail, row.alert, reason, now_ms), error) &&
                       srv__event(store, SRV_EVENT_ALERT, row.alert)));
}

static GArray *stranded_jobs(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store, ASK(explanation_jobs_stranded, before_ms), error);
}

bool srv__explanations_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const srv__stranded stranded = {
        .list = stranded_jobs,
        .reason = "its node was silent for three days, or its runner is too old to profile: update "
                  "it",
        .failed = srv__explanation_failed};
    return srv__stranded_cancel(store, &stranded, now_ms, error);
}

/* Of one alert; what was found with them stays. */
static bool profiles_remove(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    return srv__run(store, ASK(profiles_drop, alert), error) &&
           srv__run(store, ASK(explanation_removed, alert, now_ms), error);
}

static bool remove_one(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    return srv__begin(store, error) && srv__end(store,
                                                profiles_remove(store, alert, now_ms, error) &&
                                                    srv__event(store, SRV_EVENT_ALERT, alert),
                                                error);
}

bool srv__explanations_remove(srv_store *store, unsigned keep_days, int64_t now_ms,
                              unsigned *removed, GError **error) {
    const int64_t before_ms = now_ms - (int64_t)keep_days * SRV_DAY_MS;
    unsigned count = 0;
    bool good = true;
    for (bool more = keep_days > 0; good && more;) {
        g_autoptr(GArray) alerts = srv__ids(store, ASK(explanations_old, before_ms), error);
        good = alerts != NULL;
        more = good && alerts->len > 0;
        for (guint i = 0; good && i < alerts->len; i++, count++)
            good = remove_one(store, g_array_index(alerts, int64_t, i), now_ms, error);
    }
    if (removed)
        *removed = count;
    return good;
}
