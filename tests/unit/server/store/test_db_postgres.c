/* PostgreSQL's driver: how it is reached, what its problems mean, and connections that break. */
#include "server/store/db_postgres.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/store/world.h"

static void problems_have_classes(void **state) {
    static const struct {
        const char *state;
        srv_db_class class;
    } cases[] = {
        {"23505", SRV_DB_CONSTRAINT}, /* a key that is there */
        {"23503", SRV_DB_CONSTRAINT}, /* refers to nothing */
        {"25006", SRV_DB_REFUSED},    /* can only be read */
        {"42501", SRV_DB_REFUSED},    /* no right to */
        {"28P01", SRV_DB_REFUSED},    /* another password */
        {"3D000", SRV_DB_ABSENT},     /* no such database */
        {"40001", SRV_DB_BUSY},       /* not serializable */
        {"40P01", SRV_DB_BUSY},       /* deadlock */
        {"55P03", SRV_DB_BUSY},       /* waited too long for a lock */
        {"53100", SRV_DB_FULL},       /* disk full */
        {"53300", SRV_DB_BUSY},       /* too many connections */
        {"57P01", SRV_DB_LOST},       /* shut down by its operator */
        {"08006", SRV_DB_LOST},       /* connection failure */
        {"58030", SRV_DB_UNWRITABLE}, /* the disk refuses */
        {"XX001", SRV_DB_DAMAGED},    /* a page that is noise */
        {"42601", SRV_DB_OTHER},      /* wrong SQL */
        {"", SRV_DB_OTHER},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (postgres_class(cases[i].state) != cases[i].class)
            fail_msg("%s: %d", cases[i].state, (int)postgres_class(cases[i].state));
}

static void every_spelling_of_a_url_is_its(void **state) {
    static const char *const urls[] = {"postgresql:service=x", "postgres:service=x",
                                       "postgresql://nobody@/x"};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++)
        assert_true(srv_db_is_server(urls[i]));
    assert_false(srv_db_is_server("/srv/postgresql/x.db"));
    assert_false(srv_db_is_server("sqlite:x.db"));
    assert_string_equal(srv_db_place("postgres://a@b/c"), "//a@b/c");
}

static void a_server_that_is_not_there_is_lost(void **state) {
    static const char *const urls[] = {"postgresql:host=/nonexistent dbname=x",
                                       "postgresql://nobody@127.0.0.1:1/x"};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
        srv_db *db = srv_db_open(urls[i], SRV_DB_WRITE);
        assert_false(db->usable);
        problem_is(db, SRV_DB_LOST, "connection to server");
        const char *text;
        srv_db_problem(db, &text);
        assert_null(strchr(text, '\n'));
        srv_db_close(db);
    }
}

static void a_url_that_cannot_be_read_is_absent(void **state) {
    (void)state;
    srv_db *db = srv_db_open("postgresql:nonsense=1", SRV_DB_WRITE);
    assert_false(db->usable);
    problem_is(db, SRV_DB_ABSENT, "nonsense");
    srv_db_close(db);
}

static void another_programs_tables_are_foreign(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    assert_int_equal(run(w->db, "CREATE TABLE account(id INTEGER)", NULL), SRV_DB_END);
    assert_int_equal(w->db->driver->version(w->db), -1);
    problem_is(w->db, SRV_DB_FOREIGN, "another program");
}

/* A user of its own, without rights; owned. */
static char *url_of_guest(const world *w) {
    (void)run(w->db, "CREATE ROLE guest LOGIN", NULL); /* or it is there */
    return g_strdup_printf("%s user=guest", w->url);
}

static void a_user_without_rights_is_refused(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    g_autofree char *url = url_of_guest(w);
    srv_db *db = connect_to(url, SRV_DB_WRITE);
    assert_int_equal(db->driver->version(db), 0);
    assert_false(db->driver->upgrade(db, "CREATE TABLE thing(id INTEGER PRIMARY KEY);", 1));
    const char *text;
    const srv_db_class class = srv_db_problem(db, &text);
    /* it does not even see the schema */
    assert_true(class == SRV_DB_REFUSED || class == SRV_DB_ABSENT);
    srv_db_close(db);
}

