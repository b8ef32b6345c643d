/* Which profilers a job gets, and what a node is told to lack. */
#include "runner/profile/profiler.h"

#include "tests/unit/runner/path.h"

#include "runner/ground/error.h"

#include <string.h>

static char *no_words[] = {NULL};

static void each_driver_has_its_own(void **state) {
    static char python[] = "/srv/venv/bin/python3.11", pythonic[] = "python-like", sh[] = "perf",
                out[] = "{profile}";
    static char *runs_python[] = {python, NULL}, *runs_other[] = {pythonic, NULL},
                *command[] = {sh, out, NULL};
    static const struct {
        cfg_driver driver;
        char **runs, **command;
        const char *first, *second;
    } cases[] = {{CFG_DRIVER_NATIVE, no_words, NULL, "callgrind", NULL},
                 {CFG_DRIVER_NATIVE, runs_other, NULL, "callgrind", NULL},
                 {CFG_DRIVER_NATIVE, runs_python, NULL, "py-spy", NULL},
                 {CFG_DRIVER_JAVA, no_words, NULL, "async-profiler", "JFR"},
                 {CFG_DRIVER_JAVA, no_words, no_words, "async-profiler", "JFR"},
                 {CFG_DRIVER_COMMAND, runs_python, command, "profile_command", NULL},
                 {CFG_DRIVER_MOOBENCH, no_words, command, "profile_command", NULL},
                 {CFG_DRIVER_NATIVE, no_words, command, "profile_command", NULL}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        cfg_configuration one = {.command = cases[i].runs};
        const run_job job = {.benchmark.driver = cases[i].driver,
                             .profile_command = cases[i].command,
                             .benchmark.configurations = &one,
                             .benchmark.configurations_count = 1};
        run_profilers all;
        assert_true(run_profilers_of(&job, &all, NULL));
        assert_string_equal(all.each[0]->name, cases[i].first);
        assert_string_equal(all.each[1] ? all.each[1]->name : "",
                            cases[i].second ? cases[i].second : "");
        assert_null(all.each[2]);
        /* bytes beside time where the virtual machine's agent tells, whoever profiles the time */
        assert_int_equal(all.allocated != NULL, g_str_equal(cases[i].first, "async-profiler"));
        if (all.allocated)
            assert_string_equal(all.allocated->unit, "bytes");
        assert_string_equal(run_profiler_file(all.each[0]), "profile");
        if (all.each[1])
            assert_string_equal(run_profiler_file(all.each[1]), "profile.jfr");
        /* what differs from process to process needs several to tell by how much */
        const bool exact = g_str_equal(all.each[0]->unit, "instructions");
        assert_int_equal(all.each[0]->loops, exact ? 1 : 5);
        assert_int_equal(all.each[0]->loops_least, exact ? 1 : 2);
    }
}

static void what_cannot_be_profiled_is_said(void **state) {
    static const struct {
        cfg_driver driver;
        bool whole;
        const char *says;
    } cases[] = {{CFG_DRIVER_COMMAND, false, "detection.profile_command"},
                 {CFG_DRIVER_MOOBENCH, false, "detection.profile_command"},
                 {CFG_DRIVER_MOOBENCH, true, "whole_rounds"}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const run_job job = {.benchmark.driver = cases[i].driver,
                             .benchmark.whole_rounds = cases[i].whole};
        run_profilers all;
        assert_false(run_profilers_of(&job, &all, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        assert_non_null(strstr(error->message, cases[i].says));
    }
}

static void stacks_begin_where_the_harness_does(void **state) {
    static char chosen[] = "mooBench.run", word[] = "x";
    static char *command[] = {word, NULL};
    (void)state;
    run_job job = {.benchmark.driver = CFG_DRIVER_JAVA, .profile_root = chosen};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    assert_string_equal(run_profiler_root(all.each[0], &job),
                        "moowatch/moobench/BenchmarkThread.run");
    job.profile_command = command;
    assert_true(run_profilers_of(&job, &all, NULL));
    assert_string_equal(run_profiler_root(all.each[0], &job), chosen);
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    const run_job job = {.benchmark.driver = CFG_DRIVER_NATIVE};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    char *folder = path_with(NULL);
    g_autofree char *missing = run_profiler_missing(all.each[0], environment);
    assert_non_null(strstr(missing, "install the package valgrind"));
    path_remove(folder, "none");
    folder = path_with("valgrind");
    assert_null(run_profiler_missing(all.each[0], environment));
    path_remove(folder, "valgrind");
}

static void each_driver_is_told_of_by_the_doctor(void **state) {
    (void)state;
    char *folder = path_with("valgrind");
    g_autofree char *words = run_profiler_words(environment, folder);
    assert_non_null(strstr(words, "driver native: callgrind\n"));
    assert_non_null(strstr(words, "driver java: async-profiler 4.6 (fetched when it is first"));
    assert_non_null(strstr(words, "; else no JFR: this node has no jfr: install the package"));
    assert_non_null(strstr(words, "python: py-spy 0.4.3 (fetched"));
    assert_non_null(strstr(words, "command, moobench: the project's profile_command"));
    path_remove(folder, "valgrind");
    folder = path_with(NULL);
    g_autofree char *fewer = run_profiler_words(environment, folder);
    assert_non_null(strstr(fewer, "driver native: no callgrind: this node has no valgrind"));
    path_remove(folder, "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_driver_has_its_own),
        cmocka_unit_test(what_cannot_be_profiled_is_said),
        cmocka_unit_test(stacks_begin_where_the_harness_does),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(each_driver_is_told_of_by_the_doctor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
