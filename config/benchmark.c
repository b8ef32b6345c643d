#include "config/projects.h"
#include "config/sections.h"
#include "detector/statistics/portion.h"

#include <glib.h>
#include <string.h>

#define READY_TIMEOUT_S 30

static const cyaml_strval_t records[] = {
    {"all", CFG_RECORDS_ALL}, {"some", CFG_RECORDS_SOME}, {"unchecked", CFG_RECORDS_UNCHECKED}};

static const cyaml_schema_field_t receiver_fields[] = {
    CYAML_FIELD_SEQUENCE("command", CYAML_FLAG_POINTER, cfg__raw_receiver, command, &cfg__string, 1,
                         200),
    CYAML_FIELD_UINT_PTR("port", CYAML_FLAG_OPTIONAL, cfg__raw_receiver, port),
    CYAML_FIELD_STRING_PTR("ready", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_receiver,
                           ready, 1, 200),
    CYAML_FIELD_UINT_PTR("ready_timeout_seconds", CYAML_FLAG_OPTIONAL, cfg__raw_receiver,
                         ready_timeout_seconds),
    CYAML_FIELD_ENUM_PTR("records", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, cfg__raw_receiver,
                         records, records, CYAML_ARRAY_LEN(records)),
    CYAML_FIELD_END};

/*
 * checks it and makes the public struct.
 * key  of the configuration, as "benchmark.configurations[2]"
 * Returns false with error at the first fault; out is to be freed either way.
 */
static bool receiver_read(const cfg__yaml *yaml, const char *key, const cfg__raw_receiver *raw,
                          cfg_receiver *out, GError **error) {
    g_autofree char *port = g_strconcat(key, ".receiver.port", NULL);
    g_autofree char *timeout = g_strconcat(key, ".receiver.ready_timeout_seconds", NULL);
    out->command = cfg__strings_copy(raw->command, raw->command_count);
    out->command_count = raw->command_count;
    out->ready = g_strdup(raw->ready);
    out->records = raw->records ? *raw->records : CFG_RECORDS_SOME;
    unsigned number = 0;
    if (!cfg__yaml_unsigned(yaml, port, raw->port, (cfg__range){0, 0, 65535}, &number, error) ||
        !cfg__yaml_unsigned(yaml, timeout, raw->ready_timeout_seconds,
                            (cfg__range){READY_TIMEOUT_S, 1, 600}, &out->ready_timeout_s, error))
        return false;
    out->port = (uint16_t)number;
    return true;
}

static void receiver_free(cfg_receiver *receiver) {
    if (!receiver)
        return;
    cfg__strings_free(receiver->command, receiver->command_count);
    g_free(receiver->ready);
    g_free(receiver);
}

char **cfg__strings_copy(char *const *strings, unsigned count) {
    char **copy = g_new0(char *, count + 1);
    for (unsigned i = 0; i < count; i++)
        copy[i] = g_strdup(strings[i]);
    return copy;
}

void cfg__strings_free(char **strings, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        g_free(strings[i]);
    g_free(strings);
}

/* A portion's name is written into charts and commit statuses. */
#define PORTION_LIMIT_BYTES 24
#define CALLS_LIMIT UINT64_C(1000000000)
#define NAME_LIMIT_BYTES 60
#define EVIDENCE_LIMIT_BYTES 1000
#define BUDGET_LIMIT_MINUTES 1440

