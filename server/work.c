#include "server/work.h"

#include "server/ground/thread.h"

#include <gio/gio.h>
#include <pthread.h>

enum {
    CLIENTS = 64, /* lines of those who wait; two clients of one hash share theirs */
    NONE = -1
};

typedef struct {
    srv_work_fn run;
    void *data;
    int next; /* of its line, or of the free ones */
} task;

typedef struct {
    int first, last;
    unsigned count;
} line;

typedef struct {
    srv_work *work;
    srv_store *store;
    pthread_t thread;
} worker;

struct srv_work {
    pthread_mutex_t lock;
    pthread_cond_t news;
    task *tasks; /* [capacity] */
    unsigned capacity;
    unsigned count;
    int free; /* the first task that is none */
    line lines[CLIENTS];
    unsigned turn; /* the line that is looked at next */
    bool ending;
    worker *workers;
    unsigned started;
    unsigned n;
};

static void join_line(srv_work *work, line *at, task what) {
    const int slot = work->free;
    work->free = work->tasks[slot].next;
    what.next = NONE;
    work->tasks[slot] = what;
    if (at->count++ == 0)
        at->first = slot;
    else
        work->tasks[at->last].next = slot;
    at->last = slot;
    work->count++;
}

/* The lines take turns, so nobody waits for more than one task of each other client. */
static task take_next(srv_work *work) {
    while (work->lines[work->turn].count == 0)
        work->turn = (work->turn + 1) % CLIENTS;
    line *at = &work->lines[work->turn];
    const int slot = at->first;
    const task next = work->tasks[slot];
    at->first = next.next;
    at->count--;
    work->tasks[slot].next = work->free;
    work->free = slot;
    work->count--;
    work->turn = (work->turn + 1) % CLIENTS;
    return next;
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
    work->tasks = g_new0(task, capacity);
    work->capacity = capacity;
    for (unsigned i = 0; i < capacity; i++)
        work->tasks[i].next = i + 1 < capacity ? (int)i + 1 : NONE;
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
    line *at = &work->lines[which];
    bool room = work->count < work->capacity && at->count < most && !work->ending;
    if (room) {
        join_line(work, at, what);
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
    g_free(work->tasks);
    g_free(work);
}
