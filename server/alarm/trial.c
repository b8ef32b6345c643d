#include "server/alarm/trial.h"

#include "config/json_text.h"
#include "detector/watch/confirm.h"
#include "server/alarm/trial_rows.h"
#include "server/store/job_kind.h"
#include "server/store/projects.h"
#include "sql/trial.h"

#include <math.h>

void srv__rest_shorten(json_t *benchmark, double loop_s) {
    json_int_t rest_s = cfg_json_integer(benchmark, "rest_seconds");
    double enough_s = ceil(loop_s / 10);
    if (loop_s > 0 && enough_s < (double)rest_s)
        json_object_set_new(benchmark, "rest_seconds", json_integer((json_int_t)enough_s));
}

/* What the next job of a trial is made from. */
typedef struct {
    int64_t series;
    json_t *body;      /* the benchmark of its night */
    double loop_s;     /* that a loop of it took */
    bool bridge;       /* it joins two environments */
    int64_t batches;   /* jobs that it has had */
    int64_t uncounted; /* open questions of which nothing is counted */
} trial_facts;

static const model_member facts_members[] = {MODEL(trial_facts, series, "series_id"),
                                             MODEL(trial_facts, body, "body"),
                                             MODEL(trial_facts, loop_s, "loop_seconds", MODEL_NULL),
                                             MODELS(trial_facts, bridge, batches, uncounted)};
static const model_noun facts_noun = MODEL_NOUN(trial_facts, facts_members, "trial");

/* "T + I + C + W" */
static char *whole_of(const srv__tree *tree, size_t c) {
    g_autoptr(GString) whole = g_string_new(tree->portion[c]);
    for (int p = tree->chain.parent[c]; p >= 0; p = tree->chain.parent[p]) {
        g_string_prepend(whole, " + ");
        g_string_prepend(whole, tree->portion[p]);
    }
    return g_string_free(g_steal_pointer(&whole), FALSE);
}

static bool question_keep(srv_store *store, int64_t trial, const srv__tree *tree,
                          const srv__question *question, int64_t *id, GError **error) {
    const size_t c = question->configuration;
    const int parent = tree->chain.parent[c];
    g_autofree char *whole = whole_of(tree, c);
    return srv__insert(store,
                       ASK(question_insert, trial, tree->name[c],
                           parent >= 0 ? tree->name[parent] : NULL, tree->portion[c],
                           question->expected_ns, question->alone ? "alone" : "both", whole,
                           question->alone ? question->level_ns : NAN,
                           question->dimension ? question->dimension : SRV__TIME),
                       id, error);
}

static json_t *night_benchmark(srv_store *store, int64_t experiment, GError **error) {
    static const model_member member[] = {MODEL_IT(json_t *, "body")};
    static const model_noun noun = MODEL_NOUN(json_t *, member, "benchmark");
    json_t *body;
    return srv__one(store, ASK(night_benchmark, experiment), &noun, &body, NULL, error) ? body
                                                                                        : NULL;
}

static const char *name_of(const json_t *configuration) {
    return cfg_json_word(configuration, "name", NULL);
}

static const char *parent_of(const json_t *all, const char *name) {
    size_t i;
    json_t *each;
    json_array_foreach (all, i, each)
        if (g_strcmp0(name_of(each), name) == 0)
            return cfg_json_word(each, "parent", NULL);
    return NULL;
}

/* The nearest one above it that stays; NULL: none does. */
static const char *above(const json_t *all, GHashTable *names, const char *name) {
    const char *parent = parent_of(all, name);
    while (parent && !g_hash_table_contains(names, parent))
        parent = parent_of(all, parent);
    return parent;
}