static void an_unknown_user_is_told(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    g_autofree char *url = g_strdup_printf("%s user=stranger", w->url);
    srv_db *db = srv_db_open(url, SRV_DB_WRITE);
    assert_false(db->usable);
    problem_is(db, SRV_DB_ABSENT, "stranger");
    srv_db_close(db);
}

static void a_database_that_can_only_be_read_is_refused(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    g_autofree char *url =
        g_strdup_printf("%s options='-c default_transaction_read_only=on'", w->url);
    srv_db *db = srv_db_open(url, SRV_DB_WRITE);
    assert_false(db->usable);
    problem_is(db, SRV_DB_REFUSED, "read-only");
    srv_db_close(db);
}

static void what_is_acknowledged_is_on_disk(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    g_autofree char *url = g_strdup_printf("%s options='-c synchronous_commit=off'", w->url);
    srv_db *db = connect_to(url, SRV_DB_WRITE);
    int64_t on = 0;
    assert_int_equal(
        run(db, "SELECT count(*) WHERE current_setting('synchronous_commit')='on'", &on),
        SRV_DB_END);
    assert_int_equal(on, 1);
    srv_db_close(db);
}

static void a_connection_that_broke_is_made_anew(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db_statement *reads = srv_db_prepare(w->db, "SELECT count(*) FROM thing", "");
    assert_int_equal(srv_db_next(reads), SRV_DB_ROW);
    srv_db_reset(reads);
    connection_end(w, connection_number(w->db));
    /* what was prepared, too */
    assert_int_equal(srv_db_next(reads), SRV_DB_ROW);
    srv_db_reset(reads);
    connection_end(w, connection_number(w->db));
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    assert_true(srv_db_commit(w->db));
    assert_int_equal(srv_db_next(reads), SRV_DB_ROW);
    assert_int_equal(srv_db_column(reads, 0).integer, 1);
    srv_db_finish(reads);
}

static void what_was_written_alone_is_not_written_twice(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db_statement *writes = srv_db_prepare(w->db, "INSERT INTO thing(name) VALUES('a')", "");
    connection_end(w, connection_number(w->db));
    assert_int_equal(srv_db_next(writes), SRV_DB_ERROR);
    problem_is(w->db, SRV_DB_UNKNOWN, "before the answer came");
    srv_db_finish(writes);
    assert_int_equal(count(w->db), 0);
}

static void nothing_of_a_transaction_is_left_when_it_breaks(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    connection_end(w, connection_number(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('b')", NULL), SRV_DB_ERROR);
    problem_is(w->db, SRV_DB_LOST, "");
    /* nothing goes on as if it had not happened */
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('c')", NULL), SRV_DB_ERROR);
    assert_false(srv_db_commit(w->db));
    srv_db_roll_back(w->db);
    assert_int_equal(count(w->db), 0);
}

static void a_copy_is_not_ours_to_make(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    assert_false(w->db->driver->copy(w->db, "/tmp/x"));
    problem_is(w->db, SRV_DB_OTHER, "pg_dump");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problems_have_classes),
        cmocka_unit_test(every_spelling_of_a_url_is_its),
        cmocka_unit_test(a_server_that_is_not_there_is_lost),
        cmocka_unit_test(a_url_that_cannot_be_read_is_absent),
        WORLD_TEST(another_programs_tables_are_foreign),
        WORLD_TEST(a_user_without_rights_is_refused),
        WORLD_TEST(an_unknown_user_is_told),
        WORLD_TEST(a_database_that_can_only_be_read_is_refused),
        WORLD_TEST(what_is_acknowledged_is_on_disk),
        WORLD_TEST(a_connection_that_broke_is_made_anew),
        WORLD_TEST(what_was_written_alone_is_not_written_twice),
        WORLD_TEST(nothing_of_a_transaction_is_left_when_it_breaks),
        WORLD_TEST(a_copy_is_not_ours_to_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
