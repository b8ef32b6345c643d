/* What every driver keeps to (world.h says how another is tested). */
#include "tests/unit/server/store/world.h"

static void a_plain_path_is_sqlites(void **state) {
    world *w = *state;
    assert_string_equal(srv_db_place("sqlite:/a/b.db"), "/a/b.db");
    assert_string_equal(srv_db_place("/a/b.db"), "/a/b.db");
    assert_string_equal(srv_db_place("./a:b.db"), "./a:b.db");
    g_autofree char *path = g_build_filename(w->dir, "plain.db", NULL);
    srv_db *db = connect_to(path, SRV_DB_WRITE);
    assert_string_equal(db->driver->name, "sqlite");
    srv_db_close(db);
}

static void steps_are_taken_once(void **state) {
    world *w = *state;
    assert_int_equal(w->db->driver->version(w->db), 0);
    step_1(w->db);
    assert_int_equal(w->db->driver->version(w->db), 1);
    /* as when another process was faster */
    step_1(w->db);
    assert_int_equal(w->db->driver->version(w->db), 1);
    srv_db *other = connect_to(w->url, SRV_DB_READ);
    assert_int_equal(other->driver->version(other), 1);
    srv_db_close(other);
}

static void a_step_that_fails_leaves_nothing(void **state) {
    world *w = *state;
    step_1(w->db);
    assert_false(w->db->driver->upgrade(
        w->db, "CREATE TABLE other(id INTEGER); CREATE TABLE thing(x TEXT);", 2));
    problem_is(w->db, SRV_DB_OTHER, "thing");
    assert_int_equal(w->db->driver->version(w->db), 1);
    assert_int_equal(run(w->db, "SELECT id FROM other", NULL), SRV_DB_ERROR);
    /* and the connection is as good as before */
    assert_int_equal(run(w->db, "INSERT INTO thing(name, kind) VALUES('a', 'none')", NULL),
                     SRV_DB_ERROR);
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
}

static void a_step_leaves_no_reference_open(void **state) {
    world *w = *state;
    step_1(w->db);
    assert_false(
        w->db->driver->upgrade(w->db, "INSERT INTO thing(name, kind) VALUES('a', 'none')", 2));
    problem_is(w->db, SRV_DB_CONSTRAINT, "constraint");
    assert_int_equal(w->db->driver->version(w->db), 1);
    assert_int_equal(count(w->db), 0);
}

static void values_come_back_as_they_went(void **state) {
    static const srv_db_value values[][3] = {
        {{.type = SRV_DB_TEXT, .data = "größe ☃", .size = 11},
         {.type = SRV_DB_REAL, .real = -1.5e-300},
         {.type = SRV_DB_BLOB, .data = "a\0b", .size = 3}},
        {{.type = SRV_DB_TEXT, .data = "", .size = 0},
         {.type = SRV_DB_NULL},
         {.type = SRV_DB_NULL}},
        {{.type = SRV_DB_TEXT, .data = "x", .size = 1},
         {.type = SRV_DB_REAL, .real = 0.1},
         {.type = SRV_DB_BLOB, .data = "", .size = 0}},
    };
    world *w = *state;
    step_1(w->db);
    srv_db_statement *put = srv_db_prepare(
        w->db,
        "INSERT INTO thing(name, weight, body) VALUES($1,$2,$3) RETURNING name, weight, body",
        "tdb");
    assert_non_null(put);
    assert_int_equal(srv_db_columns(put), 3);
    assert_string_equal(srv_db_column_name(put, 1), "weight");
    for (size_t row = 0; row < G_N_ELEMENTS(values); row++) {
        for (int i = 0; i < 3; i++)
            assert_true(srv_db_bind(put, i + 1, &values[row][i]));
        assert_int_equal(srv_db_next(put), SRV_DB_ROW);
        for (int i = 0; i < 3; i++) {
            const srv_db_value value = srv_db_column(put, i);
            assert_int_equal(value.type, values[row][i].type);
            assert_true(value.real == values[row][i].real);
            assert_int_equal(value.size, values[row][i].size);
            if (value.size > 0)
                assert_memory_equal(value.data, values[row][i].data, value.size);
        }
        assert_int_equal(srv_db_next(put), SRV_DB_END);
        assert_int_equal(w->db->driver->changes(w->db), 1);
        srv_db_reset(put);
    }
    srv_db_finish(put);
}

