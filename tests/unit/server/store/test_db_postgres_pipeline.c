/* Statements of PostgreSQL that are sent with the next one: in order, all or none, and told; and
 * questions that are asked ahead. */
#include "tests/unit/server/store/world.h"

#include "server/store/db_postgres.h"

enum { MARK = 1, OTHER = 2 };

/* In a transaction; an INSERT that waits for nothing. */
static srv_db_statement *pushing(world *w) {
    assert_true(srv_db_pushes(w->db));
    assert_true(srv_db_begin(w->db));
    srv_db_statement *s = srv_db_prepare(w->db, "INSERT INTO thing(name) VALUES($1)", "t");
    assert_non_null(s);
    return s;
}

static void push(srv_db_statement *s, const char *name, unsigned mark) {
    const srv_db_value value = {.type = SRV_DB_TEXT, .data = name, .size = strlen(name)};
    assert_true(srv_db_bind(s, 1, &value));
    assert_true(srv_db_push(s, mark));
    srv_db_reset(s);
}

static void push_numbers(srv_db_statement *s, int count) {
    for (int i = 0; i < count; i++) {
        char name[16];
        g_snprintf(name, sizeof name, "%d", i);
        push(s, name, MARK);
    }
}

/* A name may be there once. */
static void push_the_same_twice(srv_db_statement *s) {
    push(s, "a", MARK);
    push(s, "a", MARK);
}

/* More than are sent at once; the next statement sees them all. */
static void they_are_done_in_order(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    const int many = 2 * SRV__POSTGRES_PUSHED + 7;
    step_1(w->db);
    srv_db_statement *s = pushing(w);
    push_numbers(s, many);
    assert_int_equal(count(w->db), many);
    push(s, "one more", MARK);
    assert_true(srv_db_commit(w->db));
    srv_db_finish(s);
    srv_db *other = connect_to(w->url, SRV_DB_READ);
    assert_int_equal(count(other), many + 1);
    int64_t last = 0;
    assert_int_equal(run(other,
                         "SELECT count(*) FROM thing WHERE id=(SELECT max(id) FROM thing)"
                         " AND name='one more'",
                         &last),
                     SRV_DB_END);
    assert_int_equal(last, 1);
    srv_db_close(other);
}

/* What is read, prepared or finished meanwhile has its turn. */
static void others_have_their_turn_in_between(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    int64_t bytes, free_bytes;
    step_1(w->db);
    srv_db_statement *s = pushing(w);
    push(s, "a", MARK);
    srv_db_statement *third = srv_db_prepare(w->db, "SELECT 3", "");
    assert_non_null(third);
    push(s, "b", MARK);
    srv_db_finish(third);
    push(s, "c", MARK);
    assert_true(srv_db_space(w->db, &bytes, &free_bytes));
    push(s, "d", MARK);
    srv_db_finish(s);
    assert_int_equal(count(w->db), 4);
    assert_true(srv_db_commit(w->db));
}

static void only_what_has_written_is_marked(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    unsigned marks;
    step_1(w->db);
    srv_db_statement *s = pushing(w);
    srv_db_statement *none = srv_db_prepare(w->db, "UPDATE thing SET flag=1 WHERE flag=7", "");
    assert_true(srv_db_push(none, OTHER));
    srv_db_reset(none);
    assert_true(srv_db_settle(w->db, &marks));
    assert_int_equal(marks, 0);
    push(s, "a", MARK);
    assert_int_equal(count(w->db), 1);
    assert_true(srv_db_push(none, OTHER));
    assert_true(srv_db_settle(w->db, &marks));
    assert_int_equal(marks, MARK);
    assert_true(srv_db_settle(w->db, &marks));
    assert_int_equal(marks, 0);
    srv_db_finish(none);
    srv_db_finish(s);
    assert_true(srv_db_commit(w->db));
}

/* The first problem is told, not that the others were not looked at. */
static void what_fails_is_told_by_the_next(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db_statement *s = pushing(w),
                     *all = srv_db_prepare(w->db, "SELECT count(*) FROM thing", "");
    push_the_same_twice(s);
    push(s, "b", MARK);
    assert_int_equal(srv_db_next(all), SRV_DB_ERROR);
    problem_is(w->db, SRV_DB_CONSTRAINT, "unique");
    srv_db_reset(all);
    srv_db_roll_back(w->db);
    assert_int_equal(count(w->db), 0);
    srv_db_finish(all);
    srv_db_finish(s);
}

