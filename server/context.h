#pragma once
/*
 * context - what every part of the daemon stands on: its configuration, its database, and the
 * projects of this moment. Thread-safe once it is made.
 */
#include "config/config.h"
#include "server/catalog.h"
#include "server/leader.h"
#include "server/store/store.h"

#include <pthread.h>

typedef struct {
    const cfg_server *config; /* borrowed */
    const char *program;      /* path of moowatchd itself, for its helpers; borrowed */
    char *database;           /* URL or path */
    srv_leader *leader;    /* does this server what must happen once? NULL: it is alone; borrowed */
    char *mirrors;         /* folder */
    srv_event_fn on_event; /* of every connection to the database; NULL: nobody listens */
    void *on_event_user;
    pthread_mutex_t lock; /* of all below */
    srv_catalog *catalog;
    unsigned faults;  /* answers 500 and 507 since the start */
    int64_t fault_ms; /* when the last one was, Unix time */
    char *fault;      /* why; NULL: none was */
} srv_context;

/** srv_context_database - its URL or path, as srv_store_open takes it; caller frees. */
char *srv_context_database(const cfg_server *config);

/* srv_context_init - makes nothing on disk; srv_context_clear - the catalog is held by nobody. */
void srv_context_init(srv_context *context, const cfg_server *config, const char *program);
void srv_context_clear(srv_context *context);

/** srv_context_store - a connection to the database whose events are told; NULL with error. */
srv_store *srv_context_store(const srv_context *context, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_context_catalog, srv_context_catalog_done - the projects of this moment, for as long as they
 * are held. srv_context_catalog_set - these are the projects from now on; takes catalog. */
srv_catalog *srv_context_catalog(srv_context *context);
void srv_context_catalog_done(srv_context *context, srv_catalog *catalog);
void srv_context_catalog_set(srv_context *context, srv_catalog *catalog);

/** srv_context_failed - an answer was 500 or 507: kept for who runs the server. */
void srv_context_failed(srv_context *context, const char *why, int64_t now_ms);

/** srv_context_mirror - path of a project's mirror; caller frees. */
char *srv_context_mirror(const srv_context *context, const char *project);
