#include "tests/unit/test.h"

#include "server/store/schema.h"

#include <string.h>

static void it_has_statements_and_no_comments(void **state) {
    (void)state;
    g_autofree char *sql = srv__schema("sqlite");
    assert_true(srv__schema_version() >= 45);
    assert_non_null(strstr(sql, "CREATE TABLE job("));
    assert_true(g_str_has_suffix(g_strstrip(sql), ";"));
    assert_null(strstr(sql, "--"));
}

static void what_is_of_one_driver_is_left_out_for_others(void **state) {
    (void)state;
    g_autofree char *ours = srv__schema("postgresql"), *others = srv__schema("sqlite");
    assert_non_null(strstr(ours, "SET STORAGE EXTERNAL"));
    assert_null(strstr(others, "SET STORAGE EXTERNAL"));
}

/* A line ends where it ends: a driver is its whole name. */
static void a_driver_is_its_whole_name(void **state) {
    static const char *const others[] = {"", "postgresq", "postgresql1", "postgresql\n"};
    (void)state;
    g_autofree char *another = srv__schema("another");
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *sql = srv__schema(others[i]);
        assert_string_equal(sql, another);
    }
}

/* What a statement writes is what its text says. */
static void there_are_no_triggers_and_no_cascades(void **state) {
    static const char *const words[] = {"TRIGGER", "CASCADE", " ON DELETE ", " ON UPDATE "};
    (void)state;
    g_autofree char *sql = srv__schema("sqlite");
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        assert_null(strstr(sql, words[i]));
}

/* The tables of the schema, read from its text. */

static void what_a_text_says(void **state) {
    static const char sql[] =
        "CREATE TABLE a(id INTEGER PRIMARY KEY, b INTEGER NOT NULL REFERENCES a);\n"
        "CREATE INDEX x ON a(b);\n"
        "CREATE TABLE c(name TEXT PRIMARY KEY, n INTEGER REFERENCES a) WITHOUT ROWID;\n"
        "CREATE TABLE d(one INTEGER NOT NULL,\n  two TEXT NOT NULL, PRIMARY KEY(one,\n  two));\n"
        "UPDATE a SET b=1;\n";
    static const struct {
        const char *name, *keys, *to_self;
    } cases[] = {{"a", "id", "b"}, {"c", "name", NULL}, {"d", "one two", NULL}};
    (void)state;
    g_autoptr(GPtrArray) tables = srv__tables(sql);
    assert_int_equal(tables->len, G_N_ELEMENTS(cases));
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const srv__table *table = tables->pdata[i];
        g_autofree char *keys = g_strjoinv(" ", table->keys);
        assert_string_equal(table->name, cases[i].name);
        assert_string_equal(keys, cases[i].keys);
        if (g_strcmp0(table->to_self, cases[i].to_self) != 0)
            fail_msg("%s refers to itself by %s", table->name, table->to_self);
    }
}

static void every_table_of_ours_has_a_key(void **state) {
    (void)state;
    g_autofree char *sql = srv__schema("");
    g_autoptr(GPtrArray) tables = srv__tables(sql);
    assert_true(tables->len >= 30);
    for (guint i = 0; i < tables->len; i++) {
        const srv__table *table = tables->pdata[i];
        if (!table->keys[0])
            fail_msg("%s has no key", table->name);
        if (g_str_equal(table->name, "alert"))
            assert_string_equal(table->to_self, "fixed_by");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_statements_and_no_comments),
        cmocka_unit_test(what_is_of_one_driver_is_left_out_for_others),
        cmocka_unit_test(a_driver_is_its_whole_name),
        cmocka_unit_test(there_are_no_triggers_and_no_cascades),

        cmocka_unit_test(what_a_text_says),
        cmocka_unit_test(every_table_of_ours_has_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