#define TEXT(type, key, flags)                                                                     \
    CYAML_FIELD_STRING_PTR(#key, (flags) | CYAML_FLAG_POINTER, type, key, 1, CYAML_UNLIMITED)
#define NUMBER(type, key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_OPTIONAL, type, key)
#define TEXTS(type, key)                                                                           \
    CYAML_FIELD_SEQUENCE(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, type, key, &cfg__string,  \
                         0, 200)

static const cyaml_schema_field_t configuration_fields[] = {
    TEXT(cfg__raw_configuration, name, CYAML_FLAG_DEFAULT),
    TEXT(cfg__raw_configuration, label, CYAML_FLAG_OPTIONAL),
    TEXT(cfg__raw_configuration, portion, CYAML_FLAG_DEFAULT),
    TEXT(cfg__raw_configuration, parent, CYAML_FLAG_OPTIONAL),
    TEXTS(cfg__raw_configuration, command),
    TEXTS(cfg__raw_configuration, options),
    TEXTS(cfg__raw_configuration, environment),
    TEXTS(cfg__raw_configuration, verify),
    NUMBER(cfg__raw_configuration, total_calls),
    NUMBER(cfg__raw_configuration, warmup_calls),
    NUMBER(cfg__raw_configuration, index),
    TEXT(cfg__raw_configuration, result, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_MAPPING_PTR("receiver", CYAML_FLAG_OPTIONAL, cfg__raw_configuration, receiver,
                            receiver_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t configuration_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, cfg__raw_configuration, configuration_fields)};

#define DRIVER(name, word) {word, CFG_DRIVER_##name},
static const cyaml_strval_t drivers[] = {CFG_DRIVERS(DRIVER)};

#define COUNT(name, word) {word, CFG_COUNT_##name},
static const cyaml_strval_t counts[] = {CFG_COUNTS(COUNT)};

static const cyaml_strval_t networks[] = {{"on", CFG_NETWORK_ON}, {"off", CFG_NETWORK_OFF}};

const cyaml_schema_field_t cfg__benchmark_fields[] = {
    CYAML_FIELD_ENUM("driver", CYAML_FLAG_STRICT, cfg__raw_benchmark, driver, drivers,
                     CYAML_ARRAY_LEN(drivers)),
    TEXT(cfg__raw_benchmark, artifact, CYAML_FLAG_OPTIONAL),
    NUMBER(cfg__raw_benchmark, artifact_wait_seconds),
    TEXTS(cfg__raw_benchmark, prepare),
    TEXTS(cfg__raw_benchmark, classpath),
    NUMBER(cfg__raw_benchmark, prepare_timeout_seconds),
    NUMBER(cfg__raw_benchmark, loops),
    NUMBER(cfg__raw_benchmark, total_calls),
    NUMBER(cfg__raw_benchmark, warmup_calls),
    TEXT(cfg__raw_benchmark, warmup_evidence, CYAML_FLAG_OPTIONAL),
    NUMBER(cfg__raw_benchmark, method_time_ns),
    NUMBER(cfg__raw_benchmark, recursion_depth),
    NUMBER(cfg__raw_benchmark, threads),
    NUMBER(cfg__raw_benchmark, loop_timeout_seconds),
    NUMBER(cfg__raw_benchmark, rest_seconds),
    CYAML_FIELD_FLOAT_PTR("precision_percent", CYAML_FLAG_OPTIONAL, cfg__raw_benchmark,
                          precision_percent),
    CYAML_FIELD_FLOAT_PTR("budget_minutes", CYAML_FLAG_OPTIONAL, cfg__raw_benchmark,
                          budget_minutes),
    CYAML_FIELD_ENUM("network", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, cfg__raw_benchmark,
                     network, networks, CYAML_ARRAY_LEN(networks)),
    CYAML_FIELD_ENUM("count", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, cfg__raw_benchmark, count,
                     counts, CYAML_ARRAY_LEN(counts)),
    TEXT(cfg__raw_benchmark, jdk, CYAML_FLAG_OPTIONAL),
    TEXT(cfg__raw_benchmark, framework, CYAML_FLAG_OPTIONAL),
    TEXT(cfg__raw_benchmark, script, CYAML_FLAG_OPTIONAL),
    TEXT(cfg__raw_benchmark, results, CYAML_FLAG_OPTIONAL),
    TEXTS(cfg__raw_benchmark, runtime),
    CYAML_FIELD_ENUM_PTR("whole_rounds", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT,
                         cfg__raw_benchmark, whole_rounds, cfg__flags, 2),
    CYAML_FIELD_MAPPING_PTR("read", CYAML_FLAG_OPTIONAL, cfg__raw_benchmark, read,
                            cfg__read_fields),
    CYAML_FIELD_MAPPING_PTR("sweep", CYAML_FLAG_OPTIONAL, cfg__raw_benchmark, sweep,
                            cfg__sweep_fields),
    CYAML_FIELD_SEQUENCE("configurations", CYAML_FLAG_POINTER, cfg__raw_benchmark, configurations,
                         &configuration_schema, 1, DET_CONFIGURATIONS_MAX),
    CYAML_FIELD_END};

/* As the server takes it in a URL, and as it becomes a file on the node. */
static bool is_file_name(const char *text) {
    return g_regex_match_simple("^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$", text, G_REGEX_DOLLAR_ENDONLY,
                                0);
}

static bool fill_artifact(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                          GError **error) {
    out->artifact = g_strdup(raw->artifact);
    if (raw->artifact && !is_file_name(raw->artifact))
        return cfg__yaml_wrong(yaml, error, "benchmark.artifact",
                               "\"%s\" must be a file name of letters, digits, '.', '_', '+', '-', "
                               "at most 100 long",
                               raw->artifact);
    if (!raw->artifact && raw->artifact_wait_seconds)
        return cfg__yaml_wrong(yaml, error, "benchmark.artifact_wait_seconds",
                               "needs artifact, which is not set");
    return cfg__yaml_unsigned(yaml, "benchmark.artifact_wait_seconds", raw->artifact_wait_seconds,
                              (cfg__range){6 * 3600, 1, 30 * 86400}, &out->artifact_wait_s, error);
}

static bool fill_evidence(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                          GError **error) {
    out->warmup_evidence = g_strdup(raw->warmup_evidence);
    return !raw->warmup_evidence || strlen(raw->warmup_evidence) <= EVIDENCE_LIMIT_BYTES ||
           cfg__yaml_wrong(yaml, error, "benchmark.warmup_evidence", "is longer than %d bytes",
                           EVIDENCE_LIMIT_BYTES);
}

static bool fill_parameters(const cfg__yaml *yaml, const cfg__raw_benchmark *raw,
                            cfg_benchmark *out, GError **error) {
    out->driver = raw->driver;
    out->network = raw->network;
    out->count = raw->count;
    out->prepare = cfg__strings_copy(raw->prepare, raw->prepare_count);
    out->prepare_count = raw->prepare_count;
    out->classpath = cfg__strings_copy(raw->classpath, raw->classpath_count);
    out->classpath_count = raw->classpath_count;
    return cfg__yaml_unsigned(yaml, "benchmark.prepare_timeout_seconds",
                              raw->prepare_timeout_seconds, (cfg__range){900, 1, 86400},
                              &out->prepare_timeout_s, error) &&
           cfg__yaml_unsigned(yaml, "benchmark.loops", raw->loops, (cfg__range){10, 2, 1000},
                              &out->loops, error) &&
           cfg__yaml_number(yaml, "benchmark.total_calls", raw->total_calls,
                            (cfg__range){2000000, 2, CALLS_LIMIT}, &out->total_calls, error) &&
           cfg__yaml_number(yaml, "benchmark.warmup_calls", raw->warmup_calls,
                            (cfg__range){out->total_calls / 2, 0, out->total_calls - 1},
                            &out->warmup_calls, error) &&
           cfg__yaml_number(yaml, "benchmark.method_time_ns", raw->method_time_ns,
                            (cfg__range){0, 0, CALLS_LIMIT}, &out->method_time_ns, error) &&
           cfg__yaml_unsigned(yaml, "benchmark.recursion_depth", raw->recursion_depth,
                              (cfg__range){10, 1, 100000}, &out->recursion_depth, error) &&
           cfg__yaml_unsigned(yaml, "benchmark.threads", raw->threads, (cfg__range){1, 1, 1024},
                              &out->threads, error) &&
           cfg__yaml_unsigned(yaml, "benchmark.loop_timeout_seconds", raw->loop_timeout_seconds,
                              (cfg__range){600, 1, 86400}, &out->loop_timeout_s, error) &&
           cfg__yaml_unsigned(yaml, "benchmark.rest_seconds", raw->rest_seconds,
                              (cfg__range){30, 0, 3600}, &out->rest_s, error) &&
           cfg__yaml_real(yaml, "benchmark.precision_percent", raw->precision_percent,
                          (cfg__real_range){0, 0, 100}, &out->precision_percent, error);
}

/* A night is as long as it must be, or as long as it may be. */
static bool fill_budget(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                        GError **error) {
    if (!cfg__yaml_real(yaml, "benchmark.budget_minutes", raw->budget_minutes,
                        (cfg__real_range){0, 0, BUDGET_LIMIT_MINUTES}, &out->budget_minutes, error))
        return false;
    const char *other = cfg__flag_or(raw->whole_rounds, false) ? "whole_rounds"
                        : out->precision_percent > 0           ? "precision_percent"
                                                               : NULL;
    return !(out->budget_minutes > 0) || !other ||
           cfg__yaml_wrong(yaml, error, "benchmark.budget_minutes",
                           "cannot be combined with %s; leave one of them out", other);
}

static bool is_variable_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!(g_ascii_isalpha(text[i]) || text[i] == '_' || (i > 0 && g_ascii_isdigit(text[i]))))
            return false;
    return length > 0;
}

