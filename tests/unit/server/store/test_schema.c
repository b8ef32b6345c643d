#include "tests/unit/test.h"

#include "server/store/schema.h"

#include <string.h>

static void each_step_has_statements(void **state) {
    (void)state;
    assert_true(srv__schema_steps() >= 8);
    for (unsigned step = 1; step <= srv__schema_steps(); step++) {
        g_autofree char *sql = srv__schema_step(step, "sqlite");
        assert_true(g_str_has_suffix(g_strstrip(sql), ";"));
        assert_null(strstr(sql, "--"));
    }
}

static void a_step_is_its_own(void **state) {
    (void)state;
    g_autofree char *second = srv__schema_step(2, "sqlite");
    assert_true(g_str_has_prefix(g_strstrip(second), "CREATE TABLE channel("));
    assert_null(strstr(second, "CREATE TABLE job("));
    assert_null(strstr(second, "CREATE TABLE trial("));
}

/* What only databases of before need is for their driver alone. */
static void what_is_of_one_driver_is_left_out_for_others(void **state) {
    static const char *const words[] = {"json_", "alert_new", "LIKE", "DROP TABLE"};
    (void)state;
    g_autoptr(GString) ours = g_string_new(NULL), others = g_string_new(NULL);
    for (unsigned step = 1; step <= srv__schema_steps(); step++) {
        g_autofree char *a = srv__schema_step(step, "sqlite");
        g_autofree char *b = srv__schema_step(step, "another");
        g_string_append(ours, a);
        g_string_append(others, b);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        assert_non_null(strstr(ours->str, words[i]));
        assert_null(strstr(others->str, words[i]));
    }
    /* but what follows it is for all */
    assert_non_null(strstr(others->str, "CREATE INDEX alert_series"));
}

/* A line ends where it ends: a driver is its whole name, a step its own lines. */
static void a_driver_is_its_whole_name(void **state) {
    static const char *const others[] = {"", "sqlit", "sqlite3", "sqlite\n"};
    (void)state;
    for (unsigned step = 1; step <= srv__schema_steps(); step++) {
        g_autofree char *another = srv__schema_step(step, "another");
        for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
            g_autofree char *sql = srv__schema_step(step, others[i]);
            assert_string_equal(sql, another);
        }
    }
    g_autofree char *none = srv__schema_step(srv__schema_steps() + 1, "sqlite");
    assert_string_equal(none, "");
}

/* What a statement writes is what its text says. */
static void there_are_no_triggers_and_no_cascades(void **state) {
    (void)state;
    for (unsigned step = 1; step <= srv__schema_steps(); step++) {
        g_autofree char *sql = srv__schema_step(step, "sqlite");
        assert_null(strstr(sql, "TRIGGER"));
        assert_null(strstr(sql, "CASCADE"));
        assert_null(strstr(sql, " ON DELETE "));
        assert_null(strstr(sql, " ON UPDATE "));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_has_statements),
        cmocka_unit_test(a_step_is_its_own),
        cmocka_unit_test(what_is_of_one_driver_is_left_out_for_others),
        cmocka_unit_test(a_driver_is_its_whole_name),
        cmocka_unit_test(there_are_no_triggers_and_no_cascades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
