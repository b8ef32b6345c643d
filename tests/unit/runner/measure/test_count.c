/* Counting loops: what they leave, and that nothing that goes wrong in them ends the night. */
#include "tests/unit/runner/shell_bench.h"

#include "runner/measure/session.h"

/* Leaves the counter and writes what it would have written: what is read is what stands there. */
#define INSTEAD(text) "exec /bin/sh -c 'printf \"" text "\" > $TMPDIR/../out/counted'"
#define TOTALS INSTEAD("x\\ntotals: 1045\\n")

typedef struct {
    shell_bench bench;
    run_trees trees;
    run_heartbeat beat;
    run_count count;
} place;

static void begin(place *at, const char *folder, const char *line) {
    bench_init(&at->bench, folder, line);
    at->bench.job.benchmark.driver = CFG_DRIVER_NATIVE;
    at->bench.job.benchmark.recursion_depth = 1;
    at->bench.job.benchmark.count = CFG_COUNT_ALWAYS;
    at->bench.configurations[0].total_calls = 10;
    at->trees = (run_trees){.count = 1};
    at->trees.folder[0] = g_strdup(at->bench.checkout);
    at->trees.checkout[0] = g_strdup(at->bench.checkout);
    at->beat = (run_heartbeat){.node = "blade1", .job = 7, .phase = "count", .eta_s = -1};
    at->count = (run_count){.node = &at->bench.node,
                            .job = &at->bench.job,
                            .trees = &at->trees,
                            .beat = &at->beat,
                            .most_s = RUN_COUNT_S_MOST};
}

static void end(place *at) {
    run_trees_clear(&at->trees);
    bench_clear(&at->bench);
}

static json_t *made(place *at) {
    GError *error = NULL;
    json_t *counts = NULL;
    if (!run_count_make(&at->count, &counts, &error))
        fail_msg("%s", error->message);
    return counts;
}

static bool has_valgrind(void) {
    g_autofree char *path = g_find_program_in_path("valgrind");
    return path != NULL;
}

/* One of the two counters reads what stands there, the other one tells that it cannot. */
static void counts_are_of_a_configuration_and_a_dimension(void **state) {
    if (!has_valgrind())
        skip();
    place at;
    begin(&at, *state, TOTALS);
    json_t *counts = made(&at);
    const json_t *loops = json_object_get(
        json_object_get(json_object_get(counts, "configurations"), "none"), "instructions");
    assert_int_equal(json_array_size(loops), RUN_COUNT_LOOPS);
    for (size_t i = 0; i < RUN_COUNT_LOOPS; i++)
        assert_true(json_real_value(json_array_get(loops, i)) == 104.5);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(counts, "counters"), "instructions")),
        "callgrind");
    const char *why =
        json_string_value(json_object_get(json_object_get(counts, "failed"), "none dhat"));
    if (!g_str_has_prefix(why, "dhat of configuration none: its file, line 1"))
        fail_msg("\"%s\"", why);
    assert_null(at.beat.configuration);
    json_decref(counts);
    end(&at);
}

static void what_is_wrong_is_told_and_nothing_fails(void **state) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"echo refused; exit 3", "callgrind of configuration none: exit status 3"},
        {"exec /bin/sh -c true", "there are no totals"},
        {INSTEAD("x\\ntotals: 1e30\\n"), "it overflowed or went backwards"},
    };
    if (!has_valgrind())
        skip();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        place at;
        begin(&at, *state, cases[i].line);
        json_t *counts = made(&at);
        const json_t *failed = json_object_get(counts, "failed");
        const char *why = json_string_value(json_object_get(failed, "none callgrind"));
        if (!why || !strstr(why, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", why ? why : "", cases[i].says);
        assert_int_equal(json_object_size(json_object_get(counts, "configurations")), 0);
        json_decref(counts);
        end(&at);
    }
}

/* An interpreter that runs the line, whatever it is given. */
static void begin_python(place *at, const char *folder, const char *line) {
    begin(at, folder, "true");
    g_autofree char *program = g_build_filename(folder, "python3", NULL);
    g_autofree char *text = g_strdup_printf("#!/bin/sh\n%s\n", line);
    assert_true(
        g_file_set_contents_full(program, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0755, NULL));
    const char *const words[] = {program, "{harness}/moobench.py", NULL};
    g_strfreev(at->bench.configurations[0].command);
    at->bench.configurations[0].command =
        g_strdupv((char **)(uintptr_t)words); /* NOLINT(performance-no-int-to-ptr) */
}

