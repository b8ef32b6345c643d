#include "server/ground/thread.h"

#include <gio/gio.h>

bool srv_thread_start(pthread_t *thread, const char *name, void *(*run)(void *data), void *data,
                      GError **error) {
    int code = pthread_create(thread, NULL, run, data);
    if (code != 0) {
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(code),
                    "cannot start the thread %s: %s; allow more processes (TasksMax)", name,
                    g_strerror(code));
        return false;
    }
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
