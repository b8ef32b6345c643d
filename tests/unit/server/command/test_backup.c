/* A backup while others write, and what restores it: both checked, from and to either database. */
#include "tests/unit/server/command/run.h"

#include "tests/unit/server/fixture.h"

#include "server/command/backup_command.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#include <glib/gstdio.h>
#include <pthread.h>
#include <stdatomic.h>

static const double means[4] = {70, 470, 1600, 3200};

typedef struct {
    fixture *fix;
    char *config;                       /* of the server that is backed up */
    char *to;                           /* "backup --to FOLDER" */
    char *from;                         /* "restore --from FOLDER" */
    char *elsewhere, *there, *restored; /* another folder, its database, its server's file */
} place;

static char *config_at(const char *dir) {
    g_autofree char *url = database_url(dir);
    g_autofree char *text = database_is_server()
                                ? g_strdup_printf("data_dir: %s\ndatabase: '%s'\n", dir, url)
                                : g_strdup_printf("data_dir: %s\n", dir);
    return folder_file(dir, "moowatchd.yaml", text);
}

static int setup(void **state) {
    place *at = g_new0(place, 1);
    at->fix = fix_new();
    fix_sync(at->fix, "kieker", NULL);
    fix_nights(at->fix, "kieker", 1, 3, means);
    at->config = config_at(at->fix->dir);
    at->to = g_strdup_printf("backup --to %s/copy", at->fix->dir);
    at->from = g_strdup_printf("restore --from %s/copy", at->fix->dir);
    at->elsewhere = folder_new();
    at->there = database_url(at->elsewhere);
    at->restored = config_at(at->elsewhere);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    place *at = *state;
    database_drop(at->elsewhere);
    folder_free(at->elsewhere);
    fix_free(at->fix);
    g_free(at->config);
    g_free(at->to);
    g_free(at->from);
    g_free(at->there);
    g_free(at->restored);
    g_free(at);
    return 0;
}

static void says(int (*command)(int, char **), const char *config, const char *words, int status,
                 const char *text) {
    g_autofree char *said = NULL;
    if (run_command(command, config, words, &said) != status)
        fail_msg("%s: %s", words, said);
    assert_says(said, text);
}

static int64_t number_in(const char *url, const char *sql) {
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_store) store = srv_store_open(url, &error);
    int64_t number = -1;
    if (!store || !srv__number(store, sql, SRV__NO_ARGS, 0, &number, &error))
        fail_msg("%s", error->message);
    return number;
}

static void what_was_measured_comes_back(void **state) {
    place *at = *state;
    says(srv_backup_command, at->config, at->to, 0, "51 raw results (51 of them new)");
    says(srv_backup_command, at->config, at->to, 0, "(0 of them new)");
    says(srv_restore_command, at->restored, at->from, 0, "as many of each table as the backup has");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM experiment"), 3);
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM raw"), 51);
    says(srv_restore_command, at->restored, at->from, 1, "");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM experiment"), 3);
}

typedef struct {
    const char *url;
    atomic_int written;
    atomic_bool ends;
} writer;

/* Two tables in each transaction: what is in one only was torn apart. */
static void *write_on(void *data) {
    writer *w = data;
    g_autoptr(srv_store) store = srv_store_open(w->url, NULL);
    while (store && !atomic_load(&w->ends)) {
        const bool good =
            srv__begin(store, NULL) &&
            srv__end(store,
                     srv__run(store, "UPDATE project SET served_ms=served_ms+1", SRV__NO_ARGS, NULL,
                              NULL) &&
                         srv__run(store,
                                  "INSERT INTO audit(at_ms, last_ms, kind, who, client, what, why,"
                                  " count) VALUES(1, 1, 'x', '', '', '', '', 1)",
                                  SRV__NO_ARGS, NULL, NULL),
                     NULL);
        if (good)
            atomic_fetch_add(&w->written, 1);
    }
    return NULL;
}

static void it_is_of_one_moment_while_others_write(void **state) {
    place *at = *state;
    writer w = {.url = at->fix->path};
    const int64_t served = number_in(at->fix->path, "SELECT served_ms FROM project");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_on, &w), 0);
    while (atomic_load(&w.written) < 3)
        g_usleep(100);
    const int before = atomic_load(&w.written);
    says(srv_backup_command, at->config, at->to, 0, "51 raw results");
    while (atomic_load(&w.written) < before + 3)
        g_usleep(100);
    atomic_store(&w.ends, true);
    pthread_join(thread, NULL);
    says(srv_restore_command, at->restored, at->from, 0, "as many of each table as the backup has");
    const int64_t rows = number_in(at->there, "SELECT count(*) FROM audit");
    assert_int_equal(number_in(at->there, "SELECT served_ms FROM project"), served + rows);
    assert_in_range(rows, before, atomic_load(&w.written) - 1);
}

