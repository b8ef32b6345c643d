#include "tests/unit/runner/shell_bench.h"

#include "runner/measure/attempt.h"

typedef struct {
    shell_bench bench;
    run_attempt attempt;
} place;

static void place_init(place *at, const char *folder, const char *line) {
    bench_init(&at->bench, folder, line);
    at->attempt = (run_attempt){.node = &at->bench.node,
                                .job = &at->bench.job,
                                .checkout = at->bench.checkout,
                                .commit = at->bench.job.commit,
                                .spool = at->bench.spool};
    run_readings_take(&at->attempt.since, &at->bench.node.benchmark_cpus);
}

static void place_clear(place *at) {
    g_free(at->attempt.last_log);
    bench_clear(&at->bench);
}

static const run_plan_step first_step = {.configuration = 0, .loop = 1, .attempt = 1};

/* Measures once; the only loop then, which is good when `failed` is NULL. */
static void expect(const char *folder, const char *line, const char *failed) {
    place at;
    place_init(&at, folder, line);
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    assert_int_equal(run_spool_loops(at.bench.spool)->len, 1);
    const run_loop *loop = bench_loop(&at.bench, 0);
    if ((!failed) != (!loop->failed) || (failed && !strstr(loop->failed, failed)))
        fail_msg("%s: \"%s\" instead of \"%s\"", line, loop->failed ? loop->failed : "",
                 failed ? failed : "");
    place_clear(&at);
}

static void test_a_value_becomes_a_loop(void **state) {
    place at;
    place_init(&at, *state, "echo 12.5");
    const run_plan_step step = {.configuration = 0, .loop = 3, .attempt = 2};
    assert_true(run_attempt_measure(&at.attempt, 1, &step, NULL));
    const run_loop *loop = bench_loop(&at.bench, 0);
    assert_string_equal(loop->configuration, "none");
    assert_null(loop->commit); /* said in trials only */
    assert_int_equal(loop->number, 3);
    assert_int_equal(loop->attempt, 2);
    assert_int_equal(loop->position, 0);
    assert_int_equal(loop->calls, 1);
    assert_close(loop->summary.mean, 12.5, 0);
    assert_true(loop->started_ms > 0);
    assert_null(loop->failed);
    assert_false(loop->disturbed);
    assert_non_null(json_object_get(loop->readings, "usage"));
    const json_t *process = json_object_get(loop->readings, "process");
    assert_true(json_real_value(json_object_get(process, "cpu_ms")) > 0);
    assert_true(json_real_value(json_object_get(process, "peak_mb")) > 0);
    assert_null(at.attempt.last_log);
    place_clear(&at);
}

/* A harness whose clock went backwards is named; the loop stands, with what else it told. */
static void test_what_a_harness_tells(void **state) {
    static const struct {
        const char *told;
        double peak_mb;
        const char *problem;
    } cases[] = {
        {"{\\\"peak_bytes\\\": 3145728}", 3, NULL},
        {"{\\\"peak_bytes\\\": 1048576, \\\"ready_ns\\\": 5}", 1, "no valid ready_ns"},
        {"{\\\"peak_bytes\\\": \\\"much\\\"}", 0, "no valid peak_bytes"},
        {"{\\\"live_bytes\\\": -1, \\\"ready_ns\\\": 5}", 0, "live_bytes: "},
        {"{\\\"live_bytes\\\": -1, \\\"ready_ns\\\": 5}", 0, "ready_ns: "},
        {"{\\\"peak_bytes\\\": 1048576, \\\"problem\\\": \\\"no beans\\\"}", 1, "no beans"},
        {"{\\\"peak_bytes\\\": 1e999}", 0, "told is not a JSON object"},
        {"[1]", 0, "told is not a JSON object"},
        {"what?", 0, "told is not a JSON object"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        place at;
        g_autofree char *line =
            g_strdup_printf("echo \"%s\" > {result}.told; echo 5", cases[i].told);
        g_autofree char *folder = g_strdup_printf("%s/%zu", (const char *)*state, i);
        assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
        place_init(&at, folder, line);
        assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
        const run_loop *loop = bench_loop(&at.bench, 0);
        const json_t *harness = json_object_get(loop->readings, "harness");
        const char *problem = json_string_value(json_object_get(harness, "problem"));
        assert_null(loop->failed);
        assert_close(json_real_value(json_object_get(harness, "peak_mb")), cases[i].peak_mb, 0);
        assert_null(json_object_get(harness, "start_ms"));
        assert_true(cases[i].problem ? problem && strstr(problem, cases[i].problem) : !problem);
        place_clear(&at);
    }
}

/* Who is still there when its program has ended is killed, and counted: its processor time is in
 * nobody's account. */
static void test_children_that_are_left(void **state) {
    place at;
    place_init(&at, *state, "sleep 600 >/dev/null 2>&1 & sleep 0; echo 5");
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    const run_loop *loop = bench_loop(&at.bench, 0);
    assert_null(loop->failed);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(loop->readings, "process"), "left")), 1);
    place_clear(&at);
}

