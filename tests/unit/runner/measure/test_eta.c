#include "tests/unit/runner/test.h"

#include "runner/measure/eta.h"

static char none[] = "none", probe[] = "probe";
static cfg_configuration both[] = {{.name = none}, {.name = probe}};
static const run_job job = {.benchmark.configurations = both,
                            .benchmark.configurations_count = 2,
                            .benchmark.loops = 2,
                            .benchmark.rest_s = 1};

static char newer[] = "aa", older[] = "bb";
static const run_job trial = {.benchmark.configurations = both,
                              .benchmark.configurations_count = 2,
                              .benchmark.loops = 2,
                              .benchmark.rest_s = 1,
                              .commit = newer,
                              .before = older};

static void test_eta(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    assert_true(run_eta_s(&job, loops) < 0);
    run_loop *loop = run_loop_new("none", NULL, 1);
    loop->seconds = 4;
    g_ptr_array_add(loops, loop);
    /* one more of none, two of probe at the mean of what is known; a second's rest each */
    assert_close(run_eta_s(&job, loops), 3 * 5.0, 1e-9);
    /* in a trial each of them twice: eight, one is done */
    assert_close(run_eta_s(&trial, loops), 7 * 5.0, 1e-9);
    run_loop *other = run_loop_new("of no configuration", NULL, 1);
    other->seconds = 1000;
    g_ptr_array_add(loops, other);
    assert_close(run_eta_s(&job, loops), 3 * 5.0, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eta)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
