/* driver - the keys that belong to one way of running a benchmark, and to no other. */
#include "config/model/benchmark.h"
#include "config/number.h"
#include "config/sections.h"
#include "config/units.h"

#define INDEX_MAX 999 /* of a configuration in labels.sh */

static const model_member read_members[] = {
    MODEL(cfg_read, format, "format", MODEL_LEFT_OUT, .words = cfg_format_words),
    MODEL(cfg_read, from_result, "from", MODEL_LEFT_OUT, .words = cfg_from_words),
    MODEL(cfg_read, whole, "scope", MODEL_LEFT_OUT, .words = cfg_scope_words),
    MODEL(cfg_read, samples, "several", MODEL_LEFT_OUT, .words = cfg_several_words),
    MODEL(cfg_read, warmup_values, "warmup_values", MODEL_LEFT_OUT, 0, 0, CFG_WARMUP_VALUES_MAX),
    MODEL(cfg_read, cpu_time, "time", MODEL_LEFT_OUT, .words = cfg_time_words),
    MODEL(cfg_read, pattern, "pattern", MODEL_LEFT_OUT),
    MODEL(cfg_read, unit, "unit", MODEL_LEFT_OUT),
    MODEL(cfg_read, match_limit, "match_limit", MODEL_LEFT_OUT, 1000000, 1000, 1000000000),
    MODEL(cfg_read, timeout_s, "timeout_seconds", MODEL_LEFT_OUT, 10, 1, 45),
    MODEL(cfg_read, size_limit_bytes, "size_limit_bytes", MODEL_LEFT_OUT, 16 << 20, 1, 1 << 30)};
const model_noun cfg__read_noun = MODEL_NOUN(cfg_read, read_members, "read");

static bool known_unit(const char *unit) {
    return cfg_unit_ns(unit) > 0 || cfg_unit_rate_ns(unit) > 0;
}

static bool all_have_units(const cfg_benchmark *benchmark) {
    unsigned i = 0;
    while (i < benchmark->configurations_count && benchmark->configurations[i].unit)
        i++;
    return i == benchmark->configurations_count;
}

/* GRegex is PCRE2: the same grammar as the runner's, so a slip is found where it was written. */
static bool check_pattern(const cfg__yaml *yaml, const cfg_benchmark *benchmark, GError **error) {
    const cfg_read *read = &benchmark->read;
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GRegex) regex = g_regex_new(read->pattern, G_REGEX_MULTILINE, 0, &wrong);
    if (!regex)
        return cfg__yaml_wrong(yaml, error, "benchmark.read.pattern", "%s", wrong->message);
    if (g_regex_get_string_number(regex, "value") < 0)
        return cfg__yaml_wrong(yaml, error, "benchmark.read.pattern",
                               "has no group named value; write (?<value>[0-9.]+)");
    if (g_regex_get_string_number(regex, "unit") < 0 && !read->unit && !all_have_units(benchmark))
        return cfg__yaml_wrong(yaml, error, "benchmark.read",
                               "needs unit, or a group (?<unit>…) in the pattern");
    for (unsigned i = 0; i < benchmark->configurations_count; i++) {
        g_autofree char *key = g_strdup_printf("benchmark.configurations[%u].result", i);
        if (benchmark->configurations[i].result && g_regex_get_string_number(regex, "name") < 0)
            return cfg__yaml_wrong(yaml, error, key,
                                   "names a value, but the pattern has no group (?<name>…)");
    }
    return true;
}

/* Is one of these keys of the section read there? */
static bool any_there(const cfg__yaml *yaml, const char *const *keys) {
    bool there = false;
    for (; *keys && !there; keys++) {
        g_autofree char *key = g_strconcat("benchmark.read.", *keys, NULL);
        there = cfg__yaml_has(yaml, key);
    }
    return there;
}

