/* A folder filled again and again: what changed is written, what is gone is removed, what is
 * others' is left alone. */
#include "tests/unit/ci/expect.h"

#include "ci/command/command.h"
#include "ci/site/files.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

static void put_text(ci_files *files, const char *path, const char *source, const char *text) {
    GError *error = NULL;
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    if (!ci_files_put(files, path, source, bytes, &error))
        fail_msg("%s: %s", path, error->message);
}

static ci_files *open_site(const char *folder) {
    GError *error = NULL;
    ci_files *files = ci_files_open(folder, false, &error);
    if (!files)
        fail_msg("%s", error->message);
    return files;
}

static ci_files_count close_site(ci_files *files) {
    ci_files_count count;
    assert_true(ci_files_close(files, false, &count, NULL));
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

static void expect_count(ci_files_count got, unsigned written, unsigned same, unsigned removed) {
    assert_int_equal(got.written, written);
    assert_int_equal(got.same, same);
    assert_int_equal(got.removed, removed);
}

static void only_what_changed(void **state) {
    const char *folder = *state;
    ci_files *files = open_site(folder);
    put_text(files, "index.html", NULL, "one");
    put_text(files, "a/b/c.json", "etag 1", "{}");
    put_text(files, "a/gone.json", NULL, "gone");
    const ci_files_count first = close_site(files);
    expect_count(first, 3, 0, 0);
    assert_int_equal(first.bytes, 9);

    files = open_site(folder);
    assert_false(ci_files_unchanged(files, "a/b/c.json", "etag 2"));
    assert_false(ci_files_unchanged(files, "none", "etag 1"));
    assert_true(ci_files_unchanged(files, "a/b/c.json", "etag 1"));
    g_autofree char *source = ci_files_source(files, "a/b/c.json");
    assert_string_equal(source, "etag 1");
    put_text(files, "index.html", NULL, "one");
    expect_count(close_site(files), 0, 2, 1);
    assert_false(is_there(folder, "a/gone.json"));
    assert_true(is_there(folder, "a/b/c.json"));
}

static void empty_folders_go(void **state) {
    const char *folder = *state;
    ci_files *files = open_site(folder);
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
    ci_files *files = open_site(folder);
    put_text(files, "a", "1", "whole");
    put_text(files, "b", "1", "whole");
    expect_count(close_site(files), 2, 0, 0);
    g_autofree char *gone = g_build_filename(folder, "a", NULL);
    assert_int_equal(g_unlink(gone), 0);
    write_text(folder, "b", "who");
    files = open_site(folder);
    assert_false(ci_files_unchanged(files, "a", "1"));
    assert_null(ci_files_source(files, "b"));
    put_text(files, "a", "1", "whole");
    put_text(files, "b", "1", "whole");
    expect_count(close_site(files), 2, 0, 0);
}

static void all_anew(void **state) {
    const char *folder = *state;
    ci_files *files = open_site(folder);
    put_text(files, "a", "1", "x");
    expect_count(close_site(files), 1, 0, 0);
    files = ci_files_open(folder, true, NULL);
    assert_non_null(files);
    assert_false(ci_files_unchanged(files, "a", "1"));
    assert_false(ci_files_keep(files, "a"));
    put_text(files, "a", "1", "x");
    expect_count(close_site(files), 0, 1, 0);
}

static void expect_refused(const char *folder, const char *words) {
    g_autoptr(GError) error = NULL;
    assert_null(ci_files_open(folder, false, &error));
    assert_int_equal(error->code, CI_ERROR_INPUT);
    if (!strstr(error->message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, error->message);
}

static void folders_of_others(void **state) {
    const char *folder = *state;
    write_text(folder, "thesis.tex", "x");
    expect_refused(folder, "holds files that moowatch site did not write, such as thesis.tex");
    write_text(folder, CI_FILES_MANIFEST, "{}");
    expect_refused(folder, "another version");
    write_text(folder, CI_FILES_MANIFEST, "{");
    expect_refused(folder, "not a manifest of a site");
    write_text(folder, CI_FILES_MANIFEST,
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
    ci_files *files = open_site(folder);
    put_text(files, "a", NULL, "x");
    expect_count(close_site(files), 1, 0, 0);
    write_text(folder, "notes.txt", "mine");
    files = open_site(folder);
    g_autoptr(GBytes) bytes = g_bytes_new_static("ours", 4);
    g_autoptr(GError) error = NULL;
    assert_false(ci_files_put(files, "notes.txt", NULL, bytes, &error));
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
    ci_files *files = open_site(folder);
    put_text(files, "a", NULL, "x");
    expect_count(close_site(files), 1, 0, 0);
    files = open_site(folder);
    put_text(files, "b", NULL, "x");
    assert_true(ci_files_close(files, true, NULL, NULL));
    assert_true(is_there(folder, "a"));
    files = open_site(folder);
    put_text(files, "c", NULL, "x");
    expect_count(close_site(files), 1, 0, 2);
}

static void names(void **state) {
    ci_files *files = open_site(*state);
    g_autoptr(GBytes) bytes = g_bytes_new_static("x", 1);
    static const char *const bad[] = {"",   "/a",  "a/",   "a//b", "../a", "a/../b",
                                      ".a", "a b", "a\nb", "a\\b", "ä"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        assert_false(ci_files_put(files, bad[i], NULL, bytes, &error));
        assert_non_null(strstr(error->message, "cannot name a file of a site"));
    }
    put_text(files, "projects/kieker~1.15.x/index.html", NULL, "x"); /* a branch's page */
    expect_count(close_site(files), 1, 0, 0);
}

static void json_plain_and_packed(void **state) {
    const char *folder = *state;
    ci_files *files = open_site(folder);
    json_auto_t *value = json_pack("{s:f, s:[]}", "level", 0.95, "items");
    json_auto_t *long_list = json_array();
    for (int i = 0; i < 200; i++)
        json_array_append_new(long_list, json_pack("{s:i, s:s}", "id", i, "state", "ok"));
    assert_true(ci_files_put_json(files, "a.json", NULL, value, NULL));
    assert_true(ci_files_put_json(files, "b.json.gz", NULL, long_list, NULL));
    assert_true(ci_files_put_json(files, "c.json.gz", NULL, value, NULL)); /* too small to pack */
    expect_count(close_site(files), 3, 0, 0);
    static const char *const begins[][2] = {
        {"a.json", "{\"level\":0.95,"}, {"b.json.gz", "\x1f\x8b"}, {"c.json.gz", "{\"level\":"}};
    for (size_t i = 0; i < G_N_ELEMENTS(begins); i++) {
        g_autofree char *text = NULL, *path = g_build_filename(folder, begins[i][0], NULL);
        assert_true(g_file_get_contents(path, &text, NULL, NULL));
        assert_true(g_str_has_prefix(text, begins[i][1]));
    }
}

static void put_of(ci_files *files, const char *project, const char *path, const char *stamp) {
    ci_files *of = ci_files_of(files, project);
    put_text(of, path, NULL, "x");
    ci_files_stamp(of, stamp);
    ci_files_part(of);
}

/* How many files are kept of a project as of a stamp; -1: it has to be asked for. */
static int kept_of(ci_files *files, const char *project, const char *stamp) {
    ci_files *of = ci_files_of(files, project);
    g_autoptr(GPtrArray) paths = ci_files_keep_all(of, stamp);
    ci_files_part(of);
    return paths ? (int)paths->len : -1;
}

/* Two projects: what is known to be as it was stays, and only that. */
static void all_of_a_project(void **state) {
    const char *folder = *state;
    ci_files *files = open_site(folder);
    assert_int_equal(kept_of(files, "p", "1"), -1);
    put_of(files, "p", "p/a", NULL);
    put_of(files, "p", "p/b", "1");
    put_of(files, "q", "q/a", "1");
    put_text(files, "index.html", NULL, "x");
    expect_count(close_site(files), 4, 0, 0);

    files = open_site(folder);
    assert_int_equal(kept_of(files, "p", "2"), -1);
    assert_int_equal(kept_of(files, "p", NULL), -1);
    assert_int_equal(kept_of(files, "r", "1"), -1);
    assert_int_equal(kept_of(files, "p", "1"), 2);
    put_of(files, "p", "p/a", NULL); /* one of them again: counted once */
    expect_count(close_site(files), 0, 2, 2);

    /* of q nothing is left: its stamp is not good for that */
    files = open_site(folder);
    assert_int_equal(kept_of(files, "q", "1"), -1);
    assert_int_equal(kept_of(files, "p", "1"), 2);
    expect_count(close_site(files), 0, 2, 0);

    g_autofree char *gone = g_build_filename(folder, "p", "a", NULL);
    assert_int_equal(g_unlink(gone), 0);
    files = open_site(folder);
    assert_int_equal(kept_of(files, "p", "1"), -1);
    expect_count(close_site(files), 0, 0, 2);
}

/* After an error what is known stays known; anew nothing is. */
static void stamps_after_an_error(void **state) {
    const char *folder = *state;
    ci_files *files = open_site(folder);
    put_of(files, "p", "p/a", "1");
    expect_count(close_site(files), 1, 0, 0);
    files = open_site(folder);
    assert_true(ci_files_close(files, true, NULL, NULL));
    files = ci_files_open(folder, true, NULL);
    assert_int_equal(kept_of(files, "p", "1"), -1);
    assert_true(ci_files_close(files, true, NULL, NULL));
    files = open_site(folder);
    assert_int_equal(kept_of(files, "p", "1"), 1);
    expect_count(close_site(files), 0, 1, 0);
}

/* The JSON of a file as it was written, and its source; caller frees both. */
static json_t *written_of(ci_files *files, const char *path, char **source) {
    *source = NULL;
    return ci_files_written(files, path, source);
}

static void expect_written(const char *folder, bool again, const char *path, bool there) {
    ci_files *files = ci_files_open(folder, again, NULL);
    g_autofree char *source = NULL;
    json_auto_t *got = written_of(files, path, &source);
    if ((got != NULL) != there)
        fail_msg("%s: %s", path, got ? "is there" : "is not there");
    if (there)
        assert_string_equal(source, "s");
    assert_true(ci_files_close(files, true, NULL, NULL));
}

/* What was written comes back, packed or not; what is another file's by now does not. */
static void json_as_it_was_written(void **state) {
    const char *folder = *state;
    static const char *const paths[] = {"a.json", "b.json.gz", "short.json.gz"};
    json_auto_t *long_list = json_array(), *empty = json_array();
    for (int i = 0; i < 99; i++)
        json_array_append_new(long_list, json_pack("{s:i, s:n}", "same", i % 3, "none"));
    json_t *const values[] = {long_list, long_list, empty};
    ci_files *files = open_site(folder);
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
        assert_true(ci_files_put_json(files, paths[i], "s", values[i], NULL));
    put_text(files, "no.json", "s", "<html>");
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *source = NULL;
        json_auto_t *got = written_of(files, paths[i], &source);
        assert_true(json_equal(got, values[i]));
        assert_string_equal(source, "s");
    }
    expect_count(close_site(files), 4, 0, 0);
    expect_written(folder, false, "a.json", true);
    expect_written(folder, false, "b.json.gz", true);
    expect_written(folder, true, "a.json", false);
    expect_written(folder, false, "no.json", false);
    expect_written(folder, false, "none.json", false);
    write_text(folder, "short.json.gz", "{}"); /* as long as before */
    expect_written(folder, false, "short.json.gz", false);
    write_text(folder, "b.json.gz", "");
    expect_written(folder, false, "b.json.gz", false);
}

static int remove_site(void **state) {
    remove_below(*state);
    return remove_folder(state);
}

#define IN_SITE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_site)

int main(void) {
    const struct CMUnitTest tests[] = {IN_SITE(only_what_changed),
                                       IN_SITE(empty_folders_go),
                                       IN_SITE(what_is_missing_comes_back),
                                       IN_SITE(all_anew),
                                       IN_SITE(folders_of_others),
                                       IN_SITE(files_of_others),
                                       IN_SITE(after_an_error),
                                       IN_SITE(names),
                                       IN_SITE(json_plain_and_packed),
                                       IN_SITE(json_as_it_was_written),
                                       IN_SITE(all_of_a_project),
                                       IN_SITE(stamps_after_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
