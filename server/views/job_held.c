
#include "config/json_text.h"
#include "server/ground/clock.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "sql/views.h"

typedef struct {
    srv_store *store;
    int64_t silent_before_ms;
    GHashTable *words; /* by what is needed of a node */
} holding;

typedef struct {
    char *name, *paused; /* paused: why; NULL: it is not */
    int64_t seen_ms;
} able_node;

static const model_member able_members[] = {MODELS(able_node, name, seen_ms),
                                            MODEL(able_node, paused, "paused", MODEL_NULL)};
static const model_noun able_noun = MODEL_NOUN(able_node, able_members, "node");

/* A queued job for which no node asks. */
typedef struct {
    int64_t id, project;
    bool trial, artifact, off; /* off: its project is not measured */
    char *only_node;
} unasked;

static const model_member unasked_members[] = {
    MODEL(unasked, id, "id"), MODEL(unasked, project, "project_id"),
    MODELS(unasked, trial, artifact, off), MODEL(unasked, only_node, "only_node", MODEL_NULL)};
static const model_noun unasked_noun = MODEL_NOUN(unasked, unasked_members, "job");

/* One that has no minutes left. */
typedef struct {
    int64_t id;
    double spent, allowed;
} over_budget;

static const model_member over_members[] = {MODEL(over_budget, id, "id"),
                                            MODEL_NULLS(over_budget, spent, allowed)};
static const model_noun over_noun = MODEL_NOUN(over_budget, over_members, "job");

static void add_node(GString *text, const able_node *node, int64_t silent_before_ms) {
    g_autofree char *since = srv_minute_text(node->seen_ms);
    g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", node->name);
    if (node->seen_ms < silent_before_ms)
        g_string_append_printf(text, " has been silent since %s", since);
    else
        g_string_append_printf(text, " is paused (%s)", node->paused);
}

/* The able ones that do not ask; NULL with error. */
static char *words_of(const holding *h, int64_t job, GError **error) {
    g_autoptr(GString) text = g_string_new(NULL);
    g_auto(model_list) able = {0};
    if (!srv__many(h->store, ASK(nodes_able, job), &able_noun, &able, error))
        return NULL;
    for (unsigned i = 0; i < able.count; i++)
        add_node(text, (const able_node *)able.items + i, h->silent_before_ms);
    if (text->len == 0)
        return g_strdup("no suitable node has ever asked for work");
    return g_strdup_printf("no suitable node asks for work: %s", text->str);
}

/* What such a job needs of a node: jobs that need the same are held by the same. */
static char *needs_of(const unasked *job) {
    return g_strdup_printf("%" G_GINT64_FORMAT " %d%d%d%s", job->project, job->trial, job->artifact,
                           job->off, job->only_node ? job->only_node : "");
}

static bool hold(const holding *h, json_t *job, const unasked *row, GError **error) {
    g_autofree char *needs = needs_of(row);
    const char *text = g_hash_table_lookup(h->words, needs);
    if (!text) {
        char *made = row->off ? g_strdup("its project is switched off: it has no file in "
                                         "projects_dir, or one that says enabled: false")
                              : words_of(h, row->id, error);
        if (!made)
            return false;
        g_hash_table_insert(h->words, g_strdup(needs), made);
        text = made;
    }
    json_object_set_new(job, "held", json_string(text));
    return true;
}

/* id → job of those that could be held; low, high: out. */
static GHashTable *queued(json_t *jobs, int64_t *low, int64_t *high) {
    GHashTable *found = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    size_t i;
    json_t *job;
    *low = INT64_MAX;
    *high = 0;
    json_array_foreach (jobs, i, job) {
        const int64_t id = cfg_json_integer(job, "id");
        json_object_set_new(job, "held", json_null());
        if (g_strcmp0(cfg_json_word(job, "state", NULL), "queued") != 0 ||
            json_is_object(json_object_get(job, "waiting")))
            continue;
        g_hash_table_insert(found, g_memdup2(&id, sizeof id), job);
        *low = MIN(*low, id);
        *high = MAX(*high, id);
    }
    return found;
}

/* Measuring again that has used its minutes up. */
static bool hold_budget(srv_store *store, GHashTable *candidates, int64_t low, int64_t high,
                        int64_t now_ms, GError **error) {
    g_auto(model_list) rows = {0};
    if (!srv__many(store, ASK(jobs_over_budget, low, high, now_ms), &over_noun, &rows, error))
        return false;
    for (unsigned i = 0; i < rows.count; i++) {
        const over_budget *row = (const over_budget *)rows.items + i;
        json_t *job = g_hash_table_lookup(candidates, &row->id);
        g_autofree char *text =
            g_strdup_printf("measuring again took %.3g of its %.3g minutes in the last 24 hours "
                            "(detection.remeasure_minutes); it continues with the next night, or "
                            "when the first of these minutes are a day old",
                            row->spent, row->allowed);
        if (job)
            json_object_set_new(job, "held", json_string(text));
    }
    return true;
}

bool srv_view_jobs_held(srv_store *store, json_t *jobs, int64_t silent_ms, int64_t now_ms,
                        GError **error) {
    int64_t low, high;
    g_autoptr(GHashTable) candidates = queued(jobs, &low, &high);
    g_autoptr(GHashTable) words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    const holding h = {store, now_ms - silent_ms, words};
    if (g_hash_table_size(candidates) == 0)
        return true;
    if (!hold_budget(store, candidates, low, high, now_ms, error))
        return false;
    g_auto(model_list) rows = {0};
    bool good = srv__many(store, ASK(jobs_unasked, low, high, h.silent_before_ms), &unasked_noun,
                          &rows, error);
    for (unsigned i = 0; good && i < rows.count; i++) {
        const unasked *row = (const unasked *)rows.items + i;
        json_t *job = g_hash_table_lookup(candidates, &row->id);
        good = !job || hold(&h, job, row, error);
    }
    return good;
}
