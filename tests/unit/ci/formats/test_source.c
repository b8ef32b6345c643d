/* A folder or a zip, entry by entry; what a hostile or broken zip is refused for. */
#include "tests/unit/ci/formats/archive.h"

#include "ci/formats/moobench.h"

#include <unistd.h>

static void expect_names(const ci_source *source, const char *const *names) {
    const GPtrArray *entries = source->entries;
    assert_int_equal(
        entries->len,
        g_strv_length((char **)(uintptr_t)names)); /* NOLINT(performance-no-int-to-ptr) */
    for (guint i = 0; i < entries->len; i++)
        assert_string_equal(((ci_entry *)entries->pdata[i])->name, names[i]);
}

static void a_folders_files_by_name(void **state) {
    g_free(put(*state, "b.csv", "22"));
    g_autofree char *a = put(*state, "a.csv", "1");
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_source) source = ci_source_open(*state, &error);
    assert_null(error);
    assert_true(source->folder);
    assert_string_equal(source->path, *state);
    expect_names(source, (const char *[]){"a.csv", "b.csv", NULL});
    assert_int_equal(ci_source_find(source, "b.csv")->bytes, 2);
    assert_string_equal(ci_source_find(source, "a.csv")->path, a);
    assert_null(ci_source_find(source, "c.csv"));
    assert_null(ci_source_find(source, ""));
}

static void a_zips_files_lose_their_folders(void **state) {
    static const item items[] = {
        {"results/", ""}, {"results/b.csv", "22"}, {"results/deep/a.csv", "1"}};
    g_autofree char *path = make_zip(*state, items, G_N_ELEMENTS(items));
    g_autoptr(ci_source) source = ci_source_open(path, NULL);
    assert_false(source->folder);
    expect_names(source, (const char *[]){"a.csv", "b.csv", NULL});
    g_autofree char *place = g_strconcat(path, ": results/b.csv", NULL);
    assert_string_equal(ci_source_find(source, "b.csv")->path, place);
    g_autofree char *text = ci_source_text(source, ci_source_find(source, "b.csv"), 2, NULL);
    assert_string_equal(text, "22");
}

static bool count_bytes(const void *bytes, size_t size, void *user, GError **error) {
    (void)bytes;
    (void)error;
    size_t *sum = user;
    assert_true(size > 0 && size <= 1024 * 1024);
    *sum += size;
    return true;
}

static bool stop_at_once(const void *bytes, size_t size, void *user, GError **error) {
    (void)bytes;
    (void)size;
    ++*(size_t *)user;
    g_set_error_literal(error, CI_ERROR, CI_ERROR_INPUT, "enough");
    return false;
}

static void large_files_come_in_pieces(void **state) {
    g_autofree char *large = g_strnfill(3 * 1024 * 1024 + 1, 'x');
    g_free(put(*state, "raw.csv", large));
    const item items[] = {{"raw.csv", large}};
    g_autofree char *zip = make_zip(*state, items, 1);
    const char *const paths[] = {*state, zip};
    for (size_t i = 0; i < 2; i++) {
        g_autoptr(ci_source) source = ci_source_open(paths[i], NULL);
        const ci_entry *entry = ci_source_find(source, "raw.csv");
        size_t sum = 0, asked = 0;
        GError *error = NULL;
        assert_true(ci_source_read(source, entry, count_bytes, &sum, NULL));
        assert_int_equal(sum, strlen(large));
        assert_false(ci_source_read(source, entry, stop_at_once, &asked, &error));
        assert_int_equal(asked, 1);
        EXPECT_ERROR(error, CI_ERROR_INPUT, "enough");
    }
}

