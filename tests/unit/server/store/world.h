#pragma once
/*
 * world - a driver of the store and an empty database of its (database.h says which).
 */
#include "tests/unit/test.h"

#include "tests/unit/server/database.h"

#include "server/store/db.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct {
    char *dir, *url;
    srv_db *db;
} world;

static inline void problem_is(const srv_db *db, srv_db_class class, const char *part) {
    const char *text;
    assert_int_equal(srv_db_problem(db, &text), class);
    assert_non_null(text);
    if (!strstr(text, part))
        fail_msg("it does not say '%s'", part);
}

static inline srv_db *connect_to(const char *url, srv_db_mode mode) {
    srv_db *db = srv_db_open(url, mode);
    const char *text;
    srv_db_problem(db, &text);
    if (!db->usable)
        fail_msg("%s: %s", url, text);
    return db;
}

static inline void step_1(srv_db *db) {
    assert_true(
        db->driver->upgrade(db,
                            "CREATE TABLE kind(name TEXT PRIMARY KEY);"
                            "CREATE TABLE thing(id INTEGER PRIMARY KEY AUTOINCREMENT,"
                            " name TEXT NOT NULL UNIQUE, kind TEXT REFERENCES kind, weight REAL,"
                            " body BLOB, flag INTEGER NOT NULL DEFAULT 0);",
                            1));
}

static inline int make(void **state) {
    world *w = g_new0(world, 1);
    w->dir = g_dir_make_tmp("moowatch-XXXXXX", NULL);
    w->url = database_url(w->dir);
    w->db = connect_to(w->url, SRV_DB_WRITE);
    *state = w;
    return 0;
}

static inline int end(void **state) {
    world *w = *state;
    GDir *dir = g_dir_open(w->dir, 0, NULL);
    srv_db_close(w->db);
    database_drop(w->dir);
    for (const char *name; (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(w->dir, name, NULL);
        g_remove(path);
    }
    g_dir_close(dir);
    g_rmdir(w->dir);
    g_free(w->dir);
    g_free(w->url);
    g_free(w);
    return 0;
}

static inline bool is_sqlite(const world *w) {
    return g_str_equal(w->db->driver->name, "sqlite");
}

/* Run to its end; the first column of the last row, an integer, when there was one. */
static inline srv_db_step run(srv_db *db, const char *sql, int64_t *number) {
    srv_db_statement *statement = srv_db_prepare(db, sql, "");
    if (!statement)
        return SRV_DB_ERROR;
    srv_db_step step;
    while ((step = srv_db_next(statement)) == SRV_DB_ROW)
        if (number)
            *number = srv_db_column(statement, 0).integer;
    srv_db_finish(statement);
    return step;
}

static inline int64_t count(srv_db *db) {
    int64_t number = -1;
    assert_int_equal(run(db, "SELECT count(*) FROM thing", &number), SRV_DB_END);
    return number;
}

/* PostgreSQL's number of a connection. */
static inline int64_t connection_number(srv_db *db) {
    int64_t number = 0;
    assert_int_equal(run(db, "SELECT CAST(pg_backend_pid() AS BIGINT)", &number), SRV_DB_END);
    return number;
}

/* From outside, as when the server was restarted; it is gone then. */
static inline void connection_end(const world *w, int64_t number) {
    g_autofree char *sql = g_strdup_printf("SELECT pg_terminate_backend(%d, 5000)", (int)number);
    srv_db *other = connect_to(w->url, SRV_DB_EXISTING);
    assert_int_equal(run(other, sql, NULL), SRV_DB_END);
    srv_db_close(other);
}

/* For cmocka: *state is a world. */
#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, make, end)
