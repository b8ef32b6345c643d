#include "server/alarm/explanation.h"

#include "config/config.h"
#include "server/alarm/explanation_rows.h"
#include "server/alarm/stranded.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/result/benchmark.h"
#include "server/result/result.h"
#include "server/store/kinds.h"
#include "server/store/projects.h"
#include "sql/explanation.h"

#include <stdlib.h>

#define DAY_MS (INT64_C(24) * 3600 * 1000)

static int64_t member(const json_t *row, const char *key) {
    return json_integer_value(json_object_get(row, key));
}

/* Absent in the settings of a project that was stored by an older version. */
static json_t *minutes_of(const json_t *row) {
    json_t *minutes = json_object_get(json_object_get(row, "detection"), "explain_minutes");
    return minutes ? json_incref(minutes) : json_integer(CFG_EXPLAIN_MINUTES);
}

static bool is_wanted(const json_t *row) {
    json_auto_t *minutes = minutes_of(row);
    return json_number_value(minutes) > 0;
}

static void name_add(GHashTable *names, const srv__tree *tree, const char *configuration) {
    for (size_t c = 0; c < tree->chain.count; c++) {
        if (g_strcmp0(tree->name[c], configuration) != 0)
            continue;
        g_hash_table_add(names, g_strdup(configuration));
        if (tree->chain.parent[c] >= 0)
            g_hash_table_add(names, g_strdup(tree->name[tree->chain.parent[c]]));
    }
}

/* The configurations that bound an alert's portions: a set of names, owned; NULL with error. */
static GHashTable *names_of(srv_store *store, int64_t alert, const json_t *body, GError **error) {
    srv__tree tree;
    json_auto_t *portions =
        srv__array(store, SQL(explanation_portions), SRV__ARGS(SRV__I(alert)), error);
    if (!portions || !srv__tree_read(&tree, body, error))
        return NULL;
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    size_t i;
    json_t *one;
    json_array_foreach (portions, i, one)
        name_add(names, &tree, json_string_value(json_object_get(one, "configuration")));
    return names;
}

/* What the runner is told beside the commits and the benchmark; to g_free. */
static char *extra_of(const json_t *row) {
    static const char *const keys[] = {"profile_command", "profile_root"};
    const json_t *detection = json_object_get(row, "detection");
    json_auto_t *extra = json_pack("{s:o}", "explain_minutes", minutes_of(row));
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        if (json_object_get(detection, keys[i]))
            json_object_set(extra, keys[i], json_object_get(detection, keys[i]));
    return srv_json_canonical(extra);
}

static bool job_queue(srv_store *store, srv__explanation_job *wanted, json_t *row, int64_t now_ms,
                      GError **error) {
    int64_t job;
    json_t *body = json_object_get(row, "body");
    g_autofree char *extra = extra_of(row);
    g_autoptr(GHashTable) names = names_of(store, wanted->alert, body, error);
    if (!names)
        return false;
    if (g_hash_table_size(names) == 0)
        return true; /* the benchmark has changed its configurations since */
    srv__benchmark_restrict(body, names, 1);
    wanted->extra = extra;
    return srv__benchmark_keep(store, body, &wanted->benchmark, error) &&
           srv__insert(store, SQL(explanation_job_insert),
                       SRV__ARGS(SRV__I(wanted->alert), SRV__I(wanted->after),
                                 SRV__I(wanted->before), SRV__I(wanted->benchmark),
                                 SRV__T(srv__kind_name(SRV_KIND_EXPLAIN)),
                                 SRV__I(srv__priority(SRV_KIND_EXPLAIN)), SRV__T(wanted->node),
                                 SRV__I(now_ms), SRV__T(wanted->extra)),
                       &job, error) &&
           srv__run(store, SQL(explanation_insert),
                    SRV__ARGS(SRV__I(wanted->alert), SRV__ID(job), SRV__I(wanted->before),
                              SRV__I(wanted->after), SRV__I(now_ms)),
                    NULL, error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

/* An older runner would never take the job: people are told at once. */
static bool tell_unable(srv_store *store, const srv__explanation_job *wanted, int64_t now_ms,
                        GError **error) {
    g_autofree char *reason =
        g_strdup_printf("the runner of node %s cannot profile; a newer one can", wanted->node);
    return srv__run(store, SQL(explanation_insert),
                    SRV__ARGS(SRV__I(wanted->alert), SRV__ID(0), SRV__I(wanted->before),
                              SRV__I(wanted->after), SRV__I(now_ms)),
                    NULL, error) &&
           srv__run(store, SQL(explanation_fail),
                    SRV__ARGS(SRV__I(wanted->alert), SRV__T(reason), SRV__I(now_ms)), NULL, error);
}

/* Nobody here can run what was measured elsewhere, even if a node has the same name. */
static bool is_imported(const json_t *row) {
    const json_t *driver = json_object_get(json_object_get(row, "body"), "driver");
    return g_strcmp0(json_string_value(driver), "imported") == 0;
}

bool srv__explanation_start(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, SQL(explanation_wanted), SRV__ARGS(SRV__I(alert)), &row, error))
        return false;
    srv__explanation_job wanted = {.alert = alert,
                                   .before = member(row, "before_id"),
                                   .after = member(row, "after_id"),
                                   .node = json_string_value(json_object_get(row, "node"))};
    if (!row || json_is_true(json_object_get(row, "there")) || !is_wanted(row) ||
        wanted.before == wanted.after || is_imported(row))
        return true;
    return json_is_true(json_object_get(row, "can")) ? job_queue(store, &wanted, row, now_ms, error)
                                                     : tell_unable(store, &wanted, now_ms, error);
}

