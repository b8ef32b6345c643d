#pragma once
/*
 * store - the one database of the server.
 *
 * Whatever a call acknowledged is on disk and survives kill -9 and loss of power. A store is one
 * connection and belongs to one thread at a time; threads that work at once open one each.
 * What can be asked of it: projects.h, queue.h, raw_store.h, ingest.h, alerts.h, views.h.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct srv_store srv_store;

/**
 * srv_store_open - open or create the database, bringing an older one up to date.
 * path   file; its folder exists
 * Returns a store for srv_store_close, or NULL with error: INTERNAL (no database, damaged, made by
 * a newer moowatch), BUSY, FULL.
 */
srv_store *srv_store_open(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_store_close(srv_store *store);

/* srv_store_relax - give the memory of pages read lately back; after reading very much. */
void srv_store_relax(srv_store *store);

/* srv_store_check - read the whole database and see whether it is sound; slow when it is large.
 * Error: INTERNAL, saying what is damaged. */
bool srv_store_check(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_event_fn - told after a change has been committed, in the thread that made it.
 * type   "job", "night" or "alert"
 * data   as in docs/api.md; borrowed, must not be changed; json_incref on it is not thread-safe
 *        against this thread's json_decref, so serialise it before handing it over
 * Must not use the store.
 */
typedef void (*srv_event_fn)(const char *type, const json_t *data, void *user);
void srv_store_on_event(srv_store *store, srv_event_fn function, void *user);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_store, srv_store_close)
