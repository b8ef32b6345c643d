#pragma once
/* thread - starts one that has a name; conditions that it waits for. */
#include <glib.h>
#include <pthread.h>
#include <stdbool.h>

/**
 * srv_thread_start - run(data) on a thread of its own, to be joined.
 * name  as debuggers and top show it, at most 15 bytes
 * Returns false with error when the system has no thread left.
 */
bool srv_thread_start(pthread_t *thread, const char *name, void *(*run)(void *data), void *data,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_thread_cond_init - a condition whose timed waits go by the clock of srv_monotonic_ms. */
void srv_thread_cond_init(pthread_cond_t *condition);
