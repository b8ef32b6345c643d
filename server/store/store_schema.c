#include "server/store/schema.h"
#include "server/store/store_core.h"

static bool refuse(int64_t version, int64_t known, GError **error) {
    const char *hint =
        version > known
            ? "start the newer moowatch that wrote it, or restore a backup"
            : "export its projects with the moowatch that wrote it (moowatchd export), and import "
              "them into a new database";
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "the database has version %d, but this moowatch reads version %d alone; %s",
                (int)version, (int)known, hint);
    return false;
}

static bool make(srv_store *store, int64_t version, GError **error) {
    g_autofree char *sql = srv__schema(store->db->driver->name);
    if (srv_db_upgrade(store->db, sql, version))
        return true;
    srv__store_fail(store, "making the database", error);
    return false;
}

bool srv__store_schema(srv_store *store, GError **error) {
    const int64_t known = srv__schema_version(), version = srv_db_version(store->db);
    if (version < 0) {
        srv__store_fail(store, "reading the version of the database", error);
        return false;
    }
    if (version == 0 && !make(store, known, error))
        return false;
    srv_db_expect(store->db, known);
    return version == 0 || version == known || refuse(version, known, error);
}
