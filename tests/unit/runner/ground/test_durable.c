#include "tests/unit/runner/test.h"

#include "detector/packed/unpack.h"
#include "runner/ground/durable.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All text of a packed file. */
static GString *unpacked(const char *path) {
    g_autofree char *bytes = NULL;
    gsize size, used, length;
    assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    GString *text = g_string_new(NULL);
    det_unpack *unpack = det_unpack_new();
    const char *from = bytes;
    det_unpack_step step;
    while ((step = det_unpack_take(unpack, from, size, &used)) == DET_UNPACK_BLOCK) {
        const char *lines = det_unpack_text(unpack, &length);
        g_string_append_len(text, lines, (gssize)length);
        from += used;
        size -= used;
    }
    assert_int_equal(step, DET_UNPACK_END);
    det_unpack_free(unpack);
    return text;
}

/* What comes back, and what sha256sum says. */
static void check_with_tools(const char *path, const run_durable_raw *raw, const char *text,
                             size_t length) {
    g_autofree char *hash = g_strdup_printf("sha256sum '%s'", path);
    g_autofree char *sum = NULL;
    GString *out = unpacked(path);
    assert_int_equal(out->len, length);
    assert_memory_equal(out->str, text, length);
    g_string_free(out, TRUE);
    char *shell[] = {(char[]){"sh"}, (char[]){"-c"}, hash, NULL};
    assert_true(
        g_spawn_sync(NULL, shell, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &sum, NULL, NULL, NULL));
    assert_true(g_str_has_prefix(sum, raw->sha256));
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(raw->bytes, status.st_size);
    assert_int_equal(raw->uncompressed_bytes, length);
}

static void test_compress(void **state) {
    const size_t sizes[] = {0, 1, 131072, 131073, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        for (unsigned n = 0; text->len < sizes[i]; n++)
            g_string_append_printf(text, "1;%u\n", n * 2654435761u);
        g_string_truncate(text, sizes[i]);
        g_autofree char *from = g_build_filename(*state, "raw.csv", NULL);
        g_autofree char *to = g_build_filename(*state, "raw.calls", NULL);
        assert_true(g_file_set_contents(from, text->str, (gssize)text->len, NULL));
        run_durable_raw raw;
        assert_true(run_durable_pack(from, to, &raw, NULL));
        check_with_tools(to, &raw, text->str, text->len);
        assert_true(run_durable_check(to, raw.sha256));
        assert_int_equal(truncate(to, (off_t)raw.bytes - 1), 0);
        assert_false(run_durable_check(to, raw.sha256));
    }
}

static void test_errors(void **state) {
    g_autofree char *none = g_build_filename(*state, "none", NULL);
    g_autofree char *link = g_build_filename(*state, "link", NULL);
    g_autofree char *to = g_build_filename(*state, "to", NULL);
    GError *problem = NULL;
    run_durable_raw raw;
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_false(run_durable_pack(none, to, &raw, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot open");
    assert_false(run_durable_pack(link, to, &raw, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot open");
    json_t *object = json_object();
    assert_false(run_durable_json("/nonexistent/x", object, &problem));
    assert_error(problem, RUN_ERROR_NODE, "/nonexistent/x");
    json_decref(object);
    assert_false(run_durable_check(none, "00"));
    assert_false(run_durable_check(none, NULL));
    g_autofree char *pipe = g_build_filename(*state, "pipe", NULL);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_false(run_durable_check(pipe, "00")); /* and does not wait for a writer */
    assert_true(run_durable_remove(none, NULL));
}

/* The old file stays whole when the new one cannot be written. */
static void test_json_is_whole_or_old(void **state) {
    g_autofree char *path = g_build_filename(*state, "x.json", NULL);
    json_t *good = json_pack("{s:i}", "a", 1), *bad = json_pack("{s:o}", "a", json_real(0));
    assert_true(run_durable_json(path, good, NULL));
    g_autofree char *temporary = g_strconcat(path, ".new", NULL);
    assert_int_equal(mkdir(temporary, 0700), 0);
    GError *problem = NULL;
    assert_false(run_durable_json(path, bad, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot create");
    json_t *found = json_load_file(path, 0, NULL);
    assert_true(json_equal(found, good));
    json_decref(found);
    json_decref(good);
    json_decref(bad);
    assert_int_equal(rmdir(temporary), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compress),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_json_is_whole_or_old)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
