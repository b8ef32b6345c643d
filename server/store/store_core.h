#pragma once
/* store_core - what store*.c share. */
#include "server/store/changes.h"
#include "server/store/db.h"
#include "server/store/store_sql.h"

struct srv_store {
    srv_db *db;
    GHashTable *idle; /* srv_sql* → GPtrArray of idle statements */
    GArray *events;   /* srv__pending */
    srv_event_fn tell;
    void *tell_user;
    srv_changes *changes; /* told of every commit */
    bool in_transaction;
    uint64_t statements;
    bool wrote; /* since the transaction began */
};

/* Set error from the last failed call; doing: what was tried. */
void srv__store_failed(srv_store *store, const char *doing, GError **error);
/* Returns false, here where each caller sees it. */
static inline bool srv__store_fail(srv_store *store, const char *doing, GError **error) {
    srv__store_failed(store, doing, error);
    return false;
}

/* A statement has run to its end: note what it wrote, now or when the transaction is committed. */
void srv__store_wrote(srv_store *store);
