#pragma once
/*
 * poller - asks every repository for news in turn and queues the nights it finds.
 * fetch_parallel of them at once, each in a thread with a git process and, from a pool, a
 * connection to the database. A host that does not answer within half a second waits beside them,
 * so that it delays nobody; after fetch_connect_s it is given up, and asked less often each time
 * (below). Threads are started when they are needed and sleep until the next repository is due.
 */
#include "server/catalog.h"

#include <stdint.h>

typedef struct srv_poller srv_poller;

/** srv_poller_start - context outlives it. NULL with error. */
srv_poller *srv_poller_start(srv_context *context, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_poller_kick - project (NULL: all) is asked now rather than at its time. Thread-safe. */
void srv_poller_kick(srv_poller *poller, const char *project);

/** srv_poller_stop - gives up a question under way, joins; may be kicked still. NULL is fine. */
void srv_poller_stop(srv_poller *poller);

/** srv_poller_free - after it was stopped. NULL is fine. */
void srv_poller_free(srv_poller *poller);

/*
 * turns - whose repository is asked next. No thread, no clock: the caller has both, and a lock.
 *
 * First who was kicked, as by a webhook, then who is due; who failed last comes after all others,
 * and is due later each time that it fails again. But nobody waits without end: while some are
 * overdue by more than the patience, every second turn is of the one that is so the longest. The
 * branches of one project are never asked at the same time, since each reads the main one's mirror.
 * Projects of the same repository and branch have one turn, for one fetch serves them all.
 */

typedef struct srv__turns srv__turns;

srv__turns *srv__turns_new(int64_t patience_ms);
void srv__turns_free(srv__turns *turns);

/**
 * srv__turns_next - the projects whose turn it is; each is being asked until srv__turns_end.
 *
 * asked   const cfg_project *, borrowed from the catalog, are added: the one that is due, then
 * those of the same branch; none: none is due, or those that are, are being asked
 *
 * due_ms  out, when there is none: the time at which another one will be due; INT64_MAX: never
 */
bool srv__turns_next(srv__turns *turns, const srv_catalog *catalog, int64_t now_ms, GArray *asked,
                     int64_t *due_ms);

/**
 * srv__turns_end - it was asked; after srv__turns_next.
 * wait_ms  until the next turn, when this one did not fail
 */
void srv__turns_end(srv__turns *turns, const cfg_project *project, int64_t now_ms, int64_t wait_ms,
                    bool failed);

/* srv__turns_kick - this project (NULL: each) is due now, or a second after it was asked. */
void srv__turns_kick(srv__turns *turns, const char *project);
