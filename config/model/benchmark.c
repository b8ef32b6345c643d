#include "config/model/benchmark.h"

#include "detector/statistics/portion.h"

#include <string.h>

#define WEEK_S (7 * 24 * 3600)
#define WEEK_MINUTES (7 * 24 * 60)
#define HOUR_NS 3600e9
#define NAME_BYTES_MAX 128
#define NEWER "; a newer server needs a newer runner"

#define ARGV(S, list, ...) MODEL_COUNTED(S, list, __VA_ARGS__, CFG_ARGV)

static bool is_identifier(const char *name) {
    return strlen(name) <= NAME_BYTES_MAX && g_ascii_isalnum(name[0]) &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-")] == '\0';
}

static bool is_variable(const char *name) {
    return name[0] != '\0' && !g_ascii_isdigit(name[0]) &&
           name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] ==
               '\0';
}

/* Below the checkout, whatever a server sends. */
bool cfg_is_below(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    for (size_t i = 0; parts[i]; i++)
        if (parts[i][0] == '\0' || strcmp(parts[i], "..") == 0)
            return false;
    return model_is_plain(path) && path[0] != '-';
}
bool cfg_is_jdk(const char *text) {
    const bool version = g_ascii_isdigit(text[0]) && text[strspn(text, "0123456789.+_-")] == '\0';
    return version || (text[0] == '/' && model_is_plain(text) && !strchr(text, ':'));
}
#define BELOW .good = cfg_is_below, .expected = "a relative path without \"..\""

const char *const cfg_records_words[] = {"some", "all", "unchecked", NULL};
const char *const cfg_driver_words[] = {CFG_DRIVERS(CFG_WORD) NULL};
const char *const cfg_format_words[] = {CFG_READ_FORMATS(CFG_WORD) NULL};
const char *const cfg_count_words[] = {CFG_COUNTS(CFG_WORD) NULL};
const char *const cfg_network_words[] = {"on", "off", NULL};
const char *const cfg_from_words[] = {"output", "result", NULL};
const char *const cfg_scope_words[] = {"line", "whole", NULL};
const char *const cfg_several_words[] = {"refuse", "samples", NULL};
const char *const cfg_time_words[] = {"real", "cpu", NULL};
const char *const cfg_better_words[] = {"lower", "higher", NULL};

static const model_member variable_members[] = {
    MODEL(cfg_variable, name, NULL, .good = is_variable,
          .expected = "an object of texts, named [A-Za-z_][A-Za-z0-9_]*"),
    MODEL(cfg_variable, value, NULL, CFG_ARGV)};
const model_noun cfg_variable_model = MODEL_NOUN(cfg_variable, variable_members, "variable");

static const model_member receiver_members[] = {
    ARGV(cfg_receiver, command, "command", .low = 1, .expected = "a program and its arguments"),
    MODEL(cfg_receiver, port, "port"),
    MODEL(cfg_receiver, ready, "ready", MODEL_LEFT_OUT, MODEL_PLAIN),
    MODEL(cfg_receiver, ready_timeout_s, "ready_timeout_seconds", .low = 1, .high = 600),
    MODEL(cfg_receiver, records, "records", .words = cfg_records_words, .expected = NEWER)};
static const model_noun receiver = MODEL_NOUN(cfg_receiver, receiver_members, "receiver");

/* Those of MooBench alone are numbered. */
#define NO_INDEX ((double)CFG_NO_INDEX)

static const model_member configuration_members[] = {
    MODEL(cfg_configuration, name, "name", .good = is_identifier, .expected = "an identifier"),
    MODEL(cfg_configuration, label, "label", MODEL_LEFT_OUT),
    MODEL(cfg_configuration, portion, "portion", MODEL_LEFT_OUT),
    MODEL(cfg_configuration, parent, "parent", MODEL_NULL, .expected = "a configuration above"),
    ARGV(cfg_configuration, command, "command", MODEL_WRITTEN),
    ARGV(cfg_configuration, options, "options", MODEL_WRITTEN),
    MODEL_SEVERAL(cfg_configuration, environment, cfg_variable_model, MODEL_MAP, "environment",
                  MODEL_WRITTEN),
    ARGV(cfg_configuration, verify, "verify", MODEL_WRITTEN),
    ARGV(cfg_configuration, loads, "loads", MODEL_LEFT_OUT),
    MODEL(cfg_configuration, total_calls, "total_calls", .low = 1, .high = CFG_CALLS_MAX),
    MODEL(cfg_configuration, warmup_calls, "warmup_calls", .high = CFG_CALLS_MAX),
    MODEL_A(cfg_configuration, receiver, receiver, MODEL_OWN, "receiver", MODEL_LEFT_OUT),
    MODEL(cfg_configuration, result, "result", MODEL_LEFT_OUT, MODEL_PLAIN),
    MODEL(cfg_configuration, threads, "threads", MODEL_LEFT_OUT, .high = 1024),
    MODEL(cfg_configuration, unit, "unit", MODEL_LEFT_OUT, .good = cfg_is_unit,
          .expected = "a text of at most 24 bytes on one line"),
    MODEL(cfg_configuration, higher, "better", MODEL_LEFT_OUT, .words = cfg_better_words,
          .expected = NEWER),
    MODEL(cfg_configuration, index, "index", MODEL_LEFT_OUT, NO_INDEX, .high = 999)};

