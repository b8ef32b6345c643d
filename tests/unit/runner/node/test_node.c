#include "tests/unit/runner/test.h"

#include "runner/node/node.h"

#include <unistd.h>

static void test_processors(void **state) {
    (void)state;
    cpu_set_t allowed;
    run_cpus_allowed(&allowed);
    g_autofree char *all = run_cpus_format(&allowed);
    char impossible[] = "1023", nonsense[] = "x";
    char *cases[] = {NULL, all, impossible, nonsense};
    for (size_t i = 0; i < 4; i++) {
        cfg_runner config = {.benchmark_cpus = cases[i]};
        run_node node;
        GError *problem = NULL;
        bool good = run_node_init(&node, &config, NULL, -1, &problem);
        assert_int_equal(good, i < 2);
        if (good)
            assert_true(CPU_EQUAL(&node.benchmark_cpus, &allowed));
        else
            assert_error(problem, RUN_ERROR_JOB, "processors \"");
        run_node_clear(&node);
    }
}

static void test_a_duet_needs_two_processors(void **state) {
    (void)state;
    char one[] = "0";
    const cfg_runner config = {.benchmark_cpus = one, .duet = true};
    run_node node;
    GError *problem = NULL;
    assert_false(run_node_init(&node, &config, NULL, -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "trial_order: duet needs two processors");
    run_node_clear(&node);
}

static void test_tuning(void **state) {
    (void)state;
    char fast[] = "fast", *knobs[] = {fast};
    const cfg_runner config = {.tuning = knobs, .tuning_count = 1};
    run_node node;
    GError *problem = NULL;
    assert_false(run_node_init(&node, &config, NULL, -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "unknown knob \"fast\"");
    run_node_clear(&node);
}

static void test_user(void **state) {
    (void)state;
    char unknown[] = "no-such-user-here", nobody[] = "nobody";
    cfg_runner config = {.run_as_user = unknown};
    run_node node;
    GError *problem = NULL;
    assert_false(run_node_init(&node, &config, NULL, -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "there is no such user");
    run_node_clear(&node);
    config.run_as_user = nobody;
    if (geteuid() == 0) {
        assert_true(run_node_init(&node, &config, NULL, -1, NULL));
        run_process_spec spec = run_node_process(&node);
        assert_true(spec.switch_user && spec.uid != 0);
    } else {
        assert_false(run_node_init(&node, &config, NULL, -1, &problem));
        assert_error(problem, RUN_ERROR_JOB, "started as root");
    }
    run_node_clear(&node);
}

/* What git has fetched is not for code under test to change. */
static void test_git_user(void **state) {
    (void)state;
    char nobody[] = "nobody", daemon[] = "daemon", unknown[] = "no-such-user-here";
    cfg_runner config = {.git_user = unknown};
    run_node node;
    GError *problem = NULL;
    assert_false(run_node_init(&node, &config, NULL, -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "git_user no-such-user-here: there is no such user");
    run_node_clear(&node);
    config.git_user = nobody;
    config.run_as_user = nobody;
    assert_false(run_node_init(&node, &config, NULL, -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "must be another user than run_as_user");
    run_node_clear(&node);
    config.git_user = daemon;
    if (geteuid() == 0) {
        assert_true(run_node_init(&node, &config, NULL, -1, NULL));
        assert_true(node.switch_git && node.git_uid != 0 && node.git_uid != node.uid);
    } else {
        assert_false(run_node_init(&node, &config, NULL, -1, &problem));
        assert_error(problem, RUN_ERROR_JOB, "started as root");
    }
    run_node_clear(&node);
}

static void test_harness_folder(void **state) {
    cfg_runner config = {.harness_dir = *state};
    run_node node;
    assert_true(run_node_init(&node, &config, NULL, -1, NULL));
    assert_string_equal(node.harness_dir, *state);
    run_node_clear(&node);
    config.harness_dir = NULL;
    assert_true(run_node_init(&node, &config, NULL, -1, NULL));
    assert_non_null(node.harness_dir);
    run_node_clear(&node);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processors), cmocka_unit_test(test_a_duet_needs_two_processors),
        cmocka_unit_test(test_tuning),     cmocka_unit_test(test_user),
        cmocka_unit_test(test_git_user),   cmocka_unit_test(test_harness_folder)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
