#include "tests/unit/runner/test.h"

#include "runner/process/walk.h"

#include <fcntl.h>
#include <stdio.h>
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

/* Names of 240 letters, one in the other; the caller is left to close the deepest. */
static int make_chain(const char *top, unsigned levels) {
    char name[241];
    memset(name, 'a', 240);
    name[240] = '\0';
    int at = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned i = 0; i < levels; i++) {
        assert_int_equal(mkdirat(at, name, 0700), 0);
        int next = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(next >= 0);
        close(at);
        at = next;
    }
    return at;
}

/* glibc's fts keeps lengths of paths in 16 bits: a node could neither weigh nor remove this. */
static void test_paths_longer_than_any_counter(void **state) {
    static const unsigned levels[] = {156, 280, 1200};
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        g_autofree char *top = g_build_filename(*state, "longer", NULL);
        assert_true(run_scratch_make(top, NULL));
        int deepest = make_chain(top, levels[i]);
        int file = openat(deepest, "hidden", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        char block[1000000] = {1};
        assert_int_equal(write(file, block, sizeof block), sizeof block);
        close(file);
        write_file(top, "z-after", 1000000);
        close(deepest);
        assert_in_range(run_scratch_bytes(top), 2000000, 2200000 + levels[i] * 8192);
        assert_true(run_scratch_give(top, geteuid(), getegid(), NULL));
        assert_true(run_scratch_remove(top, NULL));
        assert_false(g_file_test(top, G_FILE_TEST_EXISTS));
    }
}

/* Each level forbids its owner to enter, deeper than directories are kept open. */
static void test_removes_deep_trees_that_forbid_it(void **state) {
    g_autofree char *top = g_build_filename(*state, "deep-closed", NULL);
    assert_true(run_scratch_make(top, NULL));
    close(make_chain(top, 60));
    char *argv[] = {(char[]){"find"},  top,           (char[]){"-depth"},
                    (char[]){"-type"}, (char[]){"d"}, (char[]){"-execdir"},
                    (char[]){"chmod"}, (char[]){"0"}, (char[]){"{}"},
                    (char[]){";"},     NULL};
    int status = -1;
    assert_true(
        g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
    assert_true(run_scratch_remove(top, NULL));
    assert_false(g_file_test(top, G_FILE_TEST_EXISTS));
}

enum { NOBODY = 65534 };

/* More than are held at once, above and below the directories that are kept open. */
static void test_removes_many_entries(void **state) {
    g_autofree char *top = g_build_filename(*state, "many", NULL);
    assert_true(run_scratch_make(top, NULL));
    const int deepest = make_chain(top, RUN_WALK_OPEN_MAX + 4);
    for (int i = 0; i < 700; i++) {
        g_autofree char *name = g_strdup_printf("%d", i), *path = g_build_filename(top, name, NULL);
        assert_int_equal(i % 7 == 0 ? mkdir(path, 0) : mknod(path, S_IFREG | 0600, 0), 0);
        assert_int_equal(
            i % 5 == 0 ? mkdirat(deepest, name, 0) : mknodat(deepest, name, S_IFREG | 0600, 0), 0);
    }
    close(deepest);
    assert_true(run_scratch_remove(top, NULL));
    assert_false(g_file_test(top, G_FILE_TEST_EXISTS));
}

/* What cannot be removed is named. */
static void test_what_stays_is_named(void **state) {
    g_autofree char *top = g_build_filename(*state, "kept", NULL);
    g_autofree char *below = g_build_filename(top, "below", NULL);
    GError *problem = NULL;
    const bool root = geteuid() == 0;
    assert_int_equal(g_mkdir_with_parents(below, 0700), 0);
    write_file(below, "stays", 1);
    assert_true(!root || (chmod(top, 0755) == 0 && chmod(below, 0755) == 0));
    assert_true(!root || (chmod(*state, 0755) == 0 && seteuid(NOBODY) == 0));
    const bool removed = root && run_scratch_remove(top, &problem);
    assert_true(!root || seteuid(0) == 0);
    assert_false(removed);
    if (root)
        assert_error(problem, RUN_ERROR_NODE, top);
    assert_true(run_scratch_remove(top, NULL));
}

static void test_what_cannot_be_weighed_is_too_much(void **state) {
    g_autofree char *top = g_build_filename(*state, "top", NULL);
    g_autofree char *link = g_build_filename(*state, "link", NULL);
    g_autofree char *file = g_build_filename(*state, "file", NULL);
    assert_true(run_scratch_make(top, NULL));
    assert_int_equal(symlink(top, link), 0);
    write_file(*state, "file", 10);
    assert_int_equal(run_scratch_bytes(link), UINT64_MAX);
    assert_int_equal(run_scratch_bytes(file), UINT64_MAX);
    assert_true(run_scratch_remove(link, NULL) && run_scratch_remove(file, NULL));
    assert_true(g_file_test(top, G_FILE_TEST_IS_DIR));
    assert_int_equal(chmod(top, 0), 0);
    const bool root = geteuid() == 0; /* nothing is closed to root */
    assert_true(!root || seteuid(NOBODY) == 0);
    const uint64_t closed = run_scratch_bytes(top);
    assert_true(!root || seteuid(0) == 0);
    assert_int_equal(closed, UINT64_MAX);
}

static bool stop_at_other(void *data, const run_walk_step *step, GError **error) {
    unsigned *seen = data;
    *seen |= 1u << step->event;
    if (step->event == RUN_WALK_OTHER && strcmp(step->name, "moved") == 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_LOST, "seen");
        return false;
    }
    return true;
}

