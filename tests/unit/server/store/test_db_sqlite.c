/* What SQLite's driver tells apart, and how a file of it is copied and checked. */
#include "tests/unit/server/store/world.h"

#include <pthread.h>
#include <stdatomic.h>

/* Who opens what exists does not wait for its turn. */
static void a_second_writer_is_busy(void **state) {
    world *w = *state;
    if (!is_sqlite(w))
        skip(); /* others may let several write at once */
    step_1(w->db);
    srv_db *other = connect_to(w->url, SRV_DB_EXISTING);
    assert_true(srv_db_begin(w->db));
    assert_false(srv_db_begin(other));
    problem_is(other, SRV_DB_BUSY, "locked");
    assert_int_equal(count(other), 0); /* reading goes on */
    assert_true(srv_db_commit(w->db));
    assert_true(srv_db_begin(other));
    srv_db_roll_back(other);
    srv_db_close(other);
}

static int64_t free_in(srv_db *db) {
    int64_t bytes = 0, free_bytes = -1;
    assert_true(db->driver->space(db, &bytes, &free_bytes));
    assert_true(bytes > free_bytes);
    return free_bytes;
}

/* Three times as much as a step gives back goes in and out again. */
static void fill_and_empty(srv_db *db) {
    assert_int_equal(
        run(db, "INSERT INTO thing(name, body) VALUES('gone', zeroblob(6400000))", NULL),
        SRV_DB_END);
    assert_int_equal(run(db, "DELETE FROM thing WHERE name='gone'", NULL), SRV_DB_END);
}

/* Another connection to a file that could give back much. */
static srv_db *beside_an_emptied_one(const world *w) {
    step_1(w->db);
    fill_and_empty(w->db);
    return connect_to(w->url, SRV_DB_EXISTING);
}

/* Others have their turn between two steps, and one that reads sees what it saw. */
static void what_is_free_is_given_back_in_steps(void **state) {
    world *w = *state;
    if (!is_sqlite(w))
        skip();
    srv_db *other = beside_an_emptied_one(w);
    int64_t before = free_in(w->db), left;
    bool more = true;
    assert_true(before > 6000000);
    assert_true(other->driver->begin_reading(other));
    assert_true(srv_db_compact(w->db, &more));
    assert_true(more);
    left = free_in(w->db);
    assert_true(left > 0 && left < before);
    assert_int_equal(count(other), 0);
    srv_db_roll_back(other);
    assert_int_equal(run(other, "INSERT INTO thing(name) VALUES('meanwhile')", NULL), SRV_DB_END);
    for (int i = 0; more && i < 10; i++)
        assert_true(srv_db_compact(w->db, &more));
    assert_false(more);
    assert_int_equal(free_in(w->db), 0);
    assert_int_equal(count(w->db), 1);
    assert_true(other->driver->check(other));
    srv_db_close(other);
}

/* Who writes just then waits, or is refused as by any other writer. */
static void nothing_is_given_back_while_another_one_writes(void **state) {
    world *w = *state;
    bool more;
    if (!is_sqlite(w))
        skip();
    srv_db *other = beside_an_emptied_one(w);
    assert_true(srv_db_begin(w->db));
    assert_false(srv_db_compact(other, &more));
    problem_is(other, SRV_DB_BUSY, "locked");
    srv_db_roll_back(w->db);
    assert_true(srv_db_compact(other, &more));
    srv_db_close(other);
}

static void no_room_is_told_apart(void **state) {
    world *w = *state;
    if (!is_sqlite(w))
        skip();
    step_1(w->db);
    assert_int_equal(run(w->db, "PRAGMA max_page_count=12", NULL), SRV_DB_END);
    srv_db_step step = SRV_DB_END;
    for (int i = 0; i < 100 && step == SRV_DB_END; i++) {
        g_autofree char *sql =
            g_strdup_printf("INSERT INTO thing(name, body) VALUES('%d', zeroblob(4096))", i);
        step = run(w->db, sql, NULL);
    }
    assert_int_equal(step, SRV_DB_ERROR);
    problem_is(w->db, SRV_DB_FULL, "full");
    assert_true(count(w->db) > 0);
}

static void a_text_file_is_damaged(void **state) {
    world *w = *state;
    g_autofree char *path = g_build_filename(w->dir, "text.db", NULL);
    g_autofree char *text = g_strnfill(2000, 'x');
    assert_true(g_file_set_contents(path, text, -1, NULL));
    srv_db *db = srv_db_open(path, SRV_DB_WRITE);
    assert_false(db->usable);
    problem_is(db, SRV_DB_DAMAGED, "not a database");
    srv_db_close(db);
}