static bool calls_fit(const void *object, GError **error) {
    const cfg_configuration *one = object;
    return one->warmup_calls < one->total_calls ||
           model_wrong(error, "warmup_calls", "less than total_calls");
}
static const model_noun configuration =
    MODEL_NOUN(cfg_configuration, configuration_members, "configuration", calls_fit);

static bool is_pattern(const void *object) {
    return ((const cfg_read *)object)->format == CFG_READ_PATTERN;
}

static const model_member read_members[] = {
    MODEL(cfg_read, format, "format", .words = cfg_format_words, .expected = NEWER),
    MODEL(cfg_read, from_result, "from", .words = cfg_from_words),
    MODEL(cfg_read, whole, "scope", .words = cfg_scope_words),
    MODEL(cfg_read, samples, "several", .words = cfg_several_words),
    MODEL(cfg_read, warmup_values, "warmup_values", MODEL_LEFT_OUT, .high = CFG_WARMUP_VALUES_MAX),
    MODEL(cfg_read, cpu_time, "time", .words = cfg_time_words),
    MODEL(cfg_read, pattern, "pattern", MODEL_PLAIN, .belongs = is_pattern),
    MODEL(cfg_read, unit, "unit", MODEL_LEFT_OUT, MODEL_PLAIN),
    MODEL(cfg_read, match_limit, "match_limit", .low = 1, .high = G_MAXINT),
    /* No heartbeat is sent while values are read. */
    MODEL(cfg_read, timeout_s, "timeout_seconds", .low = 1, .high = 45),
    MODEL(cfg_read, size_limit_bytes, "size_limit_bytes", .low = 1, .high = 1 << 30)};
static const model_noun read_noun = MODEL_NOUN(cfg_read, read_members, "read");

static bool is_moobench(const void *object) {
    return ((const cfg_benchmark *)object)->driver == CFG_DRIVER_MOOBENCH;
}

static bool is_command(const void *object) {
    return ((const cfg_benchmark *)object)->driver == CFG_DRIVER_COMMAND;
}

static bool runs_itself(const void *object) {
    return is_moobench(object) || is_command(object);
}

static bool uses_harness(const void *object) {
    return !runs_itself(object);
}

static bool uses_artifact(const void *object) {
    return ((const cfg_benchmark *)object)->artifact != NULL;
}

