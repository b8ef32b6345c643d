/* Which counters a job gets, and how they are called. */
#include "runner/count/counter.h"

#include "tests/unit/runner/path.h"

#include <math.h>
#include <string.h>

static size_t counters(cfg_driver driver, const run_counter **out, char **missing) {
    const run_job job = {.driver = driver};
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

static void a_count_is_neither_below_zero_nor_beyond_all(void **state) {
    (void)state;
    assert_true(run_counter_value(0));
    assert_true(run_counter_value(5210.5));
    assert_false(run_counter_value(-1));
    assert_false(run_counter_value(1e16));
    assert_false(run_counter_value(NAN));
    assert_false(run_counter_value(INFINITY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_counts_instructions_and_allocations),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(java_counts_with_another_class),
        cmocka_unit_test(the_benchmarks_command_is_the_end_of_its_own),
        cmocka_unit_test(a_count_is_neither_below_zero_nor_beyond_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
