#include "server/views/job_held.h"

#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "sql/views.h"

#include <string.h>

typedef struct {
    srv_store *store;
    int64_t silent_before_ms;
    GHashTable *words; /* by what is needed of a node */
} holding;

static void add_node(GString *text, const json_t *node, int64_t silent_before_ms) {
    const int64_t seen_ms = json_integer_value(json_object_get(node, "seen_ms"));
    g_autoptr(GDateTime) seen = g_date_time_new_from_unix_utc(seen_ms / 1000);
    g_autofree char *since = g_date_time_format(seen, "%Y-%m-%d %H:%M UTC");
    g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                           json_string_value(json_object_get(node, "name")));
    if (seen_ms < silent_before_ms)
        g_string_append_printf(text, " has been silent since %s", since);
    else
        g_string_append_printf(text, " is paused (%s)",
                               json_string_value(json_object_get(node, "paused")));
}

/* The able ones that do not ask; NULL with error. */
static char *words_of(const holding *h, int64_t job, GError **error) {
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *able = srv__array(h->store, SQL(nodes_able), SRV__ARGS(SRV__I(job)), error);
    size_t i;
    json_t *node;
    if (!able)
        return NULL;
    json_array_foreach (able, i, node)
        add_node(text, node, h->silent_before_ms);
    json_decref(able);
    if (text->len == 0)
        return g_strdup("no suitable node has ever asked for work");
    return g_strdup_printf("no suitable node asks for work: %s", text->str);
}

/* What such a job needs of a node: jobs that need the same are held by the same. */
static char *needs_of(const json_t *row) {
    const char *node = json_string_value(json_object_get(row, "only_node"));
    return g_strdup_printf("%" G_GINT64_FORMAT " %d%d%s",
                           (int64_t)json_integer_value(json_object_get(row, "project_id")),
                           json_is_true(json_object_get(row, "trial")),
                           json_is_true(json_object_get(row, "artifact")), node ? node : "");
}

static bool hold(const holding *h, json_t *job, const char *needs, GError **error) {
    const char *text = g_hash_table_lookup(h->words, needs);
    if (!text) {
        char *made = words_of(h, json_integer_value(json_object_get(job, "id")), error);
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
        const int64_t id = json_integer_value(json_object_get(job, "id"));
        json_object_set_new(job, "held", json_null());
        if (g_strcmp0(json_string_value(json_object_get(job, "state")), "queued") != 0 ||
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
    json_auto_t *rows = srv__array(store, SQL(jobs_over_budget),
                                   SRV__ARGS(SRV__I(low), SRV__I(high), SRV__I(now_ms)), error);
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const int64_t id = json_integer_value(json_object_get(row, "id"));
        json_t *job = g_hash_table_lookup(candidates, &id);
        g_autofree char *text =
            g_strdup_printf("measuring again took %.3g of its %.3g minutes in the last 24 hours "
                            "(detection.remeasure_minutes); it continues with the next night, or "
                            "when the first of these minutes are a day old",
                            json_number_value(json_object_get(row, "spent")),
                            json_number_value(json_object_get(row, "allowed")));
        if (job)
            json_object_set_new(job, "held", json_string(text));
    }
    return rows != NULL;
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
    json_t *rows =
        srv__array(store, SQL(jobs_unasked),
                   SRV__ARGS(SRV__I(low), SRV__I(high), SRV__I(h.silent_before_ms)), error);
    bool good = rows != NULL;
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const int64_t id = json_integer_value(json_object_get(row, "id"));
        json_t *job = g_hash_table_lookup(candidates, &id);
        g_autofree char *needs = needs_of(row);
        good = good && (!job || hold(&h, job, needs, error));
    }
    json_decref(rows);
    return good;
}
