#include "server/store/store.h"

#include "server/store/store_core.h"

/* Longer than any transaction of ours; a second server on the same file is refused by then. */
#define BUSY_TIMEOUT_MS 10000

typedef struct {
    char *type;
    json_t *data;
} pending;

static void pending_free(void *memory) {
    pending *event = memory;
    g_free(event->type);
    json_decref(event->data);
    g_free(event);
}

static void statements_free(void *memory) {
    g_ptr_array_free(memory, TRUE);
}

void srv__store_fail(srv_store *store, const char *doing, GError **error) {
    int code = sqlite3_errcode(store->db) & 0xff;
    const char *text = sqlite3_errmsg(store->db);
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        g_set_error(error, SRV_ERROR, SRV_ERROR_BUSY, "%s: the database is in use (%s); try again",
                    doing, text);
        break;
    case SQLITE_FULL:
        g_set_error(error, SRV_ERROR, SRV_ERROR_FULL,
                    "%s: the disk is full (%s); free some space, nothing was changed", doing, text);
        break;
    case SQLITE_IOERR:
        g_set_error(error, SRV_ERROR, SRV_ERROR_FULL,
                    "%s: the database cannot be written (%s); check the disk, nothing was changed",
                    doing, text);
        break;
    case SQLITE_CANTOPEN:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "%s: %s; it must be a file, in a folder that is there, and both writable for "
                    "the user that moowatchd runs as",
                    doing, text);
        break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "%s: %s; move the file away and moowatchd restore the last backup", doing,
                    text);
        break;
    default:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", doing, text);
    }
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
    store->events = g_ptr_array_new_with_free_func(pending_free);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        srv__store_fail(store, "opening the database", error);
    else if ((store->changes = srv_changes_open(path, error)) != NULL && pragmas(store, error) &&
             srv__store_migrate(store, error))
        return store;
    g_prefix_error(error, "%s: ", path);
    srv_store_close(store);
    return NULL;
}

void srv_store_close(srv_store *store) {
    if (store == NULL)
        return;
    g_hash_table_destroy(store->idle);
    g_ptr_array_free(store->events, TRUE);
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
    if (query == NULL)
        return false;
    GError *failure = NULL;
    if (srv__query_next(query, &failure) && g_str_equal(srv__query_text(query, 0), "ok")) {
        g_autoptr(srv__query) keys =
            srv__query_new(store, "PRAGMA foreign_key_check", SRV__NO_ARGS, error);
        if (keys == NULL)
            return false;
        if (!srv__query_next(keys, &failure) && failure == NULL)
            return true;
    }
    if (failure == NULL)
        g_set_error(&failure, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "the database is damaged; restore the last backup");
    g_propagate_error(error, failure);
    return false;
}

void srv_store_on_event(srv_store *store, srv_event_fn function, void *user) {
    store->tell = function;
    store->tell_user = user;
}

void srv__event(srv_store *store, const char *type, json_t *data) {
    pending *event = g_new0(pending, 1);
    event->type = g_strdup(type);
    event->data = data;
    g_ptr_array_add(store->events, event);
}

static void tell_events(srv_store *store) {
    for (guint i = 0; i < store->events->len && store->tell != NULL; i++) {
        pending *event = store->events->pdata[i];
        store->tell(event->type, event->data, store->tell_user);
    }
    g_ptr_array_set_size(store->events, 0);
}

/* Tables that nights and charts show nothing of. One that is not named here counts as shown. */
static bool is_apart(const char *table) {
    static const char *const names[] = {
        "job",      "node",        "delivery",       "outbox",    "channel",          "raw",
        "trial",    "trial_job",   "trial_loop",     "bisection", "bisection_commit", "alert_audit",
        "artifact", "expectation", "sqlite_sequence"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(table, names[i]))
            return true;
    return false;
}

/* What polls, leases and waiting jobs leave behind. */
static bool is_bookkeeping(const char *table, const char *column) {
    static const char *const names[][2] = {{"project", "polled_ms"},   {"project", "next_night_ms"},
                                           {"project", "served_ms"},   {"project", "fetch_problem"},
                                           {"project", "job_problem"}, {"revision", "place"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(table, names[i][0]) && g_str_equal(column, names[i][1]))
            return true;
    return false;
}

/* SQLite asks this for everything that a statement will touch, while it is prepared. */
static int on_prepare(void *data, int action, const char *table, const char *column,
                      const char *database, const char *trigger) {
    (void)database;
    (void)trigger;
    srv_store *store = data;
    if (action != SQLITE_INSERT && action != SQLITE_UPDATE && action != SQLITE_DELETE)
        return SQLITE_OK;
    store->preparing_writes = true;
    /* A commit that becomes known is no night yet. */
    bool apart = is_apart(table) || (action == SQLITE_INSERT && g_str_equal(table, "revision")) ||
                 (action == SQLITE_UPDATE && is_bookkeeping(table, column));
    store->preparing_nights = store->preparing_nights || !apart;
    return SQLITE_OK;
}

void srv__store_watch(srv_store *store) {
    sqlite3_set_authorizer(store->db, on_prepare, store);
}

void srv__store_wrote(srv_store *store, bool nights) {
    store->wrote = true;
    store->wrote_nights = store->wrote_nights || nights;
    if (!store->in_transaction) {
        srv_changes_note(store->changes, nights);
        store->wrote = store->wrote_nights = false;
    }
}

bool srv__begin(srv_store *store, GError **error) {
    g_assert(!store->in_transaction);
    /* IMMEDIATE: a transaction that began by reading could not wait for its turn to write. */
    store->in_transaction = srv__run(store, "BEGIN IMMEDIATE", SRV__NO_ARGS, NULL, error);
    store->wrote = store->wrote_nights = false;
    return store->in_transaction;
}

bool srv__end(srv_store *store, bool good, GError **error) {
    g_assert(store->in_transaction);
    store->in_transaction = false;
    if (good && srv__run(store, "COMMIT", SRV__NO_ARGS, NULL, error)) {
        if (store->wrote)
            srv_changes_note(store->changes, store->wrote_nights);
        tell_events(store);
        return true;
    }
    g_ptr_array_set_size(store->events, 0);
    /* Some failures have rolled back already. */
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
