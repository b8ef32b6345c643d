/* Files of untrusted programs: no link is followed, nothing is read beyond its limit. */
#include "tests/unit/runner/file.h"

#include "runner/driver/bounded.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static int open_folder(const char *folder) {
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void make_link(const char *folder, const char *name, const char *target) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    assert_int_equal(symlink(target, path), 0);
}

static void a_folder_step_by_step(void **state) {
    const char *base = *state;
    g_autofree char *deep = g_build_filename(base, "a", "b", NULL);
    assert_int_equal(g_mkdir_with_parents(deep, 0700), 0);
    g_free(put_file(base, "file", "x", 0600));
    make_link(base, "link", "a");
    make_link(deep, "up", "../..");
    const int fd = run_bounded_folder(base, "a/b", NULL);
    assert_true(fd >= 0);
    (void)close(fd);
    static const struct {
        const char *relative, *says;
    } wrong[] = {{"link", "link: not a folder of the checkout itself"},
                 {"link/b", "link/b: not a folder of the checkout itself"},
                 {"a/b/up", "not a folder of the checkout itself"},
                 {"file", "file: not a folder of the checkout itself"},
                 {"a/nothing", "a/nothing: No such file"}};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        GError *error = NULL;
        assert_true(run_bounded_folder(base, wrong[i].relative, &error) < 0);
        assert_error(error, RUN_ERROR_JOB, wrong[i].says);
    }
}

static void what_is_no_regular_file(void **state) {
    g_autofree char *fifo = g_build_filename(*state, "pipe", NULL);
    g_autofree char *below = g_build_filename(*state, "folder", NULL);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(g_mkdir(below, 0700), 0);
    make_link(*state, "link", "/etc/passwd");
    make_link(*state, "dangling", "nothing");
    static const struct {
        const char *name, *says;
    } cases[] = {{"pipe", "P: not a regular file"},
                 {"folder", "P: not a regular file"},
                 {"link", "P: a link, not a file"},
                 {"dangling", "P: a link, not a file"},
                 {"nothing", "P: No such file"}};
    const int folder = open_folder(*state);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        assert_false(run_bounded_exists(folder, cases[i].name));
        assert_true(run_bounded_file(folder, cases[i].name, "P", 1000, &error) < 0);
        assert_error(error, RUN_ERROR_JOB, cases[i].says);
        assert_null(run_bounded_text(folder, cases[i].name, "P", 1000, &error));
        assert_error(error, RUN_ERROR_JOB, cases[i].says);
    }
    (void)close(folder);
}

static void up_to_the_limit(void **state) {
    g_free(put_file(*state, "five", "12345", 0600));
    g_free(put_file(*state, "empty", "", 0600));
    const int folder = open_folder(*state);
    assert_true(run_bounded_exists(folder, "five"));
    g_autofree char *text = run_bounded_text(folder, "five", "P", 5, NULL);
    g_autofree char *empty = run_bounded_text(folder, "empty", "P", 0, NULL);
    assert_string_equal(text, "12345");
    assert_string_equal(empty, "");
    GError *error = NULL;
    assert_null(run_bounded_text(folder, "five", "P", 4, &error));
    assert_error(error, RUN_ERROR_JOB, "P: 5 bytes, more than the limit of 4");
    (void)close(folder);
}

/* A file that says it is empty and is not, as those of /proc: what is read is counted. */
static void a_file_that_says_it_is_empty(void **state) {
    (void)state;
    const int folder = open_folder("/proc/self");
    GError *error = NULL;
    g_autofree char *text = run_bounded_text(folder, "status", "P", 1 << 20, NULL);
    assert_non_null(strstr(text, "Name:"));
    assert_null(run_bounded_text(folder, "status", "P", 10, &error));
    assert_error(error, RUN_ERROR_JOB, "P: more than the limit of 10 bytes");
    (void)close(folder);
}

static void what_is_no_text_becomes_text(void **state) {
    g_autofree char *path = g_build_filename(*state, "bytes", NULL);
    static const char bytes[] = "a\0b\xff\xc3\x28";
    assert_true(g_file_set_contents(path, bytes, sizeof bytes - 1, NULL));
    const int folder = open_folder(*state);
    g_autofree char *text = run_bounded_text(folder, "bytes", "P", 100, NULL);
    assert_true(g_utf8_validate(text, -1, NULL));
    assert_string_equal(text, "a\uFFFDb\uFFFD\uFFFD(");
    (void)close(folder);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_folder_step_by_step),
        IN_FOLDER(what_is_no_regular_file),
        IN_FOLDER(up_to_the_limit),
        cmocka_unit_test(a_file_that_says_it_is_empty),
        IN_FOLDER(what_is_no_text_becomes_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