/* A file of SQLite's whose pages from the third on are noise. */
static void a_broken_page_is_found(void **state) {
    world *w = *state;
    gsize size;
    g_autofree char *bytes = NULL;
    if (!is_sqlite(w))
        skip();
    step_1(w->db);
    assert_true(w->db->driver->check(w->db));
    g_autofree char *copy = g_build_filename(w->dir, "copy.db", NULL);
    assert_true(w->db->driver->copy(w->db, copy));
    assert_true(g_file_get_contents(copy, &bytes, &size, NULL));
    memset(bytes + 8192, 0x5a, size - 8192);
    assert_true(g_file_set_contents(copy, bytes, (gssize)size, NULL));
    srv_db *db = connect_to(copy, SRV_DB_READ);
    assert_false(db->driver->check(db));
    problem_is(db, SRV_DB_DAMAGED, "");
    srv_db_close(db);
}

static void another_programs_database_is_foreign(void **state) {
    world *w = *state;
    if (!is_sqlite(w))
        skip();
    assert_int_equal(run(w->db, "CREATE TABLE somebodys(id INTEGER)", NULL), SRV_DB_END);
    assert_int_equal(w->db->driver->version(w->db), -1);
    problem_is(w->db, SRV_DB_FOREIGN, "another program");
}

static void a_copy_is_whole_while_others_write(void **state) {
    world *w = *state;
    if (!is_sqlite(w))
        skip();
    g_autofree char *path = g_build_filename(w->dir, "copy.db", NULL);
    step_1(w->db);
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('a')", NULL), SRV_DB_END);
    srv_db *source = connect_to(w->url, SRV_DB_EXISTING);
    assert_true(srv_db_begin(w->db));
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('b')", NULL), SRV_DB_END);
    assert_true(source->driver->copy(source, path));
    assert_true(srv_db_commit(w->db));
    srv_db_close(source);
    srv_db *copy = connect_to(path, SRV_DB_READ);
    assert_int_equal(copy->driver->version(copy), 1);
    assert_int_equal(count(copy), 1);
    assert_true(copy->driver->check(copy));
    srv_db_close(copy);
}

typedef struct {
    const char *url;
    atomic_bool began, ends;
} writer;

static void *write_on(void *data) {
    writer *w = data;
    srv_db *db = srv_db_open(w->url, SRV_DB_EXISTING);
    while (!atomic_load(&w->ends)) {
        (void)run(db, "UPDATE thing SET body=zeroblob(9) WHERE name='small'", NULL);
        atomic_store(&w->began, true);
    }
    srv_db_close(db);
    return NULL;
}

/* Of more pages than are copied at once: it does not begin anew with each write of somebody else.
 */
static void a_large_copy_ends_while_others_write(void **state) {
    world *w = *state;
    if (!is_sqlite(w))
        skip();
    writer other = {.url = w->url};
    pthread_t thread;
    g_autofree char *path = g_build_filename(w->dir, "copy.db", NULL);
    step_1(w->db);
    assert_int_equal(run(w->db, "INSERT INTO thing(name) VALUES('small')", NULL), SRV_DB_END);
    for (int i = 0; i < 10; i++) {
        g_autofree char *sql = g_strdup_printf(
            "INSERT INTO thing(name, body) VALUES('large %d', zeroblob(4194304))", i);
        assert_int_equal(run(w->db, sql, NULL), SRV_DB_END);
    }
    srv_db *source = connect_to(w->url, SRV_DB_EXISTING);
    assert_int_equal(pthread_create(&thread, NULL, write_on, &other), 0);
    while (!atomic_load(&other.began))
        g_usleep(100);
    const bool good = source->driver->copy(source, path);
    atomic_store(&other.ends, true);
    pthread_join(thread, NULL);
    srv_db_close(source);
    assert_true(good);
    srv_db *copy = connect_to(path, SRV_DB_READ);
    assert_int_equal(count(copy), 11);
    srv_db_close(copy);
}

static void a_copy_that_cannot_be_written_is_a_problem(void **state) {
    world *w = *state;
    if (!is_sqlite(w))
        skip();
    g_autofree char *path = g_build_filename(w->dir, "no", "folder", "copy.db", NULL);
    assert_false(w->db->driver->copy(w->db, path));
    problem_is(w->db, SRV_DB_ABSENT, "unable to open");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_second_writer_is_busy),
        WORLD_TEST(what_is_free_is_given_back_in_steps),
        WORLD_TEST(nothing_is_given_back_while_another_one_writes),
        WORLD_TEST(no_room_is_told_apart),
        WORLD_TEST(a_text_file_is_damaged),
        WORLD_TEST(a_broken_page_is_found),
        WORLD_TEST(another_programs_database_is_foreign),
        WORLD_TEST(a_copy_is_whole_while_others_write),
        WORLD_TEST(a_large_copy_ends_while_others_write),
        WORLD_TEST(a_copy_that_cannot_be_written_is_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
