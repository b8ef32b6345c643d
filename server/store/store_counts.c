#include "server/store/store_counts.h"

#include "server/ground/error.h"
#include "server/store/db.h"
#include "server/store/schema.h"
#include "server/store/tables.h"

static bool fail(const srv_db *db, const char *url, GError **error) {
    const char *text;
    (void)srv_db_problem(db, &text);
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", url, text);
    return false;
}

/* Those that a database of this version has. */
static GPtrArray *tables_of(int64_t version) {
    g_autoptr(GString) sql = g_string_new(NULL);
    for (int64_t step = 1; step <= version; step++) {
        g_autofree char *text = srv__schema_step((unsigned)step, "");
        g_string_append(sql, text);
    }
    return srv__tables(sql->str);
}

bool srv__table_count(srv_db *db, const char *table, int64_t *rows) {
    g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM \"%s\"", table);
    srv_db_statement *query = srv_db_prepare(db, sql, "");
    const bool good = query && srv_db_next(query) == SRV_DB_ROW;
    *rows = good ? srv_db_column(query, 0).integer : 0;
    srv_db_finish(query);
    return good;
}

static json_t *counted(srv_db *db) {
    const int64_t version = srv_db_version(db);
    if (version < 0 || version > srv__schema_steps() || !srv_db_begin_reading(db))
        return NULL;
    g_autoptr(GPtrArray) tables = tables_of(version);
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
    json_decref(rows);
    return NULL;
}

json_t *srv_store_counts(const char *url, GError **error) {
    srv_db *db = srv_db_open(url, SRV_DB_EXISTING);
    json_t *counts = db->usable ? counted(db) : NULL;
    if (!counts)
        fail(db, url, error);
    srv_db_close(db);
    return counts;
}
