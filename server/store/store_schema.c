#include "server/store/schema.h"
#include "server/store/store_core.h"

static bool refuse_newer(int64_t version, int64_t known, GError **error) {
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "the database has version %d, but this moowatch supports only up to %d; start the "
                "newer moowatch that wrote it, or restore a backup",
                (int)version, (int)known);
    return false;
}

/* One step, all of it or nothing. */
static bool upgrade(srv_store *store, int64_t version, GError **error) {
    g_autofree char *sql = srv__schema_step((unsigned)version, store->db->driver->name);
    if (srv_db_upgrade(store->db, sql, version))
        return true;
    const char *text;
    if (srv_db_problem(store->db, &text) == SRV_DB_CONSTRAINT)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "the database cannot be upgraded: %s; restore a backup", text);
    else
        srv__store_fail(store, "upgrading the database", error);
    return false;
}

bool srv__store_migrate(srv_store *store, GError **error) {
    const int64_t known = srv__schema_steps();
    int64_t version = srv_db_version(store->db);
    if (version < 0)
        srv__store_fail(store, "reading the version of the database", error);
    if (version > known)
        return refuse_newer(version, known, error);
    while (version >= 0 && version < known)
        version = upgrade(store, version + 1, error) ? version + 1 : -1;
    srv_db_expect(store->db, known);
    return version >= 0;
}
