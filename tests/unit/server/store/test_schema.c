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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_statements_and_no_comments),
        cmocka_unit_test(what_is_of_one_driver_is_left_out_for_others),
        cmocka_unit_test(a_driver_is_its_whole_name),
        cmocka_unit_test(there_are_no_triggers_and_no_cascades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
