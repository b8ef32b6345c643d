/*
 * A benchmark as a job carries it. Its text is part of what names a series: a key more or less
 * would begin every history anew, so the whole object is compared.
 */
#include "tests/unit/test.h"

#include "config/model/benchmark.h"
#include "tests/unit/config/file.h"

#include <stdlib.h>

static json_t *json_of_benchmark(const char *benchmark) {
    g_autofree char *text =
        g_strdup_printf("name: a\nrepository: /tmp/a\nbenchmark:\n%s", benchmark);
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project = test_project(text, -1, &error);
    if (!project)
        fail_msg("%s", error->message);
    return model_write(&cfg_benchmark_model, &project->benchmark);
}

/* Single quotes stand for double ones. */
static void expect_json(const char *benchmark, const char *expected) {
    g_autofree char *quoted = g_strdelimit(g_strdup(expected), "'", '"');
    json_error_t wrong;
    json_t *wanted = json_loads(quoted, 0, &wrong), *got = json_of_benchmark(benchmark);
    if (!wanted)
        fail_msg("%s at %d", wrong.text, wrong.position);
    if (!json_equal(wanted, got)) {
        char *text = json_dumps(got, JSON_SORT_KEYS | JSON_INDENT(1));
        print_error("%s\n", text);
        free(text);
        fail_msg("not the JSON that was expected");
    }
    json_decref(wanted);
    json_decref(got);
}

#define COMMON                                                                                     \
    "'prepare': [], 'prepare_timeout_seconds': 900, 'loops': 10, 'total_calls': 2000000,"          \
    "'warmup_calls': 1000000, 'method_time_ns': 0, 'recursion_depth': 10, 'threads': 1,"           \
    "'loop_timeout_seconds': 600, 'rest_seconds': 30, 'classpath': [], 'confidence': 0.95,"
#define NONE                                                                                       \
    "'name': 'none', 'label': 'none', 'portion': 'T', 'parent': null, 'command': [],"              \
    "'options': [], 'environment': {}, 'verify': [], 'total_calls': 2000000,"                      \
    "'warmup_calls': 1000000"

static void the_least(void **state) {
    (void)state;
    expect_json("  driver: native\n  configurations:\n    - {name: none, portion: T}\n",
                "{'driver': 'native'," COMMON "'configurations': [{" NONE "}]}");
}

/* What was measured before these keys existed stays the same benchmark. */
static void keys_that_are_there_only_when_set(void **state) {
    (void)state;
    expect_json("  driver: native\n  artifact: x.jar\n  artifact_wait_seconds: 60\n"
                "  precision_percent: 2.5\n  network: off\n  count: auto\n"
                "  configurations:\n    - {name: none, portion: T}\n",
                "{'driver': 'native'," COMMON
                "'artifact': 'x.jar', 'artifact_wait_seconds': 60, 'precision_percent': 2.5,"
                "'network': 'off', 'count': 'auto', 'configurations': [{" NONE "}]}");
}

static void a_budget(void **state) {
    (void)state;
    expect_json("  driver: native\n  budget_minutes: 7.5\n  warmup_evidence: 'a, b'\n"
                "  configurations:\n    - {name: none, portion: T}\n",
                "{'driver': 'native'," COMMON "'budget_minutes': 7.5, 'warmup_evidence': 'a, b',"
                "'configurations': [{" NONE "}]}");
}

static void a_chain_of_two(void **state) {
    (void)state;
    expect_json("  driver: java\n  loops: 2\n  configurations:\n    - {name: none, portion: T}\n"
                "    - {name: on, label: 'On it', portion: I, parent: none, options: [-Da=b],\n"
                "       environment: [A=1], verify: [sh], total_calls: 10, warmup_calls: 3}\n",
                "{'driver': 'java', 'prepare': [], 'prepare_timeout_seconds': 900, 'loops': 2,"
                "'total_calls': 2000000, 'warmup_calls': 1000000, 'method_time_ns': 0,"
                "'recursion_depth': 10, 'threads': 1, 'loop_timeout_seconds': 600,"
                "'rest_seconds': 30, 'classpath': [], 'confidence': 0.95, 'configurations': [{" NONE
                "}, {'name': 'on', 'label': 'On it', 'portion': 'I', 'parent': 'none',"
                "'command': [], 'options': ['-Da=b'], 'environment': {'A': '1'}, 'verify': ['sh'],"
                "'total_calls': 10, 'warmup_calls': 3}]}");
}

static void the_moobench_driver(void **state) {
    (void)state;
    expect_json("  driver: moobench\n  framework: frameworks/Kieker-java\n  whole_rounds: true\n"
                "  runtime: [java, -version]\n  configurations:\n"
                "    - {name: none, portion: T, index: 4}\n",
                "{'driver': 'moobench'," COMMON "'whole_rounds': true, 'runtime': ['java',"
                "'-version'], 'framework': 'frameworks/Kieker-java', 'script': 'measure.sh',"
                "'configurations': [{" NONE ", 'index': 4}]}");
}

static void the_command_driver(void **state) {
    (void)state;
    json_t *got = json_of_benchmark(
        "  driver: command\n  read: {format: pattern, pattern: '(?<value>[0-9]+)', unit: ns,\n"
        "    several: samples, warmup_values: 3, scope: whole, from: result}\n"
        "  configurations:\n    - {name: none, portion: T, command: [x, '{result}']}\n");
    const json_t *read = json_object_get(got, "read");
    static const char *const words[][2] = {{"format", "pattern"}, {"from", "result"},
                                           {"scope", "whole"},    {"several", "samples"},
                                           {"time", "real"},      {"pattern", "(?<value>[0-9]+)"},
                                           {"unit", "ns"}};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        assert_string_equal(json_string_value(json_object_get(read, words[i][0])), words[i][1]);
    assert_int_equal(json_integer_value(json_object_get(read, "match_limit")), 1000000);
    assert_int_equal(json_integer_value(json_object_get(read, "warmup_values")), 3);
    assert_int_equal(json_integer_value(json_object_get(read, "size_limit_bytes")), 16 << 20);
    assert_true(json_is_false(json_object_get(got, "whole_rounds")));
    json_decref(got);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least),          cmocka_unit_test(keys_that_are_there_only_when_set),
        cmocka_unit_test(a_chain_of_two),     cmocka_unit_test(the_moobench_driver),
        cmocka_unit_test(the_command_driver), cmocka_unit_test(a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
