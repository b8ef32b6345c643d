#include "tests/unit/runner/test.h"

#include "runner/prepare/ready.h"

#include <string.h>
#include <sys/stat.h>

static char url[] = "/srv/a.git", project[] = "p",
            commit[] = "0123456789012345678901234567890123456789";
static char work_dir[] = "/srv";

/* Who knows all that a tree is made of, but not the node's secret, does not know its name. */
static void test_name_cannot_be_computed(void **state) {
    (void)state;
    char first[] = "00112233445566778899aabbccddeeff",
         second[] = "00112233445566778899aabbccddeefe";
    cfg_runner config = {.work_dir = work_dir};
    run_node node = {.config = &config};
    run_job job = {.url = url, .project = project, .commit = commit};
    char *secrets[] = {NULL, first, second, first};
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(secrets); i++) {
        node.secret = secrets[i];
        g_ptr_array_add(names, run_ready_folder(&node, &job, 0));
        assert_int_equal(strlen(names->pdata[i]), strlen("/srv/checkout/") + 32);
    }
    assert_string_not_equal(names->pdata[0], names->pdata[1]);
    assert_string_not_equal(names->pdata[1], names->pdata[2]);
    assert_string_equal(names->pdata[1],
                        names->pdata[3]); /* the cache holds copies of that place */
}

static void test_shown_and_closed(void **state) {
    struct stat status;
    GError *problem = NULL;
    assert_true(run_ready_show(*state, true, NULL));
    assert_true(stat(*state, &status) == 0 && (status.st_mode & 0777) == 0711);
    assert_true(run_ready_show(*state, false, NULL));
    assert_true(stat(*state, &status) == 0 && (status.st_mode & 0777) == 0700);
    assert_false(run_ready_show("/nonexistent/x", true, &problem));
    assert_error(problem, RUN_ERROR_NODE, "/nonexistent/x");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_name_cannot_be_computed),
                                       cmocka_unit_test(test_shown_and_closed)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
