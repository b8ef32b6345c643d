#include "tests/unit/test.h"

#include "tests/unit/server/statements.h"

#include "server/store/sql_writes.h"
#include "server/store/store_core.h"

/* Page (an int64_t as text) to the table, an index being its table's. */
static GHashTable *tables_of(srv_store *store) {
    GHashTable *tables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    json_t *rows = srv__array(store, "SELECT rootpage, tbl_name FROM sqlite_schema", SRV__NO_ARGS,
                              NULL),
           *row;
    size_t i;
    assert_non_null(rows);
    json_array_foreach (rows, i, row)
        g_hash_table_insert(tables,
                            g_strdup_printf("%" JSON_INTEGER_FORMAT,
                                            json_integer_value(json_object_get(row, "rootpage"))),
                            g_strdup(json_string_value(json_object_get(row, "tbl_name"))));
    json_decref(rows);
    return tables;
}

/* The tables that SQLite's program for a statement writes, as a set. */
static GHashTable *opened(srv_store *store, GHashTable *tables, const char *sql) {
    GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *explain = g_strconcat("EXPLAIN ", sql, NULL);
    json_t *program = srv__array(store, explain, SRV__NO_ARGS, NULL), *line;
    size_t i;
    json_array_foreach (program, i, line) {
        const char *opcode = json_string_value(json_object_get(line, "opcode"));
        const bool clears = g_str_equal(opcode, "Clear");
        if (!clears && !g_str_equal(opcode, "OpenWrite"))
            continue;
        g_autofree char *page =
            g_strdup_printf("%" JSON_INTEGER_FORMAT,
                            json_integer_value(json_object_get(line, clears ? "p1" : "p2")));
        const char *table = g_hash_table_lookup(tables, page);
        if (table && !g_str_equal(table, "sqlite_sequence"))
            g_hash_table_add(set, g_strdup(table));
    }
    json_decref(program);
    return set;
}

static GHashTable *told(const char *sql) {
    GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) writes = srv__sql_writes(sql);
    for (guint i = 0; i < writes->len; i++)
        g_hash_table_add(set, g_strdup(g_array_index(writes, srv__write, i).table));
    return set;
}

static void same(const char *sql, GHashTable *a, GHashTable *b) {
    GHashTableIter iter;
    gpointer table;
    g_hash_table_iter_init(&iter, a);
    while (g_hash_table_iter_next(&iter, &table, NULL))
        if (!g_hash_table_contains(b, table))
            fail_msg("%s: is %s written?", sql, (const char *)table);
}

void statements_check(srv_store *store) {
    if (!g_str_equal(store->db->driver->name, "sqlite"))
        return;
    g_autoptr(GHashTable) tables = tables_of(store);
    guint count;
    g_autofree gpointer *keys = g_hash_table_get_keys_as_array(store->idle, &count);
    /* they are asked for with the store itself, which adds to its list */
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < count; i++)
        if (!g_str_has_prefix(keys[i], "EXPLAIN ") && !g_str_has_prefix(keys[i], "PRAGMA "))
            g_ptr_array_add(texts, g_strdup(keys[i]));
    for (guint i = 0; i < texts->len; i++) {
        const char *sql = texts->pdata[i];
        g_autoptr(GHashTable) by_text = told(sql);
        g_autoptr(GHashTable) by_program = opened(store, tables, sql);
        same(sql, by_text, by_program);
        same(sql, by_program, by_text);
    }
}
