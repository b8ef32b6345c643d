/* A backup while others write, and what restores it: both checked, from and to either database. */
#include "tests/unit/server/command/run.h"

#include "tests/unit/server/fixture.h"

#include "server/command/backup.h"
#include "server/command/command.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

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
    if (!store || !srv__number(store, sql_text(sql, ""), SRV__NO_ARGS, 0, &number, &error))
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
            srv__end(
                store,
                srv__run(store, sql_text("UPDATE project SET served_ms=served_ms+1", ""),
                         SRV__NO_ARGS, NULL) &&
                    srv__run(
                        store,
                        sql_text("INSERT INTO audit(at_ms, last_ms, kind, who, client, what, why,"
                                 " count) VALUES(1, 1, 'x', '', '', '', '', 1)",
                                 ""),
                        SRV__NO_ARGS, NULL),
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

/* A file of the newest backup. */
static char *newest(const place *at, const char *name) {
    g_autofree char *folder = g_build_filename(at->fix->dir, "copy", NULL);
    g_autoptr(GPtrArray) all = srv__backups(folder, NULL);
    assert_non_null(all);
    return g_build_filename(all->pdata[all->len - 1], name, NULL);
}

static unsigned backups(const place *at) {
    g_autofree char *folder = g_build_filename(at->fix->dir, "copy", NULL);
    g_autoptr(GPtrArray) all = srv__backups(folder, NULL);
    return all ? all->len : 0;
}

/* Of the second half of a file every byte is another one. */
static void damage(const char *path) {
    g_autofree char *bytes = NULL;
    gsize size;
    assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    for (gsize i = size / 2; i < size; i++)
        bytes[i] ^= 0x5a;
    assert_true(g_file_set_contents(path, bytes, (gssize)size, NULL));
}

/* The only raw file of a folder whose name ends so. */
static char *some_raw(const char *dir) {
    g_autofree char *raw = g_build_filename(dir, "raw", NULL);
    g_autoptr(GDir) folders = g_dir_open(raw, 0, NULL);
    const char *name, *file = NULL;
    while ((name = g_dir_read_name(folders))) {
        g_autofree char *below = g_build_filename(raw, name, NULL);
        g_autoptr(GDir) files = g_dir_open(below, 0, NULL);
        if (strlen(name) == 2 && files && (file = g_dir_read_name(files)))
            return g_build_filename(below, file, NULL);
    }
    fail_msg("%s has no raw file", dir);
    return NULL;
}

/* All that is below a folder. */
static unsigned files_below(const char *dir) {
    g_autoptr(GDir) folder = g_dir_open(dir, 0, NULL);
    const char *name;
    unsigned files = 0;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *path = g_build_filename(dir, name, NULL);
        files += 1 + files_below(path);
    }
    return files;
}

static void another_file_than_was_written_is_refused(void **state) {
    place *at = *state;
    static const char *const names[] = {"moowatch.db", "tokens.json"};
    g_free(folder_file(at->fix->dir, "tokens.json", "{\"tokens\": []}"));
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        says(srv_backup_command, at->config, at->to, 0, "raw results");
        g_autofree char *file = newest(at, names[i]);
        damage(file);
        says(srv_restore_command, at->restored, at->from, 1,
             "is not the file that the backup wrote: its SHA-256 differs");
    }
}

static void change_manifest(const place *at, bool version) {
    g_autofree char *path = newest(at, "backup.json");
    json_t *manifest = json_load_file(path, 0, NULL);
    json_t *rows = json_object_get(manifest, "rows");
    json_object_set_new(version ? manifest : rows, version ? "version" : "experiment",
                        json_integer(4));
    assert_int_equal(json_dump_file(manifest, path, 0), 0);
    json_decref(manifest);
}

/* As if rows had been lost on the way. What fails leaves nothing, and the next try is a first one.
 */
static void a_restore_that_fails_leaves_nothing(void **state) {
    place *at = *state;
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    const unsigned before = files_below(at->elsewhere);
    change_manifest(at, false);
    says(srv_restore_command, at->restored, at->from, 1,
         "3 rows of experiment were restored, the backup has 4");
    change_manifest(at, true);
    says(srv_restore_command, at->restored, at->from, 1, "another version than backup.json says");
    says(srv_restore_command, at->restored, at->from, 1, "the backup before it is");
    assert_int_equal(files_below(at->elsewhere), before);
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    says(srv_restore_command, at->restored, at->from, 0, "as many of each table as the backup has");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM experiment"), 3);
}

static void a_backup_that_does_not_say_is_refused(void **state) {
    place *at = *state;
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    g_autofree char *path = newest(at, "backup.json");
    assert_true(g_file_set_contents(path, "{\"rows\": 3}", -1, NULL));
    says(srv_restore_command, at->restored, at->from, 1, "does not say how many rows there are");
    assert_true(g_file_set_contents(path, "{", -1, NULL));
    says(srv_restore_command, at->restored, at->from, 1, "backup.json is damaged");
    assert_int_equal(g_unlink(path), 0);
    says(srv_restore_command, at->restored, at->from, 1, "backup.json is damaged");
}

