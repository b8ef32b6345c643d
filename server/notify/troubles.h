#pragma once
/*
 * troubles - what is wrong with this server, for who runs it: looked for when somebody asks, and
 * told once by mail (mail.operator), as long as it lasts, over restarts and by one server of
 * several.
 */
#include "server/catalog.h"

#include <jansson.h>

/** srv_troubles_add - to an array of sentences: a disk that is nearly full, messages that cannot be
 * sent, repositories that cannot be asked, a database that does not answer, the last answer that
 * failed in the last day. Each begins with its kind and a colon. */
void srv_troubles_add(srv_context *context, srv_store *store, json_t *problems);

/** srv_troubles_new - which kinds were told, and when each was noted last: char * to int64_t *.
 * The store has the same; this is for the time in which it does not answer. */
GHashTable *srv_troubles_new(void);

/** srv_troubles_unsent - a line for each of a kind that is not in told; a kind that was not seen
 * for an hour is over and leaves it. Owned; NULL: there is none. */
char *srv_troubles_unsent(GHashTable *told, srv_store *store, json_t *problems, int64_t now_ms);

/** srv_troubles_sent - all of these have been told. */
void srv_troubles_sent(GHashTable *told, srv_store *store, json_t *problems, int64_t now_ms);