static void or_by_the_commit(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    unsigned marks;
    step_1(w->db);
    srv_db_statement *s = pushing(w);
    push_the_same_twice(s);
    assert_false(srv_db_commit(w->db));
    problem_is(w->db, SRV_DB_CONSTRAINT, "unique");
    srv_db_roll_back(w->db);
    assert_true(srv_db_begin(w->db));
    push_the_same_twice(s);
    assert_false(srv_db_settle(w->db, &marks));
    problem_is(w->db, SRV_DB_CONSTRAINT, "unique");
    srv_db_roll_back(w->db);
    assert_int_equal(count(w->db), 0);
    srv_db_finish(s);
}

static void what_is_rolled_back_leaves_nothing(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    unsigned marks;
    step_1(w->db);
    srv_db_statement *s = pushing(w);
    push(s, "a", MARK);
    srv_db_roll_back(w->db);
    assert_true(srv_db_settle(w->db, &marks));
    assert_int_equal(marks, 0);
    assert_int_equal(count(w->db), 0);
    srv_db_finish(s);
}

static void heard_is(srv_db *ear, const char *expected) {
    g_autofree char *heard = NULL;
    for (int tries = 0; !heard && tries < 200; tries++) {
        assert_true(srv_db_hear(ear, &heard));
        g_usleep(heard ? 0 : 10000);
    }
    assert_string_equal(heard, expected);
}

/* What is told goes with the commit: neither is there when something before them failed. */
static void what_fails_tells_nobody(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db *ear = connect_to(w->url, SRV_DB_EXISTING);
    assert_true(srv_db_listen(ear) >= 0);
    srv_db_statement *s = pushing(w);
    push(s, "0", MARK);
    assert_true(srv_db_tell(w->db, "the first is prepared with it"));
    assert_true(srv_db_commit(w->db));
    assert_true(srv_db_begin(w->db));
    push_the_same_twice(s);
    assert_true(srv_db_tell(w->db, "news"));
    assert_false(srv_db_commit(w->db));
    problem_is(w->db, SRV_DB_CONSTRAINT, "unique");
    srv_db_roll_back(w->db);
    assert_true(srv_db_begin(w->db));
    push(s, "a", MARK);
    assert_true(srv_db_tell(w->db, "good news"));
    assert_true(srv_db_commit(w->db));
    heard_is(ear, "the first is prepared with it");
    heard_is(ear, "good news");
    srv_db_close(ear);
    assert_int_equal(count(w->db), 2);
    srv_db_finish(s);
}

/* Who goes on after a failure is told of that one, not that nothing is done any more. */
static void the_first_problem_of_a_transaction_stays(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db_statement *s = pushing(w);
    push_the_same_twice(s);
    assert_int_equal(run(w->db, "SELECT count(*) FROM thing", NULL), SRV_DB_ERROR);
    assert_int_equal(run(w->db, "SELECT count(*) FROM thing", NULL), SRV_DB_ERROR);
    problem_is(w->db, SRV_DB_CONSTRAINT, "unique");
    srv_db_roll_back(w->db);
    srv_db_finish(s);
}

/* The connection is made anew by the transaction after it. */
static void a_connection_that_breaks_loses_all_of_them(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    const int64_t of = connection_number(w->db);
    srv_db_statement *s = pushing(w);
    push(s, "a", MARK);
    connection_end(w, of);
    assert_false(srv_db_commit(w->db));
    problem_is(w->db, SRV_DB_LOST, "");
    srv_db_roll_back(w->db);
    assert_true(srv_db_begin(w->db));
    push(s, "b", MARK);
    assert_true(srv_db_commit(w->db));
    assert_int_equal(count(w->db), 1);
    srv_db_finish(s);
}

/* Where each statement runs at once, nothing is left to be done. */
static void a_file_pushes_nothing(void **state) {
    world *w = *state;
    unsigned marks = 7;
    if (!is_sqlite(w))
        skip();
    assert_false(srv_db_pushes(w->db));
    assert_true(srv_db_settle(w->db, &marks));
    assert_int_equal(marks, 0);
}

/* Asks how many things have this number, ahead where that can be. */
static srv_db_statement *asking(world *w, int64_t id) {
    srv_db_statement *s =
        srv_db_prepare(w->db, "SELECT count(*) FROM thing WHERE id=$1 OR $1=0", "i");
    const srv_db_value value = {.type = SRV_DB_INTEGER, .integer = id};
    assert_non_null(s);
    assert_true(srv_db_bind(s, 1, &value));
    assert_int_equal(srv_db_ahead(s), srv_db_pushes(w->db));
    return s;
}

