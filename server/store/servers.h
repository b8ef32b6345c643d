#pragma once
/*
 * servers - the servers on one database, and which configuration each has of every project.
 *
 * Each writes its row down once. Whether another one lives is known without asking it: as long as
 * it does, its connection holds its name (srv_db_hold). Where the database is a file there is one
 * server, and no rows.
 */
#include "server/store/store.h"

/* What one server knows of all. Begins with own, called and hashes, else zero. */
typedef struct {
    const char *own;    /* its name, like no other's */
    const char *called; /* what people know it by, such as "host:8300" */
    GHashTable *hashes; /* project → hash of its configuration, both char* */
    bool stale;         /* hashes are not written down yet */
    char differs[101];  /* the first project of which the configurations differ, "": none */
} srv_servers;

/**
 * srv_servers_look - it lives, with this configuration; the rows of those that do not are removed.
 * lives   is the server of this name there?
 * Sets differs. Writes only what is new.
 */
bool srv_servers_look(srv_store *store, srv_servers *servers,
                      bool (*lives)(void *user, const char *name), void *user,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_servers_leave - it is going. */
bool srv_servers_leave(srv_store *store, const srv_servers *servers, GError **error);
void srv_servers_clear(srv_servers *servers);
