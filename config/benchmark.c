#include "config/model/benchmark.h"
#include "config/projects.h"
#include "config/sections.h"
#include "detector/statistics/portion.h"

#include <glib.h>
#include <string.h>

/* A portion's name is written into charts and commit statuses. */
#define PORTION_LIMIT_BYTES 24
#define NAME_LIMIT_BYTES 60
#define EVIDENCE_LIMIT_BYTES 1000
#define BUDGET_LIMIT_MINUTES 1440

#define TEXTS(S, list) MODEL_COUNTED(S, list, #list, MODEL_LEFT_OUT, .most_items = 200)

static const model_member receiver_members[] = {
    MODEL_COUNTED(cfg_receiver, command, "command", .low = 1, .most_items = 200),
    MODEL(cfg_receiver, port, "port", MODEL_LEFT_OUT, 0, 0, 65535),
    MODEL(cfg_receiver, ready, "ready", MODEL_LEFT_OUT, .most = 200),
    MODEL(cfg_receiver, ready_timeout_s, "ready_timeout_seconds", MODEL_LEFT_OUT, 30, 1, 600),
    MODEL(cfg_receiver, records, "records", MODEL_LEFT_OUT, .words = cfg_records_words)};
static const model_noun receiver_noun = MODEL_NOUN(cfg_receiver, receiver_members, "receiver");

static const model_member configuration_members[] = {
    MODEL(cfg_configuration, name, "name"),
    MODEL(cfg_configuration, label, "label", MODEL_LEFT_OUT),
    MODEL(cfg_configuration, portion, "portion"),
    MODEL(cfg_configuration, parent, "parent", MODEL_LEFT_OUT),
    TEXTS(cfg_configuration, command),
    TEXTS(cfg_configuration, options),
    MODEL_SEVERAL(cfg_configuration, environment, cfg_variable_model, MODEL_MAP, "environment",
                  MODEL_LEFT_OUT, .most_items = 200),
    TEXTS(cfg_configuration, verify),
    TEXTS(cfg_configuration, loads),
    MODEL(cfg_configuration, total_calls, "total_calls", MODEL_LEFT_OUT, CFG__TOLD_LATER, 2,
          CFG_CALLS_MAX),
    MODEL(cfg_configuration, warmup_calls, "warmup_calls", MODEL_LEFT_OUT, CFG__TOLD_LATER, 0,
          CFG_CALLS_MAX),
    MODEL(cfg_configuration, index, "index", MODEL_LEFT_OUT, (double)CFG_NO_INDEX, 0, 999),
    MODEL(cfg_configuration, threads, "threads", MODEL_LEFT_OUT, 0, 0, 1024),
    MODEL(cfg_configuration, result, "result", MODEL_LEFT_OUT),
    MODEL(cfg_configuration, unit, "unit", MODEL_LEFT_OUT, .good = cfg_is_unit,
          .expected = "a text of at most 24 bytes on one line"),
    MODEL(cfg_configuration, higher, "better", MODEL_LEFT_OUT, .words = cfg_better_words),
    MODEL_A(cfg_configuration, receiver, receiver_noun, MODEL_OWN, "receiver", MODEL_LEFT_OUT)};
static const model_noun configuration_noun =
    MODEL_NOUN(cfg_configuration, configuration_members, "configuration");

/* The section sweep: one parameter, measured at 2 to 32 ascending values. */
enum { VALUES_LEAST = 2, VALUES_MOST = 32 };

/* As of the benchmark's own. */
#define VALUES(key, least, largest)                                                                \
    {                                                                                              \
        .offset = offsetof(cfg_sweep, values), .count_offset = offsetof(cfg_sweep, count),         \
        .type = MODEL_NUMBERS, .name = (key), .need = MODEL_LEFT_OUT, .low = (least),              \
        .high = (largest)                                                                          \
    }

static const model_member parameters[] = {
    [CFG_SWEEP_DEPTH] = VALUES("recursion_depth", 1, 100000),
    [CFG_SWEEP_METHOD_TIME] = VALUES("method_time_ns", 0, 1e9),
    [CFG_SWEEP_THREADS] = VALUES("threads", 1, 1024),
};
static const model_noun sweep_noun = MODEL_NOUN(cfg_sweep, parameters, "sweep");

const char *cfg_sweep_name(cfg_sweep_of of) {
    return parameters[of].name;
}

