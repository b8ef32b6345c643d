#pragma once
/*
 * memory - the heap given back. Thousands of nights become a hundred megabytes of small JSON values
 * for a moment; what the C library then keeps for the next time would stay for weeks.
 */
#include "server/store/store.h"

/** srv_memory_setup - once, before threads start. */
void srv_memory_setup(void);

/** srv_memory_made - an answer of so many bytes is done with: after a large one, what reading it
 * took goes back, store's pages too. */
void srv_memory_made(srv_store *store, gsize bytes);