static void integers_have_64_bits(void **state) {
    static const int64_t numbers[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    world *w = *state;
    srv_db_statement *echo = srv_db_prepare(w->db, "SELECT $2, $1, $2", "ti");
    assert_non_null(echo);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        const srv_db_value name = {.type = SRV_DB_TEXT, .data = "n", .size = 1};
        const srv_db_value number = {.type = SRV_DB_INTEGER, .integer = numbers[i]};
        assert_true(srv_db_bind(echo, 1, &name) && srv_db_bind(echo, 2, &number));
        assert_int_equal(srv_db_next(echo), SRV_DB_ROW);
        assert_int_equal(srv_db_column(echo, 0).type, SRV_DB_INTEGER);
        assert_true(srv_db_column(echo, 0).integer == numbers[i]);
        assert_string_equal(srv_db_column(echo, 1).data, "n");
        assert_true(srv_db_column(echo, 2).integer == numbers[i]);
        srv_db_reset(echo);
    }
    srv_db_finish(echo);
}

static void a_parameter_that_is_not_there_is_a_problem(void **state) {
    world *w = *state;
    const srv_db_value one = {.type = SRV_DB_INTEGER, .integer = 1};
    srv_db_statement *statement = srv_db_prepare(w->db, "SELECT $1", "i");
    assert_non_null(statement);
    assert_false(srv_db_bind(statement, 2, &one));
    problem_is(w->db, SRV_DB_OTHER, "parameter");
    srv_db_finish(statement);
}

static void an_unbound_parameter_is_null(void **state) {
    world *w = *state;
    const srv_db_value one = {.type = SRV_DB_INTEGER, .integer = 1};
    srv_db_statement *statement = srv_db_prepare(w->db, "SELECT $1 IS NULL, $1", "i");
    assert_non_null(statement);
    assert_true(srv_db_bind(statement, 1, &one));
    assert_int_equal(srv_db_next(statement), SRV_DB_ROW);
    assert_true(srv_db_column(statement, 0).integer == 0);
    srv_db_reset(statement); /* forgets it */
    assert_int_equal(srv_db_next(statement), SRV_DB_ROW);
    assert_int_equal(srv_db_column(statement, 0).type, SRV_DB_INTEGER); /* a yes */
    assert_true(srv_db_column(statement, 0).integer == 1);
    assert_int_equal(srv_db_column(statement, 1).type, SRV_DB_NULL);
    srv_db_finish(statement);
}

static void wrong_sql_is_a_problem(void **state) {
    world *w = *state;
    assert_null(srv_db_prepare(w->db, "SELECT x FROM nowhere", ""));
    problem_is(w->db, SRV_DB_OTHER, "nowhere");
    assert_null(srv_db_prepare(w->db, "SELEKT", ""));
    problem_is(w->db, SRV_DB_OTHER, "SELEKT");
}

static void rows_that_are_not_allowed_are_told_apart(void **state) {
    static const char *const wrong[] = {
        "INSERT INTO thing(name) VALUES('a')",                 /* there is one */
        "INSERT INTO thing(kind) VALUES(NULL)",                /* no name */
        "INSERT INTO thing(name, kind) VALUES('b', 'nobody')", /* refers to nothing */
        "DELETE FROM kind",                                    /* is referred to */
    };
    world *w = *state;
    step_1(w->db);
    assert_int_equal(run(w->db, "INSERT INTO kind(name) VALUES('k')", NULL), SRV_DB_END);
    assert_int_equal(run(w->db, "INSERT INTO thing(name, kind) VALUES('a', 'k')", NULL),
                     SRV_DB_END);
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        assert_int_equal(run(w->db, wrong[i], NULL), SRV_DB_ERROR);
        problem_is(w->db, SRV_DB_CONSTRAINT, "");
    }
    assert_int_equal(count(w->db), 1);
}

static void keys_come_with_the_row(void **state) {
    world *w = *state;
    int64_t id = 0;
    step_1(w->db);
    for (int i = 1; i <= 2; i++) {
        g_autofree char *sql =
            g_strdup_printf("INSERT INTO thing(name) VALUES('%d') RETURNING id", i);
        assert_int_equal(run(w->db, sql, &id), SRV_DB_END);
        assert_int_equal(id, i);
    }
    /* a key that was given once is never given again */
    assert_int_equal(run(w->db, "DELETE FROM thing", NULL), SRV_DB_END);
    assert_int_equal(w->db->driver->changes(w->db), 2);
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('3') RETURNING id", &id),
                     SRV_DB_END);
    assert_int_equal(id, 3);
}

