/* Commands beside the daemon: what they refuse, what they print, and what they leave alone. */
#include "tests/unit/test.h"

#include "server/command/command.h"
#include "server/ground/auth.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/command/run.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    char *dir, *config, *tokens;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->dir = folder_new();
    at->config = folder_file(at->dir, "moowatchd.yaml", "data_dir: data\n");
    g_autofree char *data = g_build_filename(at->dir, "data", NULL);
    at->tokens = g_build_filename(data, SRV_AUTH_FILE, NULL);
    *state = at;
    return g_mkdir(data, 0700);
}

static int teardown(void **state) {
    bench *at = *state;
    folder_free(at->dir);
    g_free(at->config);
    g_free(at->tokens);
    g_free(at);
    return 0;
}

static void expect(const bench *at, int (*command)(int, char **), const char *words, int status,
                   const char *says) {
    g_autofree char *said = NULL;
    const int code = run_command(command, at->config, words, &said);
    if (code != status || !strstr(said, says))
        fail_msg("%s: %d, %s", words, code, said);
}

static void a_token_of_no_span_is_not_for_ever(void **state) {
    const bench *at = *state;
    static const char *const none[] = {"0d", "0m"};
    for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
        g_autofree char *add =
            g_strdup_printf("token add --name a --scope read --expires %s", none[i]);
        expect(at, srv_token_command, add, 2, "--expires must be longer than 0");
    }
    assert_false(g_file_test(at->tokens, G_FILE_TEST_EXISTS));
    expect(at, srv_token_command, "token add --name a --scope read", 0, "mwt_");
    expect(at, srv_token_command, "token rotate --name a --expires 0d", 2,
           "--expires must be longer than 0");
}

static void rotate_says_until_when_the_old_secret_is_good(void **state) {
    const bench *at = *state;
    expect(at, srv_token_command, "token add --name a --scope read --expires 2h", 0, "mwt_");
    g_autoptr(srv_auth) auth = srv_auth_open(at->tokens, NULL);
    json_t *list = srv_auth_list(auth);
    const int64_t end_ms =
        json_integer_value(json_object_get(json_array_get(list, 0), "expires_ms"));
    json_decref(list);
    /* the token's own end, before the grace of a day */
    g_autoptr(GDateTime) end = g_date_time_new_from_unix_utc(end_ms / 1000);
    g_autofree char *says =
        g_date_time_format(end, "the old secret stays valid until %Y-%m-%d %H:%M UTC");
    expect(at, srv_token_command, "token rotate --name a", 0, says);
    expect(at, srv_token_command, "token rotate --name a --grace 0m", 0,
           "the old secret is no longer valid");
}

static void a_password_of_a_database_is_not_printed(void **state) {
    const bench *at = *state;
    static const char *const urls[] = {"postgresql://u:s3cret@h/x", "postgresql:password=s3cret"};
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
        g_autofree char *words = g_strdup_printf("migrate --to %s", urls[i]), *said = NULL;
        assert_int_equal(run_command(srv_migrate_command, at->config, words, &said), 1);
        assert_non_null(strstr(said, "must not hold a password"));
        assert_null(strstr(said, "s3cret"));
    }
}

