#include "server/alarm/trial.h"

#include "detector/watch/confirm.h"
#include "server/alarm/trial_judge.h"
#include "server/store/kinds.h"
#include "server/store/projects.h"

/* The open questions' configurations and their parents, as names; NULL with error. */
static GHashTable *names_open(srv_store *store, int64_t trial, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(
        store, "SELECT configuration, parent FROM question WHERE trial_id=$1 AND state='open'",
        SRV__ARGS(SRV__I(trial)), error);
    if (!query)
        return NULL;
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GError *failure = NULL;
    while (srv__query_next(query, &failure))
        for (int i = 0; i < 2; i++)
            if (!srv__query_null(query, i))
                g_hash_table_add(names, g_strdup(srv__query_text(query, i)));
    if (!failure)
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
    json_array_foreach (all, i, item) {
        const char *parent = json_string_value(json_object_get(item, "parent"));
        if (!g_hash_table_contains(names, json_string_value(json_object_get(item, "name"))))
            continue;
        if (parent && !g_hash_table_contains(names, parent))
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

bool srv__trial_batch(srv_store *store, int64_t trial, int64_t now_ms, GError **error) {
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
    bool good =
        names && srv__confirm_policy(store, json_integer_value(json_object_get(row, "series_id")),
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
           questions_insert(store, trial, id, ids, error) &&
           srv__trial_batch(store, id, now_ms, error);
}
