#include "server/views/job_held.h"

#include "server/queue/queue_queries.h"
#include "server/store/store_sql.h"

#include <string.h>

#define TABLES                                                                                     \
    " FROM job j JOIN project p ON p.id=j.project_id JOIN benchmark b ON b.id=j.benchmark_id"
/* As the queue decides it (queue_lease.c). */
#define IS_ABLE SRV__NODE_ABLE("n.name", "n.labels", "n.can")

typedef struct {
    srv_store *store;
    int64_t silent_before_ms;
    GHashTable *words; /* by what is needed of a node */
} holding;

static void add_node(GString *text, srv__query *row, int64_t silent_before_ms) {
    const int64_t seen_ms = srv__query_int(row, 1);
    g_autoptr(GDateTime) seen = g_date_time_new_from_unix_utc(seen_ms / 1000);
    g_autofree char *since = g_date_time_format(seen, "%Y-%m-%d %H:%M UTC");
    g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", srv__query_text(row, 0));
    if (seen_ms < silent_before_ms)
        g_string_append_printf(text, " has been silent since %s", since);
    else
        g_string_append_printf(text, " is paused (%s)", srv__query_text(row, 2));
}

/* The able ones that do not ask; NULL with error. */
static char *words_of(const holding *h, int64_t job, GError **error) {
    GError *failure = NULL;
    g_autoptr(GString) nodes = g_string_new(NULL);
    g_autoptr(srv__query) query =
        srv__query_new(h->store,
                       "SELECT n.name, n.seen_ms, n.paused" TABLES " JOIN node n ON " IS_ABLE
                       " WHERE j.id=$1 ORDER BY n.seen_ms DESC, n.name",
                       SRV__ARGS(SRV__I(job)), error);
    if (!query)
        return NULL;
    while (srv__query_next(query, &failure))
        add_node(nodes, query, h->silent_before_ms);
    if (failure) {
        g_propagate_error(error, failure);
        return NULL;
    }
    if (nodes->len == 0)
        return g_strdup("no suitable node has ever asked for work");
    return g_strdup_printf("no suitable node asks for work: %s", nodes->str);
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

bool srv_view_jobs_held(srv_store *store, json_t *jobs, int64_t silent_ms, int64_t now_ms,
                        GError **error) {
    int64_t low, high;
    GError *failure = NULL;
    g_autoptr(GHashTable) candidates = queued(jobs, &low, &high);
    g_autoptr(GHashTable) words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    const holding h = {store, now_ms - silent_ms, words};
    if (g_hash_table_size(candidates) == 0)
        return true;
    g_autoptr(srv__query) query = srv__query_new(
        store,
        "SELECT j.id, j.project_id || ' ' || (j.kind IN ('confirmation','bisection'))"
        " || (b.artifact IS NULL) || coalesce(j.only_node,'')" TABLES
        " WHERE j.state='queued' AND j.id BETWEEN $1 AND $2 AND NOT EXISTS(SELECT 1 FROM node n"
        " WHERE n.seen_ms>=$3 AND n.paused IS NULL AND " IS_ABLE ")",
        SRV__ARGS(SRV__I(low), SRV__I(high), SRV__I(h.silent_before_ms)), error);
    if (!query)
        return false;
    while (!failure && srv__query_next(query, &failure)) {
        const int64_t id = srv__query_int(query, 0);
        json_t *job = g_hash_table_lookup(candidates, &id);
        if (job)
            (void)hold(&h, job, srv__query_text(query, 1), &failure);
    }
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}
