#include "runner/measure/environment.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/shell_bench.h"
#include "tests/unit/runner/test.h"

#include <glib/gstdio.h>

static char *hash_of(const char *text) {
    json_t *record = json_loads(text, 0, NULL);
    char *hash = run_environment_hash(record);
    json_decref(record);
    return hash;
}

/* echo -n '{"a":1,"b":{"c":"x","d":2}}' | sha256sum */
static void test_hash(void **state) {
    (void)state;
    g_autofree char *one = hash_of("{\"b\": {\"d\": 2, \"c\": \"x\"}, \"a\": 1}");
    g_autofree char *detailed =
        hash_of("{\"a\": 1, \"detail\": {\"uptime\": 5}, \"b\": {\"c\": \"x\", \"d\": 2}}");
    g_autofree char *other = hash_of("{\"a\": 2, \"b\": {\"c\": \"x\", \"d\": 2}}");
    assert_string_equal(one, "377851b9e9eec0cdaeca082bf7383ce32e4d8b5b91f95041f653e5b2521f7fe2");
    assert_string_equal(detailed, one);
    assert_string_not_equal(other, one);
}

static void test_version_is_what_was_printed_without_remarks(void **state) {
    (void)state;
    static const struct {
        const char *printed, *version;
    } cases[] = {
        {"moobench-java 1\n", "moobench-java 1"},
        {"openjdk 17\nOpenJDK Runtime\n  64-Bit\n", "openjdk 17; OpenJDK Runtime; 64-Bit"},
        {"Picked up JAVA_TOOL_OPTIONS: -Xint\nmoobench-java 1\n", "moobench-java 1"},
        {"[0.001s][warning][perf,memops] Cannot use file /tmp/hsperfdata_root/2 because it is "
         "locked by another process (errno = 11)\nmoobench-java 1\n",
         "moobench-java 1"},
        {"[callmon] 2\n", "[callmon] 2"},
        {"\n", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *version = environment_version(cases[i].printed);
        assert_string_equal(version, cases[i].version);
    }
}

static void put_java(const char *checkout, const char *name, const char *version) {
    g_autofree char *folder = g_build_filename(checkout, name, NULL);
    g_autofree char *program = g_build_filename(folder, "java", NULL);
    g_autofree char *text = g_strdup_printf("#!/bin/sh\necho openjdk %s >&2\n", version);
    assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
    assert_true(g_file_set_contents(program, text, -1, NULL));
    assert_int_equal(g_chmod(program, 0755), 0);
}

/* The JVM that a configuration's PATH finds is the one that it is measured with. */
static void test_each_path_is_asked(void **state) {
    char a[] = "{checkout}/a:/bin", b[] = "{checkout}/b:/bin", c[] = "{checkout}/c:/bin";
    const struct {
        char *none, *probe;
        const char *runtime;
    } cases[] = {{a, NULL, NULL},
                 {a, a, "openjdk 17"},
                 {a, c, "openjdk 17"},
                 {a, b, "openjdk 17; probe: openjdk 25"}};
    shell_bench at;
    bench_init(&at, *state, "");
    at.job.benchmark.driver = CFG_DRIVER_JAVA;
    at.config.path = (char[]){"/nonexistent"};
    put_java(at.checkout, "a", "17");
    put_java(at.checkout, "b", "25");
    put_java(at.checkout, "c", "17");
    at.job.benchmark.configurations_count = 2;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        cfg_variable none = {.name = (char[]){"PATH"}, .value = cases[i].none},
                     probe = {.name = (char[]){"PATH"}, .value = cases[i].probe};
        at.configurations[0].environment = &none;
        at.configurations[1].environment = &probe;
        at.configurations[0].environment_count = 1;
        at.configurations[1].environment_count = cases[i].probe ? 1 : 0;
        g_autofree char *runtime =
            runtime_version(&at.node, &at.job, &(run_trees){.checkout = {at.checkout}}, &error);
        if (cases[i].runtime)
            assert_string_equal(runtime, cases[i].runtime);
        else
            assert_error(error, RUN_ERROR_JOB, "no such program in /nonexistent");
    }
    bench_clear(&at);
}

/* The JVM's own words would be that it finds no class. */
static void test_without_a_harness_for_java(void **state) {
    shell_bench at;
    GError *error = NULL;
    bench_init(&at, *state, "");
    at.job.benchmark.driver = CFG_DRIVER_JAVA;
    assert_null(harness_version(&at.node, &at.job, &error));
    assert_error(error, RUN_ERROR_JOB,
                 "there is no /none/moobench.jar; it is left out where moowatch-runner is built "
                 "without a JDK: build it with one, or name another harness_dir");
    bench_clear(&at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_version_is_what_was_printed_without_remarks),
        cmocka_unit_test_setup_teardown(test_each_path_is_asked, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(test_without_a_harness_for_java, make_test_folder,
                                        remove_test_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