static void assert_answer(srv_db_statement *s, int64_t number) {
    assert_int_equal(srv_db_next(s), SRV_DB_ROW);
    assert_int_equal(srv_db_column(s, 0).integer, number);
    assert_int_equal(srv_db_next(s), SRV_DB_END);
}

/* Read in another order, one not at all; then asked once more. */
static void answers_to_what_was_asked_ahead(void **state) {
    world *w = *state;
    step_1(w->db);
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a'), ('b')", NULL), SRV_DB_END);
    srv_db_statement *all = asking(w, 0), *first = asking(w, 1), *none = asking(w, 9);
    assert_answer(none, 0);
    assert_answer(all, 2);
    srv_db_finish(first);
    srv_db_reset(none);
    const srv_db_value second = {.type = SRV_DB_INTEGER, .integer = 2};
    assert_true(srv_db_bind(none, 1, &second));
    assert_answer(none, 1);
    srv_db_reset(all);
    assert_true(srv_db_begin(w->db));
    assert_true(srv_db_commit(w->db));
    srv_db_finish(none);
    srv_db_finish(all);
}

/* In a transaction, beside what writes; one that begins ends the waiting. */
static void writing_and_asking_keep_their_order(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    srv_db_statement *s = pushing(w);
    push(s, "a", MARK);
    srv_db_statement *one = asking(w, 0);
    push(s, "b", MARK);
    srv_db_statement *two = asking(w, 0);
    assert_answer(two, 2);
    assert_answer(one, 1);
    assert_true(srv_db_commit(w->db));
    srv_db_reset(one);
    const srv_db_value any = {.type = SRV_DB_INTEGER, .integer = 0};
    assert_true(srv_db_bind(one, 1, &any));
    assert_true(srv_db_ahead(one));
    assert_true(srv_db_begin(w->db));
    assert_answer(one, 2);
    assert_true(srv_db_commit(w->db));
    srv_db_finish(one);
    srv_db_finish(two);
    srv_db_finish(s);
}

/* Who is asked ahead by a connection that breaks is asked again; one that fails tells nobody else's
 * answer. */
static void what_was_asked_ahead_survives_its_connection(void **state) {
    SKIP_WITHOUT_A_SERVER;
    world *w = *state;
    step_1(w->db);
    const int64_t of = connection_number(w->db);
    srv_db_statement *one = asking(w, 0), *two = asking(w, 1); /* preparing two answers one */
    connection_end(w, of);
    srv_db *other = connect_to(w->url, SRV_DB_EXISTING);
    assert_int_equal(run(other, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    srv_db_close(other);
    assert_answer(one, 0);
    assert_answer(two, 1);
    srv_db_statement *wrong = srv_db_prepare(w->db, "SELECT 1/($1-1)", "i");
    const srv_db_value zero = {.type = SRV_DB_INTEGER, .integer = 1};
    assert_true(srv_db_bind(wrong, 1, &zero));
    srv_db_statement *before = asking(w, 0);
    assert_true(srv_db_ahead(wrong));
    srv_db_statement *after = asking(w, 0);
    assert_int_equal(srv_db_next(wrong), SRV_DB_ERROR);
    problem_is(w->db, SRV_DB_OTHER, "division by zero");
    assert_answer(after, 1);
    assert_answer(before, 1);
    srv_db_finish(one);
    srv_db_finish(two);
    srv_db_finish(wrong);
    srv_db_finish(before);
    srv_db_finish(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(they_are_done_in_order),
        WORLD_TEST(others_have_their_turn_in_between),
        WORLD_TEST(only_what_has_written_is_marked),
        WORLD_TEST(what_fails_is_told_by_the_next),
        WORLD_TEST(or_by_the_commit),
        WORLD_TEST(what_is_rolled_back_leaves_nothing),
        WORLD_TEST(what_fails_tells_nobody),
        WORLD_TEST(the_first_problem_of_a_transaction_stays),
        WORLD_TEST(a_connection_that_breaks_loses_all_of_them),
        WORLD_TEST(a_file_pushes_nothing),
        WORLD_TEST(answers_to_what_was_asked_ahead),
        WORLD_TEST(writing_and_asking_keep_their_order),
        WORLD_TEST(what_was_asked_ahead_survives_its_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
