#include "server/http_keep.h"

#include "server/lru.h"

#include <pthread.h>

struct srv__http_keep {
    srv_lru *answers;
    pthread_mutex_t lock;
    GHashTable *making; /* generation and target → GPtrArray of waiters */
};

static gpointer ref(gpointer kept) {
    return srv__http_kept_ref(kept);
}

static void unref(gpointer kept) {
    srv__http_kept_unref(kept);
}

srv__http_keep *srv__http_keep_new(gsize max_bytes) {
    srv__http_keep *keep = g_new0(srv__http_keep, 1);
    keep->answers = srv_lru_new(max_bytes, ref, unref);
    keep->making = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    pthread_mutex_init(&keep->lock, NULL);
    return keep;
}

void srv__http_keep_free(srv__http_keep *keep) {
    if (keep == NULL)
        return;
    srv_lru_free(keep->answers);
    g_hash_table_unref(keep->making);
    pthread_mutex_destroy(&keep->lock);
    g_free(keep);
}

/* What waits for an older generation must not get it in a newer one's place. */
static char *name_of(const char *target, uint64_t generation) {
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", generation, target);
}

srv__http_kept *srv__http_keep_find(srv__http_keep *keep, const char *target, uint64_t generation) {
    return srv_lru_get(keep->answers, target, generation);
}

srv__http_kept *srv__http_keep_join(srv__http_keep *keep, const char *target, uint64_t generation,
                                    void *waiter, bool *lead) {
    g_autofree char *name = name_of(target, generation);
    *lead = false;
    pthread_mutex_lock(&keep->lock);
    srv__http_kept *kept = srv_lru_get(keep->answers, target, generation);
    GPtrArray *waiters = kept == NULL ? g_hash_table_lookup(keep->making, name) : NULL;
    if (waiters != NULL) {
        g_ptr_array_add(waiters, waiter);
    } else if (kept == NULL) {
        g_hash_table_insert(keep->making, g_steal_pointer(&name), g_ptr_array_new());
        *lead = true;
    }
    pthread_mutex_unlock(&keep->lock);
    return kept;
}

GPtrArray *srv__http_keep_done(srv__http_keep *keep, const char *target, uint64_t generation,
                               srv__http_kept *kept) {
    g_autofree char *name = name_of(target, generation);
    pthread_mutex_lock(&keep->lock);
    if (kept != NULL)
        srv__http_keep_put(keep, target, generation, kept);
    GPtrArray *waiters = g_hash_table_lookup(keep->making, name);
    g_hash_table_remove(keep->making, name);
    pthread_mutex_unlock(&keep->lock);
    return waiters;
}

void srv__http_keep_put(srv__http_keep *keep, const char *target, uint64_t generation,
                        srv__http_kept *kept) {
    srv_lru_put(keep->answers, target, generation, kept, srv__http_kept_bytes(kept));
}
