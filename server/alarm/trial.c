#include "server/alarm/trial.h"

#include "detector/confirm.h"
#include "server/alarm/bisection_step.h"
#include "server/alarm/suspicion.h"
#include "server/alarm/trial_judge.h"
#include "server/queue/queue_internal.h"
#include "server/store/projects.h"

#include <string.h>

/* A node that does not come back for so long will not answer; its suspicions must not wait. */
#define STRANDED_MS (INT64_C(3) * 24 * 3600 * 1000)

bool srv__is_trial(const char *kind) {
    return g_str_equal(kind, "confirmation") || g_str_equal(kind, "bisection");
}

/* The open questions' configurations and their parents, as names; NULL with error. */
static GHashTable *names_open(srv_store *store, int64_t trial, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(
        store, "SELECT configuration, parent FROM question WHERE trial_id=$1 AND state='open'",
        SRV__ARGS(SRV__I(trial)), error);
    if (query == NULL)
        return NULL;
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GError *failure = NULL;
    while (srv__query_next(query, &failure))
        for (int i = 0; i < 2; i++)
            if (!srv__query_null(query, i))
                g_hash_table_add(names, g_strdup(srv__query_text(query, i)));
    if (failure == NULL)
        return names;
    g_propagate_error(error, failure);
    g_hash_table_destroy(names);
    return NULL;
}

/* The benchmark with nothing but these configurations and as many loops as a look takes. */
static void benchmark_restrict(json_t *benchmark, GHashTable *names, unsigned loops) {
    json_t *all = json_object_get(benchmark, "configurations"), *kept = json_array();
    size_t i;
    json_t *item;
    json_array_foreach(all, i, item) {
        const char *parent = json_string_value(json_object_get(item, "parent"));
        if (!g_hash_table_contains(names, json_string_value(json_object_get(item, "name"))))
            continue;
        if (parent != NULL && !g_hash_table_contains(names, parent))
            json_object_set_new(item, "parent", json_null());
        json_array_append(kept, item);
    }
    json_object_set_new(benchmark, "configurations", kept);
    json_object_set_new(benchmark, "loops", json_integer(loops));
}

