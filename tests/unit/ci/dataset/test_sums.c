/* What sha256sum checks: every file that is named is there, and as it was. */
#include "tests/unit/ci/expect.h"

#include "ci/command/command.h"
#include "ci/dataset/sums.h"

static void put_file(const char *folder, const char *name, const char *text) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static const char *const needed[] = {"a", NULL};

static void expect_wrong(const char *folder, const char *words) {
    g_autoptr(GError) error = NULL;
    assert_false(ci_sums_check(folder, needed, &error));
    assert_int_equal(error->code, CI_ERROR_INPUT);
    if (!strstr(error->message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, error->message);
}

static void whole_and_not(void **state) {
    const char *folder = *state;
    char *paths[] = {(char[]){"a"}, (char[]){"b"}, NULL};
    expect_wrong(folder, "not a data set");
    put_file(folder, "a", "abc");
    put_file(folder, "b", "");
    assert_true(ci_sums_write(folder, paths, NULL));
    g_autofree char *file = g_build_filename(folder, CI_SUMS, NULL), *text = NULL;
    assert_true(g_file_get_contents(file, &text, NULL, NULL));
    /* printf abc | sha256sum */
    assert_true(g_str_has_prefix(
        text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n"));
    assert_true(ci_sums_check(folder, needed, NULL));
    put_file(folder, "b", "x");
    expect_wrong(folder, "b: differs from what was published: its SHA-256 is 2d711642b726");
    g_autofree char *gone = g_build_filename(folder, "a", NULL);
    assert_int_equal(g_remove(gone), 0);
    expect_wrong(folder, "a: missing");
}

static void lines_that_are_none(void **state) {
    const char *folder = *state;
#define HASH "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    static const char *const lines[] = {
        "", "x", HASH, HASH " a", HASH "  ../a", HASH "  /etc/x", HASH "  a//b", HASH "0  a"};
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        put_file(folder, CI_SUMS, lines[i]);
        expect_wrong(folder, *lines[i] ? "is not a SHA-256" : "does not name a; the data set");
    }
    char *paths[] = {(char[]){"none"}, NULL};
    g_autoptr(GError) error = NULL;
    assert_false(ci_sums_write(folder, paths, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {IN_FOLDER(whole_and_not), IN_FOLDER(lines_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
