#include "server/store/store_move.h"

#include "server/store/db.h"
#include "server/store/schema.h"
#include "server/store/store_core.h"

#include <string.h>

static bool rows_remove(srv_store *store, const char *table, const char *condition,
                        const char *name) {
    const srv_db_value value = {.type = SRV_DB_TEXT, .data = name, .size = strlen(name)};
    g_autofree char *sql = g_strdup_printf("DELETE FROM %s WHERE %s", table, condition);
    srv_db_statement *statement = srv_db_prepare(store->db, sql, "t");
    const bool good =
        statement && srv_db_bind(statement, 1, &value) && srv_db_next(statement) == SRV_DB_END;
    srv_db_finish(statement);
    srv__store_wrote(store);
    return good;
}

bool srv__project_remove(srv_store *store, const char *name, GError **error) {
    g_autofree char *schema = srv__schema("");
    g_autoptr(GPtrArray) tables = srv__tables(schema);
    g_autoptr(GPtrArray) conditions = srv__tables_of(
        tables, "project", "id IN (SELECT id FROM project WHERE name=$1 OR main=$1)");
    for (guint i = tables->len; i-- > 0;) {
        const srv__table *table = tables->pdata[i];
        const char *condition = conditions->pdata[i];
        if (condition && !rows_remove(store, table->name, condition, name)) {
            srv__store_fail(store, table->name, error);
            return false;
        }
    }
    return true;
}
