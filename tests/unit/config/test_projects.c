#include "tests/unit/test.h"

#include "config/config.h"

#include <glib/gstdio.h>
#include <string.h>

#define CHAIN                                                                                      \
    "repository: /r\nbenchmark:\n  driver: native\n"                                               \
    "  configurations: [{name: none, portion: T}]\n"

static const struct {
    const char *file, *text;
} files[] = {
    {"a.yaml", "name: alpha\n" CHAIN},      {"b.yaml", "name: beta\nnonsense: 1\n" CHAIN},
    {"c.yaml", "name: gamma\n" CHAIN},      {"d.yaml", "name: alpha\n" CHAIN},
    {"e.yaml.bak", "name: backup\n" CHAIN}, {".f.yaml", "name: hidden\n" CHAIN},
};

static void one_broken_file_leaves_the_others(void **state) {
    (void)state;
    g_autofree char *folder = g_dir_make_tmp("moowatch-projects-XXXXXX", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i].file, NULL);
        assert_true(g_file_set_contents(path, files[i].text, -1, NULL));
    }
    g_autoptr(GPtrArray) problems = NULL;
    g_autoptr(GPtrArray) projects = cfg_projects_load(folder, &problems, NULL);
    assert_int_equal(projects->len, 2);
    assert_string_equal(((cfg_project *)projects->pdata[0])->name, "alpha");
    assert_string_equal(((cfg_project *)projects->pdata[1])->name, "gamma");
    assert_int_equal(problems->len, 2);
    assert_non_null(strstr(problems->pdata[0], "b.yaml:2: "));
    assert_non_null(strstr(problems->pdata[1], "d.yaml"));
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i].file, NULL);
        g_unlink(path);
    }
    g_rmdir(folder);
}

static void missing_folder_is_an_error(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(cfg_projects_load("/nonexistent", NULL, &error));
    assert_non_null(error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_broken_file_leaves_the_others),
        cmocka_unit_test(missing_folder_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