cfg_benchmark cfg_sweep_at(const cfg_benchmark *benchmark, unsigned point) {
    const uint64_t value = benchmark->sweep.values[point];
    cfg_benchmark at = *benchmark;
    switch (benchmark->sweep.of) {
    case CFG_SWEEP_DEPTH:
        at.recursion_depth = (unsigned)value;
        break;
    case CFG_SWEEP_METHOD_TIME:
        at.method_time_ns = value;
        break;
    case CFG_SWEEP_THREADS:
        at.threads = (unsigned)value;
        break;
    }
    return at;
}

static bool values_ascend(const cfg__yaml *yaml, const char *key, const uint64_t *values,
                          unsigned count, GError **error) {
    for (unsigned i = 1; i < count; i++)
        if (values[i] <= values[i - 1]) {
            g_autofree char *place = g_strdup_printf("%s[%u]", key, i);
            return cfg__yaml_wrong(yaml, error, place,
                                   "each value must be larger than the one before it");
        }
    return true;
}

static bool sweep_fill(const cfg__yaml *yaml, cfg_sweep *sweep, GError **error) {
    unsigned given = 0;
    if (!cfg__yaml_has(yaml, "benchmark.sweep"))
        return true;
    for (unsigned i = 0; i < G_N_ELEMENTS(parameters); i++) {
        g_autofree char *first = g_strconcat("benchmark.sweep.", parameters[i].name, "[0]", NULL);
        if (cfg__yaml_has(yaml, first)) {
            given++;
            sweep->of = (cfg_sweep_of)i;
        }
    }
    if (given != 1)
        return cfg__yaml_wrong(yaml, error, "benchmark.sweep",
                               "needs the values of one of recursion_depth, method_time_ns and "
                               "threads, not of %u",
                               given);
    if (sweep->count < VALUES_LEAST || sweep->count > VALUES_MOST)
        return cfg__yaml_wrong(yaml, error, "benchmark.sweep", "needs %d to %d values, not %u",
                               VALUES_LEAST, VALUES_MOST, sweep->count);
    g_autofree char *key = g_strconcat("benchmark.sweep.", cfg_sweep_name(sweep->of), NULL);
    return values_ascend(yaml, key, sweep->values, sweep->count, error);
}

/* As the server takes it in a URL, and as it becomes a file on the node. */
static bool is_file_name(const char *text) {
    return g_regex_match_simple("^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$", text, G_REGEX_DOLLAR_ENDONLY,
                                0);
}

static const model_member members[] = {
    MODEL(cfg_benchmark, driver, "driver", .words = cfg_driver_words),
    MODEL(cfg_benchmark, artifact, "artifact", MODEL_LEFT_OUT, .good = is_file_name,
          .expected = "a file name of letters, digits, '.', '_', '+', '-', at most 100 long"),
    MODEL(cfg_benchmark, artifact_wait_s, "artifact_wait_seconds", MODEL_LEFT_OUT, 6 * 3600, 1,
          30 * 86400),
    TEXTS(cfg_benchmark, prepare),
    TEXTS(cfg_benchmark, classpath),
    MODEL(cfg_benchmark, prepare_timeout_s, "prepare_timeout_seconds", MODEL_LEFT_OUT, 900, 1,
          86400),
    MODEL(cfg_benchmark, loops, "loops", MODEL_LEFT_OUT, 10, 2, 1000),
    MODEL(cfg_benchmark, total_calls, "total_calls", MODEL_LEFT_OUT, 2000000, 2, CFG_CALLS_MAX),
    MODEL(cfg_benchmark, warmup_calls, "warmup_calls", MODEL_LEFT_OUT, CFG__TOLD_LATER, 0,
          CFG_CALLS_MAX),
    MODEL(cfg_benchmark, warmup_evidence, "warmup_evidence", MODEL_LEFT_OUT,
          .most = EVIDENCE_LIMIT_BYTES),
    MODEL(cfg_benchmark, method_time_ns, "method_time_ns", MODEL_LEFT_OUT, 0, 0, 1e9),
    MODEL(cfg_benchmark, recursion_depth, "recursion_depth", MODEL_LEFT_OUT, 10, 1, 100000),
    MODEL_COUNTED(cfg_benchmark, thread_counts, "threads", MODEL_LEFT_OUT, 1, 1, 1024,
                  .most_items = 16),
    MODEL(cfg_benchmark, loop_timeout_s, "loop_timeout_seconds", MODEL_LEFT_OUT, 600, 1, 86400),
    MODEL(cfg_benchmark, rest_s, "rest_seconds", MODEL_LEFT_OUT, 30, 0, CFG_REST_MAX_S),
    MODEL(cfg_benchmark, precision_percent, "precision_percent", MODEL_LEFT_OUT, 0, 0, 100),
    MODEL(cfg_benchmark, budget_minutes, "budget_minutes", MODEL_LEFT_OUT, 0, 0,
          BUDGET_LIMIT_MINUTES),
    MODEL(cfg_benchmark, network, "network", MODEL_LEFT_OUT, .words = cfg_network_words),
    MODEL(cfg_benchmark, count, "count", MODEL_LEFT_OUT, .words = cfg_count_words),
    MODEL(cfg_benchmark, jdk, "jdk", MODEL_LEFT_OUT),
    MODEL(cfg_benchmark, framework, "framework", MODEL_LEFT_OUT),
    MODEL(cfg_benchmark, script, "script", MODEL_LEFT_OUT),
    MODEL(cfg_benchmark, results, "results", MODEL_LEFT_OUT),
    TEXTS(cfg_benchmark, runtime),
    MODEL(cfg_benchmark, whole_rounds, "whole_rounds", MODEL_LEFT_OUT),
    MODEL_A(cfg_benchmark, read, cfg__read_noun, MODEL_PART, "read", MODEL_LEFT_OUT),
    MODEL_A(cfg_benchmark, sweep, sweep_noun, MODEL_PART, "sweep", MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_benchmark, configurations, configuration_noun, MODEL_LIST, "configurations",
                  .low = 1, .most_items = DET_CONFIGURATIONS_MAX)};
