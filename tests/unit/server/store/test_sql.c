/* The named statements, each of them, on the database that the test runs with (database.h). */
#include "tests/unit/test.h"

#include "server/store/sql.h"
#include "server/store/store_core.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/folder.h"

#include <string.h>

static void every_statement_can_be_prepared(void **state) {
    (void)state;
    char *dir = folder_new();
    g_autofree char *url = database_url(dir);
    srv_store *store = srv_store_open(url, NULL);
    assert_non_null(store);
    int bad = 0;
    for (int i = 0; srv__sql_all[i]; i++) {
        const srv_sql *sql = srv__sql_all[i];
        const char *problem;
        srv_db_statement *statement = srv_db_prepare(store->db, sql->text, sql->types);
        srv_db_problem(store->db, &problem);
        if (!statement)
            print_error("%s: %s\n", sql->name, problem);
        bad += !statement;
        srv_db_finish(statement);
    }
    assert_int_equal(bad, 0);
    srv_store_close(store);
    database_drop(dir);
    folder_free(dir);
}

static void a_text_is_one_statement_with_its_fragments(void **state) {
    (void)state;
    for (int i = 0; srv__sql_all[i]; i++) {
        assert_null(strchr(srv__sql_all[i]->text, ';'));
        assert_null(strstr(srv__sql_all[i]->text, " :"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_can_be_prepared),
        cmocka_unit_test(a_text_is_one_statement_with_its_fragments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
