/* Everything of a database into another one: of a file into a file, into a server, and back. */
#include "tests/unit/server/database.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "server/store/schema.h"
#include "server/store/store_core.h"
#include "server/store/store_move.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"

static const double calm[4] = {70, 470, 1600, 3200}, slow[4] = {70, 470, 1600, 4200};

/* A change that was found, and one of the other direction after it. */
static void fill(fixture *fix) {
    fix_nights(fix, "kieker", 1, 6, calm);
    fix_nights(fix, "kieker", 7, 9, slow);
    fix_nights(fix, "kieker", 10, 12, calm);
}

static void counted(const srv_move *so_far, void *user) {
    unsigned *tables = user;
    assert_true(so_far->rows == so_far->compared);
    (*tables)++;
}

/* All that the pages of a project show of its nights, as text; owned. */
static char *shown(srv_store *store) {
    json_auto_t *nights =
        srv_view_nights(store, "kieker", (srv_dates){0}, (srv_page){.limit = 100}, NULL);
    assert_non_null(nights);
    return json_dumps(nights, JSON_COMPACT | JSON_SORT_KEYS);
}

static int64_t next_job(srv_store *store) {
    int64_t id = 0;
    assert_true(
        srv__number(store, sql_text("SELECT max(id)+1 FROM job", ""), SRV__NO_ARGS, 0, &id, NULL));
    return id;
}

/* From where the test's store is to a file, and from there to another folder's store. */
static void all_of_it_is_there_and_goes_on(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fill(fix);
    char *before = shown(fix->store);
    const int64_t job = next_job(fix->store);
    g_autofree char *file = g_build_filename(fix->dir, "moved.db", NULL);
    char *folder = folder_new();
    g_autofree char *back = database_url(folder);
    srv_move there, here;
    unsigned tables = 0;
    const srv_move_watch watch = {counted, &tables};
    if (!srv_store_move(fix->path, file, true, &watch, &there, &error) ||
        !srv_store_move(file, back, true, NULL, &here, &error))
        fail_msg("%s", error->message);
    assert_true(tables >= 30 && there.rows > 500);
    assert_true(there.rows == here.rows && here.rows == here.compared);
    srv_store *again = srv_store_open(back, &error);
    char *after = shown(again);
    assert_string_equal(before, after);
    /* what is new gets the next numbers */
    srv_store *old = fix->store;
    fix->store = again;
    assert_true(fix_add(fix, "kieker", 40, "2013-05-20", SRV_KIND_NIGHTLY) == job);
    fix->store = old;
    assert_true(database_is_sound(again));
    srv_store_close(again);
    database_drop(folder);
    folder_free(folder);
    free(before);
    free(after);
}

static void a_database_with_rows_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_move moved;
    g_autofree char *file = g_build_filename(fix->dir, "moved.db", NULL);
    fix_nights(fix, "kieker", 1, 1, calm);
    assert_true(srv_store_move(fix->path, file, true, NULL, &moved, NULL));
    assert_false(srv_store_move(fix->path, file, true, NULL, &moved, &error));
    assert_srv_error(error, CONFLICT, "give one that is empty");
}

/* Somebody writes into the old one meanwhile: has to wait, and is told. */
static void the_old_one_is_locked(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_store) other = srv_store_open(fix->path, NULL);
    GError *error = NULL;
    srv_move moved;
    g_autofree char *file = g_build_filename(fix->dir, "moved.db", NULL);
    assert_true(srv__begin(other, NULL));
    assert_false(srv_store_move(fix->path, file, true, NULL, &moved, &error));
    assert_srv_error(error, BUSY, "in use");
    assert_false(srv__end(other, false, NULL));
    assert_true(srv_store_move(fix->path, file, true, NULL, &moved, NULL));
}

/* Called after each table: the old one can be read, the new one shows nothing yet. */
static void look_meanwhile(const srv_move *so_far, void *user) {
    fixture *fix = ((void **)user)[0];
    srv_store *reader = ((void **)user)[1];
    int64_t there = -1, here = -1;
    (void)so_far;
    assert_true(srv__number(fix->store, sql_text("SELECT count(*) FROM job", ""), SRV__NO_ARGS, 0,
                            &there, NULL));
    assert_true(srv__number(reader, sql_text("SELECT count(*) FROM job", ""), SRV__NO_ARGS, 0,
                            &here, NULL));
    assert_true(there > 0 && here == 0);
}

static void until_the_end_the_new_one_is_empty(void **state) {
    fixture *fix = *state;
    srv_move moved;
    g_autofree char *file = g_build_filename(fix->dir, "moved.db", NULL);
    g_autoptr(srv_store) reader = srv_store_open(file, NULL);
    void *both[] = {fix, reader};
    const srv_move_watch watch = {look_meanwhile, both};
    fix_nights(fix, "kieker", 1, 2, calm);
    assert_true(srv_store_move(fix->path, file, true, &watch, &moved, NULL));
    int64_t here = 0;
    assert_true(srv__number(reader, sql_text("SELECT count(*) FROM job", ""), SRV__NO_ARGS, 0,
                            &here, NULL));
    assert_int_equal(here, 2);
}

