/* How many rows each table has, in one moment. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/store/schema.h"
#include "server/store/store_counts.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

static void every_table_is_counted(void **state) {
    static const double means[4] = {70, 470, 1600, 3200};
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 3, means);
    json_t *counts = srv_store_counts(fix->path, NULL), *rows;
    assert_int_equal(number_of(counts, "version"), srv__schema_version());
    const char *table;
    json_object_foreach (json_object_get(counts, "rows"), table, rows) {
        g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM \"%s\"", table);
        int64_t there = -1;
        assert_true(srv__number(fix->store, sql_text(sql, ""), SRV__NO_ARGS, 0, &there, NULL));
        assert_int_equal(json_integer_value(rows), there);
    }
    rows = json_object_get(counts, "rows");
    assert_int_equal(number_of(rows, "experiment"), 3);
    assert_int_equal(number_of(rows, "loop"), 3 * 4 * FIX_LOOPS);
    assert_non_null(json_object_get(rows, "gone"));
    json_decref(counts);
}

static void what_is_no_database_is_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autofree char *text = folder_file(fix->dir, "text.db", "no database, just some text in it");
    assert_null(srv_store_counts(text, &error));
    assert_srv_error(error, INTERNAL, text);
    assert_null(srv_store_counts("/nonexistent/x.db", &error));
    assert_srv_error(error, INTERNAL, "/nonexistent/x.db");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(every_table_is_counted),
        FIX_TEST(what_is_no_database_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
