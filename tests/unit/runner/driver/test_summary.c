#include "tests/unit/runner/test.h"

#include "runner/driver/bounded.h"
#include "runner/driver/harvest.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const run_summary_expected four = {.calls = 4, .warmup_calls = 1, .threads = 1};

/* Of a raw file of at most 10,000 bytes, which is not kept. */
static bool summary_read(const char *path, const run_summary_expected *expected, run_loop *loop,
                         GError **error) {
    run_durable_pack *pack;
    const int fd = run_bounded_file(AT_FDCWD, path, "raw file", 10000, error);
    const bool good = fd >= 0 && run_summary_read(fd, expected, NULL, loop, &pack, error);
    if (fd >= 0)
        close(fd);
    assert_true(fd < 0 || !pack);
    return good;
}

static char *write_raw(const char *folder, const char *text) {
    char *path = g_build_filename(folder, "raw.csv", NULL);
    unlink(path);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static void test_exact(void **state) {
    g_autofree char *path = write_raw(*state, "1;1000\n1;10\n1;20\n1;40\n");
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    assert_true(summary_read(path, &four, loop, NULL));
    assert_int_equal(loop->calls, 4);
    assert_int_equal(loop->warmup_calls, 1);
    assert_int_equal(loop->summary.n, 3);
    assert_close(loop->summary.mean, 70.0 / 3, 1e-12);
    assert_close(loop->summary.min, 10, 0);
    assert_close(loop->summary.q1, 15, 0); /* R: quantile(c(10,20,40), type=7) */
    assert_close(loop->summary.median, 20, 0);
    assert_close(loop->summary.q3, 30, 0);
    assert_close(loop->summary.max, 40, 0);
}

static void test_calls_per_second(void **state) {
    g_autofree char *path = write_raw(*state, "1;5\n1;400000000\n1;400000000\n1;400000000\n");
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    assert_true(summary_read(path, &four, loop, NULL));
    assert_int_equal(loop->calls_per_second->len, 1);
    assert_int_equal(g_array_index(loop->calls_per_second, uint64_t, 0), 2);
}

/* 400 calls, the second half slower by `more`; whether that is told, and how. */
static void check_settled(const char *folder, unsigned more, bool settled, const char *says) {
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < 400; i++)
        g_string_append_printf(text, "1;%u\n", 1000 + i * 7919 % 101 + (i < 200 ? 0 : more));
    g_autofree char *path = write_raw(folder, text->str);
    run_summary_expected expected = {.calls = 400, .threads = 1};
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    assert_true(summary_read(path, &expected, loop, NULL));
    json_t *readings = loop->readings;
    assert_int_equal(json_is_true(json_object_get(readings, "settled")), settled);
    const char *by = json_string_value(json_object_get(readings, "not_settled_by"));
    assert_true(says ? by && strstr(by, says) : !by);
}

static void test_settled(void **state) {
    check_settled(*state, 0, true, NULL);
    check_settled(*state, 200, false, "% after 200 calls");
}

static void test_collections(void **state) {
    g_autofree char *path = write_raw(*state, "1;9;7;1\n1;9;7;2\n1;9;7;2\n1;9;7;4\n");
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    assert_true(summary_read(path, &four, loop, NULL));
    assert_int_equal(json_integer_value(json_object_get(loop->readings, "collections")), 2);
    assert_true(json_real_value(json_object_get(loop->readings, "first_ms")) == 9e-6);
    g_autofree char *without = write_raw(*state, "1;9\n1;9\n1;9\n1;9\n");
    g_autoptr(run_loop) other = run_loop_new("none", NULL, 2);
    assert_true(summary_read(without, &four, other, NULL));
    assert_null(json_object_get(other->readings, "collections"));
}

static void test_two_threads(void **state) {
    g_autofree char *path = write_raw(*state, "1;9\n1;10\n2;9\n2;20\n");
    run_summary_expected expected = four;
    expected.threads = 2;
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    assert_true(summary_read(path, &expected, loop, NULL));
    assert_int_equal(loop->warmup_calls, 2);
    assert_close(loop->summary.mean, 15, 0);
    assert_int_equal(loop->calls_per_second->len, 0);
}

