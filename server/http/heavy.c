#include "server/http/heavy.h"

#include "server/http/rate.h"

#include <pthread.h>

struct srv__heavy {
    pthread_mutex_t lock;
    GHashTable *clients; /* of whom there are any: key → how many */
    unsigned all;
};

srv__heavy *srv__heavy_new(void) {
    srv__heavy *heavy = g_new0(srv__heavy, 1);
    pthread_mutex_init(&heavy->lock, NULL);
    heavy->clients = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return heavy;
}

void srv__heavy_free(srv__heavy *heavy) {
    if (!heavy)
        return;
    pthread_mutex_destroy(&heavy->lock);
    g_hash_table_unref(heavy->clients);
    g_free(heavy);
}

static unsigned of_client(const srv__heavy *heavy, const char *key) {
    return GPOINTER_TO_UINT(g_hash_table_lookup(heavy->clients, key));
}

bool srv__heavy_enter(srv__heavy *heavy, const char *client) {
    const unsigned most = srv_rate_is_loopback(client) ? SRV__HEAVY_MAX : SRV__HEAVY_CLIENT;
    char key[SRV_RATE_KEY_SIZE];
    srv_rate_key(client, key);
    pthread_mutex_lock(&heavy->lock);
    const unsigned own = of_client(heavy, key);
    const bool room = heavy->all < SRV__HEAVY_MAX && own < most;
    if (room) {
        heavy->all++;
        g_hash_table_insert(heavy->clients, g_strdup(key), GUINT_TO_POINTER(own + 1));
    }
    pthread_mutex_unlock(&heavy->lock);
    return room;
}

void srv__heavy_leave(srv__heavy *heavy, const char *client) {
    char key[SRV_RATE_KEY_SIZE];
    srv_rate_key(client, key);
    pthread_mutex_lock(&heavy->lock);
    const unsigned own = of_client(heavy, key);
    heavy->all--;
    if (own > 1)
        g_hash_table_insert(heavy->clients, g_strdup(key), GUINT_TO_POINTER(own - 1));
    else
        g_hash_table_remove(heavy->clients, key);
    pthread_mutex_unlock(&heavy->lock);
}
