#pragma once
/* store_core - what store*.c share; the only header that names SQLite. */
#include "server/store/changes.h"
#include "server/store/store_sql.h"

#include <sqlite3.h>

/* What to tell after the commit. */
typedef struct {
    srv_event what;
    int64_t id;
} srv__pending;

struct srv_store {
    sqlite3 *db;
    GHashTable *idle; /* SQL text (char*, owned) → GPtrArray of idle statements */
    GArray *events;   /* srv__pending */
    srv_event_fn tell;
    void *tell_user;
    srv_changes *changes; /* told of every commit */
    bool in_transaction;
    srv_changes_whose whose;                 /* of the transaction; see srv__concerns */
    bool wrote, wrote_nights;                /* since the transaction began */
    bool preparing_writes, preparing_nights; /* what the statement being prepared changes */
};

/* Set error from the last failed call; doing: what was tried. */
void srv__store_fail(srv_store *store, const char *doing, GError **error);

/* Have SQLite say what a statement changes while it is prepared (preparing_*). */
void srv__store_watch(srv_store *store);
/* A statement has run to its end: note what it wrote, now or when the transaction is committed. */
void srv__store_wrote(srv_store *store, bool nights);

/* Bring the schema up to date, one transaction a step. */
bool srv__store_migrate(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;
