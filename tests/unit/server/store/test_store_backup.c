/* A copy of the database while it is written: whole or not at all, and checked before it is used.
 */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/ingest/raw_store.h"
#include "server/store/store_move.h"
#include "server/views/views.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

#include <sys/stat.h>

static const double means[4] = {70, 470, 1600, 3200};

static char *below(const fixture *fix, const char *name) {
    return g_build_filename(fix->dir, name, NULL);
}

static void a_copy_has_what_was_acknowledged_and_is_ours_alone(void **state) {
    fixture *fix = *state;
    g_autofree char *to = below(fix, "copy.db");
    struct stat info;
    fix_nights(fix, "kieker", 1, 3, means);
    assert_true(srv_store_backup(fix->path, to, NULL));
    fix_nights(fix, "kieker", 4, 5, means);
    assert_int_equal(stat(to, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    g_autoptr(srv_store) copy = srv_store_open(to, NULL);
    json_t *nights = srv_view_nights(copy, "kieker", (srv_dates){0}, (srv_page){0}, NULL);
    assert_int_equal(json_array_size(json_object_get(nights, "items")), 3);
    json_decref(nights);
}

static void a_new_copy_replaces_the_old_one(void **state) {
    fixture *fix = *state;
    g_autofree char *to = folder_file(fix->dir, "copy.db", "an older copy");
    g_autofree char *partial = folder_file(fix->dir, "copy.db.partial", "left by a crash");
    assert_true(srv_store_backup(fix->path, to, NULL));
    g_autoptr(GPtrArray) raw = NULL;
    assert_true(srv_store_file_check(to, &raw, NULL));
    assert_false(g_file_test(partial, G_FILE_TEST_EXISTS));
}

static void what_cannot_be_copied_leaves_the_old_one(void **state) {
    fixture *fix = *state;
    g_autofree char *to = folder_file(fix->dir, "copy.db", "an older copy");
    g_autofree char *text = folder_file(fix->dir, "text.db", "no database, just some text in it");
    g_autofree char *gone = below(fix, "gone.db");
    g_autofree char *nowhere = g_build_filename(fix->dir, "no", "folder", "copy.db", NULL);
    const struct {
        const char *from, *to, *blames;
    } cases[] = {
        {gone, to, gone},
        {text, to, text},
        {fix->path, nowhere, nowhere},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_autofree char *partial = g_strconcat(cases[i].to, ".partial", NULL);
        assert_false(srv_store_backup(cases[i].from, cases[i].to, &error));
        assert_srv_error(error, INTERNAL, cases[i].blames);
        assert_false(g_file_test(partial, G_FILE_TEST_EXISTS));
    }
    g_autofree char *kept = NULL;
    assert_true(g_file_get_contents(to, &kept, NULL, NULL));
    assert_string_equal(kept, "an older copy");
}

static void a_sound_file_names_the_raw_files_it_needs(void **state) {
    fixture *fix = *state;
    g_autofree char *to = below(fix, "copy.db");
    g_autoptr(GPtrArray) raw = NULL;
    fix_nights(fix, "kieker", 1, 1, means);
    assert_true(srv_store_backup(fix->path, to, NULL));
    assert_true(srv_store_file_check(to, &raw, NULL));
    assert_true(raw->len > 4 && raw->len <= 4 * FIX_LOOPS); /* loops alike share a file */
    assert_int_equal(strlen(raw->pdata[0]), 64);
}

/* Raw data that a policy removes while a backup is made: the copy says so, as the database does. */
static void what_went_meanwhile_is_forgotten(void **state) {
    fixture *fix = *state;
    g_autofree char *to = below(fix, "copy.db");
    g_autoptr(GPtrArray) before = NULL;
    g_autoptr(GPtrArray) after = NULL;
    g_autoptr(GPtrArray) gone = g_ptr_array_new();
    int64_t files;
    fix_nights(fix, "kieker", 1, 2, means);
    assert_true(srv_store_backup(fix->path, to, NULL));
    assert_true(srv_store_file_check(to, &before, NULL));
    assert_true(srv__begin(fix->store, NULL));
    assert_true(srv__end(fix->store, srv__raw_drop(fix->store, 1, "age", 9, &files, NULL), NULL));
    for (guint i = 0; i < before->len; i++) {
        bool there;
        assert_true(srv_store_raw_there(fix->path, before->pdata[i], &there, NULL));
        if (!there)
            g_ptr_array_add(gone, before->pdata[i]);
    }
    assert_int_equal(gone->len, files);
    assert_true(srv_store_file_forget(to, gone, 1366243200000, NULL));
    assert_true(srv_store_file_check(to, &after, NULL));
    assert_int_equal(after->len, before->len - files);
    g_autoptr(srv_store) copy = srv_store_open(to, NULL);
    json_t *night = srv_view_experiment(copy, 1, NULL);
    assert_int_equal(number_of(json_object_get(night, "raw_removed"), "at_ms"), 1366243200000);
    json_decref(night);
    GError *error = NULL;
    bool there;
    assert_false(srv_store_raw_there("/nonexistent/x.db", "ab", &there, &error));
    assert_srv_error(error, INTERNAL, "/nonexistent/x.db");
    assert_false(srv_store_file_forget("/nonexistent/x.db", gone, 1, &error));
    assert_srv_error(error, INTERNAL, "/nonexistent/x.db");
}

static int64_t of_job(srv_store *store, const char *column, int64_t job) {
    g_autofree char *sql = g_strdup_printf(
        "SELECT coalesce(%s, -1) FROM raw_job WHERE job_id=%" G_GINT64_FORMAT, column, job);
    int64_t number = -2;
    assert_true(srv__number(store, sql_text(sql, ""), SRV__NO_ARGS, -2, &number, NULL));
    return number;
}

/* One file of a job was copied before it was removed, and others were not: the job is no removed
 * one, or a policy would never look at what it still has. */
static void what_a_job_still_has_is_removed_in_its_time(void **state) {
    fixture *fix = *state;
    g_autofree char *to = below(fix, "copy.db");
    g_autoptr(GPtrArray) raw = NULL;
    fix_nights(fix, "kieker", 1, 1, means);
    assert_true(srv_store_backup(fix->path, to, NULL));
    assert_true(srv_store_file_check(to, &raw, NULL));
    g_autoptr(GPtrArray) gone = g_ptr_array_new();
    g_ptr_array_add(gone, raw->pdata[0]);
    const int64_t files = of_job(fix->store, "files", 1), bytes = of_job(fix->store, "bytes", 1);
    assert_true(srv_store_file_forget(to, gone, 1366243200000, NULL));
    {
        g_autoptr(srv_store) copy = srv_store_open(to, NULL);
        assert_int_equal(of_job(copy, "removed_ms", 1), -1);
        assert_int_equal(of_job(copy, "files", 1), files - 1);
        assert_true(of_job(copy, "bytes", 1) < bytes);
    }
    g_ptr_array_set_size(gone, 0);
    for (guint i = 1; i < raw->len; i++)
        g_ptr_array_add(gone, raw->pdata[i]);
    assert_true(srv_store_file_forget(to, gone, 1366243200000, NULL));
    g_autoptr(srv_store) copy = srv_store_open(to, NULL);
    assert_int_equal(of_job(copy, "removed_ms", 1), 1366243200000);
}

/* Another job has the same bytes: it is no removed one either while it has others. */
static void the_bytes_of_two_jobs_are_forgotten_for_both(void **state) {
    fixture *fix = *state;
    g_autofree char *to = below(fix, "copy.db");
    g_autoptr(GPtrArray) raw = NULL;
    fix_nights(fix, "kieker", 1, 2, means);
    assert_true(
        srv__run(fix->store,
                 sql_text("INSERT INTO raw_share(sha256, job_id) SELECT min(sha256), 2 FROM raw"
                          " WHERE job_id=1 ON CONFLICT(sha256, job_id) DO NOTHING",
                          ""),
                 SRV__NO_ARGS, NULL));
    assert_true(srv_store_backup(fix->path, to, NULL));
    assert_true(srv_store_file_check(to, &raw, NULL));
    assert_true(srv_store_file_forget(to, raw, 1366243200000, NULL));
    g_autoptr(srv_store) copy = srv_store_open(to, NULL);
    for (int64_t job = 1; job <= 2; job++)
        assert_int_equal(of_job(copy, "removed_ms", job), 1366243200000);
    assert_int_equal(of_job(copy, "(SELECT count(*) FROM raw_share)", 1), 0);
}

/* Pages from the third on are noise. */
static void a_damaged_file_is_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autofree char *to = below(fix, "copy.db");
    g_autofree char *bytes = NULL;
    GPtrArray *raw = NULL;
    gsize size;
    fix_nights(fix, "kieker", 1, 1, means);
    assert_true(srv_store_backup(fix->path, to, NULL));
    assert_true(g_file_get_contents(to, &bytes, &size, NULL));
    memset(bytes + 8192, 0x5a, size - 8192);
    assert_true(g_file_set_contents(to, bytes, (gssize)size, NULL));
    assert_false(srv_store_file_check(to, &raw, &error));
    assert_srv_error(error, INTERNAL, to);
    assert_null(raw);
    g_autofree char *text = folder_file(fix->dir, "text.db", "no database, just some text in it");
    assert_false(srv_store_file_check(text, &raw, &error));
    assert_srv_error(error, INTERNAL, text);
    assert_false(srv_store_file_check("/nonexistent/x.db", &raw, &error));
    assert_srv_error(error, INTERNAL, "/nonexistent/x.db");
    assert_null(raw);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_copy_has_what_was_acknowledged_and_is_ours_alone),
        FIX_TEST(a_new_copy_replaces_the_old_one),
        FIX_TEST(what_cannot_be_copied_leaves_the_old_one),
        FIX_TEST(a_sound_file_names_the_raw_files_it_needs),
        FIX_TEST(what_went_meanwhile_is_forgotten),
        FIX_TEST(what_a_job_still_has_is_removed_in_its_time),
        FIX_TEST(the_bytes_of_two_jobs_are_forgotten_for_both),
        FIX_TEST(a_damaged_file_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