const model_noun cfg__benchmark_noun = MODEL_NOUN(cfg_benchmark, members, "benchmark");

/* A night is as long as it must be, or as long as it may be. */
static bool budget_check(const cfg__yaml *yaml, const cfg_benchmark *benchmark, GError **error) {
    const char *other = benchmark->whole_rounds            ? "whole_rounds"
                        : benchmark->precision_percent > 0 ? "precision_percent"
                                                           : NULL;
    return !(benchmark->budget_minutes > 0) || !other ||
           cfg__yaml_wrong(yaml, error, "benchmark.budget_minutes",
                           "cannot be combined with %s; leave one of them out", other);
}

static bool calls_fill(const cfg__yaml *yaml, const char *key, const cfg_benchmark *benchmark,
                       cfg_configuration *out, GError **error) {
    g_autofree char *total = g_strconcat(key, ".total_calls", NULL);
    g_autofree char *warmup = g_strconcat(key, ".warmup_calls", NULL);
    if (!cfg__yaml_range(yaml, total, (cfg__range){benchmark->total_calls, 2, CFG_CALLS_MAX},
                         &out->total_calls, error))
        return false;
    const bool own = cfg__yaml_has(yaml, total);
    const uint64_t fallback = own ? out->total_calls / 2 : benchmark->warmup_calls;
    return cfg__yaml_range(yaml, warmup, (cfg__range){fallback, 0, out->total_calls - 1},
                           &out->warmup_calls, error);
}

/* I, C-2, W-tcp: what monitoring adds cannot be the control. */
static bool is_monitoring(const char *portion) {
    return *portion && strchr("ICW", *portion) && (!portion[1] || portion[1] == '-');
}

/* The chain is a tree: one root, parents before their children, names and portions once each. */
static bool check_place(const cfg__yaml *yaml, const char *key, const cfg_benchmark *benchmark,
                        unsigned index, GError **error) {
    const cfg_configuration *own = &benchmark->configurations[index];
    const int parent = cfg_benchmark_find(benchmark, index, own->parent);
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
    if (index > 0 && !own->parent && !own->unit)
        return cfg__yaml_wrong(yaml, error, key,
                               "needs a parent: the configuration it adds one thing to");
    if (cfg_benchmark_find(benchmark, index, own->name) >= 0)
        return cfg__yaml_wrong(yaml, error, key, "the name \"%s\" is used twice", own->name);
    if (own->parent && parent < 0)
        return cfg__yaml_wrong(
            yaml, error, key,
            "parent \"%s\" is not defined above; define parents before their children",
            own->parent);
    if (parent == 0 && !own->unit && is_monitoring(benchmark->configurations[0].portion))
        return cfg__yaml_wrong(
            yaml, error, key,
            "its parent has the portion \"%s\", but the first configuration is the control: put a "
            "configuration without monitoring first, with the portion T",
            benchmark->configurations[0].portion);
    if (parent >= 0 && g_strcmp0(benchmark->configurations[parent].unit, own->unit) != 0)
        return cfg__yaml_wrong(yaml, error, key,
                               "its parent has another unit: nothing can be subtracted; leave out "
                               "the parent");
    for (unsigned i = 0; i < index; i++)
        if (strcmp(benchmark->configurations[i].portion, own->portion) == 0)
            return cfg__yaml_wrong(
                yaml, error, key,
                "the portion \"%s\" is used twice; choose another name, such as W-tcp",
                own->portion);
    return true;
}

