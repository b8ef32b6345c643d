#include "server/http/http_keep.h"

#include "server/ground/lru.h"

#include <pthread.h>

struct srv__http_keep {
    srv_lru *answers;
    const srv_changes *changes;
    pthread_mutex_t lock;
    GHashTable *making; /* generation and key → GPtrArray of waiters */
};

static gpointer ref(gpointer kept) {
    return srv__http_kept_ref(kept);
}

static void unref(gpointer kept) {
    srv__http_kept_unref(kept);
}

srv__http_keep *srv__http_keep_new(gsize max_bytes, const srv_changes *changes) {
    srv__http_keep *keep = g_new0(srv__http_keep, 1);
    keep->answers = srv_lru_new(max_bytes, ref, unref);
    keep->changes = changes;
    keep->making = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    pthread_mutex_init(&keep->lock, NULL);
    return keep;
}

void srv__http_keep_free(srv__http_keep *keep) {
    if (!keep)
        return;
    srv_lru_free(keep->answers);
    g_hash_table_unref(keep->making);
    pthread_mutex_destroy(&keep->lock);
    g_free(keep);
}

/* What waits for an older generation must not get it in a newer one's place. */
static char *name_of(const srv__http_what *what) {
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", what->generation, what->key);
}

srv__http_kept *srv__http_keep_find(srv__http_keep *keep, const char *key) {
    return srv_lru_get(keep->answers, key, srv_changes_now(keep->changes));
}

srv__http_kept *srv__http_keep_join(srv__http_keep *keep, srv__http_what *what, void *waiter,
                                    bool *lead) {
    what->generation = srv_changes_now(keep->changes);
    g_autofree char *name = name_of(what);
    *lead = false;
    pthread_mutex_lock(&keep->lock);
    srv__http_kept *kept = srv__http_keep_find(keep, what->key);
    GPtrArray *waiters = !kept ? g_hash_table_lookup(keep->making, name) : NULL;
    if (waiters) {
        g_ptr_array_add(waiters, waiter);
    } else if (!kept) {
        g_hash_table_insert(keep->making, g_steal_pointer(&name), g_ptr_array_new());
        *lead = true;
    }
    pthread_mutex_unlock(&keep->lock);
    return kept;
}

GPtrArray *srv__http_keep_done(srv__http_keep *keep, const srv__http_what *what,
                               srv__http_kept *kept) {
    g_autofree char *name = name_of(what);
    pthread_mutex_lock(&keep->lock);
    if (kept)
        srv_lru_put(keep->answers, what->key, what->generation, kept, srv__http_kept_bytes(kept));
    GPtrArray *waiters = g_hash_table_lookup(keep->making, name);
    g_hash_table_remove(keep->making, name);
    pthread_mutex_unlock(&keep->lock);
    return waiters;
}