/* The process stands in the checkout, and its {commit} is the attempt's. */
static void test_runs_in_the_checkout(void **state) {
    place at;
    place_init(&at, *state,
               "[ $(basename $PWD) = tree ] && [ {commit} = " BENCH_COMMIT
               " ] && [ -z \"$(ls -A $TMPDIR)\" ] && echo 1");
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    assert_null(bench_loop(&at.bench, 0)->failed);
    place_clear(&at);
}

static void test_failures_are_loops(void **state) {
    expect(*state, "echo 1; exit 3", "exit status 3 after ");
    expect(*state, "echo one; echo why; exit 3", ": why");
    expect(*state, "kill -9 $$", "killed by signal 9");
    expect(*state, "echo nothing to read", "output: ");
    expect(*state, "echo 1; echo 2", "output: ");
    expect(*state, "printf 'bad \\377'; exit 1", ": bad \xef\xbf\xbd"); /* UTF-8 all the same */
}

static void test_a_program_that_is_not_there(void **state) {
    place at;
    place_init(&at, *state, "");
    g_strfreev(at.bench.configurations[0].command);
    at.bench.configurations[0].command = g_strsplit("/nonexistent/x", " ", 0);
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    assert_non_null(strstr(bench_loop(&at.bench, 0)->failed, "/nonexistent/x"));
    place_clear(&at);
}

static void test_what_it_said_is_kept(void **state) {
    place at;
    place_init(&at, *state, "echo one; echo two; exit 1");
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    assert_string_equal(at.attempt.last_log, "one\ntwo\n");
    place_clear(&at);
}

static void test_verify_has_the_last_word(void **state) {
    place at;
    place_init(&at, *state, "echo 5");
    char **verify = bench_shell("echo not what it should be; exit 4");
    at.bench.configurations[0].verify = verify;
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    const run_loop *loop = bench_loop(&at.bench, 0);
    assert_true(g_str_has_prefix(loop->failed, "verify: exit status 4 after "));
    assert_true(g_str_has_suffix(loop->failed, ": not what it should be"));
    g_strfreev(verify);
    place_clear(&at);
}

/* The framework's files are in the checkout; one that is not there fails the loop by its name. */
static void test_files_have_a_size(void **state) {
    place at;
    place_init(&at, *state, "head -c 524288 /dev/zero >agent.jar; cp agent.jar other.jar; echo 5");
    static char agent[] = "agent.jar", other[] = "{checkout}/other.jar", none[] = "none.jar";
    char *loads[] = {agent, other, NULL, NULL};
    at.bench.configurations[0].loads = loads;
    at.bench.configurations[0].loads_count = 2;
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    const json_t *size = json_object_get(bench_loop(&at.bench, 0)->readings, "size_mb");
    assert_close(json_real_value(size), 1, 0);
    loads[at.bench.configurations[0].loads_count++] = none;
    const run_plan_step again = {.configuration = 0, .loop = 2, .attempt = 1};
    assert_true(run_attempt_measure(&at.attempt, 1, &again, NULL));
    const run_loop *failed = bench_loop(&at.bench, 1);
    assert_true(g_str_has_prefix(failed->failed, "loads: there is no file /"));
    assert_true(g_str_has_suffix(failed->failed, "/none.jar"));
    place_clear(&at);
}

/* Else nothing could be taken away from what the framework takes. */
static void test_a_root_has_none_of_the_files(void **state) {
    place at;
    place_init(&at, *state, "echo 5");
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    assert_null(
        json_object_get(bench_loop(&at.bench, 0)->readings, "size_mb")); /* nobody names any */
    at.bench.job.benchmark.configurations_count = 2;
    at.bench.configurations[1].loads_count = 1;
    const run_plan_step again = {.configuration = 0, .loop = 2, .attempt = 1};
    assert_true(run_attempt_measure(&at.attempt, 1, &again, NULL));
    const json_t *size = json_object_get(bench_loop(&at.bench, 1)->readings, "size_mb");
    assert_true(json_is_real(size));
    assert_close(json_real_value(size), 0, 0);
    place_clear(&at);
}

