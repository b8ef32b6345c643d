/* probe - what the compiler calls at each activation's beginning and end. */
#include "callmon.h"

#include <stdatomic.h>
#include <time.h>

enum { DEPTH_MAX = 4096 };

static atomic_uint_fast64_t traces;

static _Thread_local struct {
    uint64_t trace;
    uint32_t order;
    uint32_t depth;
    struct {
        int64_t enter_ns;
        uint32_t order;
    } frames[DEPTH_MAX];
} thread;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller) {
    (void)function;
    (void)caller;
    if (!controller_active())
        return;
    if (thread.depth == 0) {
        thread.trace = atomic_fetch_add_explicit(&traces, 1, memory_order_relaxed);
        thread.order = 0;
    }
    if (thread.depth < DEPTH_MAX) {
        thread.frames[thread.depth].order = thread.order;
        thread.frames[thread.depth].enter_ns = now_ns();
    }
    thread.order++;
    thread.depth++;
}

void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    if (!controller_active() || thread.depth == 0)
        return;
    thread.depth--;
    if (thread.depth >= DEPTH_MAX)
        return;
    struct record record = {
        .operation = (uint64_t)(uintptr_t)function,
        .trace = thread.trace,
        .enter_ns = thread.frames[thread.depth].enter_ns,
        .exit_ns = now_ns(),
        .order = thread.frames[thread.depth].order,
        .depth = thread.depth,
        .thread = (uint64_t)(uintptr_t)&thread,
    };
    writer_put(&record);
}
