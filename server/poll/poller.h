#pragma once
/*
 * poller - asks every repository for news in turn and queues the nights it finds.
 * fetch_parallel of them at once, each in a thread with a git process and, from a pool, a
 * connection to the database. A host that does not answer within half a second waits beside them,
 * so that it delays nobody; after fetch_connect_s it is given up, and asked less often each time
 * (turns.h). Threads are started when they are needed and sleep until the next repository is due.
 */
#include "server/context.h"

typedef struct srv_poller srv_poller;

/** srv_poller_start - context outlives it. NULL with error. */
srv_poller *srv_poller_start(srv_context *context, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_poller_kick - project (NULL: all) is asked now rather than at its time. Thread-safe. */
void srv_poller_kick(srv_poller *poller, const char *project);

/** srv_poller_stop - gives up a question under way, joins; may be kicked still. NULL is fine. */
void srv_poller_stop(srv_poller *poller);

/** srv_poller_free - after it was stopped. NULL is fine. */
void srv_poller_free(srv_poller *poller);