/* 200 bytes of the live database are damaged: the night's backup fails, the last one restores. */
static void one_that_fails_leaves_the_last_good_one(void **state) {
    place *at = *state;
    if (database_is_server())
        skip();
    says(srv_backup_command, at->config, at->to, 0, "51 raw results (51 of them new)");
    fix_nights(at->fix, "kieker", 4, 5, means);
    g_clear_pointer(&at->fix->store, srv_store_close);
    damage(at->fix->path);
    says(srv_backup_command, at->config, at->to, 1, at->fix->path);
    assert_int_equal(backups(at), 1);
    says(srv_restore_command, at->restored, at->from, 0, "as many of each table as the backup has");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM experiment"), 3);
}

/* What neither the server nor the backup has is named; all else is backed up and restored. */
static void what_raw_files_are_missing_is_told(void **state) {
    place *at = *state;
    g_autofree char *raw = some_raw(at->fix->dir), *name = g_path_get_basename(raw);
    *strchr(name, '.') = '\0'; /* whatever its kind was */
    g_autofree char *aside = g_build_filename(at->fix->dir, "aside", NULL);
    g_autofree char *copy = g_build_filename(at->fix->dir, "copy", NULL);
    g_autofree char *check = g_strdup_printf("backup --check %s", copy);
    assert_int_equal(g_rename(raw, aside), 0);
    says(srv_backup_command, at->config, at->to, 3, name);
    says(srv_restore_command, at->restored, at->from, 3, "done without 1 raw results");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM raw"), 51);
    assert_int_equal(g_rename(aside, raw), 0);
    says(srv_backup_command, at->config, at->to, 0, "51 raw results (1 of them new)");
    says(srv_backup_command, at->config, check, 0, "51 raw results");
    damage(raw); /* the backup has it */
    says(srv_backup_command, at->config, at->to, 0, "(0 of them new)");
    g_autofree char *copied = some_raw(copy), *its_name = g_path_get_basename(copied);
    damage(copied);
    *strchr(its_name, '.') = '\0';
    says(srv_backup_command, at->config, check, 3, its_name);
}

static void the_newest_ones_are_kept(void **state) {
    place *at = *state;
    g_autofree char *copy = g_build_filename(at->fix->dir, "copy", NULL);
    g_autofree char *keep = g_strdup_printf("%s --keep 2", at->to);
    g_autofree char *none = g_strdup_printf("%s --keep 0", at->to);
    g_autofree char *check = g_strdup_printf("backup --check %s", copy);
    g_autofree char *left = g_build_filename(copy, "partial", NULL);
    says(srv_backup_command, at->config, none, 2, "give 1 or more");
    says(srv_backup_command, at->config, check, 1, "holds no backup");
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(g_mkdir_with_parents(left, 0700), 0);
        g_free(folder_file(left, "moowatch.db", "left by a crash"));
        says(srv_backup_command, at->config, keep, 0, "51 raw results");
        assert_int_equal(backups(at), MIN(i + 1, 2));
        assert_false(g_file_test(left, G_FILE_TEST_EXISTS));
    }
    says(srv_backup_command, at->config, check, 0, "can be restored");
    g_autofree char *file = newest(at, "moowatch.db");
    assert_non_null(strstr(file, "/000004-"));
    damage(file);
    says(srv_backup_command, at->config, check, 1, "1 of 2 backups cannot be restored");
}

static char *into_copy(const place *at, const char *name) {
    return g_build_filename(at->fix->dir, "copy", name, NULL);
}

/* What others put there is no backup: it stays, and holds up nothing. */
static void what_is_no_backup_stays(void **state) {
    place *at = *state;
    static const char *const folders[] = {"2026-11-27", "000009-2026-11-27", "000008-notes",
                                          "7-2026-11-27", "000010-2026-11-27-old"};
    static const char *const files[] = {"2026-notes.txt", "000011-2026-11-27"};
    g_autofree char *copy = into_copy(at, NULL);
    g_autofree char *keep = g_strdup_printf("%s --keep 1", at->to);
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *sub = g_build_filename(copy, folders[i], "sub", NULL);
        assert_int_equal(g_mkdir_with_parents(sub, 0700), 0);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++)
        g_free(folder_file(copy, files[i], "notes"));
    says(srv_restore_command, at->restored, at->from, 1, "holds no backup");
    says(srv_backup_command, at->config, keep, 0, "copy/000012-");
    says(srv_backup_command, at->config, keep, 0, "copy/000013-");
    assert_int_equal(backups(at), 1);
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *sub = g_build_filename(copy, folders[i], "sub", NULL);
        assert_true(g_file_test(sub, G_FILE_TEST_IS_DIR));
    }
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = g_build_filename(copy, files[i], NULL);
        assert_true(g_file_test(file, G_FILE_TEST_IS_REGULAR));
    }
    says(srv_restore_command, at->restored, at->from, 0, "as many of each table as the backup has");
}

