#pragma once
/* The raw file of a loop that comes next into a spool. */
#include "runner/link/spool.h"

#include <string.h>

/* raw_of - packed, to be given to run_spool_add; NULL: of no text, or it cannot be written. */
static inline run_durable_pack *raw_of(const run_spool *spool, const char *text) {
    g_autofree char *path = run_spool_next_raw_path(spool);
    g_autoptr(run_durable_pack) pack =
        text ? run_durable_pack_begin(path, strlen(text), NULL) : NULL;
    const bool good = pack && run_durable_pack_feed(pack, text, strlen(text), NULL);
    return good ? g_steal_pointer(&pack) : NULL;
}
