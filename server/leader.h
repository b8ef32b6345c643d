#pragma once
/*
 * leader - is this the server that does what must happen once: polls repositories, tells people,
 * removes old artifacts? The only server on a database always is; of several it is the one whose
 * connection holds a lock of the database's. Every one of them serves pages, API and runners.
 *
 * Each looks every SRV_LEADER_LOOK_MS whether it holds the lock, and acts for SRV_LEADER_HELD_MS
 * after a look that said so. Who gets the lock waits for as long before it leads: so two never act
 * at once, unless one hangs in the middle of what it does.
 */
#include "server/store/store.h"

typedef struct srv_leader srv_leader;

/**
 * srv_leader_new - where the database is a file, it leads; else not yet.
 * database   as srv_store_open takes it
 * led        called in a thread of its own each time that this server begins to lead; not where the
 *            database is a file
 * NULL with error.
 */
srv_leader *srv_leader_new(const char *database, void (*led)(void *user), void *user,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_leader_configured - what this server has of every project from now on (project → hash,
 * srv_projects_hashes; taken over): the servers tell each other, and a project's page says when
 * they differ. Thread-safe. */
void srv_leader_configured(srv_leader *leader, GHashTable *hashes);

/** srv_leader_run - from now on it leads when it is its turn. False with error. */
bool srv_leader_run(srv_leader *leader, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_leader_leads - is it this server, now? NULL: it is alone. Thread-safe. */
bool srv_leader_leads(srv_leader *leader);

/** srv_leader_stop - its time ends soon, and led is not called any more. NULL is fine.
 * srv_leader_free - all is done: another one may have the lock. NULL is fine. */
void srv_leader_stop(srv_leader *leader);
void srv_leader_free(srv_leader *leader);

/*
 * servers - the servers on one database, and which configuration each has of every project.
 *
 * Each writes its row down once. Whether another one lives is known without asking it: as long as
 * it does, its connection holds its name (hold of db.h). Where the database is a file there is one
 * server, and no rows.
 */

/* What one server knows of all. Begins with own and hashes, else zero. */
typedef struct {
    const char *own;    /* its name, like no other's */
    GHashTable *hashes; /* project → hash of its configuration, both char* */
    bool stale;         /* hashes are not written down yet */
    char differs[101];  /* the first project of which the configurations differ, "": none */
} srv_servers;
