#pragma once
/* store_core - what store*.c share; the only header that names SQLite. */
#include "server/store_sql.h"

#include <sqlite3.h>

typedef struct srv__prepared srv__prepared;
void srv__prepared_free(void *prepared);

struct srv_store {
    sqlite3 *db;
    GHashTable *idle;  /* SQL text (char*, owned) → GPtrArray of idle srv__prepared* */
    GPtrArray *events; /* srv__pending*, told after the commit */
    srv_event_fn tell;
    void *tell_user;
    bool in_transaction;
};

/* Set error from the last failed call; doing: what was tried. */
void srv__store_fail(srv_store *store, const char *doing, GError **error);

/* Bring the schema up to date, one transaction a step. */
bool srv__store_migrate(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;