/* How many records it found stands in the loop, also where that is not enough. */
static void test_what_verify_counts_is_kept(void **state) {
    static const struct {
        const char *line;
        int records; /* -1: no reading */
        bool failed;
    } cases[] = {{"echo looking; echo {\\\"records\\\": 6, \\\"expected\\\": 6}", 6, false},
                 {"echo {\\\"records\\\": 5, \\\"expected\\\": 6}; exit 1", 5, true},
                 {"echo {\\\"records\\\": 0, \\\"expected\\\": 6}", 0, false},
                 {"echo 6 records", -1, false},
                 {"true", -1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        place at;
        place_init(&at, *state, "echo 5");
        char **verify = bench_shell(cases[i].line);
        at.bench.configurations[0].verify = verify;
        assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
        const run_loop *loop = bench_loop(&at.bench, 0);
        assert_int_equal(loop->failed != NULL, cases[i].failed);
        const json_t *told = json_object_get(loop->readings, "verify");
        assert_int_equal(told != NULL, cases[i].records >= 0);
        if (told) {
            assert_int_equal(json_integer_value(json_object_get(told, "records")),
                             cases[i].records);
            assert_int_equal(json_integer_value(json_object_get(told, "expected")), 6);
        }
        g_strfreev(verify);
        place_clear(&at);
    }
}

static void test_one_process_can_be_a_whole_round(void **state) {
    place at;
    place_init(&at, *state, "echo 8");
    at.bench.job.benchmark.whole_rounds = true;
    at.bench.job.benchmark.configurations_count = 2;
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    assert_int_equal(run_spool_loops(at.bench.spool)->len, 2);
    const run_loop *none = bench_loop(&at.bench, 0), *probe = bench_loop(&at.bench, 1);
    assert_string_equal(none->configuration, "none");
    assert_string_equal(probe->configuration, "probe");
    assert_close(none->seconds, probe->seconds, 0); /* each its half */
    assert_int_equal(none->started_ms, probe->started_ms);
    assert_int_equal(probe->position, 1);
    assert_non_null(json_object_get(probe->readings, "usage"));
    assert_true(run_attempt_measure(&at.attempt, 1, &first_step, NULL));
    assert_int_equal(bench_loop(&at.bench, 3)->attempt, 2);
    place_clear(&at);
}

static void test_a_full_disk_is_the_nodes_trouble(void **state) {
    place at;
    GError *problem = NULL;
    place_init(&at, *state, "echo No space left on device; exit 1");
    assert_false(run_attempt_measure(&at.attempt, 1, &first_step, &problem));
    assert_error(problem, RUN_ERROR_NODE, "disk full: exit status 1");
    assert_int_equal(run_spool_loops(at.bench.spool)->len, 0);
    place_clear(&at);
}

static bool lost(void *data, GError **error) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_LOST, "%s", (const char *)data);
    return false;
}

static void test_the_tick_ends_it(void **state) {
    place at;
    GError *problem = NULL;
    place_init(&at, *state, "exec sleep 600");
    at.attempt.tick = lost;
    at.attempt.tick_data = (char[]){"cancelled"};
    assert_false(run_attempt_measure(&at.attempt, 1, &first_step, &problem));
    assert_error(problem, RUN_ERROR_LOST, "cancelled");
    assert_int_equal(run_spool_loops(at.bench.spool)->len, 0);
    place_clear(&at);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_value_becomes_a_loop),
                                       cmocka_unit_test(test_what_a_harness_tells),
                                       cmocka_unit_test(test_children_that_are_left),
                                       cmocka_unit_test(test_runs_in_the_checkout),
                                       cmocka_unit_test(test_failures_are_loops),
                                       cmocka_unit_test(test_a_program_that_is_not_there),
                                       cmocka_unit_test(test_what_it_said_is_kept),
                                       cmocka_unit_test(test_verify_has_the_last_word),
                                       cmocka_unit_test(test_files_have_a_size),
                                       cmocka_unit_test(test_a_root_has_none_of_the_files),
                                       cmocka_unit_test(test_what_verify_counts_is_kept),
                                       cmocka_unit_test(test_one_process_can_be_a_whole_round),
                                       cmocka_unit_test(test_a_full_disk_is_the_nodes_trouble),
                                       cmocka_unit_test(test_the_tick_ends_it)};
    GError *error = NULL;
    return run_descendants_adopt(&error)
               ? cmocka_run_group_tests(tests, make_test_folder, remove_test_folder)
               : 1;
}
