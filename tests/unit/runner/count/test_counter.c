/* Which counters a job gets, and how they are called. */
#include "runner/count/counter.h"

#include "tests/unit/runner/path.h"

#include <math.h>
#include <string.h>

static size_t counters(cfg_driver driver, const run_counter **out, char **missing) {
    const run_job job = {.benchmark.driver = driver};
    return run_counters_of(out, &job, environment, missing);
}

static void native_counts_instructions_and_allocations(void **state) {
    (void)state;
    const run_counter *found[RUN_COUNTERS_MAX];
    char *missing, *folder = path_with("valgrind");
    assert_int_equal(counters(CFG_DRIVER_NATIVE, found, &missing), 2);
    assert_null(missing);
    assert_string_equal(found[0]->dimensions[0], "instructions");
    assert_string_equal(found[1]->dimensions[0], "allocations");
    assert_string_equal(found[1]->dimensions[1], "bytes");
    for (size_t i = 0; i < 2; i++)
        for (size_t d = 0; d < RUN_COUNTER_VALUES_MAX && found[i]->dimensions[d]; d++)
            assert_true(det_dimension_counted(det_dimension_find(found[i]->dimensions[d])));
    g_autofree char *words = run_counter_words(environment);
    assert_non_null(strstr(words, "instructions by callgrind"));
    path_remove(folder, "valgrind");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    const run_counter *found[RUN_COUNTERS_MAX];
    char *missing, *folder = path_with(NULL);
    assert_int_equal(counters(CFG_DRIVER_NATIVE, found, &missing), 0);
    assert_non_null(strstr(missing, "install the package valgrind"));
    g_free(missing);
    assert_int_equal(counters(CFG_DRIVER_COMMAND, found, &missing), 0);
    assert_non_null(strstr(missing, "no counters for the project's driver"));
    g_free(missing);
    g_autofree char *words = run_counter_words(environment);
    assert_string_equal(words, "driver native: none, it needs the package valgrind");
    path_remove(folder, "valgrind");
}

/* Valgrind's is the interpreter's work, of which the method is no part: the harness counts. */
static void the_harness_in_python_counts(void **state) {
    static char python[] = "/srv/venv/bin/python3.11", other[] = "pythonic",
                harness[] = "{harness}/moobench.py", own[] = "bench.py";
    static char *command[] = {python, harness, NULL}, *second[] = {python, own, NULL};
    (void)state;
    const run_counter *found[RUN_COUNTERS_MAX];
    char *missing, *folder = path_with("env");
    cfg_configuration both[] = {{.command = command}, {.command = command}};
    const run_job job = {.benchmark.driver = CFG_DRIVER_NATIVE,
                         .benchmark.configurations = both,
                         .benchmark.configurations_count = 2};
    assert_int_equal(run_counters_of(found, &job, environment, &missing), 1);
    assert_null(missing);
    assert_string_equal(found[0]->dimensions[0], "allocations");
    assert_string_equal(found[0]->dimensions[1], "bytes");
    both[1].command = second;
    assert_int_equal(run_counters_of(found, &job, environment, &missing), 0);
    assert_non_null(
        strstr(missing, "each configuration starts the harness, {harness}/moobench.py"));
    g_free(missing);
    g_autofree char *words = run_counter_words(environment);
    assert_non_null(strstr(words, "native that starts python: allocations and bytes"));
    path_remove(folder, "env");
    command[0] = other;
    folder = path_with("valgrind");
    assert_int_equal(run_counters_of(found, &job, environment, &missing), 2);
    assert_null(missing);
    command[0] = python;
    both[1].command = command;
    assert_int_equal(run_counters_of(found, &job, environment, &missing), 0);
    assert_non_null(strstr(missing, "has no env: install the package coreutils"));
    g_free(missing);
    path_remove(folder, "valgrind");
}

static void the_interpreter_is_told_to_count_by_its_environment(void **state) {
    static char python[] = "python3", harness[] = "{harness}/moobench.py";
    static char *command[] = {python, harness, NULL};
    (void)state;
    const run_counter *found[RUN_COUNTERS_MAX];
    char *missing, *folder = path_with("env");
    cfg_configuration one = {.command = command};
    const run_job job = {.benchmark.driver = CFG_DRIVER_NATIVE,
                         .benchmark.configurations = &one,
                         .benchmark.configurations_count = 1};
    assert_int_equal(run_counters_of(found, &job, environment, &missing), 1);
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup("python3"));
    g_ptr_array_add(argv, NULL);
    g_autoptr(GPtrArray) whole = run_counter_wrap(found[0], argv, "/srv/50%/counted");
    static const char *const expected[] = {"env", "PYTHONHASHSEED=0",
                                           "MOOBENCH_COUNTS=/srv/50%/counted", "python3", NULL};
    assert_true(g_strv_equal((const char *const *)whole->pdata, expected));
    path_remove(folder, "env");
}

/* The harness counts itself: the same command with another class, which writes the raw file. */
static void java_counts_with_another_class(void **state) {
    (void)state;
    const run_counter *found[RUN_COUNTERS_MAX];
    char *missing, *folder = path_with("java");
    assert_int_equal(counters(CFG_DRIVER_JAVA, found, &missing), 1);
    assert_string_equal(found[0]->dimensions[0], "bytes");
    assert_null(found[0]->dimensions[1]);
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup("java"));
    g_ptr_array_add(argv, g_strdup("moowatch.moobench.Benchmark"));
    g_ptr_array_add(argv, NULL);
    g_autoptr(GPtrArray) whole = run_counter_wrap(found[0], argv, "/srv/counted");
    assert_string_equal(whole->pdata[0], "java");
    assert_string_equal(whole->pdata[1], "moowatch.moobench.Count");
    assert_int_equal(whole->len, 3);
    g_autofree char *words = run_counter_words(environment);
    assert_non_null(strstr(words, "driver java: bytes by the JVM"));
    path_remove(folder, "java");
    char *empty = path_with(NULL);
    assert_int_equal(counters(CFG_DRIVER_JAVA, found, &missing), 0);
    assert_non_null(strstr(missing, "has no java"));
    g_free(missing);
    path_remove(empty, "java");
}

static void the_benchmarks_command_is_the_end_of_its_own(void **state) {
    (void)state;
    const run_counter *found[RUN_COUNTERS_MAX];
    char *missing, *folder = path_with("valgrind");
    assert_int_equal(counters(CFG_DRIVER_NATIVE, found, &missing), 2);
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup("/harness/moobench"));
    g_ptr_array_add(argv, NULL);
    g_autoptr(GPtrArray) whole = run_counter_wrap(found[0], argv, "/srv/50%/counted");
    char **words = (char **)whole->pdata;
    assert_string_equal(words[0], "valgrind");
    assert_true(g_strv_contains((const char *const *)words, "--tool=callgrind"));
    assert_true(
        g_strv_contains((const char *const *)words, "--callgrind-out-file=/srv/50%%/counted"));
    assert_string_equal(words[whole->len - 2], "/harness/moobench");
    assert_null(words[whole->len - 1]);
    path_remove(folder, "valgrind");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_counts_instructions_and_allocations),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(the_harness_in_python_counts),
        cmocka_unit_test(the_interpreter_is_told_to_count_by_its_environment),
        cmocka_unit_test(java_counts_with_another_class),
        cmocka_unit_test(the_benchmarks_command_is_the_end_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
