/* moowatch cat: lines from files of today and of before, and what is wrong with others. */
#include "tests/unit/ci/command/called.h"

#include "ci/command/command.h"
#include "config/packed.h"
#include "tests/unit/server/folder.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <string.h>

#define LINES "1;850;8639464;2\n1;851;8639464;2\n1;9;0;3\n"

static char *dir;

static int setup(void **state) {
    (void)state;
    dir = folder_new();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    folder_free(dir);
    return 0;
}

static bool add(void *to, const void *bytes, size_t size) {
    g_byte_array_append(to, bytes, (guint)size);
    return true;
}

/* A packed file of the text, `cut` bytes short; caller frees its path. */
static char *put_packed(const char *name, const char *text, guint cut) {
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    cfg_pack *pack = cfg_pack_new(strlen(text), add, bytes);
    assert_true(cfg_pack_feed(pack, text, strlen(text)) && cfg_pack_end(pack));
    cfg_pack_free(pack);
    char *path = g_build_filename(dir, name, NULL);
    assert_true(g_file_set_contents(path, (const char *)bytes->data, bytes->len - cut, NULL));
    return path;
}

static void files_become_their_lines(void **state) {
    (void)state;
    g_autofree char *one = put_packed("one.csv.zst", LINES, 0),
                    *two = put_packed("two.csv.zst", "1;2\n1;03", 0);
    g_auto(called) c = CALL(ci_command_cat.run, "cat", one, two);
    assert_int_equal(c.exit, CI_OK);
    assert_string_equal(c.out, LINES "1;2\n1;03");
    assert_string_equal(c.err, "");
}

/* "1;5\n1;7\n", as moowatch 0.1 wrote it; and cut off. */
static void a_file_of_before_becomes_its_lines(void **state) {
    static const char old[] =
        "iU1XQ0FMUwEmAAAAKLUv/"
        "SQXjAAAWAECAgAAAgICAAQAAQAb8AIQAAAGAAEAAOkHoYAAAAAAAgAAAAAAAAAIAAAAAAAA"
        "AA==";
    (void)state;
    gsize size;
    g_autofree guchar *bytes = g_base64_decode(old, &size);
    g_autofree char *path = g_build_filename(dir, "old.calls", NULL);
    g_autofree char *cut = g_build_filename(dir, "half.calls", NULL);
    assert_true(g_file_set_contents(path, (const char *)bytes, (gssize)size, NULL));
    assert_true(g_file_set_contents(cut, (const char *)bytes, (gssize)size - 1, NULL));
    g_auto(called) c = CALL(ci_command_cat.run, "cat", path);
    expect_called(&c, CI_OK, "1;5\n1;7\n", "");
    g_auto(called) half = CALL(ci_command_cat.run, "cat", cut);
    expect_called(&half, CI_INPUT, "1;5\n1;7\n", "half.calls: it is cut off");
}

static void standard_input_becomes_its_lines(void **state) {
    (void)state;
    g_autofree char *path = put_packed("in.csv.zst", LINES, 0);
    const int own = dup(STDIN_FILENO), file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0 && dup2(file, STDIN_FILENO) >= 0);
    g_auto(called) c = CALL(ci_command_cat.run, "cat", "-");
    g_auto(called) again = CALL(ci_command_cat.run, "cat", "-"); /* it has been read */
    (void)(own >= 0 ? dup2(own, STDIN_FILENO) : close(STDIN_FILENO));
    (void)close(file);
    (void)close(own);
    expect_called(&c, CI_OK, LINES, "");
    expect_called(&again, CI_INPUT, "", "standard input: it is empty");
}

static ci_exit cat_to_a_full_disk(int argc, char **argv, GError **error) {
    const int own = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_true(full >= 0 && dup2(full, STDOUT_FILENO) >= 0);
    const ci_exit exit = ci_command_cat.run(argc, argv, error);
    __fpurge(stdout);
    clearerr(stdout);
    dup2(own, STDOUT_FILENO);
    (void)close(full);
    (void)close(own);
    return exit;
}

/* Half of the lines are no success: neither of a block, nor of what waited to be written. */
static void what_cannot_be_written_is_no_success(void **state) {
    (void)state;
    g_autoptr(GString) many = g_string_new(NULL);
    for (guint i = 0; i < 20000; i++)
        g_string_append_printf(many, "1;%u\n", 850 + i % 7);
    g_autofree char *few = put_packed("few.csv.zst", LINES, 0);
    g_autofree char *all = put_packed("many.csv.zst", many->str, 0);
    g_auto(called) small = CALL(cat_to_a_full_disk, "cat", few);
    expect_called(&small, CI_INPUT, "", "cannot write: No space left on device");
    g_auto(called) large = CALL(cat_to_a_full_disk, "cat", all);
    expect_called(&large, CI_INPUT, "", "cannot write: No space left on device");
}

static void what_is_wrong_is_said_with_its_file(void **state) {
    (void)state;
    g_autofree char *cut = put_packed("cut.csv.zst", LINES, 3),
                    *text = g_build_filename(dir, "x.csv", NULL);
    g_autofree char *none = g_build_filename(dir, "none", NULL);
    g_autofree char *empty = g_build_filename(dir, "empty", NULL);
    assert_true(g_file_set_contents(text, LINES, -1, NULL));
    assert_true(g_file_set_contents(empty, "", 0, NULL));
    const struct {
        const char *path, *says;
    } cases[] = {{cut, "cut.csv.zst: it is cut off"},
                 {text, "x.csv: it is no zstd file, or cut off"},
                 {empty, "empty: it is empty"},
                 {none, "none: No such file or directory"},
                 {dir, "Is a directory"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(called) c = CALL(ci_command_cat.run, "cat", cases[i].path);
        assert_int_equal(c.exit, CI_INPUT);
        assert_non_null(strstr(c.err, cases[i].says));
    }
    g_auto(called) c = CALL(ci_command_cat.run, "cat");
    assert_int_equal(c.exit, CI_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_become_their_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_of_before_becomes_its_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(standard_input_becomes_its_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_written_is_no_success, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said_with_its_file, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
