#include "server/http/longpoll.h"

#include "server/ground/thread.h"

#include <pthread.h>

typedef struct {
    srv_request *request;
    int64_t due_us;
} entry;

struct srv_longpoll {
    pthread_mutex_t lock;
    GArray *entries;
    unsigned woken; /* how often */
    bool closed;
    srv_longpoll_fn back;
    void *user;
};

srv_longpoll *srv_longpoll_new(srv_longpoll_fn back, void *user) {
    srv_longpoll *waiting = g_new0(srv_longpoll, 1);
    pthread_mutex_init(&waiting->lock, NULL);
    waiting->entries = g_array_new(FALSE, FALSE, sizeof(entry));
    waiting->back = back;
    waiting->user = user;
    return waiting;
}

void srv_longpoll_free(srv_longpoll *waiting) {
    if (!waiting)
        return;
    pthread_mutex_destroy(&waiting->lock);
    g_array_unref(waiting->entries);
    g_free(waiting);
}

unsigned srv_longpoll_mark(srv_longpoll *waiting) {
    SRV_HOLD(&waiting->lock);
    return waiting->woken;
}

void srv_longpoll_add(srv_longpoll *waiting, srv_request *request, int64_t due_us, unsigned mark) {
    entry next = {request, due_us};
    pthread_mutex_lock(&waiting->lock);
    bool stays = mark == waiting->woken && !waiting->closed;
    if (stays)
        g_array_append_val(waiting->entries, next);
    pthread_mutex_unlock(&waiting->lock);
    if (!stays)
        waiting->back(request, waiting->user);
}

/* Takes out those due by then and hands them back; returns when the first of the others is due. */
static int64_t release(srv_longpoll *waiting, int64_t until_us) {
    int64_t next_us = INT64_MAX;
    g_autoptr(GArray) out = g_array_new(FALSE, FALSE, sizeof(entry));
    pthread_mutex_lock(&waiting->lock);
    for (guint i = 0; i < waiting->entries->len;) {
        entry next = g_array_index(waiting->entries, entry, i);
        if (next.due_us <= until_us) {
            g_array_append_val(out, next);
            g_array_remove_index(waiting->entries, i);
        } else {
            next_us = MIN(next_us, next.due_us);
            i++;
        }
    }
    pthread_mutex_unlock(&waiting->lock);
    for (guint i = 0; i < out->len; i++)
        waiting->back(g_array_index(out, entry, i).request, waiting->user);
    return next_us;
}

void srv_longpoll_wake(srv_longpoll *waiting) {
    pthread_mutex_lock(&waiting->lock);
    waiting->woken++;
    pthread_mutex_unlock(&waiting->lock);
    release(waiting, INT64_MAX);
}

int64_t srv_longpoll_expire(srv_longpoll *waiting) {
    return release(waiting, g_get_monotonic_time());
}

void srv_longpoll_close(srv_longpoll *waiting) {
    pthread_mutex_lock(&waiting->lock);
    waiting->closed = true;
    pthread_mutex_unlock(&waiting->lock);
    release(waiting, INT64_MAX);
}

bool srv_longpoll_closed(srv_longpoll *waiting) {
    SRV_HOLD(&waiting->lock);
    return waiting->closed;
}
