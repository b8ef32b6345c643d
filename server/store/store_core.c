#include "server/store/store_core.h"

#include "server/ground/error.h"

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

/* Tables that nights and charts show nothing of. One that is not named here counts as shown. */
static bool is_apart(const char *table) {
    static const char *const names[] = {"job",
                                        "node",
                                        "delivery",
                                        "outbox",
                                        "channel",
                                        "raw",
                                        "trial",
                                        "trial_job",
                                        "trial_loop",
                                        "bisection",
                                        "bisection_commit",
                                        "alert_audit",
                                        "artifact",
                                        "expectation",
                                        "node_label",
                                        "sqlite_sequence"};
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
        srv_changes_note(store->changes, nights, (srv_changes_whose){.known = false});
        store->wrote = store->wrote_nights = false;
    }
}