/* What is in shared_dir may be of a database that is used. */
static void tokens_stay_where_no_rows_could_go(void **state) {
    const bench *at = *state;
    g_autofree char *database = g_build_filename(at->dir, "data", "moowatch.db", NULL);
    srv_store_close(srv_store_open(database, NULL));
    expect(at, srv_token_command, "token add --name a --scope read", 0, "mwt_");
    g_autofree char *to = g_strdup_printf("backup --to %s/backup", at->dir);
    expect(at, srv_backup_command, to, 0, "the database");
    g_autofree char *config = folder_file(at->dir, "live.yaml",
                                          "data_dir: live\nshared_dir: live\n"
                                          "database: 'postgresql:host=/nonexistent dbname=x'\n");
    g_autofree char *live = g_build_filename(at->dir, "live", NULL);
    assert_int_equal(g_mkdir(live, 0700), 0);
    g_autofree char *tokens = folder_file(live, SRV_AUTH_FILE, "of others");
    g_autofree char *from = g_strdup_printf("restore --from %s/backup", at->dir);
    g_autofree char *said = NULL, *text = NULL;
    assert_int_equal(run_command(srv_restore_command, config, from, &said), 1);
    assert_non_null(strstr(said, "tokens.json exists already"));
    assert_true(g_file_get_contents(tokens, &text, NULL, NULL));
    assert_string_equal(text, "of others");
    assert_int_equal(g_unlink(tokens), 0);
    g_clear_pointer(&said, g_free);
    assert_int_equal(run_command(srv_restore_command, config, from, &said), 1);
    assert_non_null(strstr(said, "/nonexistent"));
    assert_false(g_file_test(tokens, G_FILE_TEST_EXISTS));
}

static int64_t size_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void put(srv_store *store, const char *sql) {
    g_autoptr(GError) error = NULL;
    if (!srv__run(store, sql_text(sql, ""), SRV__NO_ARGS, &error))
        fail_msg("%s", error->message);
}

/* A server has the file open, reads and writes. */
static void storage_gives_back_what_is_free(void **state) {
    const bench *at = *state;
    g_autofree char *database = g_build_filename(at->dir, "data", "moowatch.db", NULL);
    g_autoptr(srv_store) server = srv_store_open(database, NULL);
    assert_non_null(server);
    g_autofree char *long_text = g_strnfill(3000000, 'x');
    assert_true(
        srv__run(server,
                 sql_text("INSERT INTO audit(at_ms, last_ms, kind, who, client, what, why, count)"
                          " VALUES(1, 1, 'x', '', '', $1, '', 1)",
                          "t"),
                 SRV__ARGS(long_text), NULL));
    put(server, "DELETE FROM audit");
    expect(at, srv_storage_command, "storage", 0, "of them are free: storage --compact gives");
    expect(at, srv_storage_command, "storage --compact", 0, " bytes, before it took ");
    assert_true(size_of(database) < 2000000);
    expect(at, srv_storage_command, "storage", 0, " bytes.\n");
    put(server, "INSERT INTO audit(at_ms, last_ms, kind, who, client, what, why, count)"
                " VALUES(1, 1, 'x', '', '', '', '', 1)");
    assert_true(database_is_sound(server));
}

static void storage_says_what_would_go(void **state) {
    const bench *at = *state;
    g_autofree char *database = g_build_filename(at->dir, "data", "moowatch.db", NULL);
    expect(at, srv_storage_command, "storage", 1, "does not exist");
    srv_store_close(srv_store_open(database, NULL));
    expect(at, srv_storage_command, "storage", 0, "project\traw data\tjobs\tfiles\tbytes\n");
    expect(at, srv_storage_command, "storage --keep-raw-days 30 --raw-budget-bytes 1000", 0,
           "raw data");
    expect(at, srv_storage_command, "storage", 0, "\nThe database takes ");
    static const char *const wrong[][2] = {
        {"storage --keep-raw-days soon",
         "--keep-raw-days needs a number from 0 to 36500, not soon"},
        {"storage --keep-raw-days 36501", "not 36501"},
        {"storage --raw-budget-bytes -1", "--raw-budget-bytes needs a number"}};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
        expect(at, srv_storage_command, wrong[i][0], 1, wrong[i][1]);
    expect(at, srv_storage_command, "storage more", 2, "needs --config FILE");
    expect(at, srv_storage_command, "storage --nope", 2, "--nope");
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(a_token_of_no_span_is_not_for_ever),
        CASE(rotate_says_until_when_the_old_secret_is_good),
        CASE(a_password_of_a_database_is_not_printed),
        CASE(tokens_stay_where_no_rows_could_go),
        CASE(storage_says_what_would_go),
        CASE(storage_gives_back_what_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
