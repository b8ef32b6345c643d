#include "runner/moobench/c/moobench.h"

#include "runner/moobench/c/monitored.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* An activation of the method with its probe, generously. */
#define FRAME_BYTES ((size_t)1024)
#define STACK_BASE_BYTES ((size_t)8 << 20)
/* Long enough for a governor to raise the clock frequency, short beside any measurement. */
#define SETTLE_NS INT64_C(200000000)

typedef enum { GATE_CLOSED, GATE_OPEN, GATE_CANCELLED } gate_state;

/* Holds the threads back until all of them are there. */
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    gate_state state;
} gate;

typedef struct {
    pthread_t id;
    gate *start;
    const moobench_options *options;
    int64_t *durations;
    int64_t last_ns; /* what the method returned; kept so that the calls have a use */
} worker;

static bool gate_pass(gate *start) {
    pthread_mutex_lock(&start->mutex);
    while (start->state == GATE_CLOSED)
        pthread_cond_wait(&start->changed, &start->mutex);
    bool open = start->state == GATE_OPEN;
    pthread_mutex_unlock(&start->mutex);
    return open;
}

static void gate_set(gate *start, gate_state state) {
    pthread_mutex_lock(&start->mutex);
    start->state = state;
    pthread_cond_broadcast(&start->changed);
    pthread_mutex_unlock(&start->mutex);
}

static void settle(const moobench_options *options) {
    int64_t until_ns = moobench_clock_ns() + (options->quickstart ? 0 : SETTLE_NS);
    while (moobench_clock_ns() < until_ns)
        ;
}

static void *measure(void *data) {
    worker *self = data;
    const int64_t calls = self->options->total_calls;
    const int64_t method_time_ns = self->options->method_time_ns;
    const int depth = self->options->recursion_depth;
    int64_t *durations = self->durations;
    int64_t last_ns = 0;

    if (!gate_pass(self->start))
        return NULL;
    settle(self->options);
    for (int64_t i = 0; i < calls; i++) {
        int64_t start_ns = moobench_clock_ns();
        last_ns = moobench_monitored_method(method_time_ns, depth);
        durations[i] = moobench_clock_ns() - start_ns;
    }
    self->last_ns = last_ns;
    return NULL;
}

static int start_worker(worker *self) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    size_t stack = STACK_BASE_BYTES + FRAME_BYTES * (size_t)self->options->recursion_depth;
    error = pthread_attr_setstacksize(&attributes, stack);
    if (!error)
        error = pthread_create(&self->id, &attributes, measure, self);
    pthread_attr_destroy(&attributes);
    return error;
}

/* All workers start together or none measures. */
static int run_workers(worker *workers, int count, gate *start) {
    int started = 0, error = 0;
    while (started < count && (error = start_worker(&workers[started])) == 0)
        started++;
    gate_set(start, error ? GATE_CANCELLED : GATE_OPEN);
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].id, NULL);
    return error;
}

int moobench_calls_measure(const moobench_options *options, moobench_calls *calls) {
    const int64_t ready_ns = moobench_clock_ns();
    const size_t threads = (size_t)options->total_threads;
    const size_t each = (size_t)options->total_calls;
    gate start = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, GATE_CLOSED};
    worker *workers = calloc(threads, sizeof *workers);
    size_t size_bytes;
    int64_t *durations = NULL;
    if (!__builtin_mul_overflow(threads * each, sizeof *durations, &size_bytes))
        durations = malloc(size_bytes);
    if (!workers || !durations) {
        free(workers);
        free(durations);
        return ENOMEM;
    }
    /* Not zero: the compiler would make a calloc of it, and no page would be touched. */
    memset(durations, 0xff, size_bytes);
    for (size_t i = 0; i < threads; i++)
        workers[i] =
            (worker){.start = &start, .options = options, .durations = durations + i * each};

    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    int error = run_workers(workers, options->total_threads, &start);
    free(workers);
    if (error) {
        free(durations);
        return error;
    }
    *calls = (moobench_calls){options->total_threads, options->total_calls, durations, ready_ns,
                              (int64_t)used.tv_sec * INT64_C(1000000000) + used.tv_nsec};
    return 0;
}

void moobench_calls_clear(moobench_calls *calls) {
    free(calls->durations);
    *calls = (moobench_calls){0};
}
