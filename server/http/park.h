#pragma once
/*
 * park - requests that wait for something to happen (long-poll), without a thread.
 * A parked request is handed back, to be tried again, when the park is woken, when its time is up,
 * and when the park closes.
 */
#include "server/http/request.h"

typedef struct srv_park srv_park;

/** srv_park_fn - takes one request back; must not block. Called without a lock held. */
typedef void (*srv_park_fn)(srv_request *request, void *user);

srv_park *srv_park_new(srv_park_fn back, void *user);
void srv_park_free(srv_park *park);

/** srv_park_mark - to be taken before looking whether there is something; see add. */
unsigned srv_park_mark(srv_park *park);

/**
 * srv_park_add - parks a request until due_us (monotonic microseconds).
 * mark  from before the look: if the park was woken since, the request comes back at once
 */
void srv_park_add(srv_park *park, srv_request *request, int64_t due_us, unsigned mark);

/** srv_park_wake - something has happened: all come back. */
void srv_park_wake(srv_park *park);

/** srv_park_expire - those whose time is up come back. Returns the next one's time, INT64_MAX:
 * none. */
int64_t srv_park_expire(srv_park *park);

/** srv_park_close - all come back, now and from now on. */
void srv_park_close(srv_park *park);
bool srv_park_closed(srv_park *park);
