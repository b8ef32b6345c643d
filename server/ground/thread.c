#include "server/ground/thread.h"

#include "server/ground/error.h"

#include <gio/gio.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

bool srv_thread_start(pthread_t *thread, const char *name, void *(*run)(void *data), void *data,
                      GError **error) {
    int code = pthread_create(thread, NULL, run, data);
    if (code != 0)
        return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(code),
                         "cannot start the thread %s: %s; allow more processes (TasksMax)", name,
                         g_strerror(code));
    pthread_setname_np(*thread, name);
    return true;
}

void srv_thread_cond_init(pthread_cond_t *condition) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

typedef struct {
    srv_timer_fn run;
    void *user;
    int64_t due_us; /* monotonic; INT64_MAX: not armed */
} slot_state;

struct srv_timer {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool started;
    bool ending;
    slot_state slots[SRV_TIMER_SLOTS];
};

static slot_state *earliest(srv_timer *timer) {
    slot_state *first = &timer->slots[0];
    for (unsigned i = 1; i < SRV_TIMER_SLOTS; i++)
        if (timer->slots[i].due_us < first->due_us)
            first = &timer->slots[i];
    return first;
}

static void *timer_loop(void *data) {
    srv_timer *timer = data;
    pthread_mutex_lock(&timer->lock);
    while (!timer->ending) {
        slot_state *next = earliest(timer);
        if (next->due_us == INT64_MAX) {
            pthread_cond_wait(&timer->changed, &timer->lock);
        } else if (next->due_us > g_get_monotonic_time()) {
            struct timespec until = {.tv_sec = next->due_us / G_USEC_PER_SEC,
                                     .tv_nsec = next->due_us % G_USEC_PER_SEC * 1000};
            pthread_cond_timedwait(&timer->changed, &timer->lock, &until);
        } else {
            next->due_us = INT64_MAX;
            pthread_mutex_unlock(&timer->lock);
            next->run(next->user);
            pthread_mutex_lock(&timer->lock);
        }
    }
    pthread_mutex_unlock(&timer->lock);
    return NULL;
}

void srv_timer_handle(srv_timer *timer, unsigned slot, srv_timer_fn run, void *user) {
    SRV_HOLD(&timer->lock);
    timer->slots[slot].run = run;
    timer->slots[slot].user = user;
}

srv_timer *srv_timer_new(const char *name, srv_timer_fn first, void *user, GError **error) {
    srv_timer *timer = g_new0(srv_timer, 1);
    pthread_mutex_init(&timer->lock, NULL);
    srv_thread_cond_init(&timer->changed);
    for (unsigned i = 0; i < SRV_TIMER_SLOTS; i++)
        timer->slots[i].due_us = INT64_MAX;
    srv_timer_handle(timer, 0, first, user);
    timer->started = srv_thread_start(&timer->thread, name, timer_loop, timer, error);
    if (timer->started)
        return timer;
    srv_timer_free(timer);
    return NULL;
}

void srv_timer_within(srv_timer *timer, unsigned slot, int64_t ms) {
    int64_t due_us = g_get_monotonic_time() + ms * 1000;
    SRV_HOLD(&timer->lock);
    if (due_us < timer->slots[slot].due_us) {
        timer->slots[slot].due_us = due_us;
        pthread_cond_signal(&timer->changed);
    }
}

void srv_timer_stop(srv_timer *timer) {
    if (!timer || !timer->started)
        return;
    pthread_mutex_lock(&timer->lock);
    timer->ending = true;
    pthread_cond_signal(&timer->changed);
    pthread_mutex_unlock(&timer->lock);
    pthread_join(timer->thread, NULL);
    timer->started = false;
}

void srv_timer_free(srv_timer *timer) {
    if (!timer)
        return;
    srv_timer_stop(timer);
    pthread_cond_destroy(&timer->changed);
    pthread_mutex_destroy(&timer->lock);
    g_free(timer);
}
