/* Which counters a job gets, and how they are called. */
#include "runner/count/counter.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/path.h"
#include "tests/unit/test.h"

#include "runner/ground/error.h"

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
    static char interpreter[] = "/srv/venv/bin/python3.11", other[] = "pythonic",
                harness[] = "{harness}/moobench.py", own[] = "bench.py";
    static char *command[] = {interpreter, harness, NULL}, *second[] = {interpreter, own, NULL};
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
    command[0] = interpreter;
    both[1].command = command;
    assert_int_equal(run_counters_of(found, &job, environment, &missing), 0);
    assert_non_null(strstr(missing, "has no env: install the package coreutils"));
    g_free(missing);
    path_remove(folder, "valgrind");
}

static void the_interpreter_is_told_to_count_by_its_environment(void **state) {
    static char interpreter[] = "python3", harness[] = "{harness}/moobench.py";
    static char *command[] = {interpreter, harness, NULL};
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

/* What valgrind's tools wrote, and each way in which it is no count. */

#define FRAMES                                                                                     \
    "\"ftbl\": [\"[root]\", \"0x1: malloc (in /usr/libexec/x.so)\","                               \
    " \"0x2: moobench_monitored_method (in /h/moobench)\", \"0x3: main (main.c:3)\"]"
#define POINTS(points) "{\"dhatFileVersion\": 2, " FRAMES ", \"pps\": [" points "]}"

static void instructions_are_the_totals(void **state) {
    static const struct {
        const char *text, *wrong;
        double value;
    } cases[] = {
        {"version: 1\nevents: Ir\nfn=(1) a\n1 5\n\ntotals: 41230\n", NULL, 20615},
        {"summary: 7\ntotals: 12\n", NULL, 6},
        {"fn=(1) totals: 5\n", "no totals", 0},
        {"x\ntotals: \n", "no totals", 0},
        {"", "no totals", 0},
        {"x\ntotals: 0\n", "is the program stripped", 0},
        {"x\ntotals: -5\n", "is the program stripped", 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value = 0;
        const bool good =
            valgrind_instructions(cases[i].text, strlen(cases[i].text), 2, &value, &error);
        assert_int_equal(good, !cases[i].wrong);
        if (good)
            assert_true(value == cases[i].value);
        else if (!strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
    }
}

/* Only what was allocated below the method counts. */
static void allocations_are_those_below_the_method(void **state) {
    static const struct {
        const char *text, *wrong;
        double blocks, bytes;
    } cases[] = {
        {POINTS("{\"tb\": 960, \"tbk\": 20, \"fs\": [1, 2, 3]},"
                "{\"tb\": 40000, \"tbk\": 1, \"fs\": [1, 3]},"
                "{\"tb\": 40, \"tbk\": 10, \"fs\": [1, 2]}"),
         NULL, 3, 100},
        {POINTS(""), NULL, 0, 0},
        {POINTS("{\"tb\": 960, \"tbk\": 20, \"fs\": [99, -1, \"x\"]}"), NULL, 0, 0},
        {POINTS("{\"tb\": -1, \"tbk\": 20, \"fs\": [2]}"), "is not a whole number", 0, 0},
        {POINTS("{\"tb\": 8, \"tbk\": \"many\", \"fs\": [2]}"), "is not a whole number", 0, 0},
        {"{" FRAMES "}", "no places", 0, 0},
        {"{\"pps\": []}", "no places", 0, 0},
        {POINTS("{\"tb\": 960"), "its file, line 1", 0, 0},
        {"", "its file, line 1", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double values[2] = {-1, -1};
        const bool good =
            valgrind_allocations(cases[i].text, strlen(cases[i].text), 10, values, &error);
        assert_int_equal(good, !cases[i].wrong);
        if (!good && !strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
        if (good) {
            assert_true(values[0] == cases[i].blocks);
            assert_true(values[1] == cases[i].bytes);
        }
    }
}

/* Allocations and bytes a call, from what the harness in Python left. */

static void all_threads_calls_count(void **state) {
    static const struct {
        const char *text;
        double calls, allocations, bytes;
    } cases[] = {
        {"2500;5000;170000\n", 5000, 2, 68},
        {"10;20;320\n10;40;640\n", 40, 3, 48}, /* one thread asks for more than the other */
        {"1;0;0\n", 1, 0, 0},
        {"4;-4;1e17\n", 8, -1, 2.5e16}, /* whoever asked sees that these are no counts */
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double values[2] = {-7, -7};
        if (!interpreter_allocations(cases[i].text, strlen(cases[i].text), cases[i].calls, values,
                                     &error))
            fail_msg("%s", error->message);
        assert_true(values[0] == cases[i].allocations);
        assert_true(values[1] == cases[i].bytes);
    }
}

static void what_is_no_such_file_is_refused(void **state) {
    static const struct {
        const char *text, *wrong;
        size_t size; /* 0: the text's */
    } cases[] = {
        {"5;10\n", "line 1: expected calls;allocations;bytes", 0},
        {"5;10;20\n5;x;20\n", "line 2: expected", 0},
        {"5;10;inf\n", "line 1", 0},
        {"5;10;nan\n", "line 1", 0},
        {"5;10;20", "line 1", 0}, /* cut off: there may be a digit more */
        {"5;10;20;30\n", "line 1", 0},
        {"0;10;20\n", "line 1", 0},
        {"-5;10;20\n", "line 1", 0},
        {"5;10;20\n\0rest", "line 2", 12},
        {"\n", "line 1", 0},
        {"", "counts 0 calls, expected 1 to 10", 0},
        {"11;10;20\n", "counts 11 calls, expected 1 to 10", 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double values[2];
        const size_t size = cases[i].size ? cases[i].size : strlen(cases[i].text);
        assert_false(interpreter_allocations(cases[i].text, size, 10, values, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        if (!strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
    }
}

/* Bytes a call, from a raw file that holds them. */

static void the_second_half_of_each_thread_counts(void **state) {
    static const struct {
        const char *text;
        double calls, bytes;
    } cases[] = {
        {"1;70;500;0\n1;70;900;0\n1;70;996;0\n1;70;1092;1\n", 4, 96},
        {"1;70;500;0\n1;70;596;0\n2;70;7;0\n2;70;7;0\n", 4, 48}, /* one of two allocates */
        {"1;70;500\n1;70;532", 2, 32},
        {"1;70;5;0\n1;70;5;0\n1;70;5;0\n", 3, 0},
        {"1;70;500;0\n1;70;400;0\n", 2, -100}, /* whoever asked sees that it is no count */
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value = -1;
        if (!allocated_bytes(cases[i].text, strlen(cases[i].text), cases[i].calls, &value, &error))
            fail_msg("%s", error->message);
        assert_true(value == cases[i].bytes);
    }
}

static void allocated_what_is_no_such_file_is_refused(void **state) {
    static const struct {
        const char *text, *wrong;
        double calls;
    } cases[] = {
        {"1;70\n", "line 1: no allocated bytes", 1},
        {"1;70;500;0\nx;70;500;0\n", "line 2", 2},
        {"1;70;x;0\n", "line 1", 1},
        {"1;70;inf;0\n", "line 1", 1},
        {"1;70;5x;0\n", "line 1", 1},
        {"1;70;500;0\n", "has 1 calls, not 2", 2},
        {"", "has 0 calls, not 2", 2},
        {"", "has 0 calls, not 0", 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value;
        assert_false(
            allocated_bytes(cases[i].text, strlen(cases[i].text), cases[i].calls, &value, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        if (!strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_counts_instructions_and_allocations),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(the_harness_in_python_counts),
        cmocka_unit_test(the_interpreter_is_told_to_count_by_its_environment),
        cmocka_unit_test(java_counts_with_another_class),
        cmocka_unit_test(the_benchmarks_command_is_the_end_of_its_own),

        cmocka_unit_test(instructions_are_the_totals),
        cmocka_unit_test(allocations_are_those_below_the_method),

        cmocka_unit_test(all_threads_calls_count),
        cmocka_unit_test(what_is_no_such_file_is_refused),

        cmocka_unit_test(the_second_half_of_each_thread_counts),
        cmocka_unit_test(allocated_what_is_no_such_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
