/* A site of a database and of exports of it, without a server that listens. */
#include "tests/unit/server/command/run.h"

#include "server/command/command.h"
#include "server/transfer/export.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/folder.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
    fixture *fix;
    char *config, *site, *lines; /* lines: an export */
} bench;

static bool add_line(const char *line, void *text, GError **error) {
    (void)error;
    g_string_append_printf(text, "%s\n", line);
    return true;
}

static int setup(void **state) {
    static const double means[4] = {70, 470, 1600, 3200};
    bench *at = g_new0(bench, 1);
    g_autoptr(GString) lines = g_string_new(NULL);
    at->fix = fix_new();
    fix_sync(at->fix, "kieker", NULL);
    fix_nights(at->fix, "kieker", 1, 3, means);
    g_autofree char *url = database_url(at->fix->dir);
    g_autofree char *text =
        g_strdup_printf("data_dir: .\nprojects_dir: projects.d\n%s%s\n",
                        database_is_server() ? "database: " : "", database_is_server() ? url : "");
    g_autofree char *projects = g_build_filename(at->fix->dir, "projects.d", NULL);
    at->config = folder_file(at->fix->dir, "moowatchd.yaml", text);
    at->site = g_build_filename(at->fix->dir, "site", NULL);
    assert_true(srv_export_project(at->fix->store, "kieker", 1, add_line, lines, NULL));
    at->lines = folder_file(at->fix->dir, "kieker.jsonl", lines->str);
    *state = at;
    return g_mkdir(projects, 0700);
}

static int teardown(void **state) {
    bench *at = *state;
    fix_free(at->fix);
    g_free(at->config);
    g_free(at->site);
    g_free(at->lines);
    g_free(at);
    return 0;
}

/* "site SITE words --config …"; what it prints, the caller's. */
static char *call(const bench *at, const char *words, int status) {
    char *said = NULL;
    g_autofree char *line = g_strdup_printf("site %s %s", at->site, words);
    const int code = run_command(srv_site_command, at->config, line, &said);
    if (code != status)
        fail_msg("%s: %d: %s", line, code, said);
    return said;
}

static void expect_there(const bench *at, const char *path, bool there) {
    g_autofree char *full = g_build_filename(at->site, path, NULL);
    if (g_file_test(full, G_FILE_TEST_EXISTS) != there)
        fail_msg("%s", path);
}

static void of_a_database(void **state) {
    bench *at = *state;
    g_autofree char *first = call(at, "--url https://example.org/o", 0);
    assert_non_null(strstr(first, " written, 0 unchanged, 0 removed"));
    static const char *const there[] = {"index.html", "projects/kieker/index.html",
                                        "api/v1/projects/kieker/nights.json.gz",
                                        "charts/kieker.svg", "embed/kieker/index.html"};
    for (size_t i = 0; i < G_N_ELEMENTS(there); i++)
        expect_there(at, there[i], true);
    g_autofree char *again = call(at, "--project kieker", 0);
    assert_non_null(strstr(again, ", 0 removed"));
    g_autofree char *missing = call(at, "--project none", 1);
    assert_non_null(strstr(missing, "--project none: the server has no project of that name"));
}

/* "site SITE --export path" */
static void call_export(const bench *at, const char *path, int status) {
    char *argv[] = {g_strdup("site"), g_strdup(at->site), g_strdup("--export"), g_strdup(path),
                    NULL};
    char *own[G_N_ELEMENTS(argv)]; /* GOption moves them about */
    memcpy(own, argv, sizeof argv);
    assert_int_equal(srv_site_command(4, own), status);
    for (char **word = argv; *word; word++)
        g_free(*word);
}

/* The numbers are those of a database that has nothing else; nothing of it stays. */
static void of_an_export(void **state) {
    bench *at = *state;
    call_export(at, at->lines, 0);
    g_autoptr(GDir) left = g_dir_open(g_get_tmp_dir(), 0, NULL);
    assert_null(g_dir_read_name(left));
    expect_there(at, "projects/kieker/index.html", true);
    expect_there(at, "api/v1/experiments/1.json.gz", true);
    expect_there(at, "api/v1/experiments/3.json.gz", true);
}

static void what_is_refused(void **state) {
    bench *at = *state;
    g_autofree char *both = g_strdup_printf("--export %s", at->lines);
    g_autofree char *twice = call(at, both, 2);
    assert_non_null(strstr(twice, "needs --config FILE or --export FILE"));
    g_autofree char *url = call(at, "--url example.org", 2);
    assert_non_null(strstr(url, "--url: must begin with https:// or http://"));
    g_autofree char *folders = call(at, "other", 2);
    assert_non_null(strstr(folders, "needs one folder for the files"));
    call_export(at, at->config, 1);
    call_export(at, "none.jsonl", 1);
    expect_there(at, "index.html", false);
}

#define SITE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {SITE_TEST(of_a_database), SITE_TEST(of_an_export),
                                       SITE_TEST(what_is_refused)};
    char *temporary = folder_new(); /* before GLib looks for one */
    assert_true(g_setenv("TMPDIR", temporary, TRUE));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_free(temporary);
    return failed;
}
