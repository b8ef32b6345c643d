#include "server/memory.h"

#include <malloc.h>

enum {
    ARENAS = 2,             /* each keeps its own leftovers; the threads hardly meet */
    MAPPED_MIN = 128 << 10, /* fixed: else it grows, and large blocks stay in the heap */
    LARGE = 256 << 10       /* below, giving back costs more than it is worth */
};

void srv_memory_setup(void) {
    mallopt(M_ARENA_MAX, ARENAS);
    mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
    mallopt(M_TRIM_THRESHOLD, MAPPED_MIN);
}

void srv_memory_made(srv_store *store, gsize bytes) {
    if (bytes < LARGE)
        return;
    srv_store_relax(store);
    malloc_trim(0);
}
