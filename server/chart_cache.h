#pragma once
/*
 * chart_cache - finished charts by what they were drawn from, the least recently used go first.
 * Thread-safe. Memory: at most the bytes given, and a little for each entry.
 */
#include <glib.h>

typedef struct srv_chart_cache srv_chart_cache;

srv_chart_cache *srv_chart_cache_new(gsize max_bytes);
void srv_chart_cache_free(srv_chart_cache *cache);

/** srv_chart_cache_get - owned by the caller; NULL: not there. */
GBytes *srv_chart_cache_get(srv_chart_cache *cache, const char *key);

/** srv_chart_cache_put - keeps a copy of key and a reference to chart; too large a chart is not
 * kept. */
void srv_chart_cache_put(srv_chart_cache *cache, const char *key, GBytes *chart);
