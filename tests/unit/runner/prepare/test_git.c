#include "runner/prepare/git.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include "tests/unit/runner/shell.h"

static bool removed(const char *root, GError **error) {
    g_autofree char *mirror = g_build_filename(root, "mirror", NULL);
    return locks_remove(mirror, error);
}

static void test_each_lock_goes_and_nothing_else(void **state) {
    assert_true(shell(*state, "rm -rf mirror; mkdir -p mirror/refs/heads/a.lock mirror/objects;"
                              "cd mirror; for each in HEAD packed-refs shallow refs/heads/main "
                              "refs/heads/a.lock/b objects/pack; do"
                              "  echo x > $each; echo y > $each.lock; done"));
    assert_true(removed(*state, NULL));
    assert_true(shell(*state, "cd mirror; [ \"$(find . -name '*.lock' -type f)\" = "
                              "./objects/pack.lock ]; [ -d refs/heads/a.lock ];"
                              "cat HEAD packed-refs shallow refs/heads/main refs/heads/a.lock/b"));
}

static void test_where_nothing_is_there_is_none(void **state) {
    assert_true(shell(*state, "rm -rf mirror"));
    assert_true(removed(*state, NULL));
    assert_true(shell(*state, "mkdir mirror"));
    assert_true(removed(*state, NULL));
}

/* The mirror is git's user's. */
static void test_no_link_leads_out(void **state) {
    assert_true(shell(*state, "rm -rf mirror other; mkdir -p mirror/refs other;"
                              "touch other/main.lock; ln -s ../../other mirror/refs/heads;"
                              "ln -s ../../other/main.lock mirror/refs/link.lock"));
    assert_true(removed(*state, NULL));
    assert_true(shell(*state, "[ -e other/main.lock ]; [ ! -L mirror/refs/link.lock ]"));
    assert_true(shell(*state, "rm -rf mirror; ln -s other mirror; mkdir other/refs;"
                              "touch other/refs/main.lock other/HEAD.lock"));
    assert_true(removed(*state, NULL));
    assert_true(shell(*state, "[ -e other/refs/main.lock ]; [ -e other/HEAD.lock ]"));
    assert_true(shell(*state, "rm mirror; mkdir mirror; ln -s ../other/refs mirror/refs"));
    assert_true(removed(*state, NULL));
    assert_true(shell(*state, "[ -e other/refs/main.lock ]"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_lock_goes_and_nothing_else),
        cmocka_unit_test(test_where_nothing_is_there_is_none),
        cmocka_unit_test(test_no_link_leads_out),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
