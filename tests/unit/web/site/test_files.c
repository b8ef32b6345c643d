/* A folder filled again and again: what changed is written, what is gone is removed, what is
 * others' is left alone. */
#include "tests/unit/test.h"
#include "tests/unit/web/site/folder.h"

#include "web/site/site.h"

#include <glib/gstdio.h>
#include <string.h>

static void put_text(web_files *files, const char *path, const char *source, const char *text) {
    GError *error = NULL;
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    if (!web_files_put(files, path, source, bytes, &error))
        fail_msg("%s: %s", path, error->message);
}

static web_files *open_site(const char *folder) {
    GError *error = NULL;
    web_files *files = web_files_open(folder, false, &error);
    if (!files)
        fail_msg("%s", error->message);
    return files;
}

static web_files_count close_site(web_files *files) {
    web_files_count count;
    assert_true(web_files_close(files, false, &count, NULL));
    return count;
}

static bool is_there(const char *folder, const char *path) {
    g_autofree char *full = g_build_filename(folder, path, NULL);
    return g_file_test(full, G_FILE_TEST_EXISTS);
}

static void write_text(const char *folder, const char *path, const char *text) {
    g_autofree char *full = g_build_filename(folder, path, NULL);
    assert_true(g_file_set_contents(full, text, -1, NULL));
}

static void expect_count(web_files_count got, unsigned written, unsigned same, unsigned removed) {
    assert_int_equal(got.written, written);
    assert_int_equal(got.same, same);
    assert_int_equal(got.removed, removed);
}

static void only_what_changed(void **state) {
    const char *folder = *state;
    web_files *files = open_site(folder);
    put_text(files, "index.html", NULL, "one");
    put_text(files, "a/b/c.json", "etag 1", "{}");
    put_text(files, "a/gone.json", NULL, "gone");
    const web_files_count first = close_site(files);
    expect_count(first, 3, 0, 0);
    assert_int_equal(first.bytes, 9);

    files = open_site(folder);
    assert_false(web_files_unchanged(files, "a/b/c.json", "etag 2"));
    assert_false(web_files_unchanged(files, "none", "etag 1"));
    assert_true(web_files_unchanged(files, "a/b/c.json", "etag 1"));
    assert_string_equal(web_files_source(files, "a/b/c.json"), "etag 1");
    assert_null(web_files_hash(files, "index.html")); /* not in this run */
    assert_non_null(web_files_hash(files, "a/b/c.json"));
    put_text(files, "index.html", NULL, "one");
    expect_count(close_site(files), 0, 2, 1);
    assert_false(is_there(folder, "a/gone.json"));
    assert_true(is_there(folder, "a/b/c.json"));
}

static void empty_folders_go(void **state) {
    const char *folder = *state;
    web_files *files = open_site(folder);
    put_text(files, "a/b/c", NULL, "x");
    put_text(files, "d", NULL, "x");
    expect_count(close_site(files), 2, 0, 0);
    files = open_site(folder);
    put_text(files, "d", NULL, "y");
    expect_count(close_site(files), 1, 0, 1);
    assert_false(is_there(folder, "a"));
}

/* Somebody took a file away, or cut it off: it is written again. */
static void what_is_missing_comes_back(void **state) {
    const char *folder = *state;
    web_files *files = open_site(folder);
    put_text(files, "a", "1", "whole");
    put_text(files, "b", "1", "whole");
    expect_count(close_site(files), 2, 0, 0);
    g_autofree char *gone = g_build_filename(folder, "a", NULL);
    assert_int_equal(g_unlink(gone), 0);
    write_text(folder, "b", "who");
    files = open_site(folder);
    assert_false(web_files_unchanged(files, "a", "1"));
    assert_null(web_files_source(files, "b"));
    put_text(files, "a", "1", "whole");
    put_text(files, "b", "1", "whole");
    expect_count(close_site(files), 2, 0, 0);
}

static void all_anew(void **state) {
    const char *folder = *state;
    web_files *files = open_site(folder);
    put_text(files, "a", "1", "x");
    expect_count(close_site(files), 1, 0, 0);
    files = web_files_open(folder, true, NULL);
    assert_non_null(files);
    assert_false(web_files_unchanged(files, "a", "1"));
    put_text(files, "a", "1", "x");
    expect_count(close_site(files), 0, 1, 0);
}

