#include "server/store/schema.h"
#include "server/store/store_core.h"

/* What a database file of ours carries in its header, so that no other one is taken for it. */
#define APPLICATION_ID 0x6d6f6f77 /* "moow" */

static bool pragma_get(srv_store *store, const char *sql, int64_t *value, GError **error) {
    return srv__number(store, sql, SRV__NO_ARGS, 0, value, error);
}

static bool foreign_keys(srv_store *store, bool on, GError **error) {
    const char *sql = on ? "PRAGMA foreign_keys=ON" : "PRAGMA foreign_keys=OFF";
    bool good = sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        srv__store_fail(store, "bringing the database up to date", error);
    return good;
}

static bool references_hold(srv_store *store, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, "PRAGMA foreign_key_check", SRV__NO_ARGS, error);
    GError *failure = NULL;
    if (!query)
        return false;
    if (srv__query_next(query, &failure))
        g_set_error(&failure, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "the database cannot be brought up to date: its table %s refers to what is not "
                    "there; restore a backup",
                    srv__query_text(query, 0));
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

/* One step, all of it or nothing. Tables may be made anew, so references wait for its end. */
static bool step(srv_store *store, int64_t from, GError **error) {
    if (!srv__begin(store, error))
        return false;
    g_autofree char *mark = g_strdup_printf("PRAGMA application_id=%d; PRAGMA user_version=%d",
                                            APPLICATION_ID, (int)from + 1);
    g_autofree char *sql = srv__schema_step((unsigned)from + 1, "sqlite");
    bool good = sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(store->db, mark, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        srv__store_fail(store, "bringing the database up to date", error);
    return srv__end(store, good && references_hold(store, error), error);
}

static bool upgrade(srv_store *store, int64_t from, GError **error) {
    if (!foreign_keys(store, false, error))
        return false;
    bool good = step(store, from, error);
    return foreign_keys(store, true, good ? error : NULL) && good;
}

bool srv__store_migrate(srv_store *store, GError **error) {
    const int64_t steps = srv__schema_steps();
    int64_t version, application, tables;
    if (!pragma_get(store, "PRAGMA user_version", &version, error) ||
        !pragma_get(store, "PRAGMA application_id", &application, error) ||
        !pragma_get(store, "SELECT count(*) FROM sqlite_schema", &tables, error))
        return false;
    if (application != APPLICATION_ID && (application != 0 || tables != 0)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "this is a database of another program; set data_dir to a folder of its own");
        return false;
    }
    if (version > steps) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "the database has version %d, this moowatch knows up to %d; "
                    "start the newer moowatch that made it, or restore a backup",
                    (int)version, (int)steps);
        return false;
    }
    while (version < steps) {
        if (!upgrade(store, version, error)) {
            /* Another process may have done the same step meanwhile. */
            int64_t now;
            if (!pragma_get(store, "PRAGMA user_version", &now, NULL) || now <= version)
                return false;
            g_clear_error(error);
            version = now;
            continue;
        }
        version++;
    }
    return true;
}