static bool read_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, GError **error) {
    static const char *const of_patterns[] = {"pattern",       "unit",        "scope", "several",
                                              "warmup_values", "match_limit", NULL};
    cfg_read *read = &benchmark->read;
    const bool pattern = read->format == CFG_READ_PATTERN;
    if (!cfg__yaml_has(yaml, "benchmark.read"))
        return cfg__yaml_wrong(yaml, error, "benchmark",
                               "the command driver needs read:, which says how to find the value");
    if (!cfg__yaml_has(yaml, "benchmark.read.from"))
        read->from_result = !pattern;
    if (pattern && !read->pattern)
        return cfg__yaml_wrong(yaml, error, "benchmark.read", "needs a pattern, or another format");
    if (!pattern && any_there(yaml, of_patterns))
        return cfg__yaml_wrong(
            yaml, error, "benchmark.read",
            "pattern, unit, scope, several, warmup_values and match_limit are for format: pattern");
    if (read->warmup_values > 0 && !read->samples)
        return cfg__yaml_wrong(yaml, error, "benchmark.read.warmup_values",
                               "is for several: samples; without it a loop has one value");
    if (cfg__yaml_has(yaml, "benchmark.read.time") && read->format != CFG_READ_google)
        return cfg__yaml_wrong(yaml, error, "benchmark.read.time",
                               "is for format: google-benchmark-json");
    if (read->unit && !known_unit(read->unit))
        return cfg__yaml_wrong(
            yaml, error, "benchmark.read.unit",
            "unknown unit \"%s\"; use ns, us, ms, s, min or a rate such as ops/s", read->unit);
    return !pattern || check_pattern(yaml, benchmark, error);
}

static bool command_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, GError **error) {
    for (unsigned i = 0; i < benchmark->configurations_count; i++) {
        const cfg_configuration *one = &benchmark->configurations[i];
        g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", i);
        const bool runs = i == 0 || !benchmark->whole_rounds;
        if (runs && !one->command_count)
            return cfg__yaml_wrong(yaml, error, key, "needs a command");
        if (!runs && (one->command_count || one->options_count || one->environment_count))
            return cfg__yaml_wrong(yaml, error, key,
                                   "with whole_rounds all configurations share the first one's "
                                   "command, options and environment");
        if (benchmark->whole_rounds && !one->result)
            return cfg__yaml_wrong(yaml, error, key,
                                   "with whole_rounds needs result: the name of its value");
    }
    return read_fill(yaml, benchmark, error);
}

static bool index_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, unsigned at,
                       GError **error) {
    cfg_configuration *own = &benchmark->configurations[at];
    g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", at);
    g_autofree char *index = g_strconcat(key, ".index", NULL);
    g_autofree char *total = g_strconcat(key, ".total_calls", NULL);
    uint64_t number = own->index;
    if (own->command_count)
        return cfg__yaml_wrong(yaml, error, key,
                               "command is not for the moobench driver; it runs benchmark.script");
    if (own->index == CFG_NO_INDEX && !cfg_number_unsigned(own->name, 0, INDEX_MAX, &number))
        return cfg__yaml_wrong(yaml, error, key, "needs index: its number in MooBench's labels.sh");
    if (benchmark->whole_rounds &&
        (cfg__yaml_has(yaml, total) || (at > 0 && (own->environment_count || own->options_count))))
        return cfg__yaml_wrong(yaml, error, key,
                               "with whole_rounds one run serves all: total_calls belongs to the "
                               "benchmark, options and environment to the first configuration");
    own->index = (unsigned)number;
    for (unsigned i = 0; i < at; i++)
        if (benchmark->configurations[i].index == own->index &&
            (benchmark->whole_rounds ||
             cfg_benchmark_threads(benchmark, i) == cfg_benchmark_threads(benchmark, at)))
            return cfg__yaml_wrong(yaml, error, index, "%u is already used by %s", own->index,
                                   benchmark->configurations[i].name);
    return true;
}