/* A night comes in meanwhile: it is in the old one, and not in the copy. */
static void one_more_night(const srv_move *so_far, void *user) {
    fixture *fix = user;
    if (g_str_equal(so_far->table, "project"))
        fix_nights(fix, "kieker", 3, 3, calm);
}

static void without_a_lock_others_write(void **state) {
    fixture *fix = *state;
    srv_move moved;
    int64_t here = 0, there = 0;
    const srv_move_watch watch = {one_more_night, fix};
    g_autofree char *file = g_build_filename(fix->dir, "moved.db", NULL);
    fix_nights(fix, "kieker", 1, 2, calm);
    assert_true(srv_store_move(fix->path, file, false, &watch, &moved, NULL));
    g_autoptr(srv_store) to = srv_store_open(file, NULL);
    assert_true(
        srv__number(to, sql_text("SELECT count(*) FROM job", ""), SRV__NO_ARGS, 0, &here, NULL));
    assert_true(srv__number(fix->store, sql_text("SELECT count(*) FROM job", ""), SRV__NO_ARGS, 0,
                            &there, NULL));
    assert_int_equal(here, 2);
    assert_int_equal(there, 3);
}

/* More rows than are asked for at once. */
static void many_rows_come_page_by_page(void **state) {
    fixture *fix = *state;
    srv_move moved;
    int64_t count = 0;
    g_autofree char *file = g_build_filename(fix->dir, "moved.db", NULL);
    assert_true(srv__begin(fix->store, NULL));
    for (int i = 0; i < 3000; i++) {
        g_autofree char *hash = g_strdup_printf("%06d", i * 7919 % 1000003);
        assert_true(srv__run(fix->store,
                             sql_text("INSERT INTO environment(hash, body) VALUES($1,$2)", "tt"),
                             SRV__ARGS(hash, "{}"), NULL));
        assert_true(srv__run(fix->store, sql_text("INSERT INTO server(name) VALUES($1)", "t"),
                             SRV__ARGS(hash), NULL));
    }
    assert_true(srv__end(fix->store, true, NULL));
    assert_true(srv_store_move(fix->path, file, true, NULL, &moved, NULL));
    g_autoptr(srv_store) to = srv_store_open(file, NULL);
    assert_true(srv__number(to, sql_text("SELECT count(*) FROM server", ""), SRV__NO_ARGS, 0,
                            &count, NULL));
    assert_int_equal(count, 3000);
    assert_true(moved.compared >= 6000);
}

static void what_cannot_be_opened_is_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_move moved;
    assert_false(
        srv_store_move(fix->path, "postgresql:host=/nonexistent", true, NULL, &moved, &error));
    assert_srv_error(error, BUSY, "/nonexistent");
    assert_false(srv_store_move("/nonexistent/x.db", fix->path, true, NULL, &moved, &error));
    assert_srv_error(error, INTERNAL, "/nonexistent");
}

/* A view that takes rows but changes none: what refers to another row cannot be put in. */
static void what_takes_no_references_is_told(void **state) {
    static const char *const changes[] = {
        "ALTER TABLE alert RENAME TO alert_there", "CREATE VIEW alert AS SELECT * FROM alert_there",
        "CREATE TRIGGER alert_put INSTEAD OF INSERT ON alert BEGIN SELECT 1; END"};
    fixture *fix = *state;
    GError *error = NULL;
    srv_move moved;
    g_autofree char *file = g_build_filename(fix->dir, "moved.db", NULL);
    srv_store *to = srv_store_open(file, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++)
        if (!srv__run(to, sql_text(changes[i], ""), SRV__NO_ARGS, &error))
            fail_msg("%s", error->message);
    srv_store_close(to);
    fix_nights(fix, "kieker", 1, 1, calm);
    assert_false(srv_store_move(fix->path, file, true, NULL, &moved, &error));
    assert_srv_error(error, INTERNAL, "alert");
}

/* How many rows each table has, in one moment. */

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
        FIX_TEST(all_of_it_is_there_and_goes_on), FIX_TEST(a_database_with_rows_is_refused),
        FIX_TEST(the_old_one_is_locked),          FIX_TEST(until_the_end_the_new_one_is_empty),
        FIX_TEST(without_a_lock_others_write),    FIX_TEST(many_rows_come_page_by_page),
        FIX_TEST(what_cannot_be_opened_is_told),  FIX_TEST(what_takes_no_references_is_told),

        FIX_TEST(every_table_is_counted),         FIX_TEST(what_is_no_database_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