/* One run measures all of them: whoever is the first now has what the first one ran with. */
static void run_keep(const json_t *first, json_t *now) {
    static const char *const keys[] = {"command", "options", "environment", "receiver"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        json_object_set(now, keys[i], json_object_get(first, keys[i]));
}

void srv__benchmark_restrict(json_t *benchmark, GHashTable *names, unsigned loops) {
    json_t *all = json_object_get(benchmark, "configurations"), *kept = json_array();
    size_t i;
    json_t *item;
    const char *root = NULL; /* of the times; a value of another unit stands by itself */
    json_array_foreach (all, i, item) {
        if (!g_hash_table_contains(names, name_of(item)))
            continue;
        const char *parent = above(all, names, name_of(item));
        const bool time = !json_object_get(item, "unit");
        if (!parent && time)
            parent = root;
        if (!root && time)
            root = name_of(item);
        json_object_set_new(item, "parent", parent ? json_string(parent) : json_null());
        json_array_append(kept, item);
    }
    if (cfg_json_true(benchmark, "whole_rounds"))
        run_keep(json_array_get(all, 0), json_array_get(kept, 0));
    json_object_set_new(benchmark, "configurations", kept);
    json_object_set_new(benchmark, "loops", json_integer(loops));
}

void srv__count_not(json_t *benchmark) {
    json_object_update_existing_new(benchmark, json_pack("{s:s}", "count", "never"));
}

/* Its first job counts what both commits do, where their nights did not: a count is the same in
 * every run. */
static bool counts(const trial_facts *facts) {
    return facts->batches == 0 && facts->uncounted > 0 && json_object_get(facts->body, "count");
}

static bool job_insert(srv_store *store, int64_t trial, int64_t benchmark, int64_t now_ms,
                       GError **error) {
    int64_t job;
    return srv__insert(store,
                       ASK(trial_job_insert, trial, benchmark, srv__priority(SRV_KIND_BISECTION),
                           srv__priority(SRV_KIND_CONFIRMATION), now_ms, SRV__PRIORITY_BESIDE_TIME,
                           SRV__PRIORITY_BESIDE_LONG_AGO, srv__kind_name(SRV_KIND_BACKFILL)),
                       &job, error) &&
           srv__run(store, ASK(trial_job_note, job, trial), error) &&
           srv__run(store, ASK(trial_batch_count, trial), error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

static bool batch(srv_store *store, int64_t trial, bool in_turn, int64_t now_ms, GError **error) {
    MODEL_HELD(trial_facts, facts, facts_noun);
    det_confirm_policy policy;
    int64_t benchmark;
    if (!srv__one(store, ASK(trial_about, trial), &facts_noun, &facts, NULL, error))
        return false;
    json_t *body = facts.body;
    const bool count = counts(&facts);
    g_autoptr(GHashTable) names = srv__words(store, ASK(trial_names_open, trial, count), error);
    if (!names || !srv__confirm_policy(store, facts.series, &policy, error))
        return false;
    srv__benchmark_restrict(body, names, policy.step);
    srv__rest_shorten(body, facts.loop_s);
    if (in_turn || facts.bridge)
        json_object_set_new(body, "in_turn", json_true());
    if (count)
        json_object_set_new(body, "count_both", json_true());
    else
        srv__count_not(body);
    return srv__benchmark_keep(store, body, &benchmark, error) &&
           job_insert(store, trial, benchmark, now_ms, error);
}

bool srv__trial_batch(srv_store *store, int64_t trial, int64_t now_ms, GError **error) {
    return batch(store, trial, false, now_ms, error);
}

static bool question_insert(srv_store *store, int64_t id, const srv__tree *tree,
                            const srv__question *question, int64_t *key, GError **error) {
    const size_t c = question->configuration;
    srv__tree own = *tree;
    MODEL_HELD(srv__counted, counted, srv__counted_model);
    bool there;
    srv__tree_of(&own, det_dimension_find(question->dimension));
    if (!question_keep(store, id, &own, question, key, error))
        return false;
    if (question->dimension && !g_str_equal(question->dimension, SRV__TIME))
        return true;
    return srv__one(store, ASK(trial_counted, id, tree->name[c]), &srv__counted_model, &counted,
                    &there, error) &&
           (!there || srv__question_count(store, *key, &counted, error));
}

static bool questions_insert(srv_store *store, const srv__trial *trial, int64_t id, int64_t *ids,
                             GError **error) {
    srv__tree tree;
    json_auto_t *body = night_benchmark(store, trial->experiment, error);
    bool good = body && srv__tree_read(&tree, body, error);
    for (size_t i = 0; good && i < trial->count; i++)
        good = question_insert(store, id, &tree, &trial->questions[i], &ids[i], error);
    return good;
}

/* That of another dimension's, of the same commits, or a new one. */
static bool trial_of(srv_store *store, const srv__trial *trial, int64_t now_ms, int64_t *id,
                     GError **error) {
    *id = 0;
    if (trial->later &&
        !srv__number(store, ASK(trial_unbegun, trial->series, trial->experiment, trial->before), 0,
                     id, error))
        return false;
    return *id != 0 || srv__insert(store,
                                   ASK(trial_insert, trial->series, trial->kind, trial->after,
                                       trial->before, trial->experiment, trial->node, now_ms),
                                   id, error);
}

bool srv__trial_start(srv_store *store, const srv__trial *trial, int64_t now_ms, int64_t *ids,
                      GError **error) {
    int64_t id;
    return trial_of(store, trial, now_ms, &id, error) &&
           questions_insert(store, trial, id, ids, error) &&
           (trial->later || batch(store, id, trial->in_turn, now_ms, error));
}

static GArray *unbegun(srv_store *store, int64_t project, int64_t now_ms, GError **error) {
    return srv__ids(
        store,
        ASK(trials_unbegun, project, srv__kind_name(SRV_KIND_BACKFILL), now_ms - SRV__STRANDED_MS),
        error);
}

bool srv__trials_begin(srv_store *store, int64_t project, int64_t now_ms, GError **error) {
    g_autoptr(GArray) ids = unbegun(store, project, now_ms, error);
    bool good = ids != NULL;
    for (guint i = 0; good && i < ids->len; i++)
        good = batch(store, g_array_index(ids, int64_t, i), false, now_ms, error);
    return good;
}

bool srv__trials_begin_late(srv_store *store, int64_t now_ms, GError **error) {
    g_autoptr(GArray) seen = unbegun(store, 0, now_ms, error);
    if (!seen || seen->len == 0)
        return seen != NULL;
    return srv__begin(store, error) &&
           srv__end(store, srv__trials_begin(store, 0, now_ms, error), error);
}

bool srv__trials_forget(srv_store *store, int64_t series, int64_t experiment, GError **error) {
    return srv__run(store, ASK(suspicions_forget, series, experiment), error) &&
           srv__run(store, ASK(questions_forget, series), error) &&
           srv__run(store, ASK(trials_forget, series), error);
}

static bool cancel(srv_store *store, const srv__stranded *s, const GArray *jobs, int64_t now_ms,
                   GError **error) {
    bool good = jobs != NULL;
    for (guint i = 0; good && i < jobs->len; i++) {
        const int64_t job = g_array_index(jobs, int64_t, i);
        good = srv__job_cancel(store, job, s->reason, now_ms, error) &&
               s->failed(store, job, s->reason, now_ms, error);
    }
    return good;
}

bool srv__stranded_cancel(srv_store *store, const srv__stranded *stranded, int64_t now_ms,
                          GError **error) {
    const int64_t before_ms = now_ms - SRV__STRANDED_MS;
    g_autoptr(GArray) seen = stranded->list(store, before_ms, error);
    if (!seen || seen->len == 0)
        return seen != NULL;
    if (!srv__begin(store, error))
        return false;
    /* Again inside the transaction: a node may just have come for one. */
    g_autoptr(GArray) jobs = stranded->list(store, before_ms, error);
    return srv__end(store, cancel(store, stranded, jobs, now_ms, error), error);
}
