#include "tests/unit/runner/test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *folder, const char *name, size_t bytes) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *text = g_malloc0(bytes + 1);
    memset(text, 'x', bytes);
    assert_true(g_file_set_contents(path, text, (gssize)bytes, NULL));
}

static void test_removes_what_forbids_it(void **state) {
    g_autofree char *top = g_build_filename(*state, "closed", NULL);
    g_autofree char *below = g_build_filename(top, "a", "b", NULL);
    assert_int_equal(g_mkdir_with_parents(below, 0700), 0);
    write_file(below, "file", 10);
    g_autofree char *middle = g_build_filename(top, "a", NULL);
    assert_int_equal(chmod(below, 0), 0);
    assert_int_equal(chmod(middle, 0), 0);
    assert_int_equal(chmod(top, 0), 0);
    assert_true(run_scratch_remove(top, NULL));
    assert_false(g_file_test(top, G_FILE_TEST_EXISTS));
}

static void test_does_not_follow_links(void **state) {
    g_autofree char *outside = g_build_filename(*state, "outside", NULL);
    g_autofree char *inside = g_build_filename(*state, "inside", NULL);
    g_autofree char *link = g_build_filename(inside, "link", NULL);
    g_autofree char *file = g_build_filename(outside, "file", NULL);
    assert_true(run_scratch_make(outside, NULL) && run_scratch_make(inside, NULL));
    write_file(outside, "file", 1000000);
    assert_int_equal(symlink(outside, link), 0);
    assert_true(run_scratch_bytes(inside) < 100000);
    assert_true(run_scratch_remove(inside, NULL));
    assert_true(g_file_test(file, G_FILE_TEST_IS_REGULAR));
    assert_int_equal(symlink(outside, inside), 0); /* the top itself a link */
    assert_true(run_scratch_remove(inside, NULL));
    assert_true(g_file_test(file, G_FILE_TEST_IS_REGULAR));
    assert_true(run_scratch_remove(outside, NULL));
}

/* Paths far longer than PATH_MAX. */
static void test_removes_deep_trees(void **state) {
    g_autofree char *top = g_build_filename(*state, "deep", NULL);
    assert_true(run_scratch_make(top, NULL));
    int at = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < 600; i++) {
        assert_int_equal(mkdirat(at, "a-name-of-twenty-chars", 0700), 0);
        int next = openat(at, "a-name-of-twenty-chars", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(next >= 0);
        close(at);
        at = next;
    }
    close(at);
    assert_true(run_scratch_remove(top, NULL));
    assert_false(g_file_test(top, G_FILE_TEST_EXISTS));
}

static void test_make_empties(void **state) {
    g_autofree char *top = g_build_filename(*state, "made", "here", NULL);
    g_autofree char *file = g_build_filename(top, "old", NULL);
    assert_true(run_scratch_make(top, NULL));
    write_file(top, "old", 10);
    assert_true(run_scratch_make(top, NULL));
    assert_false(g_file_test(file, G_FILE_TEST_EXISTS));
}

static void test_weighs(void **state) {
    g_autofree char *top = g_build_filename(*state, "weight", NULL);
    assert_true(run_scratch_make(top, NULL));
    write_file(top, "a", 1000000);
    write_file(top, "b", 2000000);
    uint64_t bytes = run_scratch_bytes(top);
    assert_true(bytes >= 3000000 && bytes < 3300000);
    assert_int_equal(run_scratch_bytes("/nonexistent/x"), 0);
}

static void test_reserve(void **state) {
    GError *problem = NULL;
    assert_true(run_scratch_reserve(*state, 0, NULL));
    assert_false(run_scratch_reserve(*state, UINT64_MAX - 1, &problem));
    assert_error(problem, RUN_ERROR_NODE, "disk full");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_removes_what_forbids_it),
                                       cmocka_unit_test(test_does_not_follow_links),
                                       cmocka_unit_test(test_removes_deep_trees),
                                       cmocka_unit_test(test_make_empties),
                                       cmocka_unit_test(test_weighs),
                                       cmocka_unit_test(test_reserve)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
