/* Every entry of a tree, however deep and whoever wrote it. */
#include "tests/unit/runner/file.h"

#include "runner/process/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

typedef struct {
    GString *seen;    /* "+a", "-a" for a folder, "a" for what is none; a space each */
    const char *stop; /* the visit fails there */
    unsigned folders, others;
} visited;

static bool visit(void *data, const run_walk_step *step, GError **error) {
    visited *v = data;
    const char *sign = step->event == RUN_WALK_ENTER   ? "+"
                       : step->event == RUN_WALK_LEAVE ? "-"
                                                       : "";
    assert_true((step->event == RUN_WALK_ENTER) == (step->opened >= 0));
    v->folders += step->event == RUN_WALK_ENTER;
    v->others += step->event == RUN_WALK_OTHER;
    g_string_append_printf(v->seen, "%s%s ", sign, step->below);
    if (!v->stop || g_strcmp0(step->below, v->stop) != 0)
        return true;
    g_set_error_literal(error, RUN_ERROR, RUN_ERROR_LOST, "enough");
    return false;
}

static char *make_below(const char *folder, const char *name) {
    char *path = g_build_filename(folder, name, NULL);
    assert_int_equal(g_mkdir(path, 0700), 0);
    return path;
}

static void every_entry_in_order(void **state) {
    g_autofree char *top = make_below(*state, "top"), *b = make_below(top, "b"),
                    *pipe = g_build_filename(top, "c", NULL),
                    *link = g_build_filename(top, "a", NULL);
    g_free(make_below(b, "a"));
    g_free(put_file(b, "B", "", 0600));
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink("b", link), 0); /* a link to a folder is not entered */
    visited v = {.seen = g_string_new(NULL)};
    assert_true(run_walk(top, RUN_WALK_SORTED | RUN_WALK_PATHS, visit, &v, NULL));
    assert_string_equal(v.seen->str, "+ /a +/b /b/B +/b/a -/b/a -/b /c - ");
    g_string_free(v.seen, TRUE);
}

static void the_visit_may_end_it(void **state) {
    g_autofree char *top = make_below(*state, "top");
    g_free(put_file(top, "a", "", 0600));
    g_free(put_file(top, "b", "", 0600));
    static const struct {
        const char *at, *seen;
    } cases[] = {{"", "+ "}, {"/a", "+ /a "}, {"/b", "+ /a /b "}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        visited v = {.seen = g_string_new(NULL), .stop = cases[i].at};
        GError *error = NULL;
        assert_false(run_walk(top, RUN_WALK_SORTED | RUN_WALK_PATHS, visit, &v, &error));
        assert_error(error, RUN_ERROR_LOST, "enough");
        assert_string_equal(v.seen->str, cases[i].seen);
        g_string_free(v.seen, TRUE);
    }
}

/* Far deeper than descriptors are kept open or a path may be long; and back again. */
static void a_deep_tree(void **state) {
    enum { LEVELS = 600 };
    g_autofree char *top = make_below(*state, "top");
    g_autofree char *name = g_strnfill(200, 'd');
    int at = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < LEVELS; i++) {
        assert_int_equal(mkdirat(at, name, 0700), 0);
        assert_int_equal(mkdirat(at, "beside", 0700), 0);
        const int next = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        (void)close(at);
        at = next;
    }
    (void)close(at);
    visited v = {.seen = g_string_new(NULL)};
    GError *error = NULL;
    if (!run_walk(top, 0, visit, &v, &error))
        fail_msg("%s", error->message);
    assert_int_equal(v.folders, 1 + 2 * LEVELS);
    assert_int_equal(v.others, 0);
    g_string_free(v.seen, TRUE);
}

static void what_is_no_tree(void **state) {
    g_autofree char *file = put_file(*state, "file", "", 0600);
    g_autofree char *link = g_build_filename(*state, "link", NULL);
    assert_int_equal(symlink(".", link), 0);
    const char *const tops[] = {file, link, "/no/such/folder"};
    visited v = {.seen = g_string_new(NULL)};
    for (size_t i = 0; i < G_N_ELEMENTS(tops); i++) {
        GError *error = NULL;
        assert_false(run_walk(tops[i], RUN_WALK_ALIVE, visit, &v, &error));
        assert_error(error, RUN_ERROR_NODE, "cannot open ");
    }
    assert_string_equal(v.seen->str, "");
    g_string_free(v.seen, TRUE);
}

/* Removes what it is told of next, as a program that still runs may. */
static bool vandal(void *data, const run_walk_step *step, GError **error) {
    (void)error;
    if (step->event == RUN_WALK_ENTER && step->below[0] == '\0') {
        assert_int_equal(unlinkat(step->opened, "b", 0), 0);
        assert_int_equal(unlinkat(step->opened, "c", AT_REMOVEDIR), 0);
    }
    ++*(unsigned *)data;
    return true;
}

/* Names are read after the top was told of: what vanishes later is left out, if that is allowed. */
static bool vanish(void *data, const run_walk_step *step, GError **error) {
    (void)error;
    if (g_strcmp0(step->below, "/a") == 0)
        assert_int_equal(unlinkat(step->folder, "b", 0), 0);
    ++*(unsigned *)data;
    return true;
}

static void a_tree_that_changes(void **state) {
    static const char *const names[] = {"a", "b"};
    for (unsigned alive = 0; alive < 2; alive++) {
        g_autofree char *top = g_strdup_printf("%s/top%u", (char *)*state, alive);
        assert_int_equal(g_mkdir(top, 0700), 0);
        for (size_t i = 0; i < 2; i++)
            g_free(put_file(top, names[i], "", 0600));
        unsigned steps = 0;
        GError *error = NULL;
        const bool good =
            run_walk(top, RUN_WALK_SORTED | RUN_WALK_PATHS | (alive ? RUN_WALK_ALIVE : 0), vanish,
                     &steps, &error);
        assert_true(good == (alive == 1));
        if (!good)
            assert_error(error, RUN_ERROR_NODE, "cannot look at ");
        g_clear_error(&error);
    }
    g_autofree char *top = make_below(*state, "early");
    g_free(make_below(top, "c"));
    g_free(put_file(top, "b", "", 0600));
    unsigned steps = 0;
    assert_true(run_walk(top, RUN_WALK_PATHS, vandal, &steps, NULL));
    assert_int_equal(steps, 2); /* the top, and the top again */
}

/* A folder that forbids its owner to enter is made to allow it; a link in its place is not. */
static void a_folder_that_is_forbidden(void **state) {
    g_autofree char *shut = make_below(*state, "shut"), *open_one = make_below(*state, "open");
    g_autofree char *link = g_build_filename(*state, "link", NULL);
    struct stat status;
    assert_int_equal(g_chmod(shut, 0000), 0);
    assert_int_equal(g_chmod(open_one, 0500), 0);
    assert_int_equal(symlink("open", link), 0);
    const int fd = run_walk_open(AT_FDCWD, shut, true);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_int_equal(stat(shut, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    assert_true(run_walk_open(AT_FDCWD, link, true) < 0);
    assert_int_equal(stat(open_one, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0500);
    assert_true(run_walk_open(AT_FDCWD, "/no/such/folder", true) < 0);
    assert_int_equal(errno, ENOENT);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_entry_in_order), IN_FOLDER(the_visit_may_end_it),
        IN_FOLDER(a_deep_tree),          IN_FOLDER(what_is_no_tree),
        IN_FOLDER(a_tree_that_changes),  IN_FOLDER(a_folder_that_is_forbidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