static bool moobench_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, GError **error) {
    if (!benchmark->framework)
        return cfg__yaml_wrong(yaml, error, "benchmark",
                               "the moobench driver needs framework: a folder of the checkout, "
                               "as frameworks/Kieker-java");
    cfg__yaml_otherwise(&benchmark->script, "measure.sh");
    const char *const paths[] = {benchmark->framework, benchmark->script, benchmark->results};
    const char *const keys[] = {"benchmark.framework", "benchmark.script", "benchmark.results"};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
        if (paths[i] && !cfg_is_below(paths[i]))
            return cfg__yaml_wrong(yaml, error, keys[i],
                                   "\"%s\" must be a relative path without empty or .. parts",
                                   paths[i]);
    for (unsigned i = 0; i < benchmark->configurations_count; i++)
        if (!index_fill(yaml, benchmark, i, error))
            return false;
    return true;
}

enum { NATIVE = 1 << CFG_DRIVER_NATIVE, JAVA = 1 << CFG_DRIVER_JAVA };
enum { MOOBENCH = 1 << CFG_DRIVER_MOOBENCH, COMMAND = 1 << CFG_DRIVER_COMMAND };

/* Times are told in the unit that fits: they need none. */
static bool unit_check(const cfg__yaml *yaml, const char *key, const cfg_configuration *one,
                       GError **error) {
    if (!one->unit)
        return !one->higher || cfg__yaml_wrong(yaml, error, key, "better needs a unit");
    return !(cfg_unit_ns(one->unit) > 0) ||
           cfg__yaml_wrong(yaml, error, key,
                           "unit \"%s\" is of times, which are read without it: leave it out",
                           one->unit);
}

/* A key of another driver is a mistake, not a wish to be passed over. */
static bool strangers_check(const cfg__yaml *yaml, const cfg_benchmark *benchmark, GError **error) {
    static const struct {
        const char *key, *owner;
        unsigned owners;
    } rows[] = {{"framework", "moobench", MOOBENCH},
                {"script", "moobench", MOOBENCH},
                {"results", "moobench", MOOBENCH},
                {"read", "command", COMMAND},
                {"whole_rounds", "moobench or command", MOOBENCH | COMMAND},
                {"runtime", "native, moobench or command", NATIVE | MOOBENCH | COMMAND},
                {"classpath", "java", NATIVE | JAVA}, /* native passes it over */
                {"jdk", "java", JAVA}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *key = g_strconcat("benchmark.", rows[i].key, NULL);
        if ((rows[i].owners >> benchmark->driver & 1) == 0 && cfg__yaml_has(yaml, key))
            return cfg__yaml_wrong(yaml, error, key, "is for the %s driver", rows[i].owner);
    }
    for (unsigned i = 0; i < benchmark->configurations_count; i++) {
        const cfg_configuration *one = &benchmark->configurations[i];
        g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", i);
        if (benchmark->driver == CFG_DRIVER_JAVA && one->command_count)
            return cfg__yaml_wrong(yaml, error, key,
                                   "command is for the native driver; java takes options");
        if (one->index != CFG_NO_INDEX && benchmark->driver != CFG_DRIVER_MOOBENCH)
            return cfg__yaml_wrong(yaml, error, key, "index is for the moobench driver");
        if (one->receiver && i > 0 && benchmark->whole_rounds)
            return cfg__yaml_wrong(yaml, error, key,
                                   "with whole_rounds the receiver belongs to the first "
                                   "configuration");
        if ((one->result || one->unit) && benchmark->driver != CFG_DRIVER_COMMAND)
            return cfg__yaml_wrong(yaml, error, key, "%s is for the command driver",
                                   one->result ? "result" : "unit");
        if (!unit_check(yaml, key, one, error))
            return false;
    }
    return true;
}

bool cfg__driver_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark, GError **error) {
    if (!strangers_check(yaml, benchmark, error))
        return false;
    if (benchmark->jdk && !cfg_is_jdk(benchmark->jdk))
        return cfg__yaml_wrong(yaml, error, "benchmark.jdk",
                               "\"%s\" is neither a version such as 25 nor an absolute path",
                               benchmark->jdk);
    return benchmark->driver == CFG_DRIVER_MOOBENCH  ? moobench_fill(yaml, benchmark, error)
           : benchmark->driver == CFG_DRIVER_COMMAND ? command_fill(yaml, benchmark, error)
                                                     : true;
}
