#include "tests/unit/server/sql_text.h"

#include <glib.h>
#include <pthread.h>

static GHashTable *known; /* text and types → srv_sql */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const srv_sql *sql_text(const char *text, const char *types) {
    g_autofree char *key = g_strconcat(types, " ", text, NULL);
    pthread_mutex_lock(&lock);
    known = known ? known : g_hash_table_new(g_str_hash, g_str_equal);
    srv_sql *sql = g_hash_table_lookup(known, key);
    if (!sql) {
        sql = g_new(srv_sql, 1);
        *sql = (srv_sql){.name = g_intern_string(text),
                         .types = g_intern_string(types),
                         .text = g_intern_string(text)};
        g_hash_table_insert(known, g_steal_pointer(&key), sql);
    }
    pthread_mutex_unlock(&lock);
    return sql;
}

const srv_sql *sql_text_of_keys(const char *text) {
    g_autofree char *types = g_strnfill(64, 'i');
    return sql_text(text, types);
}
