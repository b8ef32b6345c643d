#include "config/benchmark_json.h"

static json_t *strings(char **items, unsigned count) {
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(array, json_string(items[i]));
    return array;
}

static void set_integer(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *receiver_json(const cfg_receiver *receiver) {
    static const char *const records[] = {"some", "all", "unchecked"};
    json_t *object = json_object();
    json_object_set_new(object, "command", strings(receiver->command, receiver->command_count));
    set_integer(object, "port", receiver->port);
    if (receiver->ready)
        json_object_set_new(object, "ready", json_string(receiver->ready));
    set_integer(object, "ready_timeout_seconds", receiver->ready_timeout_s);
    json_object_set_new(object, "records", json_string(records[receiver->records]));
    return object;
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
    /* Left out where there is none: what was measured before stays the same benchmark. */
    if (configuration->receiver)
        json_object_set_new(object, "receiver", receiver_json(configuration->receiver));
    return object;
}

static void set_text(json_t *object, const char *key, const char *value) {
    if (value)
        json_object_set_new(object, key, json_string(value));
}

static json_t *read_json(const cfg_read *read) {
    static const char *const formats[] = {CFG_READ_FORMATS(CFG_WORD)};
    json_t *object = json_object();
    set_text(object, "format", formats[read->format]);
    set_text(object, "from", read->from_result ? "result" : "output");
    set_text(object, "scope", read->whole ? "whole" : "line");
    set_text(object, "several", read->samples ? "samples" : "refuse");
    set_text(object, "time", read->cpu_time ? "cpu" : "real");
    set_text(object, "pattern", read->pattern);
    set_text(object, "unit", read->unit);
    set_integer(object, "match_limit", read->match_limit);
    set_integer(object, "timeout_seconds", read->timeout_s);
    set_integer(object, "size_limit_bytes", read->size_limit_bytes);
    return object;
}

/* Only where they mean something: a job of the other drivers, and so its identity, stays as it
 * was. */
static void add_driver(json_t *object, json_t *configurations, const cfg_benchmark *benchmark) {
    const bool command = benchmark->driver == CFG_DRIVER_COMMAND;
    if (command || benchmark->driver == CFG_DRIVER_MOOBENCH || benchmark->runtime_count > 0)
        json_object_set_new(object, "runtime",
                            strings(benchmark->runtime, benchmark->runtime_count));
    if (!command && benchmark->driver != CFG_DRIVER_MOOBENCH)
        return;
    json_object_set_new(object, "whole_rounds", json_boolean(benchmark->whole_rounds));
    set_text(object, "framework", benchmark->framework);
    set_text(object, "script", benchmark->script);
    set_text(object, "results", benchmark->results);
    if (command)
        json_object_set_new(object, "read", read_json(&benchmark->read));
    for (unsigned i = 0; i < benchmark->configurations_count; i++) {
        json_t *one = json_array_get(configurations, i);
        if (command)
            set_text(one, "result", benchmark->configurations[i].result);
        else
            set_integer(one, "index", benchmark->configurations[i].index);
    }
}

json_t *cfg_benchmark_json(const cfg_project *project) {
    const cfg_benchmark *benchmark = &project->benchmark;
    json_t *object = json_object();
    static const char *const drivers[] = {CFG_DRIVERS(CFG_WORD)};
    static const char *const counts[] = {CFG_COUNTS(CFG_WORD)};
    json_object_set_new(object, "driver", json_string(drivers[benchmark->driver]));
    json_object_set_new(object, "prepare", strings(benchmark->prepare, benchmark->prepare_count));
    set_integer(object, "prepare_timeout_seconds", benchmark->prepare_timeout_s);
    /* Left out where there is none: what was measured before stays the same benchmark. */
    if (benchmark->artifact) {
        json_object_set_new(object, "artifact", json_string(benchmark->artifact));
        set_integer(object, "artifact_wait_seconds", benchmark->artifact_wait_s);
    }
    set_integer(object, "loops", benchmark->loops);
    set_integer(object, "total_calls", benchmark->total_calls);
    set_integer(object, "warmup_calls", benchmark->warmup_calls);
    set_integer(object, "method_time_ns", benchmark->method_time_ns);
    set_integer(object, "recursion_depth", benchmark->recursion_depth);
    set_integer(object, "threads", benchmark->threads);
    set_integer(object, "loop_timeout_seconds", benchmark->loop_timeout_s);
    set_integer(object, "rest_seconds", benchmark->rest_s);
    if (benchmark->precision_percent > 0)
        json_object_set_new(object, "precision_percent", json_real(benchmark->precision_percent));
    set_text(object, "warmup_evidence", benchmark->warmup_evidence);
    if (benchmark->budget_minutes > 0)
        json_object_set_new(object, "budget_minutes", json_real(benchmark->budget_minutes));
    if (benchmark->network == CFG_NETWORK_OFF)
        json_object_set_new(object, "network", json_string("off"));
    if (benchmark->count != CFG_COUNT_NEVER)
        json_object_set_new(object, "count", json_string(counts[benchmark->count]));
    json_object_set_new(object, "classpath",
                        strings(benchmark->classpath, benchmark->classpath_count));
    json_object_set_new(object, "confidence", json_real(project->detection.confidence));
    json_t *configurations = json_array();
    for (unsigned i = 0; i < benchmark->configurations_count; i++)
        json_array_append_new(configurations, configuration_json(&benchmark->configurations[i]));
    add_driver(object, configurations, benchmark);
    json_object_set_new(object, "configurations", configurations);
    return object;
}

json_t *cfg_benchmark_sweep_json(const cfg_project *project, unsigned point) {
    const cfg_sweep *sweep = &project->benchmark.sweep;
    json_t *object = cfg_benchmark_json(project);
    set_integer(object, cfg_sweep_name(sweep->of), sweep->values[point]);
    return object;
}