static const model_member benchmark_members[] = {
    MODEL(cfg_benchmark, driver, "driver", .words = cfg_driver_words, .expected = NEWER),
    ARGV(cfg_benchmark, prepare, "prepare", MODEL_WRITTEN),
    MODEL(cfg_benchmark, prepare_timeout_s, "prepare_timeout_seconds", .low = 1, .high = WEEK_S),
    MODEL(cfg_benchmark, artifact, "artifact", MODEL_LEFT_OUT),
    MODEL(cfg_benchmark, artifact_wait_s, "artifact_wait_seconds", MODEL_WRITTEN,
          .belongs = uses_artifact),
    MODEL(cfg_benchmark, loops, "loops", .low = 1, .high = CFG_LOOPS_MAX),
    MODEL(cfg_benchmark, total_calls, "total_calls", MODEL_WRITTEN),
    MODEL(cfg_benchmark, warmup_calls, "warmup_calls", MODEL_WRITTEN),
    MODEL(cfg_benchmark, method_time_ns, "method_time_ns", .high = HOUR_NS),
    MODEL(cfg_benchmark, recursion_depth, "recursion_depth", .low = 1, .high = 100000),
    MODEL(cfg_benchmark, threads, "threads", .low = 1, .high = 1024),
    MODEL(cfg_benchmark, loop_timeout_s, "loop_timeout_seconds", .low = 1, .high = WEEK_S),
    MODEL(cfg_benchmark, rest_s, "rest_seconds", .high = CFG_REST_MAX_S),
    MODEL(cfg_benchmark, precision_percent, "precision_percent", MODEL_LEFT_OUT, .high = 100),
    MODEL(cfg_benchmark, warmup_evidence, "warmup_evidence", MODEL_LEFT_OUT, MODEL_PLAIN),
    MODEL(cfg_benchmark, budget_minutes, "budget_minutes", MODEL_LEFT_OUT, .high = WEEK_MINUTES),
    MODEL(cfg_benchmark, network, "network", MODEL_LEFT_OUT, .words = cfg_network_words),
    MODEL(cfg_benchmark, count, "count", MODEL_LEFT_OUT, .words = cfg_count_words),
    MODEL(cfg_benchmark, count_both, "count_both", MODEL_LEFT_OUT),
    MODEL(cfg_benchmark, in_turn, "in_turn", MODEL_LEFT_OUT),
    ARGV(cfg_benchmark, classpath, "classpath", MODEL_WRITTEN),
    MODEL(cfg_benchmark, jdk, "jdk", MODEL_LEFT_OUT, .good = cfg_is_jdk,
          .expected = "a version or an absolute path"),
    MODEL(cfg_benchmark, confidence, "confidence", MODEL_WRITTEN, 0.95, 0.5, 0.9999),
    ARGV(cfg_benchmark, runtime, "runtime", MODEL_WRITTEN, .belongs = runs_itself),
    ARGV(cfg_benchmark, runtime, "runtime", MODEL_LEFT_OUT, .belongs = uses_harness),
    MODEL(cfg_benchmark, whole_rounds, "whole_rounds", MODEL_WRITTEN, .belongs = runs_itself),
    MODEL(cfg_benchmark, framework, "framework", BELOW, .belongs = is_moobench),
    MODEL(cfg_benchmark, script, "script", BELOW, .belongs = is_moobench),
    MODEL(cfg_benchmark, results, "results", MODEL_LEFT_OUT, BELOW, .belongs = is_moobench),
    MODEL_A(cfg_benchmark, read, read_noun, MODEL_PART, "read", .belongs = is_command),
    MODEL_SEVERAL(cfg_benchmark, configurations, configuration, MODEL_LIST, "configurations",
                  .low = 1, .most_items = DET_CONFIGURATIONS_MAX,
                  .expected = "a list of 1 to 64 objects")};

bool cfg_is_unit(const char *text) {
    return model_is_plain(text) && strlen(text) <= CFG_UNIT_BYTES_MAX;
}

int cfg_benchmark_find(const cfg_benchmark *benchmark, unsigned count, const char *name) {
    for (unsigned i = 0; name && i < count; i++)
        if (g_strcmp0(benchmark->configurations[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* Parents come before their children. */
static bool configuration_fits(const cfg_benchmark *benchmark, unsigned index, GError **error) {
    const cfg_configuration *one = &benchmark->configurations[index];
    g_autofree char *place = g_strdup_printf("configurations[%u]", index);
    const char *member = NULL, *expected = NULL;
    const int parent = cfg_benchmark_find(benchmark, index, one->parent);
    if (cfg_benchmark_find(benchmark, index, one->name) >= 0)
        member = ".name", expected = "named differently, each one";
    else if (one->parent && parent < 0)
        member = ".parent", expected = "a configuration above";
    else if (parent >= 0 && g_strcmp0(benchmark->configurations[parent].unit, one->unit) != 0)
        member = ".parent", expected = "a configuration with the same unit";
    else if (is_moobench(benchmark) && one->index == CFG_NO_INDEX)
        member = ".index", expected = "a whole number from 0 to 999";
    else if (is_command(benchmark) && one->command_count == 0 &&
             (index == 0 || !benchmark->whole_rounds))
        member = ".command", expected = "a program and its arguments";
    else if (one->total_calls * cfg_benchmark_threads(benchmark, index) > CFG_CALLS_MAX)
        member = ".total_calls", expected = "at most 1000000000, all threads together";
    g_autofree char *path = g_strconcat(place, member, NULL);
    return !member || model_wrong(error, path, expected);
}

static bool benchmark_fits(const void *object, GError **error) {
    const cfg_benchmark *benchmark = object;
    for (unsigned i = 0; i < benchmark->configurations_count; i++)
        if (!configuration_fits(benchmark, i, error))
            return false;
    return !benchmark->whole_rounds || benchmark->budget_minutes == 0 ||
           model_wrong(error, "budget_minutes", "left out with whole_rounds");
}

const model_noun cfg_benchmark_model =
    MODEL_NOUN(cfg_benchmark, benchmark_members, "benchmark", benchmark_fits);