static bool job_insert(srv_store *store, int64_t trial, int64_t benchmark, int64_t now_ms,
                       GError **error) {
    int64_t job;
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, against_id, benchmark_id, branch,"
                       " kind, priority, night, state, only_node, queued_ms) SELECT t.project_id,"
                       " t.revision_id, t.against_id, $2, s.branch, t.kind,"
                       " CASE t.kind WHEN 'bisection' THEN $3 ELSE $4 END, e.night, 'queued',"
                       " t.node, $5 FROM trial t JOIN series s ON s.id=t.series_id"
                       " JOIN experiment e ON e.id=t.experiment_id WHERE t.id=$1",
                       SRV__ARGS(SRV__I(trial), SRV__I(benchmark),
                                 SRV__I(srv__priority(SRV_KIND_BISECTION)),
                                 SRV__I(srv__priority(SRV_KIND_CONFIRMATION)), SRV__I(now_ms)),
                       &job, error) &&
           srv__run(store, "INSERT INTO trial_job(job_id, trial_id) VALUES($1,$2)",
                    SRV__ARGS(SRV__I(job), SRV__I(trial)), NULL, error) &&
           srv__run(store, "UPDATE trial SET batches=batches+1 WHERE id=$1",
                    SRV__ARGS(SRV__I(trial)), NULL, error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

static bool batch_queue(srv_store *store, int64_t trial, int64_t now_ms, GError **error) {
    json_t *row;
    det_confirm_policy policy;
    int64_t benchmark;
    if (!srv__object(store,
                     "SELECT t.series_id, b.body AS \"body{\" FROM trial t JOIN experiment e"
                     " ON e.id=t.experiment_id JOIN benchmark b ON b.id=e.benchmark_id"
                     " WHERE t.id=$1",
                     SRV__ARGS(SRV__I(trial)), &row, error))
        return false;
    g_autoptr(GHashTable) names = names_open(store, trial, error);
    json_t *body = json_object_get(row, "body");
    bool good = names != NULL &&
                srv__confirm_policy(store, json_integer_value(json_object_get(row, "series_id")),
                                    &policy, error);
    if (good)
        benchmark_restrict(body, names, policy.step);
    good = good && srv__benchmark_keep(store, body, &benchmark, error) &&
           job_insert(store, trial, benchmark, now_ms, error);
    json_decref(row);
    return good;
}

static bool question_insert(srv_store *store, int64_t id, const srv__tree *tree,
                            const srv__question *question, int64_t *key, GError **error) {
    size_t c = question->configuration;
    int parent = tree->chain.parent[c];
    return srv__insert(store,
                       "INSERT INTO question(trial_id, configuration, parent, portion,"
                       " expected_ns, state) VALUES($1,$2,$3,$4,$5,'open')",
                       SRV__ARGS(SRV__I(id), SRV__T(tree->name[c]),
                                 SRV__T(parent >= 0 ? tree->name[parent] : NULL),
                                 SRV__T(tree->portion[c]), SRV__D(question->expected_ns)),
                       key, error);
}

static bool questions_insert(srv_store *store, const srv__trial *trial, int64_t id, int64_t *ids,
                             GError **error) {
    json_t *row;
    srv__tree tree;
    if (!srv__object(store,
                     "SELECT b.body AS \"body{\" FROM experiment e"
                     " JOIN benchmark b ON b.id=e.benchmark_id WHERE e.id=$1",
                     SRV__ARGS(SRV__I(trial->experiment)), &row, error))
        return false;
    bool good = srv__tree_read(&tree, json_object_get(row, "body"), error);
    for (size_t i = 0; good && i < trial->count; i++)
        good = question_insert(store, id, &tree, &trial->questions[i], &ids[i], error);
    json_decref(row);
    return good;
}

bool srv__trial_start(srv_store *store, const srv__trial *trial, int64_t now_ms, int64_t *ids,
                      GError **error) {
    int64_t id;
    return srv__insert(store,
                       "INSERT INTO trial(kind, project_id, series_id, revision_id, against_id,"
                       " experiment_id, node, state, started_ms) SELECT $2, project_id, id, $3,"
                       " $4, $5, $6, 'running', $7 FROM series WHERE id=$1",
                       SRV__ARGS(SRV__I(trial->series), SRV__T(trial->kind),
                                 SRV__I(trial->revision), SRV__I(trial->against),
                                 SRV__I(trial->experiment), SRV__T(trial->node), SRV__I(now_ms)),
                       &id, error) &&
           questions_insert(store, trial, id, ids, error) && batch_queue(store, id, now_ms, error);
}

/* Of which trial the job is, and how that stands. */
typedef struct {
    int64_t id, batches, series;
    bool bisection;
} standing;

static bool standing_get(srv_store *store, int64_t job, standing *s, GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT t.id, t.batches, t.series_id, t.kind='bisection' AS \"bisection?\""
                     " FROM trial_job j JOIN trial t ON t.id=j.trial_id WHERE j.job_id=$1",
                     SRV__ARGS(SRV__I(job)), &row, error))
        return false;
    s->id = json_integer_value(json_object_get(row, "id"));
    s->bisection = json_is_true(json_object_get(row, "bisection"));
    s->batches = json_integer_value(json_object_get(row, "batches"));
    s->series = json_integer_value(json_object_get(row, "series_id"));
    json_decref(row);
    if (s->id == 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "job %" G_GINT64_FORMAT " belongs to no trial", job);
    return s->id != 0;
}