/* The new one is good, and so are those after it. */
static void an_old_one_that_cannot_go_is_told(void **state) {
    place *at = *state;
    g_autofree char *keep = g_strdup_printf("%s --keep 1", at->to);
    says(srv_backup_command, at->config, keep, 0, "51 raw results");
    g_autofree char *sub = newest(at, "sub");
    assert_int_equal(g_mkdir(sub, 0700), 0);
    says(srv_backup_command, at->config, keep, 3, "copy/000002-");
    says(srv_backup_command, at->config, keep, 3, "1 old backups could not be removed");
    g_autofree char *file = newest(at, "moowatch.db");
    assert_non_null(strstr(file, "/000003-"));
    assert_int_equal(backups(at), 2); /* the second one went */
    assert_int_equal(g_rmdir(sub), 0);
    says(srv_backup_command, at->config, keep, 0, "51 raw results");
    assert_int_equal(backups(at), 1);
}

static const char some_tokens[] = "{\"tokens\": []}";

/* Those in shared_dir are in use, unless they are the backup's: a killed restore left them. */
static void tokens_that_are_there_stay(void **state) {
    place *at = *state;
    g_free(folder_file(at->fix->dir, "tokens.json", some_tokens));
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    g_autofree char *file = folder_file(at->elsewhere, "tokens.json", "{}");
    const unsigned before = files_below(at->elsewhere);
    says(srv_restore_command, at->restored, at->from, 1, "tokens.json exists already");
    assert_int_equal(files_below(at->elsewhere), before);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(file, &text, NULL, NULL));
    assert_string_equal(text, "{}");
    g_free(folder_file(at->elsewhere, "tokens.json", some_tokens));
    says(srv_restore_command, at->restored, at->from, 0, "as many of each table as the backup has");
}

/* A database has its raw results, or it is still empty: the next try is a first one. */
static void tokens_that_cannot_be_written_leave_nothing(void **state) {
    place *at = *state;
    g_free(folder_file(at->fix->dir, "tokens.json", some_tokens));
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    g_autofree char *wall = g_build_filename(at->elsewhere, "tokens.json.partial", NULL);
    assert_int_equal(g_mkdir(wall, 0700), 0);
    const unsigned before = files_below(at->elsewhere);
    says(srv_restore_command, at->restored, at->from, 1, "tokens.json.partial");
    assert_int_equal(files_below(at->elsewhere), before);
    assert_int_equal(g_rmdir(wall), 0);
    says(srv_restore_command, at->restored, at->from, 0, "as many of each table as the backup has");
    assert_int_equal(number_in(at->there, "SELECT count(*) FROM raw"), 51);
}

/* A full database is no place for it: what was there before stays, and nothing else. */
static void a_database_that_has_rows_gets_no_tokens(void **state) {
    place *at = *state;
    SKIP_WITHOUT_A_SERVER;
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    says(srv_restore_command, at->restored, at->from, 0, "raw results");
    const unsigned before = files_below(at->elsewhere);
    g_free(folder_file(at->fix->dir, "tokens.json", some_tokens));
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    says(srv_restore_command, at->restored, at->from, 1, "give one that is empty");
    assert_int_equal(files_below(at->elsewhere), before);
}

/* A name of a raw file becomes a path: one that is none is refused. */
static void a_name_that_is_no_hash_is_refused(void **state) {
    place *at = *state;
    SKIP_ON_A_SERVER;
    says(srv_backup_command, at->config, at->to, 0, "raw results");
    g_autofree char *file = newest(at, "moowatch.db"), *manifest = newest(at, "backup.json");
    number_in(file, "UPDATE raw SET sha256='../' || substr(sha256, 4) WHERE sha256="
                    "(SELECT min(sha256) FROM raw) RETURNING 1");
    json_auto_t *said = json_load_file(manifest, 0, NULL);
    g_autofree char *hash = srv__backup_hash(file);
    json_object_set_new(said, "sha256", json_string(hash));
    assert_int_equal(json_dump_file(said, manifest, 0), 0);
    const unsigned before = files_below(at->elsewhere);
    says(srv_restore_command, at->restored, at->from, 1, "what is no SHA-256");
    assert_int_equal(files_below(at->elsewhere), before);
    g_autofree char *copy = into_copy(at, NULL);
    g_autofree char *check = g_strdup_printf("backup --check %s", copy);
    says(srv_backup_command, at->config, check, 1, "what is no SHA-256");
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(what_was_measured_comes_back),
        CASE(it_is_of_one_moment_while_others_write),
        CASE(another_file_than_was_written_is_refused),
        CASE(a_restore_that_fails_leaves_nothing),
        CASE(a_backup_that_does_not_say_is_refused),
        CASE(one_that_fails_leaves_the_last_good_one),
        CASE(what_raw_files_are_missing_is_told),
        CASE(the_newest_ones_are_kept),
        CASE(what_is_no_backup_stays),
        CASE(an_old_one_that_cannot_go_is_told),
        CASE(tokens_that_are_there_stay),
        CASE(tokens_that_cannot_be_written_leave_nothing),
        CASE(a_database_that_has_rows_gets_no_tokens),
        CASE(a_name_that_is_no_hash_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
