/* `receiver:` of a configuration: defaults, bounds, and where it cannot be. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "config/model/benchmark.h"
#include "file.h"

#include <string.h>

#define HEAD "name: a\nrepository: /tmp/a\nbenchmark:\n  driver: native\n"
#define CHAIN "  configurations:\n    - {name: none, portion: T}\n"

static cfg_project *with(const char *benchmark, const char *receiver, GError **error) {
    g_autofree char *text = g_strdup_printf(
        HEAD "%s" CHAIN "    - {name: w, portion: W, parent: none, receiver: {%s}}\n", benchmark,
        receiver);
    return test_project(text, -1, error);
}

static void defaults(void **state) {
    (void)state;
    g_autoptr(cfg_project) project = with("", "command: [take, '{port}']", NULL);
    assert_non_null(project);
    assert_null(project->benchmark.configurations[0].receiver);
    const cfg_receiver *receiver = project->benchmark.configurations[1].receiver;
    assert_int_equal(receiver->command_count, 2);
    assert_string_equal(receiver->command[1], "{port}");
    assert_int_equal(receiver->port, 0);
    assert_null(receiver->ready);
    assert_int_equal(receiver->ready_timeout_s, 30);
    assert_int_equal(receiver->records, CFG_RECORDS_SOME);
}

static void all_keys_reach_the_runner(void **state) {
    (void)state;
    g_autoptr(cfg_project) project = with(
        "", "command: [take], port: 4318, ready: up, ready_timeout_seconds: 5, records: all", NULL);
    assert_non_null(project);
    json_t *benchmark = model_write(&cfg_benchmark_model, &project->benchmark);
    json_t *list = json_object_get(benchmark, "configurations");
    assert_null(json_object_get(json_array_get(list, 0), "receiver"));
    char *text = json_dumps(json_object_get(json_array_get(list, 1), "receiver"),
                            JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text, "{\"command\":[\"take\"],\"port\":4318,\"ready\":\"up\","
                              "\"ready_timeout_seconds\":5,\"records\":\"all\"}");
    free(text);
    json_decref(benchmark);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *benchmark, *receiver, *says;
    } cases[] = {
        {"", "port: 1", "command"},
        {"", "command: []", "must be a list of 1 to 200 entries"},
        {"", "command: [a], port: 65536", "receiver.port"},
        {"", "command: [a], ready_timeout_seconds: 601", "ready_timeout_seconds"},
        {"", "command: [a], records: most", "most"},
        {"", "command: [a], count: 1", "count"},
        {"  network: off\n", "command: [a]", "benchmark.network: off"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autoptr(GError) error = NULL;
        assert_null(with(cases[i].benchmark, cases[i].receiver, &error));
        if (!strstr(error->message, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults),
                                       cmocka_unit_test(all_keys_reach_the_runner),
                                       cmocka_unit_test(what_is_wrong_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
