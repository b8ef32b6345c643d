#include "tests/unit/test.h"

#include "server/store/db.h"
#include "server/store/schema.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/fixture.h"

#include <string.h>

#include "server/ground/error.h"

static void error_is(GError **error, int code, const char *part) {
    assert_non_null(*error);
    assert_true(g_error_matches(*error, SRV_ERROR, code));
    if (!strstr((*error)->message, part))
        fail_msg("'%s' does not say '%s'", (*error)->message, part);
    g_clear_error(error);
}

static void write_file(fixture *fix, const char *name, const char *text, char **path) {
    *path = g_build_filename(fix->dir, name, NULL);
    assert_true(g_file_set_contents(*path, text, -1, NULL));
}

static void a_text_file_is_no_database(void **state) {
    fixture *fix = *state;
    g_autofree char *path = NULL;
    GError *error = NULL;
    write_file(fix, "text.db", "this is certainly not a database file, just some text in it\n",
               &path);
    assert_null(srv_store_open(path, &error));
    error_is(&error, SRV_ERROR_INTERNAL, "not a database");
}

static void a_missing_folder_is_an_error(void **state) {
    fixture *fix = *state;
    g_autofree char *path = g_build_filename(fix->dir, "no", "such", "x.db", NULL);
    GError *error = NULL;
    assert_null(srv_store_open(path, &error));
    error_is(&error, SRV_ERROR_INTERNAL, "unable to open");
}

/* The version is the big-endian number at byte 60 of the file's header, the owner's at byte 68. */
static unsigned header_set(const char *path, size_t at, unsigned value) {
    g_autofree char *bytes = NULL;
    gsize size;
    unsigned before = 0;
    assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    for (size_t i = 0; i < 4; i++) {
        before = before << 8 | (unsigned char)bytes[at + i];
        bytes[at + i] = (char)(value >> (24 - 8 * i) & 0xff);
    }
    assert_true(g_file_set_contents(path, bytes, (gssize)size, NULL));
    return before;
}

static unsigned version_set(fixture *fix, unsigned version) {
    if (!database_is_server())
        return header_set(fix->path, 60, version);
    g_autofree char *sql =
        g_strdup_printf("UPDATE moowatch_schema SET version=%u RETURNING version", version);
    srv_db *db = srv_db_open(fix->path, SRV_DB_EXISTING);
    srv_db_statement *statement = srv_db_prepare(db, sql, "");
    assert_int_equal(srv_db_next(statement), SRV_DB_ROW);
    srv_db_finish(statement);
    srv_db_close(db);
    return srv__schema_version();
}

static void a_database_of_another_version_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_store_close(fix->store);
    unsigned before = version_set(fix, 9999);
    assert_null(srv_store_open(fix->path, &error));
    error_is(&error, SRV_ERROR_INTERNAL, "has version 9999");
    version_set(fix, before - 1);
    assert_null(srv_store_open(fix->path, &error));
    error_is(&error, SRV_ERROR_INTERNAL, "export its projects with the moowatch that wrote it");
    version_set(fix, before);
    fix->store = srv_store_open(fix->path, &error);
    assert_non_null(fix->store);
}

/* A server of a newer version came beside this one: what it keeps is not known here. */
static void a_database_that_becomes_newer_is_only_read(void **state) {
    SKIP_WITHOUT_A_SERVER; /* of a file there is one server */
    fixture *fix = *state;
    GError *error = NULL;
    int64_t job;
    const srv_commit commit = {fix_sha(1), "a", "b", 1, "s", NULL, 0};
    const srv_measurement wanted = {&commit, "2013-04-17", SRV_KIND_NIGHTLY};
    unsigned before = version_set(fix, srv__schema_version() + 1);
    assert_false(srv_night_add(fix->store, "kieker", &wanted, 1, NULL, &job, &error));
    error_is(&error, SRV_ERROR_BUSY, "of a newer version than this server");
    srv_project_span span;
    assert_true(srv_project_nights(fix->store, "kieker", &span, &error));
    version_set(fix, before);
    assert_true(srv_night_add(fix->store, "kieker", &wanted, 1, NULL, &job, &error));
}

static void another_programs_database_is_refused(void **state) {
    SKIP_ON_A_SERVER; /* test_db_postgres.c */
    fixture *fix = *state;
    GError *error = NULL;
    srv_store_close(fix->store);
    fix->store = NULL;
    header_set(fix->path, 68, 0x12345678);
    assert_null(srv_store_open(fix->path, &error));
    error_is(&error, SRV_ERROR_INTERNAL, "another program");
}

static void two_stores_share_a_file(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autoptr(srv_store) other = srv_store_open(fix->path, &error);
    srv_project_span span;
    assert_non_null(other);
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    assert_true(srv_project_nights(other, "kieker", &span, &error));
    assert_string_equal(span.newest, "2013-04-17");
    assert_string_equal(span.oldest, "2013-04-17");
    fix_add(fix, "kieker", 2, "2013-04-19", SRV_KIND_PULL); /* is no night: its day is not done */
    assert_true(srv_project_nights(other, "kieker", &span, &error));
    assert_string_equal(span.newest, "2013-04-17");
}

static void a_night_survives_reopening(void **state) {
    fixture *fix = *state;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    fix_reopen(fix);
    json_t *leased = fix_lease(fix);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(leased, "job"), "id")),
                     job);
    json_decref(leased);
}

static void an_unknown_project_is_not_found(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    assert_false(srv_project_polled(fix->store, "nobody", 1, 2, NULL, false, &error));
    error_is(&error, SRV_ERROR_NOT_FOUND, "nobody");
}

static void a_removed_project_is_disabled_not_deleted(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    fix_sync(fix, "other", NULL);
    assert_null(fix_lease(fix));
    const srv_commit commit = {fix_sha(2), "a", "b", 1, "s", NULL, 0};
    assert_false(srv_night_add(fix->store, "kieker",
                               &(srv_measurement){&commit, "2013-04-18", SRV_KIND_NIGHTLY}, 1, NULL,
                               NULL, &error));
    error_is(&error, SRV_ERROR_INVALID, "disabled");
    fix_sync(fix, "kieker", NULL);
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    json_decref(leased);
}

static void events_come_after_the_commit(void **state) {
    fixture *fix = *state;
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    assert_int_equal(fix->events->len, 1);
    assert_true(g_str_has_prefix(fix->events->pdata[0], "job {\"id\":1,"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_text_file_is_no_database),
        FIX_TEST(a_missing_folder_is_an_error),
        FIX_TEST(a_database_of_another_version_is_refused),
        FIX_TEST(a_database_that_becomes_newer_is_only_read),
        FIX_TEST(another_programs_database_is_refused),
        FIX_TEST(two_stores_share_a_file),
        FIX_TEST(a_night_survives_reopening),
        FIX_TEST(an_unknown_project_is_not_found),
        FIX_TEST(a_removed_project_is_disabled_not_deleted),
        FIX_TEST(events_come_after_the_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