static bool drop(srv_store *store, int64_t alert, int64_t job, const char *reason, int64_t now_ms,
                 GError **error) {
    return srv__run(store, SQL(explanation_remove), SRV__ARGS(SRV__I(alert)), NULL, error) &&
           srv__job_cancel(store, job, reason, now_ms, error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

bool srv__explanation_drop(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                           GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, SQL(explanation_queued), SRV__ARGS(SRV__I(alert)), &row, error))
        return false;
    return !row || drop(store, alert, member(row, "job"), reason, now_ms, error);
}

bool srv__explanation_follow(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_auto_t *queued = NULL, *wanted = NULL;
    if (!srv__object(store, SQL(explanation_queued), SRV__ARGS(SRV__I(alert)), &queued, error) ||
        !srv__object(store, SQL(explanation_wanted), SRV__ARGS(SRV__I(alert)), &wanted, error))
        return false;
    if (!queued || !wanted ||
        (member(queued, "before_id") == member(wanted, "before_id") &&
         member(queued, "after_id") == member(wanted, "after_id")))
        return true;
    return drop(store, alert, member(queued, "job"), "the range is smaller now", now_ms, error) &&
           srv__explanation_start(store, alert, now_ms, error);
}

bool srv__explanation_there(srv_store *store, const srv__explanation_result *result,
                            int64_t *experiment, GError **error) {
    json_auto_t *row = NULL;
    *experiment = 0;
    if (!srv__object(store, SQL(explanation_of_job), SRV__ARGS(SRV__I(result->job)), &row, error))
        return false;
    const char *hash = json_string_value(json_object_get(row, "result_hash"));
    if (!hash)
        return true;
    *experiment = member(row, "experiment");
    if (g_str_equal(hash, result->hash))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                "job %" G_GINT64_FORMAT " already has another result; discard this one",
                result->job);
    return false;
}

bool srv__explanation_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                             GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, SQL(explanation_of_job), SRV__ARGS(SRV__I(job)), &row, error))
        return false;
    return !row ||
           (srv__run(store, SQL(explanation_fail),
                     SRV__ARGS(SRV__I(member(row, "alert_id")), SRV__T(reason), SRV__I(now_ms)),
                     NULL, error) &&
            srv__event(store, SRV_EVENT_ALERT, member(row, "alert_id")));
}

static GArray *stranded_jobs(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store, SQL(explanation_jobs_stranded), SRV__ARGS(SRV__I(before_ms)), error);
}

bool srv__explanations_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const srv__stranded stranded = {
        .list = stranded_jobs,
        .reason = "its node was silent for three days, or its runner is too old to profile: update "
                  "it",
        .failed = srv__explanation_failed};
    return srv__stranded_cancel(store, &stranded, now_ms, error);
}

static bool prune_one(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    return srv__begin(store, error) && srv__end(store,
                                                srv__profiles_remove(store, alert, now_ms, error) &&
                                                    srv__event(store, SRV_EVENT_ALERT, alert),
                                                error);
}

bool srv__explanations_prune(srv_store *store, unsigned keep_days, int64_t now_ms,
                             unsigned *removed, GError **error) {
    const int64_t before_ms = now_ms - (int64_t)keep_days * DAY_MS;
    unsigned count = 0;
    bool good = true;
    for (bool more = keep_days > 0; good && more;) {
        g_autoptr(GArray) alerts =
            srv__ids(store, SQL(explanations_old), SRV__ARGS(SRV__I(before_ms)), error);
        good = alerts != NULL;
        more = good && alerts->len > 0;
        for (guint i = 0; good && i < alerts->len; i++, count++)
            good = prune_one(store, g_array_index(alerts, int64_t, i), now_ms, error);
    }
    if (removed)
        *removed = count;
    return good;
}
