/* `benchmark.sweep`: one parameter at several values. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "config/model/benchmark.h"
#include "file.h"

#include <string.h>

static cfg_project *with(const char *sweep, GError **error) {
    g_autofree char *text =
        g_strdup_printf("name: a\nrepository: /tmp/a\nbenchmark:\n  driver: native\n"
                        "%s  configurations:\n    - {name: none, portion: T}\n",
                        sweep);
    return test_project(text, -1, error);
}

static void none_is_none(void **state) {
    (void)state;
    g_autoptr(cfg_project) project = with("", NULL);
    assert_non_null(project);
    assert_null(project->benchmark.sweep.values);
    assert_int_equal(project->benchmark.sweep.count, 0);
}

/* A value's benchmark is the project's but for the parameter, and the nights' stays as it was. */
static void each_value_is_a_benchmark(void **state) {
    (void)state;
    static const struct {
        const char *sweep, *name;
        json_int_t own, first, last;
    } cases[] = {
        {"  sweep: {recursion_depth: [1, 2, 4, 128]}\n", "recursion_depth", 10, 1, 128},
        {"  sweep: {method_time_ns: [0, 200000, 500000]}\n", "method_time_ns", 0, 0, 500000},
        {"  sweep: {threads: [1, 2]}\n", "threads", 1, 1, 2},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(cfg_project) project = with(cases[i].sweep, NULL);
        assert_non_null(project);
        const cfg_sweep *sweep = &project->benchmark.sweep;
        assert_string_equal(cfg_sweep_name(sweep->of), cases[i].name);
        json_t *nights = model_write(&cfg_benchmark_model, &project->benchmark);
        const cfg_benchmark ends[] = {cfg_sweep_at(&project->benchmark, 0),
                                      cfg_sweep_at(&project->benchmark, sweep->count - 1)};
        json_t *first = model_write(&cfg_benchmark_model, &ends[0]);
        json_t *last = model_write(&cfg_benchmark_model, &ends[1]);
        assert_int_equal(json_integer_value(json_object_get(nights, cases[i].name)), cases[i].own);
        assert_int_equal(json_integer_value(json_object_get(first, cases[i].name)), cases[i].first);
        assert_int_equal(json_integer_value(json_object_get(last, cases[i].name)), cases[i].last);
        assert_null(json_object_get(nights, "sweep"));
        json_object_set(last, cases[i].name, json_object_get(nights, cases[i].name));
        assert_true(json_equal(last, nights));
        json_decref(last);
        json_decref(first);
        json_decref(nights);
    }
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *sweep, *says;
    } cases[] = {
        {"  sweep: {}\n", "one of recursion_depth"},
        {"  sweep: {recursion_depth: [1, 2], threads: [1, 2]}\n", "not of 2"},
        {"  sweep: {recursion_depth: [1]}\n", "2 to 32 values"},
        {"  sweep: {recursion_depth: []}\n", "one of recursion_depth"},
        {"  sweep: {recursion_depth: [1, 1]}\n",
         "recursion_depth[1]: each value must be larger than the one before it"},
        {"  sweep: {recursion_depth: [4, 2]}\n", "larger than the one before it"},
        {"  sweep: {recursion_depth: [0, 2]}\n", "recursion_depth[0]"},
        {"  sweep: {recursion_depth: [1, 100001]}\n", "100000"},
        {"  sweep: {threads: [1, 1025]}\n", "threads[1]"},
        {"  sweep: {threads: [1, 010]}\n", "threads[1]"},
        {"  sweep: {method_time_ns: [0, 1000000001]}\n", "method_time_ns[1]"},
        {"  sweep: {loops: [2, 3]}\n", "loops"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(with(cases[i].sweep, &error));
        if (!strstr(error->message, cases[i].says) || !strstr(error->message, "file.yaml:5"))
            fail_msg("%s: %s", cases[i].sweep, error->message);
    }
    g_autoptr(GString) many = g_string_new("  sweep: {recursion_depth: [1");
    for (int value = 2; value <= 33; value++)
        g_string_append_printf(many, ", %d", value);
    g_string_append(many, "]}\n");
    g_autoptr(GError) error = NULL;
    assert_null(with(many->str, &error));
    assert_non_null(strstr(error->message, "not 33"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_none),
        cmocka_unit_test(each_value_is_a_benchmark),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
