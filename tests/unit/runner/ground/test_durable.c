#include "tests/unit/runner/test.h"

#include "config/packed.h"
#include "runner/ground/durable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* All text of a packed file. */
static GString *unpacked(const char *path) {
    char piece[1000];
    ssize_t got;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    GString *text = g_string_new(NULL);
    cfg_unpack *unpack = cfg_unpack_new(fd);
    while ((got = cfg_unpack_read(unpack, piece, sizeof piece)) > 0)
        g_string_append_len(text, piece, got);
    assert_int_equal(got, 0);
    cfg_unpack_free(unpack);
    close(fd);
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

static void test_pack(void **state) {
    const size_t sizes[] = {0, 1, 131072, 131073, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        for (unsigned n = 0; text->len < sizes[i]; n++)
            g_string_append_printf(text, "1;%u\n", n * 2654435761u);
        g_string_truncate(text, sizes[i]);
        g_autofree char *to = g_build_filename(*state, "raw.csv.zst", NULL);
        run_durable_raw raw;
        run_durable_pack *pack = run_durable_pack_begin(to, text->len, NULL);
        assert_non_null(pack);
        for (size_t at = 0; at < text->len; at += 65536)
            assert_true(
                run_durable_pack_feed(pack, text->str + at, MIN(65536, text->len - at), NULL));
        assert_true(run_durable_pack_end(pack, &raw, NULL));
        check_with_tools(to, &raw, text->str, text->len);
        assert_true(run_durable_check(to, raw.sha256));
        assert_int_equal(truncate(to, (off_t)raw.bytes - 1), 0);
        assert_false(run_durable_check(to, raw.sha256));
    }
}

/* One that is dropped, or ends too early, leaves nothing and takes nothing away. */
static void test_pack_that_does_not_end(void **state) {
    g_autofree char *path = g_build_filename(*state, "half.csv.zst", NULL);
    g_autofree char *temporary = g_strconcat(path, ".new", NULL);
    GError *problem = NULL;
    run_durable_raw raw;
    run_durable_pack *pack = run_durable_pack_begin(path, 8, NULL);
    assert_true(run_durable_pack_feed(pack, "1;5\n", 4, NULL));
    assert_false(run_durable_pack_end(pack, &raw, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot write");
    pack = run_durable_pack_begin(path, 4, NULL);
    assert_true(run_durable_pack_feed(pack, "1;5\n", 4, NULL));
    run_durable_pack_drop(pack);
    run_durable_pack_drop(NULL);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    assert_false(g_file_test(temporary, G_FILE_TEST_EXISTS));
    assert_null(run_durable_pack_begin("/nonexistent/x", 1, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot create");
}

static void test_errors(void **state) {
    g_autofree char *none = g_build_filename(*state, "none", NULL);
    GError *problem = NULL;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack), cmocka_unit_test(test_pack_that_does_not_end),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_json_is_whole_or_old)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
