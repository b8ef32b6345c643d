#include "server/ground/lru.h"

#include "server/ground/thread.h"

#include <pthread.h>
#include <string.h>

/* ENTRY_BYTES: entry, link, place in the table and what malloc adds. */
enum { ENTRIES_MAX = 4096, ENTRY_BYTES = 200 };

typedef struct {
    char *key;
    uint64_t generation;
    gpointer thing;
    gsize bytes;
} entry;

struct srv_lru {
    pthread_mutex_t lock;
    GHashTable *links; /* key → GList in order */
    GQueue order;      /* entry, most recently used first */
    gsize bytes;
    gsize max_bytes;
    gpointer (*ref)(gpointer);
    void (*unref)(gpointer);
};

srv_lru *srv_lru_new(gsize max_bytes, gpointer (*ref)(gpointer), void (*unref)(gpointer)) {
    srv_lru *lru = g_new0(srv_lru, 1);
    pthread_mutex_init(&lru->lock, NULL);
    lru->links = g_hash_table_new(g_str_hash, g_str_equal);
    g_queue_init(&lru->order);
    lru->max_bytes = max_bytes;
    lru->ref = ref;
    lru->unref = unref;
    return lru;
}

static void drop(srv_lru *lru, GList *link) {
    entry *e = link->data;
    g_hash_table_remove(lru->links, e->key);
    g_queue_delete_link(&lru->order, link);
    lru->bytes -= e->bytes;
    lru->unref(e->thing);
    g_free(e->key);
    g_free(e);
}

void srv_lru_free(srv_lru *lru) {
    if (!lru)
        return;
    while (!g_queue_is_empty(&lru->order))
        drop(lru, lru->order.tail);
    g_hash_table_unref(lru->links);
    pthread_mutex_destroy(&lru->lock);
    g_free(lru);
}

gpointer srv_lru_get(srv_lru *lru, const char *key, uint64_t generation) {
    gpointer thing = NULL;
    SRV_HOLD(&lru->lock);
    GList *link = g_hash_table_lookup(lru->links, key);
    entry *found = link ? link->data : NULL;
    if (found && found->generation != generation) {
        drop(lru, link);
    } else if (found) {
        g_queue_unlink(&lru->order, link);
        g_queue_push_head_link(&lru->order, link);
        thing = lru->ref(found->thing);
    }
    return thing;
}

void srv_lru_put(srv_lru *lru, const char *key, uint64_t generation, gpointer thing, gsize bytes) {
    bytes += strlen(key) + ENTRY_BYTES;
    if (bytes > lru->max_bytes / 2)
        return;
    entry *next = g_new(entry, 1);
    *next = (entry){g_strdup(key), generation, lru->ref(thing), bytes};
    SRV_HOLD(&lru->lock);
    GList *link = g_hash_table_lookup(lru->links, key);
    if (link)
        drop(lru, link);
    g_queue_push_head(&lru->order, next);
    g_hash_table_insert(lru->links, next->key, lru->order.head);
    lru->bytes += bytes;
    while (lru->bytes > lru->max_bytes || lru->order.length > ENTRIES_MAX)
        drop(lru, lru->order.tail);
}
