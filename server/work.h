#pragma once
/*
 * work - a bounded queue of work and the threads that do it, each with its own database connection.
 * First in, first out, but for clients, who take turns.
 */
#include "server/store/store.h"

#include <stdbool.h>

typedef struct srv_work srv_work;

/** srv_work_fn - runs on a worker; store is that worker's own. */
typedef void (*srv_work_fn)(srv_store *store, void *data);

/**
 * srv_work_new
 * stores    [n] one for each thread; taken over, closed at the end. n threads are started.
 * name      of the threads, at most 15 characters
 * capacity  tasks that may wait
 */
srv_work *srv_work_new(const char *name, srv_store **stores, unsigned n, unsigned capacity,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_work_push - false when the queue is full or ending; then run is never called.
 * Thread-safe. */
bool srv_work_push(srv_work *work, srv_work_fn run, void *data) G_GNUC_WARN_UNUSED_RESULT;

/** srv_work_push_for - as srv_work_push, in the line of one client, such as an address; false also
 * when that line takes half of the queue. */
bool srv_work_push_for(srv_work *work, const char *client, srv_work_fn run,
                       void *data) G_GNUC_WARN_UNUSED_RESULT;

/** srv_work_waiting - tasks not yet begun. */
unsigned srv_work_waiting(srv_work *work);

/** srv_work_end - does what is queued, takes nothing new, joins the threads. NULL is fine. */
void srv_work_end(srv_work *work);

/** srv_work_free - ends it if that was not done. NULL is fine. */
void srv_work_free(srv_work *work);
