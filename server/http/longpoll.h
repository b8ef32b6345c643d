#pragma once
/*
 * longpoll - requests that wait for something to happen, without a thread.
 * A waiting request is handed back, to be tried again, when all are woken, when its time is up, and
 * when the server closes.
 */
#include "server/http/request.h"

typedef struct srv_longpoll srv_longpoll;

/** srv_longpoll_fn - takes one request back; must not block. Called without a lock held. */
typedef void (*srv_longpoll_fn)(srv_request *request, void *user);

srv_longpoll *srv_longpoll_new(srv_longpoll_fn back, void *user);
void srv_longpoll_free(srv_longpoll *waiting);

/** srv_longpoll_mark - to be taken before looking whether there is something; see add. */
unsigned srv_longpoll_mark(srv_longpoll *waiting);

/**
 * srv_longpoll_add - keeps a request until due_us (monotonic microseconds).
 * mark  from before the look: if they were woken since, the request comes back at once
 */
void srv_longpoll_add(srv_longpoll *waiting, srv_request *request, int64_t due_us, unsigned mark);

/** srv_longpoll_wake - something has happened: all come back. */
void srv_longpoll_wake(srv_longpoll *waiting);

/** srv_longpoll_expire - those whose time is up come back. Returns the next one's time, INT64_MAX:
 * none. */
int64_t srv_longpoll_expire(srv_longpoll *waiting);

/** srv_longpoll_close - all come back, now and from now on. */
void srv_longpoll_close(srv_longpoll *waiting);
bool srv_longpoll_closed(srv_longpoll *waiting);
