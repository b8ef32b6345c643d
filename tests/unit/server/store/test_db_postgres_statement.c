/* Statements of PostgreSQL: what comes back, and what SQLite would let pass. */
#include "tests/unit/server/store/world.h"

static void every_type_comes_back(void **state) {
    static const struct {
        const char *sql;
        srv_db_type type;
        double number;
    } cases[] = {
        {"SELECT 7::smallint", SRV_DB_INTEGER, 7},
        {"SELECT -7::integer", SRV_DB_INTEGER, -7},
        {"SELECT -7::bigint", SRV_DB_INTEGER, -7},
        {"SELECT true", SRV_DB_INTEGER, 1},
        {"SELECT 1.5::real", SRV_DB_REAL, 1.5},
        {"SELECT -0.1::double precision", SRV_DB_REAL, -0.1},
        {"SELECT 'x'", SRV_DB_TEXT, 0},
        {"SELECT 'x'::name", SRV_DB_TEXT, 0},
        {"SELECT NULL", SRV_DB_NULL, 0},
        {"SELECT '\\x00ff'::bytea", SRV_DB_BLOB, 0},
        {"SELECT pg_notify('x', '')", SRV_DB_NULL, 0},
    };
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        srv_db_statement *s = srv_db_prepare(w->db, cases[i].sql, "");
        assert_int_equal(srv_db_next(s), SRV_DB_ROW);
        const srv_db_value value = srv_db_column(s, 0);
        const double number = value.type == SRV_DB_INTEGER ? (double)value.integer : value.real;
        if (value.type != cases[i].type || fabs(number - cases[i].number) > 0)
            fail_msg("%s: %d, %g", cases[i].sql, (int)value.type, number);
        srv_db_finish(s);
    }
}

/* A number of any length is no number of ours. */
static void a_sum_says_how_large_it_is(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    assert_null(srv_db_prepare(w->db, "SELECT sum(flag) AS total FROM thing", ""));
    problem_is(w->db, SRV_DB_OTHER, "total needs a CAST");
    srv_db_statement *s =
        srv_db_prepare(w->db, "SELECT CAST(sum(flag) AS BIGINT) AS total FROM thing", "");
    assert_non_null(s);
    srv_db_finish(s);
}

/* Whichever number the caller had. */
static void numbers_become_what_was_announced(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    const srv_db_value one = {.type = SRV_DB_INTEGER, .integer = 1},
                       two = {.type = SRV_DB_REAL, .real = 2};
    srv_db_statement *s = srv_db_prepare(w->db, "SELECT $1, $2", "di");
    assert_true(srv_db_bind(s, 1, &one) && srv_db_bind(s, 2, &two));
    assert_int_equal(srv_db_next(s), SRV_DB_ROW);
    assert_true(srv_db_column(s, 0).real == 1.0);
    assert_int_equal(srv_db_column(s, 1).integer, 2);
    srv_db_finish(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(every_type_comes_back),
        WORLD_TEST(a_sum_says_how_large_it_is),
        WORLD_TEST(numbers_become_what_was_announced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