static void what_the_sql_may_use(void **state) {
    static const struct {
        const char *sql;
        int64_t number;
    } cases[] = {
        {"INSERT INTO thing(name) VALUES('a') ON CONFLICT(name) DO UPDATE SET flag=1 RETURNING "
         "flag",
         0},
        {"INSERT INTO thing(name) VALUES('a') ON CONFLICT(name) DO UPDATE SET flag=1 RETURNING "
         "flag",
         1},
        {"INSERT INTO thing(name) VALUES('a') ON CONFLICT DO NOTHING RETURNING 7", -1},
        {"SELECT CASE WHEN NULL IS DISTINCT FROM 1 THEN 2 ELSE 3 END", 2},
        {"SELECT count(*) FROM thing WHERE (flag, name) < (2, 'z')", 1},
        {"SELECT 1 WHERE EXISTS(SELECT 1 FROM thing WHERE name='a')", 1},
        {"WITH n AS (SELECT 4 AS four) SELECT four FROM n", 4},
        {"UPDATE thing SET flag=flag+5 WHERE name='a' RETURNING flag", 6},
        {"SELECT flag FROM thing ORDER BY flag DESC NULLS LAST LIMIT 1", 6},
        {"SELECT coalesce(max(flag) FILTER (WHERE name='b'), 9) FROM thing", 9},
        {"SELECT CASE WHEN substr('abcd',1,2)='ab' THEN 8 END", 8},
        {"SELECT lag(flag, 1, 3) OVER (ORDER BY id) FROM thing", 3},
    };
    world *w = *state;
    step_1(w->db);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        int64_t number = -1;
        if (run(w->db, cases[i].sql, &number) != SRV_DB_END || number != cases[i].number)
            fail_msg("%s: %d", cases[i].sql, (int)number);
    }
}

static void text_is_ordered_by_its_bytes(void **state) {
    world *w = *state;
    int64_t number = -1;
    step_1(w->db);
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a'), ('B'), ('ä')", NULL),
                     SRV_DB_END);
    assert_int_equal(run(w->db, "SELECT count(*) FROM thing WHERE name<'a'", &number), SRV_DB_END);
    assert_int_equal(number, 1);
    assert_int_equal(run(w->db, "SELECT count(*) FROM thing WHERE name>'z'", &number), SRV_DB_END);
    assert_int_equal(number, 1);
}

static void a_transaction_is_seen_when_it_is_committed(void **state) {
    world *w = *state;
    step_1(w->db);
    srv_db *other = connect_to(w->url, SRV_DB_EXISTING);
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    assert_int_equal(count(w->db), 1);
    assert_int_equal(count(other), 0);
    assert_true(srv_db_commit(w->db));
    assert_int_equal(count(other), 1);
    srv_db_close(other);
}

static void a_transaction_is_rolled_back(void **state) {
    world *w = *state;
    step_1(w->db);
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    srv_db_roll_back(w->db);
    assert_int_equal(count(w->db), 0);
    srv_db_roll_back(w->db); /* none is open */
    assert_true(srv_db_begin(w->db));
    assert_true(srv_db_commit(w->db));
}

static void what_is_opened_for_reading_is_not_written(void **state) {
    world *w = *state;
    step_1(w->db);
    srv_db *other = connect_to(w->url, SRV_DB_READ);
    assert_int_equal(count(other), 0);
    assert_int_equal(run(other, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_ERROR);
    problem_is(other, is_sqlite(w) ? SRV_DB_OTHER : SRV_DB_REFUSED, "read");
    srv_db_close(other);
}

static void what_is_not_there_is_absent(void **state) {
    static const srv_db_mode modes[] = {SRV_DB_EXISTING, SRV_DB_READ};
    world *w = *state;
    g_autofree char *url = g_strdup_printf("%s-not", w->url);
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
        srv_db *db = srv_db_open(url, modes[i]);
        assert_false(db->usable);
        problem_is(db, SRV_DB_ABSENT, "");
        srv_db_close(db);
    }
}

static void it_says_what_it_takes(void **state) {
    world *w = *state;
    int64_t bytes = 0, free_bytes = -1;
    bool more = true;
    step_1(w->db);
    assert_true(w->db->driver->space(w->db, &bytes, &free_bytes));
    assert_true(bytes > 0 && free_bytes >= 0 && free_bytes < bytes);
    assert_true(srv_db_compact(w->db, &more));
    assert_false(more);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_plain_path_is_sqlites),
        WORLD_TEST(steps_are_taken_once),
        WORLD_TEST(a_step_that_fails_leaves_nothing),
        WORLD_TEST(a_step_leaves_no_reference_open),
        WORLD_TEST(values_come_back_as_they_went),
        WORLD_TEST(integers_have_64_bits),
        WORLD_TEST(a_parameter_that_is_not_there_is_a_problem),
        WORLD_TEST(an_unbound_parameter_is_null),
        WORLD_TEST(wrong_sql_is_a_problem),
        WORLD_TEST(rows_that_are_not_allowed_are_told_apart),
        WORLD_TEST(keys_come_with_the_row),
        WORLD_TEST(what_the_sql_may_use),
        WORLD_TEST(text_is_ordered_by_its_bytes),
        WORLD_TEST(a_transaction_is_seen_when_it_is_committed),
        WORLD_TEST(a_transaction_is_rolled_back),
        WORLD_TEST(what_is_opened_for_reading_is_not_written),
        WORLD_TEST(what_is_not_there_is_absent),
        WORLD_TEST(it_says_what_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