static bool fill_environment(const cfg__yaml *yaml, const char *key,
                             const cfg__raw_configuration *raw, cfg_configuration *out,
                             GError **error) {
    out->environment = g_new0(cfg_variable, raw->environment_count);
    for (unsigned i = 0; i < raw->environment_count; i++) {
        const char *text = raw->environment[i], *equals = strchr(text, '=');
        if (!equals || !is_variable_name(text, (size_t)(equals - text))) {
            g_autofree char *place = g_strdup_printf("%s.environment[%u]", key, i);
            return cfg__yaml_wrong(yaml, error, place, "\"%s\" must read NAME=value", text);
        }
        out->environment[i].name = g_strndup(text, (gsize)(equals - text));
        out->environment[i].value = g_strdup(equals + 1);
        out->environment_count = i + 1;
    }
    return true;
}

static bool fill_calls(const cfg__yaml *yaml, const char *key, const cfg__raw_configuration *raw,
                       const cfg_benchmark *benchmark, cfg_configuration *out, GError **error) {
    g_autofree char *total = g_strconcat(key, ".total_calls", NULL);
    g_autofree char *warmup = g_strconcat(key, ".warmup_calls", NULL);
    if (!cfg__yaml_number(yaml, total, raw->total_calls,
                          (cfg__range){benchmark->total_calls, 2, CALLS_LIMIT}, &out->total_calls,
                          error))
        return false;
    uint64_t fallback = raw->total_calls ? out->total_calls / 2 : benchmark->warmup_calls;
    return cfg__yaml_number(yaml, warmup, raw->warmup_calls,
                            (cfg__range){fallback, 0, out->total_calls - 1}, &out->warmup_calls,
                            error);
}

