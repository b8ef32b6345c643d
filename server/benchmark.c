#include "server/benchmark.h"

#include <stdlib.h>
#include <string.h>

static json_t *strings(char **items, unsigned count) {
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(array, json_string(items[i]));
    return array;
}

static void set_integer(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *configuration_json(const cfg_configuration *configuration) {
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(configuration->name));
    json_object_set_new(object, "label", json_string(configuration->label));
    json_object_set_new(object, "portion", json_string(configuration->portion));
    json_object_set_new(object, "parent",
                        configuration->parent ? json_string(configuration->parent) : json_null());
    json_object_set_new(object, "command",
                        strings(configuration->command, configuration->command_count));
    json_object_set_new(object, "options",
                        strings(configuration->options, configuration->options_count));
    json_t *environment = json_object();
    for (unsigned i = 0; i < configuration->environment_count; i++)
        json_object_set_new(environment, configuration->environment[i].name,
                            json_string(configuration->environment[i].value));
    json_object_set_new(object, "environment", environment);
    json_object_set_new(object, "verify",
                        strings(configuration->verify, configuration->verify_count));
    set_integer(object, "total_calls", configuration->total_calls);
    set_integer(object, "warmup_calls", configuration->warmup_calls);
    return object;
}

json_t *srv_benchmark_json(const cfg_project *project) {
    const cfg_benchmark *benchmark = &project->benchmark;
    json_t *object = json_object();
    const char *driver = benchmark->driver == CFG_DRIVER_JAVA ? "java" : "native";
    json_object_set_new(object, "driver", json_string(driver));
    json_object_set_new(object, "prepare", strings(benchmark->prepare, benchmark->prepare_count));
    set_integer(object, "prepare_timeout_seconds", benchmark->prepare_timeout_s);
    set_integer(object, "loops", benchmark->loops);
    set_integer(object, "total_calls", benchmark->total_calls);
    set_integer(object, "warmup_calls", benchmark->warmup_calls);
    set_integer(object, "method_time_ns", benchmark->method_time_ns);
    set_integer(object, "recursion_depth", benchmark->recursion_depth);
    set_integer(object, "threads", benchmark->threads);
    set_integer(object, "loop_timeout_seconds", benchmark->loop_timeout_s);
    set_integer(object, "rest_seconds", benchmark->rest_s);
    /* Where they do not matter nothing is said: the parameters of older projects stay the same. */
    if (benchmark->precision_percent > 0)
        json_object_set_new(object, "precision_percent", json_real(benchmark->precision_percent));
    if (benchmark->network == CFG_NETWORK_OFF)
        json_object_set_new(object, "network", json_string("off"));
    json_object_set_new(object, "classpath",
                        strings(benchmark->classpath, benchmark->classpath_count));
    json_object_set_new(object, "confidence", json_real(project->detection.confidence));
    json_t *configurations = json_array();
    for (unsigned i = 0; i < benchmark->configurations_count; i++)
        json_array_append_new(configurations, configuration_json(&benchmark->configurations[i]));
    json_object_set_new(object, "configurations", configurations);
    return object;
}

char *srv_benchmark_identity(const json_t *benchmark) {
    static const char *const aside[] = {"loops",
                                        "prepare_timeout_seconds",
                                        "loop_timeout_seconds",
                                        "rest_seconds",
                                        "confidence",
                                        "precision_percent",
                                        "network"};
    json_t *copy = json_deep_copy(benchmark);
    for (size_t i = 0; i < G_N_ELEMENTS(aside); i++)
        json_object_del(copy, aside[i]);
    size_t at;
    json_t *configuration;
    json_array_foreach(json_object_get(copy, "configurations"), at, configuration) {
        json_object_del(configuration, "label");
        json_object_del(configuration, "portion");
    }
    char *hash = srv_json_hash(copy);
    json_decref(copy);
    return hash;
}

char *srv_json_canonical(const json_t *json) {
    char *dumped = json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY);
    char *text = g_strdup(dumped);
    free(dumped);
    return text;
}

char *srv_json_hash(const json_t *json) {
    g_autofree char *text = srv_json_canonical(json);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}
