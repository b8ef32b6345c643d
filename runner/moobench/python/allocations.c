#include "runner/moobench/python/allocations.h"

/* The interpreter's own; the thread's counts, and whether it is inside of a request. */
static moobench_allocator inner[MOOBENCH_ALLOCATORS];
static _Thread_local moobench_allocations so_far;
static _Thread_local bool inside;

/* Returns whether this request is nobody else's. */
static bool enter(void) {
    const bool outermost = !inside;
    inside = true;
    return outermost;
}

static void *leave(bool outermost, void *granted, size_t bytes) {
    if (!outermost)
        return granted;
    inside = false;
    if (granted) {
        so_far.allocations++;
        so_far.bytes += bytes;
    }
    return granted;
}

static void *counted_malloc(void *context, size_t size) {
    const moobench_allocator *own = context;
    const bool outermost = enter();
    return leave(outermost, own->malloc(own->context, size), size);
}

static void *counted_calloc(void *context, size_t count, size_t size) {
    const moobench_allocator *own = context;
    const bool outermost = enter();
    return leave(outermost, own->calloc(own->context, count, size), count * size);
}

static void *counted_realloc(void *context, void *old, size_t size) {
    const moobench_allocator *own = context;
    const bool outermost = enter();
    return leave(outermost, own->realloc(own->context, old, size), size);
}

static void passed_free(void *context, void *old) {
    const moobench_allocator *own = context;
    own->free(own->context, old);
}

void moobench_allocations_watch(moobench_allocator_get get, moobench_allocator_set set) {
    for (int domain = 0; domain < MOOBENCH_ALLOCATORS; domain++)
        get(domain, &inner[domain]);
    for (int domain = 0; domain < MOOBENCH_ALLOCATORS; domain++) {
        moobench_allocator counted = {.context = &inner[domain],
                                      .malloc = counted_malloc,
                                      .calloc = counted_calloc,
                                      .realloc = counted_realloc,
                                      .free = passed_free};
        set(domain, &counted);
    }
}

void moobench_allocations_read(moobench_allocations *out) {
    *out = so_far;
}

bool moobench_allocations_watched(moobench_allocator_get get) {
    for (int domain = 0; domain < MOOBENCH_ALLOCATORS; domain++) {
        moobench_allocator now;
        get(domain, &now);
        if (now.context != &inner[domain] || now.malloc != counted_malloc ||
            now.calloc != counted_calloc || now.realloc != counted_realloc ||
            now.free != passed_free)
            return false;
    }
    return true;
}
