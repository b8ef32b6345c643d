#include "server/work.h"

#include "server/ground/thread.h"
#include "server/memory.h"

#include <errno.h>
#include <gio/gio.h>
#include <pthread.h>

typedef struct {
    srv_work_fn run;
    void *data;
} task;

typedef struct {
    srv_work *work;
    srv_store *store;
    pthread_t thread;
} worker;

struct srv_work {
    pthread_mutex_t lock;
    pthread_cond_t news;
    task *tasks; /* ring of capacity */
    unsigned capacity;
    unsigned first;
    unsigned count;
    bool ending;
    worker *workers;
    unsigned started;
    unsigned n;
};

static void *work_loop(void *data) {
    worker *self = data;
    srv_work *work = self->work;
    pthread_mutex_lock(&work->lock);
    for (;;) {
        while (work->count == 0 && !work->ending)
            pthread_cond_wait(&work->news, &work->lock);
        if (work->count == 0)
            break;
        task next = work->tasks[work->first];
        work->first = (work->first + 1) % work->capacity;
        work->count--;
        pthread_mutex_unlock(&work->lock);
        next.run(self->store, next.data);
        srv_memory_tidy();
        pthread_mutex_lock(&work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

srv_work *srv_work_new(const char *name, srv_store **stores, unsigned n, unsigned capacity,
                       GError **error) {
    srv_work *work = g_new0(srv_work, 1);
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->news, NULL);
    work->tasks = g_new0(task, capacity);
    work->capacity = capacity;
    work->workers = g_new0(worker, n);
    work->n = n;
    for (unsigned i = 0; i < n; i++) {
        work->workers[i].work = work;
        work->workers[i].store = stores[i];
    }
    for (; work->started < n; work->started++) {
        worker *next = &work->workers[work->started];
        if (!srv_thread_start(&next->thread, name, work_loop, next, error)) {
            srv_work_free(work);
            return NULL;
        }
    }
    return work;
}

bool srv_work_push(srv_work *work, srv_work_fn run, void *data) {
    pthread_mutex_lock(&work->lock);
    bool room = work->count < work->capacity && !work->ending;
    if (room) {
        unsigned slot = (work->first + work->count) % work->capacity;
        work->tasks[slot] = (task){run, data};
        work->count++;
        pthread_cond_signal(&work->news);
    }
    pthread_mutex_unlock(&work->lock);
    return room;
}

unsigned srv_work_waiting(srv_work *work) {
    pthread_mutex_lock(&work->lock);
    unsigned count = work->count;
    pthread_mutex_unlock(&work->lock);
    return count;
}

void srv_work_end(srv_work *work) {
    if (!work)
        return;
    pthread_mutex_lock(&work->lock);
    work->ending = true;
    pthread_cond_broadcast(&work->news);
    pthread_mutex_unlock(&work->lock);
    for (unsigned i = 0; i < work->started; i++)
        pthread_join(work->workers[i].thread, NULL);
    work->started = 0;
}

void srv_work_free(srv_work *work) {
    if (!work)
        return;
    srv_work_end(work);
    for (unsigned i = 0; i < work->n; i++)
        srv_store_close(work->workers[i].store);
    pthread_cond_destroy(&work->news);
    pthread_mutex_destroy(&work->lock);
    g_free(work->workers);
    g_free(work->tasks);
    g_free(work);
}
