/* Files of untrusted programs: no link is followed, nothing is read beyond its limit. */
#include "tests/unit/runner/file.h"

#include "runner/driver/bounded.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

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
                 {"nothing", "P: nothing wrote it"}};
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

/* One entry out of an untrusted zip file. */

typedef struct {
    const char *name, *text;
} item;

/* An archive of these, open; to be closed. */
static int open_zip(const char *folder, const item *items, size_t count) {
    g_autofree char *path = g_build_filename(folder, "a.zip", NULL);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    for (size_t i = 0; i < count; i++)
        assert_true(zip_file_add(zip, items[i].name,
                                 zip_source_buffer(zip, items[i].text, strlen(items[i].text), 0),
                                 ZIP_FL_ENC_UTF_8) >= 0);
    assert_int_equal(zip_close(zip), 0);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

/* The entry's text, or NULL with error; caller frees. */
static char *copy_of(const char *folder, int fd, const char *name, uint64_t bytes_max,
                     GError **error) {
    g_autofree char *path = g_build_filename(folder, "copy", NULL);
    const int out = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    char *text = NULL;
    if (run_zip_copy(fd, "results.zip", name, bytes_max, out, error))
        assert_true(g_file_get_contents(path, &text, NULL, NULL));
    (void)close(out);
    return text;
}

static const item items[] = {{"results/raw-1.csv", "0;100\n"}, {"../out", "x"}, {"empty", ""}};

static void an_entry_by_its_exact_name(void **state) {
    const int fd = open_zip(*state, items, G_N_ELEMENTS(items));
    g_autoptr(GPtrArray) names = run_zip_names(fd, "results.zip", NULL);
    assert_int_equal(names->len, G_N_ELEMENTS(items));
    for (guint i = 0; i < names->len; i++)
        assert_string_equal(names->pdata[i], items[i].name);
    for (size_t i = 0; i < G_N_ELEMENTS(items); i++) { /* a name is only asked for, never a path */
        g_autofree char *text = copy_of(*state, fd, items[i].name, 100, NULL);
        assert_string_equal(text, items[i].text);
    }
    static const char *const others[] = {"raw-1.csv", "results/", "RESULTS/raw-1.csv", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        GError *error = NULL;
        assert_null(copy_of(*state, fd, others[i], 100, &error));
        assert_error(error, RUN_ERROR_JOB, "results.zip: ");
    }
    (void)close(fd);
}

static void zip_up_to_the_limit(void **state) {
    const int fd = open_zip(*state, items, 1);
    g_autofree char *text = copy_of(*state, fd, items[0].name, 6, NULL);
    assert_string_equal(text, items[0].text);
    GError *error = NULL;
    assert_null(copy_of(*state, fd, items[0].name, 5, &error));
    assert_error(error, RUN_ERROR_JOB, "unpacks to 6 bytes, more than the limit of 5");
    (void)close(fd);
}

static void what_is_no_whole_zip(void **state) {
    const int fd = open_zip(*state, items, 1);
    const off_t size = lseek(fd, 0, SEEK_END);
    for (off_t left = size - 1; left >= 0; left -= MAX(left / 4, 1)) {
        GError *error = NULL;
        assert_int_equal(ftruncate(fd, left), 0);
        assert_null(run_zip_names(fd, "results.zip", &error));
        assert_error(error, RUN_ERROR_JOB, "is it a whole zip file?");
        assert_null(copy_of(*state, fd, items[0].name, 100, &error));
        assert_error(error, RUN_ERROR_JOB, "is it a whole zip file?");
    }
    GError *error = NULL;
    assert_null(run_zip_names(-1, "results.zip", &error));
    assert_error(error, RUN_ERROR_JOB, "results.zip: ");
    (void)close(fd);
}

/* A byte of the packed data that is another: the sum no longer fits, and no half is believed. */
static void a_damaged_entry(void **state) {
    g_autofree char *text = g_strnfill(5000, '1');
    for (size_t i = 0; i < 5000; i += 7)
        text[i] = (char)('0' + i % 10); /* so that it is packed */
    const item one = {"a", text};
    const int fd = open_zip(*state, &one, 1);
    unsigned char byte;
    assert_int_equal(pread(fd, &byte, 1, 60), 1);
    byte = (unsigned char)~byte;
    assert_int_equal(pwrite(fd, &byte, 1, 60), 1);
    GError *error = NULL;
    assert_null(copy_of(*state, fd, "a", 10000, &error));
    assert_error(error, RUN_ERROR_JOB, "results.zip: a: ");
    (void)close(fd);
}

static void what_cannot_be_written(void **state) {
    const int fd = open_zip(*state, items, 1), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    GError *error = NULL;
    assert_false(run_zip_copy(fd, "results.zip", items[0].name, 100, full, &error));
    assert_error(error, RUN_ERROR_NODE, "unpacking: No space left");
    (void)close(full);
    (void)close(fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_folder_step_by_step),
        IN_FOLDER(what_is_no_regular_file),
        IN_FOLDER(up_to_the_limit),
        cmocka_unit_test(a_file_that_says_it_is_empty),
        IN_FOLDER(what_is_no_text_becomes_text),

        IN_FOLDER(an_entry_by_its_exact_name),
        IN_FOLDER(zip_up_to_the_limit),
        IN_FOLDER(what_is_no_whole_zip),
        IN_FOLDER(a_damaged_entry),
        IN_FOLDER(what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