static void an_interpreter_counts_allocations_and_bytes(void **state) {
    static const char *const dimensions[] = {"allocations", "bytes"};
    place at;
    begin_python(&at, *state, "echo \"5;15;$((PYTHONHASHSEED + 320))\" > \"$MOOBENCH_COUNTS\"");
    json_t *counts = made(&at);
    assert_null(json_object_get(counts, "failed"));
    for (size_t i = 0; i < G_N_ELEMENTS(dimensions); i++) {
        const json_t *loops = json_object_get(
            json_object_get(json_object_get(counts, "configurations"), "none"), dimensions[i]);
        assert_int_equal(json_array_size(loops), RUN_COUNT_LOOPS);
        for (size_t loop = 0; loop < RUN_COUNT_LOOPS; loop++)
            assert_true(json_real_value(json_array_get(loops, loop)) == (i ? 64 : 3));
    }
    json_decref(counts);
    end(&at);
}

static void what_an_interpreter_cannot_count_is_told(void **state) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"echo 'moobench: cannot count: pypy has no allocator' >&2; exit 1",
         "the interpreter of configuration none: exit status 1 after"},
        {"echo 'moobench: cannot count: pypy has no allocator' >&2; exit 1",
         ": moobench: cannot count: pypy has no allocator"},
        {"true", "counted: nothing wrote it"},
        {"echo '5;-15;320' > \"$MOOBENCH_COUNTS\"", "it overflowed or went backwards"},
        {"echo '5;15;18446744073709551615' > \"$MOOBENCH_COUNTS\"", "it overflowed or went"},
        {"echo '5;15' > \"$MOOBENCH_COUNTS\"",
         "its file, line 1: expected calls;allocations;bytes"},
        {"kill -9 $$", "the interpreter of configuration none: killed by signal 9"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        place at;
        begin_python(&at, *state, cases[i].line);
        json_t *counts = made(&at);
        const char *why = json_string_value(
            json_object_get(json_object_get(counts, "failed"), "none the interpreter"));
        if (!why || !strstr(why, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", why ? why : "", cases[i].says);
        assert_int_equal(json_object_size(json_object_get(counts, "configurations")), 0);
        json_decref(counts);
        end(&at);
    }
}

static void nothing_is_begun_when_the_time_is_up(void **state) {
    if (!has_valgrind())
        skip();
    place at;
    begin(&at, *state, "touch ../begun");
    g_autofree char *begun = g_build_filename(*state, "begun", NULL);
    at.count.most_s = 0;
    json_t *counts = made(&at);
    const json_t *failed = json_object_get(counts, "failed");
    for (size_t i = 0; i < 2; i++) {
        const char *why =
            json_string_value(json_object_get(failed, i ? "none dhat" : "none callgrind"));
        if (!why || !strstr(why, "the time for counting is used up (0 s)"))
            fail_msg("\"%s\"", why ? why : "");
    }
    assert_false(g_file_test(begun, G_FILE_TEST_EXISTS));
    json_decref(counts);
    end(&at);
}

static void what_cannot_be_counted_is_a_doubt_only_when_asked_for(void **state) {
    place at;
    begin(&at, *state, "true");
    at.bench.job.benchmark.driver = CFG_DRIVER_COMMAND;
    json_t *counts = made(&at);
    const char *why = json_string_value(json_object_get(json_object_get(counts, "failed"), "node"));
    assert_non_null(strstr(why, "no counters for the project's driver"));
    json_decref(counts);
    at.bench.job.benchmark.count = CFG_COUNT_AUTO;
    assert_null(made(&at));
    end(&at);
}

/* A second commit, in a folder of its own. */
static void add_older(place *at, const char *folder) {
    static char before[] = BENCH_AGAINST;
    static const char *const words[] = {"commit 0123 (after)", "commit 89ab (before)"};
    at->bench.job.before = before;
    at->trees.count = 2;
    at->trees.folder[1] = g_build_filename(folder, "older", NULL);
    at->trees.checkout[1] = g_build_filename(folder, "older", "tree", NULL);
    assert_int_equal(g_mkdir_with_parents(at->trees.checkout[1], 0700), 0);
    for (int which = 0; which < 2; which++) {
        at->trees.words[which] = g_strdup(words[which]);
        g_autofree char *total = g_build_filename(at->trees.checkout[which], "total", NULL);
        assert_true(g_file_set_contents(total, which ? "900" : "1045", -1, NULL));
    }
}

static double first_of(const json_t *configurations, const char *dimension) {
    const json_t *loops = json_object_get(json_object_get(configurations, "none"), dimension);
    assert_int_equal(json_array_size(loops), RUN_COUNT_LOOPS);
    return json_number_value(json_array_get(loops, 0));
}

static void a_trial_counts_both_commits_by_one_counter(void **state) {
    if (!has_valgrind())
        skip();
    place at;
    begin(&at, *state, "read total < total; export total; " INSTEAD("x\\ntotals: $total\\n"));
    add_older(&at, *state);
    json_t *counts = made(&at);
    assert_true(first_of(json_object_get(counts, "configurations"), "instructions") == 104.5);
    assert_true(first_of(json_object_get(counts, "before"), "instructions") == 90);
    assert_null(json_object_get(counts, "failed"));
    assert_int_equal(json_object_size(json_object_get(counts, "counters")), 1);
    json_decref(counts);
    end(&at);
}

static void of_a_trial_it_is_told_which_commit_was_not_counted(void **state) {
    if (!has_valgrind())
        skip();
    place at;
    begin(&at, *state, "read total < total; [ $total = 1045 ] || exit 3; " TOTALS);
    add_older(&at, *state);
    json_t *counts = made(&at);
    const json_t *failed = json_object_get(counts, "failed");
    assert_int_equal(json_object_size(failed), 1);
    const char *why = json_string_value(json_object_get(failed, "none callgrind before"));
    if (!why || !g_str_has_prefix(why, "callgrind of configuration none, commit 89ab (before): "
                                       "exit status 3"))
        fail_msg("\"%s\"", why ? why : "");
    assert_true(first_of(json_object_get(counts, "configurations"), "instructions") == 104.5);
    assert_null(json_object_get(counts, "before"));
    json_decref(counts);
    end(&at);
}

/* Instructions cannot be counted in a JVM; what it allocates can, of both commits. The harness is
 * not there, so each tells that. */
static void a_trial_in_java_counts_by_the_jvm(void **state) {
    static const char *const keys[] = {"none the JVM", "none the JVM before"};
    g_autofree char *java = g_find_program_in_path("java");
    if (!java)
        skip();
    place at;
    begin(&at, *state, "");
    add_older(&at, *state);
    at.bench.job.benchmark.driver = CFG_DRIVER_JAVA;
    at.bench.job.benchmark.classpath = bench_no_words;
    json_t *counts = made(&at);
    const json_t *failed = json_object_get(counts, "failed");
    assert_int_equal(json_object_size(failed), G_N_ELEMENTS(keys));
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *why = json_string_value(json_object_get(failed, keys[i]));
        if (!why || !strstr(why, "moowatch.moobench.Count"))
            fail_msg("\"%s\"", why ? why : "");
    }
    json_decref(counts);
    end(&at);
}