static void test_bad_files(void **state) {
    const struct {
        const char *text, *says;
    } cases[] = {{"", "raw file: "},
                 {"hello\n", "line 1, column 1"},
                 {"1;5\n1;6\n1;seven\n1;8\n", "line 3, column 3"},
                 {"1;5\n1;6\n1;7\n1;8", "line 4"},
                 {"1;5\n1;6\n1;7\n", "3 calls of 1 threads, expected 4 of 1"},
                 {"1;5\n1;6\n2;7\n2;8\n", "4 calls of 2 threads, expected 4 of 1"},
                 {"1;5\n1;6\n1;7\n1;8\n1;9\n", "raw file: "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autofree char *path = write_raw(*state, cases[i].text);
        g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
        GError *problem = NULL;
        assert_false(summary_read(path, &four, loop, &problem));
        assert_error(problem, RUN_ERROR_JOB, cases[i].says);
    }
}

static void test_what_is_no_plain_file(void **state) {
    g_autofree char *path = g_build_filename(*state, "other", NULL);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    GError *problem = NULL;
    assert_false(summary_read(path, &four, loop, &problem));
    assert_error(problem, RUN_ERROR_JOB, "raw file: nothing wrote it");
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_false(summary_read(path, &four, loop, &problem));
    assert_error(problem, RUN_ERROR_JOB, "raw file");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(summary_read(path, &four, loop, &problem));
    assert_error(problem, RUN_ERROR_JOB, "not a regular file");
    unlink(path);
    g_autofree char *large = write_raw(*state, "1;5\n1;6\n1;7\n1;8\n");
    assert_int_equal(run_bounded_file(AT_FDCWD, large, "raw file", 15, &problem), -1);
    assert_error(problem, RUN_ERROR_JOB, "raw file: 16 bytes, more than the limit of 15");
}

/* One pass gives both: the summary, and the file that is kept. */
static void test_packed_while_read(void **state) {
    g_autofree char *path = write_raw(*state, "1;1000\n1;10\n1;20\n1;40\n");
    g_autofree char *bad = g_build_filename(*state, "bad.csv", NULL);
    g_autofree char *kept = g_build_filename(*state, "kept.csv.zst", NULL);
    g_autofree char *temporary = g_strconcat(kept, ".new", NULL);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    run_durable_pack *pack;
    run_durable_raw raw;
    GError *problem = NULL;
    int fd = run_bounded_file(AT_FDCWD, path, "raw file", 1000, NULL);
    assert_true(run_summary_read(fd, &four, kept, loop, &pack, NULL));
    assert_int_equal(loop->summary.n, 3);
    assert_true(run_durable_pack_end(pack, &raw, NULL));
    assert_int_equal(raw.uncompressed_bytes, 22);
    assert_true(run_durable_check(kept, raw.sha256));
    assert_int_equal(unlink(kept), 0);
    close(fd);
    assert_true(g_file_set_contents(bad, "1;5\nno\n", -1, NULL));
    fd = run_bounded_file(AT_FDCWD, bad, "raw file", 1000, NULL);
    assert_false(run_summary_read(fd, &four, kept, loop, &pack, &problem));
    assert_null(pack);
    assert_error(problem, RUN_ERROR_JOB, "line 2, column 1");
    assert_false(g_file_test(temporary, G_FILE_TEST_EXISTS));
    close(fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact),
                                       cmocka_unit_test(test_calls_per_second),
                                       cmocka_unit_test(test_settled),
                                       cmocka_unit_test(test_two_threads),
                                       cmocka_unit_test(test_collections),
                                       cmocka_unit_test(test_bad_files),
                                       cmocka_unit_test(test_what_is_no_plain_file),
                                       cmocka_unit_test(test_packed_while_read)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