static bool fill_receiver(const cfg__yaml *yaml, const char *key, const cfg__raw_configuration *raw,
                          const cfg_benchmark *benchmark, cfg_configuration *out, GError **error) {
    g_autofree char *place = g_strconcat(key, ".receiver", NULL);
    if (!raw->receiver)
        return true;
    out->receiver = g_new0(cfg_receiver, 1);
    if (benchmark->network == CFG_NETWORK_OFF)
        return cfg__yaml_wrong(
            yaml, error, place,
            "cannot be reached with benchmark.network: off; leave one of them out");
    return receiver_read(yaml, key, raw->receiver, out->receiver, error);
}

static const cfg_configuration *find(const cfg_benchmark *benchmark, unsigned count,
                                     const char *name) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(benchmark->configurations[i].name, name) == 0)
            return &benchmark->configurations[i];
    return NULL;
}

/* The chain is a tree: one root, parents before their children, names and portions once each. */
static bool check_place(const cfg__yaml *yaml, const char *key, const cfg_benchmark *benchmark,
                        unsigned index, GError **error) {
    const cfg_configuration *own = &benchmark->configurations[index];
    if (!cfg_is_name(own->name) || strlen(own->name) > NAME_LIMIT_BYTES)
        return cfg__yaml_wrong(yaml, error, key,
                               "name \"%s\" must be a-z, 0-9, '.', '_', '-', at most %d long",
                               own->name, NAME_LIMIT_BYTES);
    if (strlen(own->portion) > PORTION_LIMIT_BYTES)
        return cfg__yaml_wrong(yaml, error, key, "portion \"%s\" is longer than %d bytes",
                               own->portion, PORTION_LIMIT_BYTES);
    if (index == 0 && own->parent)
        return cfg__yaml_wrong(
            yaml, error, key,
            "the first configuration is the uninstrumented one and has no parent");
    if (index > 0 && !own->parent)
        return cfg__yaml_wrong(yaml, error, key,
                               "needs a parent: the configuration it adds one thing to");
    if (find(benchmark, index, own->name))
        return cfg__yaml_wrong(yaml, error, key, "the name \"%s\" is used twice", own->name);
    if (own->parent && !find(benchmark, index, own->parent))
        return cfg__yaml_wrong(
            yaml, error, key,
            "parent \"%s\" is not defined above; define parents before their children",
            own->parent);
    for (unsigned i = 0; i < index; i++)
        if (strcmp(benchmark->configurations[i].portion, own->portion) == 0)
            return cfg__yaml_wrong(
                yaml, error, key,
                "the portion \"%s\" is used twice; choose another name, such as W-tcp",
                own->portion);
    return true;
}

