#include "server/views/stamps.h"

#include "config/branch.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "sql/views.h"

#include <string.h>

static const char *name_of(const json_t *row) {
    return json_string_value(json_object_get(row, "name"));
}

/* Of all branches of a project together. Each number only grows, so their sum tells of a change of
 * any. {main: uint64_t} */
static GHashTable *sums_of(const json_t *rows, const srv_changes *changes) {
    GHashTable *sums = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const char *name = name_of(row);
        char *main = cfg_branch_main(name);
        uint64_t *sum = g_hash_table_lookup(sums, main);
        const bool found = sum != NULL;
        sum = found ? sum : g_new0(uint64_t, 1);
        *sum += srv_changes_now(changes, srv_changes_nights(name, strlen(name)));
        if (found)
            g_free(main);
        else
            g_hash_table_insert(sums, main, sum);
    }
    return sums;
}

json_t *srv_view_stamps(srv_store *store, const srv_changes *changes, const char *run,
                        GError **error) {
    json_auto_t *rows = srv__array(store, SQL(project_names), SRV__NO_ARGS, error);
    if (!rows)
        return NULL;
    g_autoptr(GHashTable) sums = sums_of(rows, changes);
    json_t *items = json_array(), *row;
    size_t i;
    json_array_foreach (rows, i, row) {
        g_autofree char *main = cfg_branch_main(name_of(row));
        const uint64_t *sum = g_hash_table_lookup(sums, main);
        g_autofree char *stamp = g_strdup_printf("%s-%" G_GINT64_MODIFIER "x", run, *sum);
        json_array_append_new(items,
                              json_pack("{s:s, s:s}", "project", name_of(row), "stamp", stamp));
    }
    return json_pack("{s:o, s:n}", "items", items, "next");
}
