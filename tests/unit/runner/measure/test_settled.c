/* A night says what its warm-up rested on. */
#include "tests/unit/runner/test.h"

#include "runner/measure/settled.h"

static char none[] = "none", probe[] = "probe", told[] = "pilot of 2026-11-22";
static cfg_configuration both[] = {{.name = none, .warmup_calls = 100},
                                   {.name = probe, .parent = none, .warmup_calls = 50}};

static run_job asking(char *evidence) {
    return (run_job){.benchmark.configurations = both,
                     .benchmark.configurations_count = 2,
                     .benchmark.warmup_evidence = evidence};
}

static run_loop *add(GPtrArray *loops, const char *name, int settled) {
    run_loop *loop = run_loop_new(name, NULL, loops->len + 1);
    if (settled >= 0)
        run_loop_add_reading(loop, "settled", json_boolean(settled));
    g_ptr_array_add(loops, loop);
    return loop;
}

static void expect(const run_job *job, const GPtrArray *loops, const char *text) {
    json_t *report = run_settled_report(job, loops);
    char *got = report ? json_dumps(report, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (g_strcmp0(got, text) != 0)
        fail_msg("%s instead of %s", got, text);
    free(got);
    json_decref(report);
}

static void test_nothing_to_say(void **state) {
    (void)state;
    const run_job job = asking(NULL);
    g_autoptr(GPtrArray) loops = run_loops_new();
    expect(&job, loops, NULL);
    add(loops, "none", -1); /* of several threads, or without calls */
    expect(&job, loops, NULL);
}

static void test_loops_are_counted(void **state) {
    (void)state;
    const run_job job = asking(NULL);
    g_autoptr(GPtrArray) loops = run_loops_new();
    add(loops, "none", 1);
    add(loops, "none", 0);
    add(loops, "none", 1)->failed = g_strdup("exit status 1");
    add(loops, "none", -1);
    expect(&job, loops,
           "{\"configurations\":{\"none\":{\"calls\":100,\"loops\":2,\"settled\":1}}}");
    add(loops, "probe", 1);
    expect(&job, loops,
           "{\"configurations\":{\"none\":{\"calls\":100,\"loops\":2,\"settled\":1},"
           "\"probe\":{\"calls\":50,\"loops\":1,\"settled\":1}}}");
}

static void test_evidence_goes_with_it(void **state) {
    (void)state;
    const run_job job = asking(told);
    g_autoptr(GPtrArray) loops = run_loops_new();
    expect(&job, loops, "{\"configurations\":{},\"evidence\":\"pilot of 2026-11-22\"}");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_to_say),
                                       cmocka_unit_test(test_loops_are_counted),
                                       cmocka_unit_test(test_evidence_goes_with_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
