#include "tests/unit/runner/test.h"

#include "runner/measure/trees.h"

static char newer[] = "0123456789abcdef0123456789abcdef01234567";
static char older[] = "1123456789abcdef0123456789abcdef01234567";
static char url[] = "https://h/r.git", project[] = "p";
static char *no_words[] = {NULL};

static void check(const char *folder, const char *before, unsigned count) {
    /* NOLINTBEGIN(performance-no-int-to-ptr) */
    cfg_runner config = {.work_dir = (char *)(uintptr_t)folder};
    const run_node node = {.config = &config, .stop_fd = -1};
    const run_job job = {.project = project,
                         .commit = newer,
                         .before = (char *)(uintptr_t)before,
                         .url = url,
                         .benchmark.prepare = no_words};
    /* NOLINTEND(performance-no-int-to-ptr) */
    run_trees trees;
    run_trees_find(&trees, &node, &job);
    assert_int_equal(trees.count, count);
    for (unsigned which = 0; which < count; which++) {
        assert_false(run_trees_present(&trees));
        assert_true(g_str_has_prefix(trees.checkout[which], trees.folder[which]));
        assert_null(trees.artifact[which]);
        assert_int_equal(g_mkdir_with_parents(trees.checkout[which], 0700), 0);
    }
    assert_true(run_trees_present(&trees));
    run_trees_remove(&trees);
    assert_false(g_file_test(trees.folder[0], G_FILE_TEST_EXISTS));
    run_trees_clear(&trees);
}

static void test_one_commit(void **state) {
    check(*state, NULL, 1);
}

static void test_both_of_a_trial(void **state) {
    check(*state, older, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_commit),
                                       cmocka_unit_test(test_both_of_a_trial)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