/* failed: why there will be no answer, NULL when the questions have theirs. */
static bool settle(srv_store *store, const standing *s, const char *failed, int64_t now_ms,
                   GError **error) {
    return srv__run(store,
                    "UPDATE question SET state='failed', reason=$2"
                    " WHERE trial_id=$1 AND state='open'",
                    SRV__ARGS(SRV__I(s->id), SRV__T(failed)), NULL, error) &&
           srv__run(
               store, "UPDATE trial SET state=$2, finished_ms=$3 WHERE id=$1",
               SRV__ARGS(SRV__I(s->id), SRV__T(failed != NULL ? "failed" : "done"), SRV__I(now_ms)),
               NULL, error) &&
           (s->bisection ? srv__bisection_settle(store, s->id, failed, now_ms, error)
                         : srv__suspicions_settle(store, s->id, failed, now_ms, error));
}

bool srv__trial_take(srv_store *store, int64_t job, const srv__result *result, const char *hash,
                     const srv__tree *tree, int64_t now_ms, GError **error) {
    det_confirm_policy policy;
    standing s;
    size_t open, useless;
    if (!standing_get(store, job, &s, error) ||
        !srv__confirm_policy(store, s.series, &policy, error) ||
        !srv__run(store, "UPDATE trial_job SET result_hash=$2 WHERE job_id=$1",
                  SRV__ARGS(SRV__I(job), SRV__T(hash)), NULL, error) ||
        !srv__trial_loops_insert(store, s.id, job, result, tree, error) ||
        !srv__trial_judge(store, s.id, job, &policy, &open, &useless, error))
        return false;
    if (open == 0)
        return settle(store, &s, NULL, now_ms, error);
    if (useless > 0)
        return settle(store, &s, "its processes failed", now_ms, error);
    /* Failed loops may make it longer than the test's own maximum, but not endless. */
    if (s.batches >= 2 * (int64_t)(policy.maximum / policy.step))
        return settle(store, &s, "too many of its processes failed", now_ms, error);
    return batch_queue(store, s.id, now_ms, error);
}

bool srv__trial_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                       GError **error) {
    standing s;
    return standing_get(store, job, &s, error) && settle(store, &s, reason, now_ms, error);
}

/* The queued jobs of trials whose node is gone, or no longer can. */
static GArray *stranded(srv_store *store, int64_t before_ms, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store,
                       "SELECT j.id FROM trial t JOIN trial_job l ON l.trial_id=t.id"
                       " JOIN job j ON j.id=l.job_id LEFT JOIN node n ON n.name=t.node"
                       " WHERE t.state='running' AND t.node IS NOT NULL AND j.state='queued'"
                       " AND j.queued_ms<$1 AND (coalesce(n.seen_ms, 0)<$1"
                       " OR n.can NOT LIKE '%\"confirmation\"%')",
                       SRV__ARGS(SRV__I(before_ms)), error);
    if (query == NULL)
        return NULL;
    GArray *jobs = g_array_new(FALSE, FALSE, sizeof(int64_t));
    GError *failure = NULL;
    while (srv__query_next(query, &failure)) {
        int64_t job = srv__query_int(query, 0);
        g_array_append_val(jobs, job);
    }
    if (failure == NULL)
        return jobs;
    g_array_free(jobs, TRUE);
    g_propagate_error(error, failure);
    return NULL;
}

bool srv__trials_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const char reason[] = "its node has been away for three days";
    g_autoptr(GArray) jobs = stranded(store, now_ms - STRANDED_MS, error);
    if (jobs == NULL || jobs->len == 0)
        return jobs != NULL;
    if (!srv__begin(store, error))
        return false;
    bool good = true;
    for (guint i = 0; good && i < jobs->len; i++) {
        int64_t job = g_array_index(jobs, int64_t, i);
        good = srv__run(store,
                        "UPDATE job SET state='cancelled', error=$2, finished_ms=$3 WHERE id=$1",
                        SRV__ARGS(SRV__I(job), SRV__T(reason), SRV__I(now_ms)), NULL, error) &&
               srv__event(store, SRV_EVENT_JOB, job) &&
               srv__trial_failed(store, job, reason, now_ms, error);
    }
    return srv__end(store, good, error);
}