static char *manifest_of(const place *at) {
    return g_strdup_printf("%s/copy/backup.json", at->fix->dir);
}

static void another_database_than_was_written_is_refused(void **state) {
    place *at = *state;
    g_autofree char *file = g_strdup_printf("%s/copy/moowatch.db", at->fix->dir), *bytes = NULL;
    gsize size;
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    assert_true(g_file_get_contents(file, &bytes, &size, NULL));
    bytes[size - 1] ^= 1;
    assert_true(g_file_set_contents(file, bytes, (gssize)size, NULL));
    says(srv_restore_command, at->restored, at->from, 1,
         "is not the file that the backup wrote: its SHA-256 differs");
}

/* Of a version before this one: there are rows that are not in it, and others have gone. */
static void one_of_an_older_version_says_that_it_was_upgraded(void **state) {
    place *at = *state;
    g_autofree char *path = manifest_of(at);
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    json_t *manifest = json_load_file(path, 0, NULL);
    const json_int_t version = json_integer_value(json_object_get(manifest, "version"));
    json_object_set_new(manifest, "version", json_integer(version - 1));
    assert_int_equal(json_dump_file(manifest, path, 0), 0);
    json_decref(manifest);
    says(srv_restore_command, at->restored, at->from, 0,
         "The backup is of an older version: its database was upgraded, and its rows could not be "
         "compared");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM experiment"), 3);
}

/* As if rows had been lost on the way. */
static void rows_that_are_missing_are_told(void **state) {
    place *at = *state;
    g_autofree char *path = manifest_of(at);
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    json_t *manifest = json_load_file(path, 0, NULL);
    json_object_set_new(json_object_get(manifest, "rows"), "experiment", json_integer(4));
    assert_int_equal(json_dump_file(manifest, path, 0), 0);
    json_decref(manifest);
    says(srv_restore_command, at->restored, at->from, 1,
         "3 rows of experiment were restored, the backup has 4");
    if (!database_is_server()) /* nothing is left that a daemon would start with */
        assert_false(g_file_test(at->there, G_FILE_TEST_EXISTS));
}

static void a_backup_that_does_not_say_is_taken(void **state) {
    place *at = *state;
    g_autofree char *path = manifest_of(at);
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    assert_true(g_file_set_contents(path, "{\"rows\": 3}", -1, NULL));
    says(srv_restore_command, at->restored, at->from, 1, "does not say how many rows there are");
    assert_true(g_file_set_contents(path, "{", -1, NULL));
    says(srv_restore_command, at->restored, at->from, 1, "backup.json is damaged");
    assert_int_equal(g_unlink(path), 0);
    says(srv_restore_command, at->restored, at->from, 0, "its rows could not be compared");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM experiment"), 3);
}

/* Until all of it is there. */
static void one_that_fails_has_no_manifest(void **state) {
    place *at = *state;
    g_autofree char *path = manifest_of(at), *raw = g_strdup_printf("%s/raw", at->fix->dir);
    g_autofree char *aside = g_strdup_printf("%s/aside", at->fix->dir);
    g_autofree char *copied = g_strdup_printf("%s/copy/raw", at->fix->dir);
    g_autofree char *gone = g_strdup_printf("%s/copy/gone", at->fix->dir);
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
    assert_int_equal(g_rename(raw, aside), 0);
    assert_int_equal(g_rename(copied, gone), 0);
    says(srv_backup_command, at->config, at->to, 1, "is missing or damaged");
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    assert_int_equal(g_rename(aside, raw), 0);
    says(srv_backup_command, at->config, at->to, 0, "(51 of them new)");
    assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(what_was_measured_comes_back),
        CASE(it_is_of_one_moment_while_others_write),
        CASE(another_database_than_was_written_is_refused),
        CASE(one_of_an_older_version_says_that_it_was_upgraded),
        CASE(rows_that_are_missing_are_told),
        CASE(a_backup_that_does_not_say_is_taken),
        CASE(one_that_fails_has_no_manifest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
