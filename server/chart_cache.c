#include "server/chart_cache.h"

#include <pthread.h>
#include <string.h>

typedef struct {
    char *key;
    GBytes *chart;
} entry;

struct srv_chart_cache {
    pthread_mutex_t lock;
    GHashTable *links; /* key → GList in order */
    GQueue order;      /* entry, most recently used first */
    gsize bytes;
    gsize max_bytes;
};

static void drop_last(srv_chart_cache *cache) {
    entry *last = g_queue_pop_tail(&cache->order);
    g_hash_table_remove(cache->links, last->key);
    cache->bytes -= g_bytes_get_size(last->chart);
    g_bytes_unref(last->chart);
    g_free(last->key);
    g_free(last);
}

srv_chart_cache *srv_chart_cache_new(gsize max_bytes) {
    srv_chart_cache *cache = g_new0(srv_chart_cache, 1);
    pthread_mutex_init(&cache->lock, NULL);
    cache->links = g_hash_table_new(g_str_hash, g_str_equal);
    g_queue_init(&cache->order);
    cache->max_bytes = max_bytes;
    return cache;
}

void srv_chart_cache_free(srv_chart_cache *cache) {
    if (cache == NULL)
        return;
    while (!g_queue_is_empty(&cache->order))
        drop_last(cache);
    g_hash_table_unref(cache->links);
    pthread_mutex_destroy(&cache->lock);
    g_free(cache);
}

GBytes *srv_chart_cache_get(srv_chart_cache *cache, const char *key) {
    GBytes *chart = NULL;
    pthread_mutex_lock(&cache->lock);
    GList *link = g_hash_table_lookup(cache->links, key);
    if (link != NULL) {
        g_queue_unlink(&cache->order, link);
        g_queue_push_head_link(&cache->order, link);
        chart = g_bytes_ref(((entry *)link->data)->chart);
    }
    pthread_mutex_unlock(&cache->lock);
    return chart;
}

void srv_chart_cache_put(srv_chart_cache *cache, const char *key, GBytes *chart) {
    gsize size = g_bytes_get_size(chart);
    if (size > cache->max_bytes / 4)
        return;
    pthread_mutex_lock(&cache->lock);
    if (g_hash_table_lookup(cache->links, key) == NULL) {
        entry *next = g_new(entry, 1);
        next->key = g_strdup(key);
        next->chart = g_bytes_ref(chart);
        g_queue_push_head(&cache->order, next);
        g_hash_table_insert(cache->links, next->key, cache->order.head);
        cache->bytes += size;
        while (cache->bytes > cache->max_bytes)
            drop_last(cache);
    }
    pthread_mutex_unlock(&cache->lock);
}
