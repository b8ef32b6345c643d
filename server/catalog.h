#pragma once
/*
 * catalog - the projects as configured now, and what is wrong with those that are not.
 * Replaced as a whole on reload; whoever uses one holds a reference. Immutable once made.
 */
#include "config/config.h"
#include "config/schedule.h"
#include "server/leader.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct srv_catalog {
    GPtrArray *projects; /* cfg_project* */
    GPtrArray *problems; /* char*, "FILE:LINE: …" */
    atomic_uint references;
} srv_catalog;

/**
 * srv_catalog_load - every usable project of a folder; addresses and branch names are checked too.
 * NULL with error when the folder cannot be read.
 */
srv_catalog *srv_catalog_load(const char *projects_dir, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_catalog_free - lets go of a reference; the last one frees it. NULL is fine. */
void srv_catalog_free(srv_catalog *catalog);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_catalog, srv_catalog_free)

/** srv_catalog_find - by name; borrowed; NULL when there is none. */
const cfg_project *srv_catalog_find(const srv_catalog *catalog, const char *name);

/** srv_catalog_branch - the name that a branch of a project is kept under; one that is not followed
 * (any more) has the name that it would have. Caller frees. */
char *srv_catalog_branch(const srv_catalog *catalog, const char *project, const char *branch);

/** srv_catalog_schedule - when a project's nights are. Owned by the caller; NULL: they
 * cannot be told. */
cfg_schedule *srv_catalog_schedule(const cfg_project *project) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_catalog_night - the date of the night that a commit belongs to by its own time.
 * time_ms  committer's time; one in the future counts as now_ms
 */
void srv_catalog_night(const cfg_project *project, int64_t time_ms, int64_t now_ms, char out[11]);

/*
 * context - what every part of the daemon stands on: its configuration, its database, and the
 * projects of this moment. Thread-safe once it is made.
 */

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

/** srv_context_catalog - the projects of this moment; for srv_catalog_free.
 * srv_context_catalog_set - these are the projects from now on; takes catalog. */
srv_catalog *srv_context_catalog(srv_context *context);
void srv_context_catalog_set(srv_context *context, srv_catalog *catalog);

/** srv_context_mirror - path of a project's mirror; caller frees. */
char *srv_context_mirror(const srv_context *context, const char *project);