static bool fill_configuration(const cfg__yaml *yaml, const cfg__raw_configuration *raw,
                               cfg_benchmark *benchmark, unsigned index, GError **error) {
    cfg_configuration *out = &benchmark->configurations[index];
    g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", index);
    benchmark->configurations_count = index + 1;
    out->name = g_strdup(raw->name);
    out->label = g_strdup(raw->label ? raw->label : raw->name);
    out->portion = g_strdup(raw->portion);
    out->index = CFG_NO_INDEX;
    out->parent = g_strdup(raw->parent);
    out->command = cfg__strings_copy(raw->command, raw->command_count);
    out->command_count = raw->command_count;
    out->options = cfg__strings_copy(raw->options, raw->options_count);
    out->options_count = raw->options_count;
    out->verify = cfg__strings_copy(raw->verify, raw->verify_count);
    out->verify_count = raw->verify_count;
    return check_place(yaml, key, benchmark, index, error) &&
           fill_environment(yaml, key, raw, out, error) &&
           fill_calls(yaml, key, raw, benchmark, out, error) &&
           fill_receiver(yaml, key, raw, benchmark, out, error);
}

bool cfg__benchmark_fill(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                         GError **error) {
    if (!fill_parameters(yaml, raw, out, error) || !fill_evidence(yaml, raw, out, error) ||
        !fill_budget(yaml, raw, out, error) || !fill_artifact(yaml, raw, out, error) ||
        !cfg__sweep_fill(yaml, raw->sweep, &out->sweep, error))
        return false;
    out->configurations = g_new0(cfg_configuration, raw->configurations_count);
    for (unsigned i = 0; i < raw->configurations_count; i++)
        if (!fill_configuration(yaml, &raw->configurations[i], out, i, error))
            return false;
    return cfg__driver_fill(yaml, raw, out, error);
}

static void clear_configuration(cfg_configuration *configuration) {
    g_free(configuration->name);
    g_free(configuration->label);
    g_free(configuration->portion);
    g_free(configuration->parent);
    g_free(configuration->result);
    cfg__strings_free(configuration->command, configuration->command_count);
    cfg__strings_free(configuration->options, configuration->options_count);
    cfg__strings_free(configuration->verify, configuration->verify_count);
    for (unsigned i = 0; i < configuration->environment_count; i++) {
        g_free(configuration->environment[i].name);
        g_free(configuration->environment[i].value);
    }
    g_free(configuration->environment);
    receiver_free(configuration->receiver);
}

void cfg__benchmark_clear(cfg_benchmark *benchmark) {
    cfg__strings_free(benchmark->prepare, benchmark->prepare_count);
    cfg__strings_free(benchmark->classpath, benchmark->classpath_count);
    g_free(benchmark->jdk);
    g_free(benchmark->artifact);
    g_free(benchmark->warmup_evidence);
    cfg__strings_free(benchmark->runtime, benchmark->runtime_count);
    g_free(benchmark->framework);
    g_free(benchmark->script);
    g_free(benchmark->results);
    g_free(benchmark->read.pattern);
    g_free(benchmark->read.unit);
    cfg__sweep_clear(&benchmark->sweep);
    for (unsigned i = 0; i < benchmark->configurations_count; i++)
        clear_configuration(&benchmark->configurations[i]);
    g_free(benchmark->configurations);
}
