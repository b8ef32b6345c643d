/* moowatch cat: lines from files of today and of before, and what is wrong with others. */
#include "tests/unit/ci/command/called.h"

#include "ci/command/command.h"
#include "detector/packed/pack.h"
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

static int add(void *to, const void *bytes, size_t size) {
    g_byte_array_append(to, bytes, (guint)size);
    return 0;
}

/* A packed file of the text, `cut` bytes short; caller frees its path. */
static char *put_packed(const char *name, const char *text, guint cut) {
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    det_pack *pack = det_pack_new(add, bytes);
    assert_int_equal(det_pack_feed(pack, text, strlen(text)), DET_OK);
    assert_int_equal(det_pack_finish(pack), DET_OK);
    det_pack_free(pack);
    char *path = g_build_filename(dir, name, NULL);
    assert_true(g_file_set_contents(path, (const char *)bytes->data, bytes->len - cut, NULL));
    return path;
}

static void files_become_their_lines(void **state) {
    (void)state;
    g_autofree char *one = put_packed("one.calls", LINES, 0),
                    *two = put_packed("two.calls", "1;2\n1;03", 0);
    g_auto(called) c = CALL(ci_cat, "cat", one, two);
    assert_int_equal(c.exit, CI_OK);
    assert_string_equal(c.out, LINES "1;2\n1;03");
    assert_string_equal(c.err, "");
}

/* zstd of "1;5\n1;7\n", as the agent wrote it once. */
static void a_file_of_before_becomes_its_lines(void **state) {
    static const char old[] = {0x28, (char)0xb5, 0x2f, (char)0xfd, 0x20, 0x08, 0x41, 0x00, 0x00,
                               '1',  ';',        '5',  '\n',       '1',  ';',  '7',  '\n'};
    (void)state;
    g_autofree char *path = g_build_filename(dir, "old.csv.zst", NULL);
    assert_true(g_file_set_contents(path, old, sizeof old, NULL));
    g_auto(called) c = CALL(ci_cat, "cat", path);
    assert_int_equal(c.exit, CI_OK);
    assert_string_equal(c.out, "1;5\n1;7\n");
}

static void standard_input_becomes_its_lines(void **state) {
    (void)state;
    g_autofree char *path = put_packed("in.calls", LINES, 0);
    const int own = dup(STDIN_FILENO), file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0 && dup2(file, STDIN_FILENO) >= 0);
    g_auto(called) c = CALL(ci_cat, "cat", "-");
    g_auto(called) again = CALL(ci_cat, "cat", "-"); /* it has been read */
    (void)(own >= 0 ? dup2(own, STDIN_FILENO) : close(STDIN_FILENO));
    (void)close(file);
    (void)close(own);
    expect_called(&c, CI_OK, LINES, "");
    expect_called(&again, CI_INPUT, "", "standard input: it is empty");
}

static ci_exit cat_to_a_full_disk(int argc, char **argv) {
    const int own = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_true(full >= 0 && dup2(full, STDOUT_FILENO) >= 0);
    const ci_exit exit = ci_cat(argc, argv);
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
    g_autofree char *few = put_packed("few.calls", LINES, 0);
    g_autofree char *all = put_packed("many.calls", many->str, 0);
    g_auto(called) small = CALL(cat_to_a_full_disk, "cat", few);
    expect_called(&small, CI_INPUT, "", "cannot write: No space left on device");
    g_auto(called) large = CALL(cat_to_a_full_disk, "cat", all);
    expect_called(&large, CI_INPUT, "", "cannot write: No space left on device");
}

static void what_is_wrong_is_said_with_its_file(void **state) {
    (void)state;
    g_autofree char *cut = put_packed("cut.calls", LINES, 3),
                    *text = g_build_filename(dir, "x.csv", NULL);
    g_autofree char *none = g_build_filename(dir, "none", NULL);
    g_autofree char *empty = g_build_filename(dir, "empty", NULL);
    assert_true(g_file_set_contents(text, LINES, -1, NULL));
    assert_true(g_file_set_contents(empty, "", 0, NULL));
    const struct {
        const char *path, *says;
    } cases[] = {{cut, "cut.calls: it is cut off"},
                 {text, "x.csv: it is neither packed calls nor zstd"},
                 {empty, "empty: it is empty"},
                 {none, "none: No such file or directory"},
                 {dir, "Is a directory"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(called) c = CALL(ci_cat, "cat", cases[i].path);
        assert_int_equal(c.exit, CI_INPUT);
        assert_non_null(strstr(c.err, cases[i].says));
    }
    g_auto(called) c = CALL(ci_cat, "cat");
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
