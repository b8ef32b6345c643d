#include "server/ground/refusals.h"

#include "server/ground/thread.h"

#include <pthread.h>

#define HOUR_MS INT64_C(3600000)

struct srv_refusals {
    pthread_mutex_t lock;
    int64_t hour;
    GHashTable *known;   /* keys of this hour */
    GHashTable *waiting; /* key → srv_refusal */
};

static void refusal_free(void *data) {
    srv_refusal *gone = data;
    g_free(gone->client);
    g_free(gone->who);
    g_free(gone->what);
    g_free(gone->why);
    g_free(gone);
}

static GHashTable *table_new(void) {
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, refusal_free);
}

srv_refusals *srv_refusals_new(void) {
    srv_refusals *refusals = g_new0(srv_refusals, 1);
    pthread_mutex_init(&refusals->lock, NULL);
    refusals->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    refusals->waiting = table_new();
    return refusals;
}

void srv_refusals_free(srv_refusals *refusals) {
    if (!refusals)
        return;
    pthread_mutex_destroy(&refusals->lock);
    g_hash_table_unref(refusals->known);
    g_hash_table_unref(refusals->waiting);
    g_free(refusals);
}

/* No text has a line's end in it: requests have no control characters, names no space. */
static char *key_of(const char *client, const char *who, const char *what, const char *why) {
    return g_strjoin("\n", client, who, what, why, NULL);
}

/* Counts it under its key, which is taken; the texts are copied when it is the first that waits. */
static void count(srv_refusals *refusals, char *key, const srv_refusal *as) {
    srv_refusal *waiting = g_hash_table_lookup(refusals->waiting, key);
    if (waiting) {
        waiting->count++;
        waiting->last_ms = as->last_ms;
        g_free(key);
        return;
    }
    waiting = g_new0(srv_refusal, 1);
    *waiting = (srv_refusal){.client = g_strdup(as->client),
                             .who = g_strdup(as->who),
                             .what = g_strdup(as->what),
                             .why = g_strdup(as->why),
                             .first_ms = as->first_ms,
                             .last_ms = as->last_ms,
                             .count = 1};
    g_hash_table_insert(refusals->waiting, key, waiting);
}

bool srv_refusals_add(srv_refusals *refusals, const char *client, const char *who, const char *what,
                      const char *why, int64_t now_ms) {
    char others[] = SRV_REFUSALS_OTHERS, nothing[] = "";
    g_autofree char *from = g_strdup(client ? client : ""), *by = g_strdup(who ? who : "");
    g_autofree char *call = g_strdup(what), *because = g_strdup(why);
    srv_refusal as = {from, by, call, because, now_ms, now_ms, 1};
    char *key = key_of(from, by, what, why);
    SRV_HOLD(&refusals->lock);
    if (now_ms / HOUR_MS != refusals->hour) {
        refusals->hour = now_ms / HOUR_MS;
        g_hash_table_remove_all(refusals->known);
    }
    bool first = !g_hash_table_contains(refusals->known, key);
    if (first && g_hash_table_size(refusals->known) >= SRV_REFUSALS_MAX) {
        g_free(key);
        as = (srv_refusal){others, nothing, others, nothing, now_ms, now_ms, 1};
        key = g_strdup(SRV_REFUSALS_OTHERS);
        first = !g_hash_table_contains(refusals->known, key);
    }
    if (first)
        g_hash_table_add(refusals->known, g_strdup(key));
    count(refusals, key, &as);
    return first;
}

GPtrArray *srv_refusals_take(srv_refusals *refusals) {
    GPtrArray *all = g_ptr_array_new_with_free_func(refusal_free);
    GHashTableIter each;
    gpointer key, refusal;
    SRV_HOLD(&refusals->lock);
    g_hash_table_iter_init(&each, refusals->waiting);
    while (g_hash_table_iter_next(&each, &key, &refusal)) {
        g_hash_table_iter_steal(&each);
        g_free(key);
        g_ptr_array_add(all, refusal);
    }
    return all;
}