/* Somebody moves a directory away while it is looked at: the way back must not lead elsewhere. */
static bool move_away(void *data, const run_walk_step *step, GError **error) {
    (void)error;
    const char *const *places = data;
    static unsigned depth;
    depth += step->event == RUN_WALK_ENTER;
    if (step->event == RUN_WALK_ENTER && depth == RUN_WALK_OPEN_MAX + 8)
        assert_int_equal(renameat(step->folder, step->name, AT_FDCWD, places[1]), 0);
    return true;
}

static void test_walk_does_not_lose_its_way(void **state) {
    g_autofree char *top = g_build_filename(*state, "way", NULL);
    g_autofree char *out = g_build_filename(*state, "elsewhere", NULL);
    const char *places[] = {top, out};
    GError *problem = NULL;
    assert_true(run_scratch_make(top, NULL));
    close(make_chain(top, RUN_WALK_OPEN_MAX + 16));
    assert_false(run_walk(top, RUN_WALK_ALIVE, move_away, places, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot go back to");
    assert_true(run_scratch_remove(out, NULL) && run_scratch_remove(top, NULL));
}

static void test_walk_ends_when_told(void **state) {
    g_autofree char *top = g_build_filename(*state, "told", NULL);
    GError *problem = NULL;
    unsigned seen = 0;
    assert_true(run_scratch_make(top, NULL));
    write_file(top, "moved", 1);
    assert_false(run_walk(top, RUN_WALK_SORTED, stop_at_other, &seen, &problem));
    assert_error(problem, RUN_ERROR_LOST, "seen");
    assert_int_equal(seen, 1u << RUN_WALK_ENTER | 1u << RUN_WALK_OTHER);
    problem = NULL;
    assert_false(run_walk("/nonexistent/x", 0, stop_at_other, &seen, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot open /nonexistent/x");
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
                                       cmocka_unit_test(test_paths_longer_than_any_counter),
                                       cmocka_unit_test(test_removes_deep_trees_that_forbid_it),
                                       cmocka_unit_test(test_removes_many_entries),
                                       cmocka_unit_test(test_what_stays_is_named),
                                       cmocka_unit_test(test_what_cannot_be_weighed_is_too_much),
                                       cmocka_unit_test(test_walk_does_not_lose_its_way),
                                       cmocka_unit_test(test_walk_ends_when_told),
                                       cmocka_unit_test(test_make_empties),
                                       cmocka_unit_test(test_weighs),
                                       cmocka_unit_test(test_reserve)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