unsigned cfg_benchmark_threads(const cfg_benchmark *benchmark, unsigned configuration) {
    const unsigned own = benchmark->configurations[configuration].threads;
    return own ? own : benchmark->threads;
}

static bool configuration_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, unsigned index,
                               GError **error) {
    cfg_configuration *out = &benchmark->configurations[index];
    g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", index);
    g_autofree char *receiver = g_strconcat(key, ".receiver", NULL);
    cfg__yaml_otherwise(&out->label, out->name);
    if (!check_place(yaml, key, benchmark, index, error) ||
        !calls_fill(yaml, key, benchmark, out, error))
        return false;
    return !out->receiver || benchmark->network == CFG_NETWORK_ON ||
           cfg__yaml_wrong(yaml, error, receiver,
                           "cannot be reached with benchmark.network: off; leave one of them out");
}

static void append(char **text, const char *suffix) {
    g_autofree char *own = *text;
    *text = g_strconcat(own, suffix, NULL);
}

/* A configuration of the file with more threads: what more of them add to the method is a portion
 * on top of it, and all else stands on such a parent. */
static bool threads_add(const cfg__yaml *yaml, cfg_benchmark *benchmark, unsigned of,
                        unsigned threads, GError **error) {
    const unsigned index = benchmark->configurations_count;
    cfg_configuration *copy = &benchmark->configurations[index];
    json_auto_t *json = model_write(&configuration_noun, &benchmark->configurations[of]);
    if (!model_read(&configuration_noun, json, copy, error))
        return false;
    benchmark->configurations_count++;
    if (copy->threads > 0)
        return cfg__yaml_wrong(yaml, error, "benchmark.threads",
                               "several numbers are for all configurations; leave threads of %s "
                               "out",
                               copy->name);
    g_autofree char *name = g_strdup_printf(CFG_THREADS_NAME, threads);
    g_autofree char *label = g_strdup_printf(", %u threads", threads);
    if (copy->parent)
        append(&copy->parent, name);
    else
        copy->parent = g_strdup(copy->name);
    append(&copy->name, name);
    append(&copy->label, label);
    append(&copy->portion, label + 1);
    copy->threads = threads;
    return check_place(yaml, "benchmark.threads", benchmark, index, error);
}

/* The configurations once more for each further number of threads. */
static bool threads_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, GError **error) {
    static const char key[] = "benchmark.threads";
    const unsigned own = benchmark->configurations_count, numbers = benchmark->thread_counts_count;
    if (numbers > 1 && (benchmark->driver == CFG_DRIVER_COMMAND || benchmark->whole_rounds))
        return cfg__yaml_wrong(yaml, error, key,
                               "several numbers are for the drivers native, java and moobench, "
                               "without whole_rounds");
    if (numbers > 1 && own * numbers > DET_CONFIGURATIONS_MAX)
        return cfg__yaml_wrong(yaml, error, key, "they make %u configurations; at most %u fit",
                               own * numbers, DET_CONFIGURATIONS_MAX);
    if (!values_ascend(yaml, key, benchmark->thread_counts, numbers, error))
        return false;
    benchmark->configurations =
        g_renew(cfg_configuration, benchmark->configurations, (size_t)own * MAX(numbers, 1));
    for (unsigned i = own; i < own * numbers; i++)
        if (!threads_add(yaml, benchmark, i % own, (unsigned)benchmark->thread_counts[i / own],
                         error))
            return false;
    return true;
}

bool cfg__benchmark_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, GError **error) {
    const uint64_t calls = benchmark->total_calls;
    benchmark->threads =
        benchmark->thread_counts_count > 0 ? (unsigned)benchmark->thread_counts[0] : 1;
    if (!cfg__yaml_range(yaml, "benchmark.warmup_calls", (cfg__range){calls / 2, 0, calls - 1},
                         &benchmark->warmup_calls, error) ||
        !budget_check(yaml, benchmark, error) || !sweep_fill(yaml, &benchmark->sweep, error))
        return false;
    if (!benchmark->artifact && cfg__yaml_has(yaml, "benchmark.artifact_wait_seconds"))
        return cfg__yaml_wrong(yaml, error, "benchmark.artifact_wait_seconds",
                               "needs artifact, which is not set");
    for (unsigned i = 0; i < benchmark->configurations_count; i++)
        if (!configuration_fill(yaml, benchmark, i, error))
            return false;
    return cfg__driver_fill(yaml, benchmark, error) && threads_fill(yaml, benchmark, error);
}
