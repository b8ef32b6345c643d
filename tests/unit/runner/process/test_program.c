#include "tests/unit/runner/test.h"

#include "runner/process/program.h"

#include <sys/stat.h>

/* <folder>/a/{tool, text, folder/} and <folder>/b/{tool, other} */
static void make_files(const char *folder) {
    const struct {
        const char *name;
        mode_t mode;
    } files[] = {{"a/tool", 0700}, {"a/text", 0600}, {"b/tool", 0700}, {"b/other", 0700}};
    g_autofree char *a_folder = g_build_filename(folder, "a", "folder", NULL);
    g_autofree char *b = g_build_filename(folder, "b", NULL);
    assert_int_equal(g_mkdir_with_parents(a_folder, 0700), 0);
    assert_int_equal(g_mkdir_with_parents(b, 0700), 0);
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i].name, NULL);
        assert_true(g_file_set_contents(path, "", -1, NULL));
        assert_int_equal(chmod(path, files[i].mode), 0);
    }
}

static void test_as_execvp_would(void **state) {
    const char *folder = *state;
    make_files(folder);
    const struct {
        const char *name, *found; /* below folder; NULL: nothing */
    } cases[] = {{"tool", "a/tool"},
                 {"other", "b/other"},
                 {"text", NULL},
                 {"folder", NULL},
                 {"missing", NULL},
                 {"./tool", "a/./tool"},
                 {"./text", "a/./text"},
                 {"./folder", NULL},
                 {"../b/other", "a/../b/other"},
                 {"", NULL}};
    g_autofree char *directory = g_build_filename(folder, "a", NULL);
    g_autofree char *path = g_strdup_printf("PATH=relative::%s/a:%s/b", folder, folder);
    char own[] = "OWN=1", decoy[] = "PATHS=/nonexistent";
    char *environment[] = {own, decoy, path, NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *found = run_program_find(cases[i].name, directory, environment);
        g_autofree char *expected =
            cases[i].found ? g_build_filename(folder, cases[i].found, NULL) : NULL;
        if (g_strcmp0(found, expected) != 0)
            fail_msg("%s is %s", cases[i].name, found ? found : "nothing");
    }
    g_autofree char *absolute = g_build_filename(folder, "b", "other", NULL);
    g_autofree char *found = run_program_find(absolute, directory, environment);
    assert_string_equal(found, absolute);
}

static void test_without_a_path(void **state) {
    (void)state;
    char *environment[] = {NULL};
    g_autofree char *shell = run_program_find("sh", "/", environment);
    assert_non_null(shell);
    assert_true(g_str_has_suffix(shell, "/bin/sh"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_execvp_would),
                                       cmocka_unit_test(test_without_a_path)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
