#include "tests/unit/test.h"

#include "tests/unit/server/database.h"

#include "server/store/db.h"
#include "server/store/schema.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

#include <glib.h>
#include <unistd.h>

static const char *server(void) {
    return g_getenv("MOOWATCH_TEST_STORE");
}

bool database_is_server(void) {
    return server() != NULL;
}

/* Its schema, for the folders of this program; and those that are there for the next folder. */
static GHashTable *taken;
static GPtrArray *spare;

/* The name of the database last, so that a test may spoil it. */
static char *url_of(const char *schema) {
    return g_strdup_printf("%s options=-csearch_path=%s application_name=%s dbname=postgres",
                           server(), schema, schema);
}

static srv_db *connect_to(const char *schema) {
    const char *text;
    g_autofree char *url = url_of(schema);
    srv_db *db = srv_db_open(url, SRV_DB_EXISTING);
    srv_db_problem(db, &text);
    if (!db->usable)
        fail_msg("%s: %s", url, text);
    return db;
}

static void execute(srv_db *db, const char *sql) {
    const char *text;
    srv_db_statement *statement = srv_db_prepare(db, sql, "");
    const bool good = statement && srv_db_next(statement) == SRV_DB_END;
    srv_db_problem(db, &text);
    if (!good)
        fail_msg("%s: %s", sql, text);
    srv_db_finish(statement);
}

/* The time as well: one server serves a whole run of tests, in which process IDs come round again.
 */
static char *schema_new(void) {
    char *schema = g_strdup_printf("test_%d_%" G_GINT64_FORMAT, (int)getpid(), g_get_real_time());
    g_autofree char *sql = g_strconcat("CREATE SCHEMA ", schema, NULL);
    srv_db *db = connect_to(schema);
    execute(db, sql);
    srv_db_close(db);
    return schema;
}

char *database_url(const char *dir) {
    if (!database_is_server())
        return g_build_filename(dir, "moowatch.db", NULL);
    if (!taken) {
        taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        spare = g_ptr_array_new();
    }
    char *schema = g_hash_table_lookup(taken, dir);
    if (!schema) {
        schema = spare->len > 0 ? g_ptr_array_steal_index_fast(spare, 0) : schema_new();
        g_hash_table_insert(taken, g_strdup(dir), schema);
    }
    return url_of(schema);
}

/* An empty store's file, made anew; owned. */
static char *empty_file(gsize *size) {
    GError *error = NULL;
    char *dir = folder_new(), *data = NULL;
    g_autofree char *path = g_build_filename(dir, "moowatch.db", NULL);
    srv_store *store = srv_store_open(path, &error);
    if (!store)
        fail_msg("%s", error->message);
    srv_store_close(store);
    if (!g_file_get_contents(path, &data, size, &error))
        fail_msg("%s", error->message);
    folder_free(dir);
    return data;
}

void database_fill(const char *url) {
    static char *data;
    static gsize size;
    GError *error = NULL;
    if (database_is_server() || g_file_test(url, G_FILE_TEST_EXISTS))
        return;
    if (!data)
        data = empty_file(&size);
    if (!g_file_set_contents_full(url, data, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0600, &error))
        fail_msg("%s", error->message);
}

/* Emptying one that has all its tables takes a tenth of the time of making them. */
#define EMPTY                                                                                      \
    "DO $$ DECLARE r record; BEGIN SET LOCAL session_replication_role=replica;"                    \
    " FOR r IN SELECT tablename t FROM pg_tables WHERE schemaname=current_schema()"                \
    " AND tablename<>'moowatch_schema' LOOP EXECUTE format('DELETE FROM %I', r.t); END LOOP;"      \
    " FOR r IN SELECT sequencename s FROM pg_sequences WHERE schemaname=current_schema()"          \
    " LOOP PERFORM setval(format('%I', r.s)::regclass, 1, false); END LOOP; END $$"

void database_drop(const char *dir) {
    if (!database_is_server())
        return; /* goes with the folder */
    gpointer key = NULL, schema = NULL;
    assert_true(g_hash_table_steal_extended(taken, dir, &key, &schema));
    g_free(key);
    srv_db *db = connect_to(schema);
    if (db->driver->version(db) == srv__schema_version()) {
        execute(db, EMPTY);
        g_ptr_array_add(spare, schema);
    } else {
        g_autofree char *sql = g_strconcat("DROP SCHEMA ", schema, " CASCADE", NULL);
        execute(db, sql);
        g_free(schema);
    }
    srv_db_close(db);
}

bool database_is_sound(srv_store *store) {
    g_autofree char *verdict = NULL;
    int64_t open_references = 0;
    if (database_is_server())
        return true;
    return srv__text(store, sql_text("PRAGMA integrity_check(1)", ""), SRV__NO_ARGS, &verdict,
                     NULL) &&
           g_strcmp0(verdict, "ok") == 0 &&
           srv__number(store, sql_text("SELECT count(*) FROM pragma_foreign_key_check", ""),
                       SRV__NO_ARGS, 0, &open_references, NULL) &&
           open_references == 0;
}
