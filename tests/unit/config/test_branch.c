/* The branches of a project: names that git takes, and names that they are kept under. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "config/projects.h"
#include "tests/unit/config/file.h"

#include <string.h>

#define CHAIN                                                                                      \
    "repository: /r\nbenchmark:\n  driver: native\n"                                               \
    "  configurations: [{name: none, portion: T}]\n"

static void a_branch_is_kept_under_a_name_of_its_own(void **state) {
    (void)state;
    const struct {
        const char *project, *branch, *name;
    } cases[] = {{"kieker", "1.15.x", "kieker~1.15.x"},
                 {"kieker", "release/1.15", "kieker~release-1.15"},
                 {"a.b", "Größe_2", "a.b~Gr----e_2"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = cfg_branch_project(cases[i].project, cases[i].branch);
        g_autofree char *whole = cfg_branch_main(name);
        assert_string_equal(name, cases[i].name);
        assert_string_equal(whole, cases[i].project);
    }
    g_autofree char *plain = cfg_branch_main("kieker");
    assert_string_equal(plain, "kieker");
}

static void git_decides_what_a_branch_may_be_called(void **state) {
    (void)state;
    g_autofree char *long_one = g_strnfill(256, 'a');
    const char *const good[] = {"main",    "1.15.x", "release/1.15", "a@b", "feature/#996",
                                "a-b_c.d", "grün",   "$(id)",        "a;b"};
    const char *const bad[] = {"",     "-f",    "a..b", "a b",  "a\tb",     "a~1",   "a^",
                               "a:b",  "a?",    "a*",   "a[b",  "a\\b",     "/a",    "a/",
                               "a//b", ".a",    "a/.b", "a.",   "a.lock",   "a@{1}", "@",
                               "HEAD", "a\x7f", "a\nb", "\xff", "x.lock/y", long_one};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
        assert_true(cfg_is_branch(good[i]));
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_false(cfg_is_branch(bad[i]));
}

static void each_branch_is_read_as_a_project(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    char *path =
        test_file("name: kieker\ntitle: Kieker\nbranches: [main, release/1.15]\n" CHAIN, -1);
    g_autoptr(cfg_project) first = cfg_project_load(path, NULL);
    g_autoptr(cfg_project) second = cfg_project_load_branch(path, 1, NULL);
    g_autoptr(cfg_project) none = cfg_project_load_branch(path, 2, &error);
    test_file_remove(path);
    assert_string_equal(first->name, "kieker");
    assert_string_equal(first->branch, "main");
    assert_null(first->main);
    assert_int_equal(first->branches_count, 2);
    assert_string_equal(second->name, "kieker~release-1.15");
    assert_string_equal(second->title, "Kieker (release/1.15)");
    assert_string_equal(second->branch, "release/1.15");
    assert_string_equal(second->main, "kieker");
    assert_string_equal(second->branches[0], "main");
    assert_null(none);
    assert_non_null(strstr(error->message, "has only 2 entries now"));
}

static void a_wrong_list_is_told(void **state) {
    (void)state;
    const struct {
        const char *text, *says;
    } cases[] = {
        {"branch: main\nbranches: [main, a]\n", "replaces branch"},
        {"branches: [main, -x]\n", "\"-x\" is not a valid branch name"},
        {"branches: [a..b]\n", "\"a..b\" is not a valid branch name"},
        {"branches: [main, a/b, a-b]\n", "\"a/b\" and \"a-b\" would be kept under the same name"},
        {"branches: [main, main]\n", "\"main\" and \"main\""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat("name: a\n", cases[i].text, CHAIN, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_project) project = test_project(text, -1, &error);
        assert_null(project);
        assert_non_null(strstr(error->message, "file.yaml:"));
        if (!strstr(error->message, cases[i].says))
            fail_msg("%s", error->message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_branch_is_kept_under_a_name_of_its_own),
        cmocka_unit_test(git_decides_what_a_branch_may_be_called),
        cmocka_unit_test(each_branch_is_read_as_a_project),
        cmocka_unit_test(a_wrong_list_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
