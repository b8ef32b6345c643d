#pragma once
/* thread - starts one that has a name; conditions that it waits for. */
#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * srv_thread_start - run(data) on a thread of its own, to be joined.
 * name  as debuggers and top show it, at most 15 bytes
 * Returns false with error when the system has no thread left.
 */
bool srv_thread_start(pthread_t *thread, const char *name, void *(*run)(void *data), void *data,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_thread_cond_init - a condition whose timed waits go by the clock of srv_monotonic_ms. */
void srv_thread_cond_init(pthread_cond_t *condition);

/* SRV_HOLD - a lock is held until the end of the block; of one lock a block. */
typedef pthread_mutex_t *srv_held;
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(srv_held, pthread_mutex_unlock, NULL)
static inline srv_held srv_hold(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    return lock;
}
#define SRV_HOLD(lock) g_auto(srv_held) held_lock G_GNUC_UNUSED = srv_hold(lock)

/*
 * timer - a few things that happen later, on one thread that sleeps exactly until the next is due.
 * With nothing armed it does not wake at all.
 */

typedef struct srv_timer srv_timer;

#define SRV_TIMER_SLOTS 8

typedef void (*srv_timer_fn)(void *user);

/** srv_timer_new - starts the thread, of this name (srv_thread_start). first: what slot 0 does when
 * it is due; NULL: srv_timer_handle says. Nothing is armed yet. */
srv_timer *srv_timer_new(const char *name, srv_timer_fn first, void *user,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_timer_handle - what a slot (0 … SRV_TIMER_SLOTS-1) does when it is due. Before it is
 * armed. */
void srv_timer_handle(srv_timer *timer, unsigned slot, srv_timer_fn run, void *user);

/**
 * srv_timer_within - the slot runs once, at the latest in ms milliseconds from now; an earlier time
 * already set stays. Thread-safe, also from a slot's own function.
 */
void srv_timer_within(srv_timer *timer, unsigned slot, int64_t ms);

/** srv_timer_stop - no slot runs any more when it returns; arming one does nothing from now on.
 * srv_timer_free - likewise, when nobody arms one any more. NULL is fine. */
void srv_timer_stop(srv_timer *timer);
void srv_timer_free(srv_timer *timer);
