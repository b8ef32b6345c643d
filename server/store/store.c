#include "server/store/store.h"

#include "server/store/store_core.h"

/* Longer than any transaction of ours; a second server on the same file is refused by then. */
#define BUSY_TIMEOUT_MS 10000

static void statements_free(void *memory) {
    g_ptr_array_free(memory, TRUE);
}

static bool pragmas(srv_store *store, GError **error) {
    /* FULL: in WAL mode NORMAL would lose the last commits when the power goes. */
    static const char *const sql = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                                   "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;"
                                   "PRAGMA cell_size_check=ON; PRAGMA cache_size=-8192;"
                                   "PRAGMA wal_autocheckpoint=1000";
    sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    srv__store_watch(store);
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    srv__store_fail(store, "setting the database up", error);
    return false;
}

srv_store *srv_store_open(const char *path, GError **error) {
    srv_store *store = g_new0(srv_store, 1);
    store->idle = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, statements_free);
    store->events = g_array_new(FALSE, FALSE, sizeof(srv__pending));
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        srv__store_fail(store, "opening the database", error);
    else if ((store->changes = srv_changes_open(path, error)) && pragmas(store, error) &&
             srv__store_migrate(store, error))
        return store;
    g_prefix_error(error, "%s: ", path);
    srv_store_close(store);
    return NULL;
}

void srv_store_close(srv_store *store) {
    if (!store)
        return;
    g_hash_table_destroy(store->idle);
    g_array_free(store->events, TRUE);
    sqlite3_close_v2(store->db);
    srv_changes_close(store->changes);
    g_free(store);
}

void srv_store_relax(srv_store *store) {
    sqlite3_db_release_memory(store->db);
}

bool srv_store_check(srv_store *store, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, "PRAGMA integrity_check(1)", SRV__NO_ARGS, error);
    if (!query)
        return false;
    GError *failure = NULL;
    if (srv__query_next(query, &failure) && g_str_equal(srv__query_text(query, 0), "ok")) {
        g_autoptr(srv__query) keys =
            srv__query_new(store, "PRAGMA foreign_key_check", SRV__NO_ARGS, error);
        if (!keys)
            return false;
        if (!srv__query_next(keys, &failure) && !failure)
            return true;
    }
    if (!failure)
        g_set_error(&failure, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "the database is damaged; restore the last backup");
    g_propagate_error(error, failure);
    return false;
}

void srv_store_on_event(srv_store *store, srv_event_fn function, void *user) {
    store->tell = function;
    store->tell_user = user;
}
