#include "server/work.h"

#include "server/ground/thread.h"

#include <pthread.h>

enum { CLIENTS = 64 }; /* lines of those who wait; two clients of one hash share theirs */

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
    unsigned capacity;
    unsigned count;
    GQueue lines[CLIENTS]; /* of task */
    unsigned turn;         /* the line that is looked at next */
    bool ending;
    worker *workers;
    unsigned started;
    unsigned n;
};

/* The lines take turns, so nobody waits for more than one task of each other client. */
static task take_next(srv_work *work) {
    while (g_queue_is_empty(&work->lines[work->turn]))
        work->turn = (work->turn + 1) % CLIENTS;
    g_autofree task *next = g_queue_pop_head(&work->lines[work->turn]);
    work->count--;
    work->turn = (work->turn + 1) % CLIENTS;
    return *next;
}

static void *work_loop(void *data) {
    worker *self = data;
    srv_work *work = self->work;
    pthread_mutex_lock(&work->lock);
    for (;;) {
        while (work->count == 0 && !work->ending)
            pthread_cond_wait(&work->news, &work->lock);
        if (work->count == 0)
            break;
        const task next = take_next(work);
        pthread_mutex_unlock(&work->lock);
        next.run(self->store, next.data);
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

static bool push(srv_work *work, unsigned which, unsigned most, task what) {
    SRV_HOLD(&work->lock);
    GQueue *line = &work->lines[which];
    bool room = work->count < work->capacity && line->length < most && !work->ending;
    if (room) {
        g_queue_push_tail(line, g_memdup2(&what, sizeof what));
        work->count++;
        pthread_cond_signal(&work->news);
    }
    return room;
}

bool srv_work_push(srv_work *work, srv_work_fn run, void *data) {
    return push(work, 0, work->capacity, (task){.run = run, .data = data});
}

bool srv_work_push_for(srv_work *work, const char *client, srv_work_fn run, void *data) {
    return push(work, g_str_hash(client) % CLIENTS, MAX(work->capacity / 2, 1),
                (task){.run = run, .data = data});
}

unsigned srv_work_waiting(srv_work *work) {
    SRV_HOLD(&work->lock);
    return work->count;
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
    g_free(work);
}
