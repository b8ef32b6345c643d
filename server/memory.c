#include "server/memory.h"

#include <jansson.h>
#include <malloc.h>
#include <stdlib.h>

enum {
    ARENAS = 2,             /* each keeps its own leftovers; the threads hardly meet */
    MAPPED_MIN = 128 << 10, /* fixed: else it grows, and large blocks stay in the heap */
    MUCH = 4 << 20          /* below, giving back costs more than it is worth */
};

/* Bytes of JSON values that this thread has made since it gave memory back. */
static _Thread_local size_t made;

static void *make(size_t size) {
    made += size;
    return malloc(size);
}

void srv_memory_setup(void) {
    mallopt(M_ARENA_MAX, ARENAS);
    mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
    mallopt(M_TRIM_THRESHOLD, MAPPED_MIN);
    json_set_alloc_funcs(make, free);
}

void srv_memory_tidy(void) {
    if (made < MUCH)
        return;
    made = 0;
    malloc_trim(0);
}