/* Nothing that could be counted would answer its question. */
static void a_trial_in_python_counts_by_the_interpreter(void **state) {
    place at;
    begin_python(&at, *state, "read total < total; echo \"10;20;$total\" > \"$MOOBENCH_COUNTS\"");
    add_older(&at, *state);
    json_t *counts = made(&at);
    const json_t *after = json_object_get(counts, "configurations");
    const json_t *before = json_object_get(counts, "before");
    assert_null(json_object_get(counts, "failed"));
    assert_true(first_of(after, "bytes") == 104.5);
    assert_true(first_of(before, "bytes") == 90);
    assert_true(first_of(after, "allocations") == 2);
    assert_true(first_of(before, "allocations") == 2);
    json_decref(counts);
    end(&at);
}

static void a_trial_that_nothing_counts_is_not_counted(void **state) {
    place at;
    begin(&at, *state, "touch ../begun");
    add_older(&at, *state);
    at.bench.job.benchmark.driver = CFG_DRIVER_COMMAND;
    assert_null(made(&at));
    end(&at);
}

static void nights_count_and_trials_whose_server_asks(void **state) {
    (void)state;
    static char before[] = BENCH_AGAINST;
    run_job job = {.benchmark.count = CFG_COUNT_AUTO};
    assert_true(run_count_wanted(&job));
    job.before = before;
    assert_false(run_count_wanted(&job)); /* an older server, which would get it with every job */
    job.benchmark.count_both = true;
    assert_true(run_count_wanted(&job));
    job.explain_s = 60;
    assert_false(run_count_wanted(&job));
    job = (run_job){.benchmark.count = CFG_COUNT_NEVER};
    assert_false(run_count_wanted(&job));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_are_of_a_configuration_and_a_dimension,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_told_and_nothing_fails, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(an_interpreter_counts_allocations_and_bytes,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_an_interpreter_cannot_count_is_told, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(nothing_is_begun_when_the_time_is_up, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_counted_is_a_doubt_only_when_asked_for,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(a_trial_counts_both_commits_by_one_counter,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(of_a_trial_it_is_told_which_commit_was_not_counted,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(a_trial_in_java_counts_by_the_jvm, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(a_trial_in_python_counts_by_the_interpreter,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(a_trial_that_nothing_counts_is_not_counted,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test(nights_count_and_trials_whose_server_asks),
    };
    GError *error = NULL;
    return run_descendants_adopt(&error) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