static void text_is_bounded_and_utf8(void **state) {
    g_autofree char *a = put(*state, "a", "12345");
    g_free(put(*state, "bad", "\xc3\x28"));
    g_autoptr(ci_source) source = ci_source_open(*state, NULL);
    GError *error = NULL;
    g_autofree char *whole = ci_source_text(source, ci_source_find(source, "a"), 5, NULL);
    assert_string_equal(whole, "12345");
    assert_null(ci_source_text(source, ci_source_find(source, "a"), 4, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "larger than 4 bytes");
    assert_null(ci_source_text(source, ci_source_find(source, "bad"), 100, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "UTF-8");
    g_remove(a);
    assert_null(ci_source_text(source, ci_source_find(source, "a"), 5, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "/a: ");
}

/* Nothing good makes such a name: the archive as a whole is refused. */
static void names_that_lead_out(void **state) {
    static const char *const names[] = {"../x", "a/../../x", "/etc/passwd", "a/..",
                                        "C:/x", "c:x",       "a\\b",        "\\\\host\\x"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const item items[] = {{"good.csv", "1"}, {names[i], "x"}};
        g_autofree char *path = make_zip(*state, items, 2);
        GError *error = NULL;
        if (ci_source_open(path, &error))
            fail_msg("opened: %s", names[i]);
        EXPECT_ERROR(error, CI_ERROR_INPUT, "points out of the archive");
    }
}

static void dots_in_a_name_are_fine(void **state) {
    static const item items[] = {{"a..b/c...csv", "1"}, {"..x/y", "1"}};
    g_autofree char *path = make_zip(*state, items, 2);
    g_autoptr(ci_source) source = ci_source_open(path, NULL);
    expect_names(source, (const char *[]){"c...csv", "y", NULL});
}

/* 64 MiB of one letter pack 1:1000; results never do. Small files may. */
static void a_bomb_is_not_unpacked(void **state) {
    g_autofree char *large = g_strnfill(64 * 1024 * 1024, '0');
    const item items[] = {{"bomb.csv", large}};
    g_autofree char *path = make_zip(*state, items, 1);
    GError *error = NULL;
    assert_null(ci_source_open(path, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "zip bomb");
    large[CI_SOURCE_RATIO_FROM] = '\0';
    g_autofree char *again = make_zip(*state, items, 1);
    g_autoptr(ci_source) source = ci_source_open(again, &error);
    assert_null(error);
    assert_non_null(source);
}

static void a_damaged_zip(void **state) {
    g_autofree char *text = g_strnfill(5000, '1');
    for (size_t i = 0; i < 5000; i += 7)
        text[i] = (char)('0' + i % 10); /* not stored as one run */
    const item items[] = {{"a.csv", text}};
    g_autofree char *path = make_zip(*state, items, 1);
    g_autofree char *bytes = NULL;
    gsize size = 0;
    GError *error = NULL;
    assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    bytes[60] = (char)~bytes[60];
    assert_true(g_file_set_contents(path, bytes, (gssize)size, NULL));
    g_autoptr(ci_source) source = ci_source_open(path, NULL);
    assert_non_null(source);
    assert_null(ci_source_text(source, ci_source_find(source, "a.csv"), 10000, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "damaged");
    assert_true(g_file_set_contents(path, bytes, (gssize)size - 10, NULL));
    assert_null(ci_source_open(path, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "give a folder of raw files");
}

static void what_is_neither(void **state) {
    g_autofree char *text = put(*state, "text", "raw-1-10-0.csv");
    g_autofree char *nothing = g_build_filename(*state, "nothing", NULL);
    GError *error = NULL;
    assert_null(ci_source_open(text, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "give a folder of raw files");
    assert_null(ci_source_open(nothing, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "no such file or folder");
}

/* What was listed is not what is there when it is read: changed meanwhile, or gone. */
static void a_zip_that_changes(void **state) {
    const item items[] = {{"a.csv", "0;1\n0;2\n"}};
    g_autofree char *path = make_zip(*state, items, 1);
    GError *error = NULL;
    g_autoptr(ci_source) source = ci_source_open(path, NULL);
    ci_entry *entry = source->entries->pdata[0];
    entry->bytes = 7;
    assert_null(ci_source_text(source, entry, 100, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "is longer than the zip says; it is damaged");
    entry->bytes = 9;
    assert_null(ci_source_text(source, entry, 100, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "is shorter than the zip says");
    entry->index = 5;
    assert_null(ci_source_text(source, entry, 100, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "results.zip: a.csv: ");
    assert_int_equal(g_remove(path), 0);
    assert_null(ci_source_text(source, entry, 100, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "No such file");
}

/* Folders, and links that lead nowhere, are no files of the results. */
static void only_files_of_a_folder(void **state) {
    g_free(put(*state, "a.csv", "1"));
    g_autofree char *dangling = g_build_filename(*state, "b.csv", NULL);
    g_autofree char *below = g_build_filename(*state, "c.csv", NULL);
    assert_int_equal(symlink("nowhere", dangling), 0);
    assert_int_equal(g_mkdir(below, 0700), 0);
    g_autoptr(ci_source) source = ci_source_open(*state, NULL);
    expect_names(source, (const char *[]){"a.csv", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_folders_files_by_name),
        IN_FOLDER(a_zips_files_lose_their_folders),
        IN_FOLDER(large_files_come_in_pieces),
        IN_FOLDER(text_is_bounded_and_utf8),
        IN_FOLDER(names_that_lead_out),
        IN_FOLDER(dots_in_a_name_are_fine),
        IN_FOLDER(a_bomb_is_not_unpacked),
        IN_FOLDER(a_damaged_zip),
        IN_FOLDER(what_is_neither),
        IN_FOLDER(a_zip_that_changes),
        IN_FOLDER(only_files_of_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
