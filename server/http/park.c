#include "server/http/park.h"

#include <pthread.h>

typedef struct {
    srv_request *request;
    int64_t due_us;
} entry;

struct srv_park {
    pthread_mutex_t lock;
    GArray *entries;
    unsigned woken; /* how often */
    bool closed;
    srv_park_fn back;
    void *user;
};

srv_park *srv_park_new(srv_park_fn back, void *user) {
    srv_park *park = g_new0(srv_park, 1);
    pthread_mutex_init(&park->lock, NULL);
    park->entries = g_array_new(FALSE, FALSE, sizeof(entry));
    park->back = back;
    park->user = user;
    return park;
}

void srv_park_free(srv_park *park) {
    if (!park)
        return;
    pthread_mutex_destroy(&park->lock);
    g_array_unref(park->entries);
    g_free(park);
}

unsigned srv_park_mark(srv_park *park) {
    pthread_mutex_lock(&park->lock);
    unsigned mark = park->woken;
    pthread_mutex_unlock(&park->lock);
    return mark;
}

void srv_park_add(srv_park *park, srv_request *request, int64_t due_us, unsigned mark) {
    entry next = {request, due_us};
    pthread_mutex_lock(&park->lock);
    bool stays = mark == park->woken && !park->closed;
    if (stays)
        g_array_append_val(park->entries, next);
    pthread_mutex_unlock(&park->lock);
    if (!stays)
        park->back(request, park->user);
}

/* Takes out those due by then and hands them back; returns when the first of the others is due. */
static int64_t release(srv_park *park, int64_t until_us) {
    int64_t next_us = INT64_MAX;
    g_autoptr(GArray) out = g_array_new(FALSE, FALSE, sizeof(entry));
    pthread_mutex_lock(&park->lock);
    for (guint i = 0; i < park->entries->len;) {
        entry next = g_array_index(park->entries, entry, i);
        if (next.due_us <= until_us) {
            g_array_append_val(out, next);
            g_array_remove_index(park->entries, i);
        } else {
            next_us = MIN(next_us, next.due_us);
            i++;
        }
    }
    pthread_mutex_unlock(&park->lock);
    for (guint i = 0; i < out->len; i++)
        park->back(g_array_index(out, entry, i).request, park->user);
    return next_us;
}

void srv_park_wake(srv_park *park) {
    pthread_mutex_lock(&park->lock);
    park->woken++;
    pthread_mutex_unlock(&park->lock);
    release(park, INT64_MAX);
}

int64_t srv_park_expire(srv_park *park) {
    return release(park, g_get_monotonic_time());
}

void srv_park_close(srv_park *park) {
    pthread_mutex_lock(&park->lock);
    park->closed = true;
    pthread_mutex_unlock(&park->lock);
    release(park, INT64_MAX);
}

bool srv_park_closed(srv_park *park) {
    pthread_mutex_lock(&park->lock);
    bool closed = park->closed;
    pthread_mutex_unlock(&park->lock);
    return closed;
}
