#pragma once
/*
 * calls - the measuring itself: threads that call the monitored method and keep each duration.
 *
 * While it measures nothing is allocated, printed or paged in: every array and stack is touched
 * beforehand. Memory: 8 bytes a call.
 */
#include "runner/moobench/c/options.h"

#include <stdint.h>

typedef struct {
    int threads;
    int64_t calls;      /* of each thread */
    int64_t *durations; /* [threads * calls] ns, thread after thread */
    int64_t ready_ns;   /* the clock when all was there for the first call */
} moobench_calls;

/**
 * moobench_calls_measure - run the benchmark that options describe.
 * Returns 0, or an errno (ENOMEM, EAGAIN: no more threads) with nothing to clear.
 */
int moobench_calls_measure(const moobench_options *options, moobench_calls *calls);
void moobench_calls_clear(moobench_calls *calls);
