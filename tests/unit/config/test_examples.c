/* The files that users copy must load. */
#include "tests/unit/test.h"

#include "config/config.h"

#define EXAMPLES TEST_SOURCE_DIR "/config/examples"

static void shipped_examples_load(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_server) server = cfg_server_load(EXAMPLES "/moowatchd.yaml", &error);
    g_assert_no_error(error);
    assert_non_null(server);
    g_autoptr(cfg_runner) runner = cfg_runner_load(EXAMPLES "/moowatch-runner.yaml", &error);
    g_assert_no_error(error);
    assert_non_null(runner);
    g_autoptr(GPtrArray) problems = NULL;
    g_autoptr(GPtrArray) projects = cfg_projects_load(EXAMPLES "/projects.d", &problems, &error);
    g_assert_no_error(error);
    assert_int_equal(problems->len, 0);
    assert_true(projects->len >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_examples_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
