#include "server/store/store_counts.h"

#include "server/ground/error.h"
#include "server/store/db.h"
#include "server/store/schema.h"
#include "server/store/tables.h"

static void fail(const srv_db *db, const char *url, GError **error) {
    const char *text;
    (void)srv_db_problem(db, &text);
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", url, text);
}

bool srv__table_count(srv_db *db, const char *table, int64_t *rows) {
    g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM \"%s\"", table);
    srv_db_statement *query = srv_db_prepare(db, sql, "");
    const bool good = query && srv_db_next(query) == SRV_DB_ROW;
    *rows = good ? srv_db_column(query, 0).integer : 0;
    srv_db_finish(query);
    return good;
}

static json_t *counted(srv_db *db, const char *url, GError **error) {
    const int64_t version = srv_db_version(db);
    if (version > 0 && version != srv__schema_version()) {
        g_set_error(
            error, SRV_ERROR, SRV_ERROR_INTERNAL,
            "%s: the database has version %d, but this moowatch reads version %u alone; use "
            "the moowatch that wrote it",
            url, (int)version, srv__schema_version());
        return NULL;
    }
    if (version < 0 || !srv_db_begin_reading(db)) {
        fail(db, url, error);
        return NULL;
    }
    g_autofree char *sql = version > 0 ? srv__schema("") : g_strdup("");
    g_autoptr(GPtrArray) tables = srv__tables(sql);
    json_t *rows = json_object();
    bool good = true;
    for (guint i = 0; good && i < tables->len; i++) {
        const char *table = ((const srv__table *)tables->pdata[i])->name;
        int64_t count;
        good = srv__table_count(db, table, &count);
        json_object_set_new(rows, table, json_integer(count));
    }
    srv_db_roll_back(db);
    if (good)
        return json_pack("{s:I, s:o}", "version", (json_int_t)version, "rows", rows);
    fail(db, url, error);
    json_decref(rows);
    return NULL;
}

json_t *srv_store_counts(const char *url, GError **error) {
    srv_db *db = srv_db_open(url, SRV_DB_EXISTING);
    json_t *counts = NULL;
    if (db->usable)
        counts = counted(db, url, error);
    else
        fail(db, url, error);
    srv_db_close(db);
    return counts;
}