static void expect_refused(const char *folder, const char *words) {
    g_autoptr(GError) error = NULL;
    assert_null(web_files_open(folder, false, &error));
    assert_int_equal(error->code, WEB_SITE_ERROR_FOLDER);
    if (!strstr(error->message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, error->message);
}

static void folders_of_others(void **state) {
    const char *folder = *state;
    write_text(folder, "thesis.tex", "x");
    expect_refused(folder, "holds files that moowatch site did not write, such as thesis.tex");
    write_text(folder, WEB_FILES_MANIFEST, "{}");
    expect_refused(folder, "another version");
    write_text(folder, WEB_FILES_MANIFEST, "{");
    expect_refused(folder, "not a manifest of a site");
    write_text(folder, WEB_FILES_MANIFEST,
               "{\"moowatch_site\": 1, \"files\": {\"../x\": {\"hash\": \"1\"}}}");
    expect_refused(folder, "\"../x\" cannot be a file of a site");
    g_autofree char *kept = g_build_filename(folder, "thesis.tex", NULL);
    g_autofree char *below = g_build_filename(kept, "site", NULL);
    expect_refused(below, "Not a directory");
}

/* A repository's and a host's own files lie beside; another file of others stays what it is. */
static void files_of_others(void **state) {
    const char *folder = *state;
    write_text(folder, ".nojekyll", "");
    write_text(folder, "CNAME", "overhead.example.org");
    web_files *files = open_site(folder);
    put_text(files, "a", NULL, "x");
    expect_count(close_site(files), 1, 0, 0);
    write_text(folder, "notes.txt", "mine");
    files = open_site(folder);
    g_autoptr(GBytes) bytes = g_bytes_new_static("ours", 4);
    g_autoptr(GError) error = NULL;
    assert_false(web_files_put(files, "notes.txt", NULL, bytes, &error));
    assert_non_null(strstr(error->message, "moowatch site did not write this file; remove it"));
    put_text(files, "b", NULL, "x");
    expect_count(close_site(files), 1, 0, 1);
    static const char *const left[] = {".nojekyll", "CNAME", "notes.txt", "b"};
    for (size_t i = 0; i < G_N_ELEMENTS(left); i++)
        assert_true(is_there(folder, left[i]));
}

/* After an error nothing is removed, and what was written is known. */
static void after_an_error(void **state) {
    const char *folder = *state;
    web_files *files = open_site(folder);
    put_text(files, "a", NULL, "x");
    expect_count(close_site(files), 1, 0, 0);
    files = open_site(folder);
    put_text(files, "b", NULL, "x");
    assert_true(web_files_close(files, true, NULL, NULL));
    assert_true(is_there(folder, "a"));
    files = open_site(folder);
    put_text(files, "c", NULL, "x");
    expect_count(close_site(files), 1, 0, 2);
}

static void names(void **state) {
    web_files *files = open_site(*state);
    g_autoptr(GBytes) bytes = g_bytes_new_static("x", 1);
    static const char *const bad[] = {"",   "/a",  "a/",   "a//b", "../a", "a/../b",
                                      ".a", "a b", "a\nb", "a\\b", "ä"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        assert_false(web_files_put(files, bad[i], NULL, bytes, &error));
        assert_non_null(strstr(error->message, "cannot name a file of a site"));
    }
    put_text(files, "projects/kieker~1.15.x/index.html", NULL, "x"); /* a branch's page */
    put_text(files, "charts/x,nights=90.svg", NULL, "x");
    expect_count(close_site(files), 2, 0, 0);
}

/* A run that was ended at once has left its files and no manifest: the next one takes them. */
static void after_a_kill(void **state) {
    const char *folder = *state;
    web_files *files = open_site(folder);
    put_text(files, "a", NULL, "x");
    expect_count(close_site(files), 1, 0, 0);
    write_text(folder, "b", "new");
    files = open_site(folder);
    put_text(files, "a", NULL, "x");
    put_text(files, "b", NULL, "new");
    expect_count(close_site(files), 1, 1, 0);
    files = open_site(folder);
    put_text(files, "a", NULL, "x");
    expect_count(close_site(files), 0, 1, 1);
    assert_false(is_there(folder, "b"));
}

static void expect_read(web_files *files, const char *path, const char *text) {
    g_autoptr(GBytes) bytes = web_files_read(files, path);
    assert_non_null(bytes);
    assert_int_equal(g_bytes_get_size(bytes), strlen(text));
    assert_memory_equal(g_bytes_get_data(bytes, NULL), text, strlen(text));
}

static void plain_and_packed(void **state) {
    const char *folder = *state;
    g_autofree char *text = g_strnfill(2000, 'x');
    web_files *files = open_site(folder);
    put_text(files, "a.json", NULL, text);
    put_text(files, "b.json.gz", NULL, text);
    put_text(files, "c.json.gz", NULL, "{}"); /* too small to pack */
    expect_read(files, "a.json", text);
    expect_read(files, "b.json.gz", text);
    expect_read(files, "c.json.gz", "{}");
    assert_null(web_files_read(files, "d.json.gz"));
    const web_files_count count = close_site(files);
    expect_count(count, 3, 0, 0);
    assert_true(count.bytes < 2200);
    g_autofree char *packed = NULL, *path = g_build_filename(folder, "b.json.gz", NULL);
    assert_true(g_file_get_contents(path, &packed, NULL, NULL));
    assert_true(g_str_has_prefix(packed, "\x1f\x8b"));
}

#define IN_SITE(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

int main(void) {
    const struct CMUnitTest tests[] = {IN_SITE(only_what_changed),
                                       IN_SITE(empty_folders_go),
                                       IN_SITE(what_is_missing_comes_back),
                                       IN_SITE(all_anew),
                                       IN_SITE(folders_of_others),
                                       IN_SITE(files_of_others),
                                       IN_SITE(after_an_error),
                                       IN_SITE(names),
                                       IN_SITE(after_a_kill),
                                       IN_SITE(plain_and_packed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
