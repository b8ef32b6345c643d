#include "server/store/db_gate.h"

#include "server/ground/thread.h"

#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <time.h>

struct srv__gate {
    char *path;
    unsigned users;
    pthread_mutex_t lock;
    pthread_cond_t free;
    bool taken;
};

static pthread_mutex_t gates_lock = PTHREAD_MUTEX_INITIALIZER;
static GHashTable *gates; /* path → gate that somebody uses */

srv__gate *srv__gate_open(const char *path) {
    SRV_HOLD(&gates_lock);
    if (!gates)
        gates = g_hash_table_new(g_str_hash, g_str_equal);
    srv__gate *gate = g_hash_table_lookup(gates, path);
    if (!gate) {
        gate = g_new0(srv__gate, 1);
        gate->path = g_strdup(path);
        pthread_mutex_init(&gate->lock, NULL);
        pthread_cond_init(&gate->free, NULL);
        g_hash_table_insert(gates, gate->path, gate);
    }
    gate->users++;
    return gate;
}

void srv__gate_close(srv__gate *gate) {
    if (!gate)
        return;
    pthread_mutex_lock(&gates_lock);
    const bool last = --gate->users == 0;
    if (last)
        g_hash_table_remove(gates, gate->path);
    if (g_hash_table_size(gates) == 0)
        g_clear_pointer(&gates, g_hash_table_unref);
    pthread_mutex_unlock(&gates_lock);
    if (!last)
        return;
    pthread_mutex_destroy(&gate->lock);
    pthread_cond_destroy(&gate->free);
    g_free(gate->path);
    g_free(gate);
}

static struct timespec in_ms(int ms) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / 1000;
    at.tv_nsec += ms % 1000 * 1000000L;
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    return at;
}

bool srv__gate_enter(srv__gate *gate, int patience_ms) {
    const struct timespec end = in_ms(patience_ms);
    int waited = 0;
    SRV_HOLD(&gate->lock);
    while (gate->taken && waited != ETIMEDOUT)
        waited = pthread_cond_clockwait(&gate->free, &gate->lock, CLOCK_MONOTONIC, &end);
    const bool good = !gate->taken;
    gate->taken = true;
    return good;
}

void srv__gate_leave(srv__gate *gate) {
    SRV_HOLD(&gate->lock);
    gate->taken = false;
    pthread_cond_signal(&gate->free);
}
