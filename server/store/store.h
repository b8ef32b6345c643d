#pragma once
/*
 * store - the one database of the server.
 *
 * Whatever a call acknowledged is on disk and survives kill -9 and loss of power. A store is one
 * connection and belongs to one thread at a time; threads that work at once open one each.
 * What is kept in it: projects.h here, and what queue/, alarm/, ingest/ and views/ ask of it.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct srv_store srv_store;

/* A part of a list. */
typedef struct {
    unsigned limit;     /* 0: SRV_PAGE_DEFAULT; above SRV_PAGE_LIMIT: INVALID (views.h) */
    const char *cursor; /* "next" of the page before, NULL: the first page */
} srv_page;

/**
 * srv_store_open - open or create the database, bringing an older one up to date.
 * url    as srv_db_open (db.h) takes it: a file's path, its folder exists
 * Returns a store for srv_store_close, or NULL with error: INTERNAL (no database, damaged, made by
 * a newer moowatch), BUSY, FULL.
 */
srv_store *srv_store_open(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_store_close(srv_store *store);

/* srv_store_space - what the database takes on its disk, and how much of that is free in it. */
bool srv_store_space(srv_store *store, int64_t *bytes, int64_t *free_bytes,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_store_compact - give a part of what is free back to the disk, while others read and write.
 * more: out, there is more; false at once where the database's server does so by itself. Error:
 * BUSY, FULL. */
bool srv_store_compact(srv_store *store, bool *more, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What has changed. */
typedef enum {
    SRV_EVENT_JOB,
    SRV_EVENT_NIGHT,
    SRV_EVENT_ALERT,
    SRV_EVENT_INCIDENT,
    SRV_EVENT_PULL
} srv_event;

/**
 * srv_event_fn - told after a change has been committed, in the thread that made it; once a
 * transaction for each thing that changed, in the order of their first changes.
 * store   may be read: it shows what was committed (views/events.h); must not be written
 * id      of the job, the night's experiment, the alert, the incident or the pull
 *         request
 */
typedef void (*srv_event_fn)(srv_store *store, srv_event what, int64_t id, void *user);
void srv_store_on_event(srv_store *store, srv_event_fn function, void *user);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_store, srv_store_close)
