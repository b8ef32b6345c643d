/* driver - the keys that belong to one way of running a benchmark, and to no other. */
#include "config/model/benchmark.h"
#include "config/sections.h"
#include "config/units.h"

#include "config/number.h"

#include <string.h>

#define INDEX_MAX 999 /* of a configuration in labels.sh */
#define MATCH_LIMIT_DEFAULT 1000000
#define SIZE_LIMIT_DEFAULT (UINT64_C(16) << 20)

#define FORMAT(name, word) {word, CFG_READ_##name},
static const cyaml_strval_t formats[] = {CFG_READ_FORMATS(FORMAT)};
static const cyaml_strval_t froms[] = {{"output", CFG__FROM_OUTPUT}, {"result", CFG__FROM_RESULT}};
static const cyaml_strval_t scopes[] = {{"line", CFG__SCOPE_LINE}, {"whole", CFG__SCOPE_WHOLE}};
static const cyaml_strval_t severals[] = {{"refuse", CFG__SEVERAL_REFUSE},
                                          {"samples", CFG__SEVERAL_SAMPLES}};
static const cyaml_strval_t times[] = {{"real", CFG__TIME_REAL}, {"cpu", CFG__TIME_CPU}};

#define WORD(key, words)                                                                           \
    CYAML_FIELD_ENUM_PTR(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, cfg__raw_read, key, words, \
                         CYAML_ARRAY_LEN(words))
#define TEXT(key)                                                                                  \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_read, key, 1,  \
                           CYAML_UNLIMITED)
#define NUMBER(key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_OPTIONAL, cfg__raw_read, key)

const cyaml_schema_field_t cfg__read_fields[] = {WORD(format, formats),
                                                 WORD(from, froms),
                                                 WORD(scope, scopes),
                                                 WORD(several, severals),
                                                 WORD(time, times),
                                                 TEXT(pattern),
                                                 TEXT(unit),
                                                 NUMBER(match_limit),
                                                 NUMBER(timeout_seconds),
                                                 NUMBER(size_limit_bytes),
                                                 CYAML_FIELD_END};

static bool known_unit(const char *unit) {
    return cfg_unit_ns(unit) > 0 || cfg_unit_rate_ns(unit) > 0;
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
    if (g_regex_get_string_number(regex, "unit") < 0 && !read->unit)
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

static bool check_read(const cfg__yaml *yaml, const cfg__raw_read *raw,
                       const cfg_benchmark *benchmark, GError **error) {
    const cfg_read *read = &benchmark->read;
    const bool json = read->format != CFG_READ_PATTERN;
    if (!json && !read->pattern)
        return cfg__yaml_wrong(yaml, error, "benchmark.read", "needs a pattern, or another format");
    if (json && (raw->pattern || raw->unit || raw->scope || raw->several || raw->match_limit))
        return cfg__yaml_wrong(
            yaml, error, "benchmark.read",
            "pattern, unit, scope, several and match_limit are for format: pattern");
    if (raw->time && read->format != CFG_READ_google)
        return cfg__yaml_wrong(yaml, error, "benchmark.read.time",
                               "is for format: google-benchmark-json");
    if (read->unit && !known_unit(read->unit))
        return cfg__yaml_wrong(
            yaml, error, "benchmark.read.unit",
            "unknown unit \"%s\"; use ns, us, ms, s, min or a rate such as ops/s", read->unit);
    return json || check_pattern(yaml, benchmark, error);
}

static bool fill_read(const cfg__yaml *yaml, const cfg__raw_read *raw, cfg_benchmark *out,
                      GError **error) {
    cfg_read *read = &out->read;
    if (!raw)
        return cfg__yaml_wrong(yaml, error, "benchmark",
                               "the command driver needs read:, which says how to find the value");
    read->format = raw->format ? *raw->format : CFG_READ_PATTERN;
    read->from_result =
        raw->from ? *raw->from == CFG__FROM_RESULT : read->format != CFG_READ_PATTERN;
    read->pattern = g_strdup(raw->pattern);
    read->whole = raw->scope && *raw->scope == CFG__SCOPE_WHOLE;
    read->unit = g_strdup(raw->unit);
    read->samples = raw->several && *raw->several == CFG__SEVERAL_SAMPLES;
    read->cpu_time = raw->time && *raw->time == CFG__TIME_CPU;
    return cfg__yaml_unsigned(yaml, "benchmark.read.match_limit", raw->match_limit,
                              (cfg__range){MATCH_LIMIT_DEFAULT, 1000, 1000000000},
                              &read->match_limit, error) &&
           cfg__yaml_unsigned(yaml, "benchmark.read.timeout_seconds", raw->timeout_seconds,
                              (cfg__range){10, 1, 45}, &read->timeout_s, error) &&
           cfg__yaml_number(yaml, "benchmark.read.size_limit_bytes", raw->size_limit_bytes,
                            (cfg__range){SIZE_LIMIT_DEFAULT, 1, UINT64_C(1) << 30},
                            &read->size_limit_bytes, error) &&
           check_read(yaml, raw, out, error);
}

static bool fill_command(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                         GError **error) {
    for (unsigned i = 0; i < raw->configurations_count; i++) {
        const cfg__raw_configuration *one = &raw->configurations[i];
        g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", i);
        const bool runs = i == 0 || !out->whole_rounds;
        if (runs && !one->command_count)
            return cfg__yaml_wrong(yaml, error, key, "needs a command");
        if (!runs && (one->command_count || one->options_count || one->environment_count))
            return cfg__yaml_wrong(yaml, error, key,
                                   "with whole_rounds all configurations share the first one's "
                                   "command, options and environment");
        if (out->whole_rounds && !one->result)
            return cfg__yaml_wrong(yaml, error, key,
                                   "with whole_rounds needs result: the name of its value");
        out->configurations[i].result = g_strdup(one->result);
    }
    return fill_read(yaml, raw->read, out, error);
}

/* A path below the checkout or the framework's folder. */
static bool is_below(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    for (char **part = parts; *part; part++)
        if (**part == '\0' || g_str_equal(*part, ".."))
            return false;
    return path[0] != '-';
}

static bool fill_index(const cfg__yaml *yaml, const cfg__raw_configuration *raw, cfg_benchmark *out,
                       unsigned at, GError **error) {
    cfg_configuration *own = &out->configurations[at];
    g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", at);
    g_autofree char *index = g_strconcat(key, ".index", NULL);
    guint64 number = 0;
    if (raw->command_count)
        return cfg__yaml_wrong(yaml, error, key,
                               "command is not for the moobench driver; it runs benchmark.script");
    if (!raw->index && !cfg_number_unsigned(raw->name, 0, INDEX_MAX, &number))
        return cfg__yaml_wrong(yaml, error, key, "needs index: its number in MooBench's labels.sh");
    if (out->whole_rounds &&
        (raw->total_calls || (at > 0 && (raw->environment_count || raw->options_count))))
        return cfg__yaml_wrong(yaml, error, key,
                               "with whole_rounds one run serves all: total_calls belongs to the "
                               "benchmark, options and environment to the first configuration");
    if (!cfg__yaml_unsigned(yaml, index, raw->index, (cfg__range){(unsigned)number, 0, INDEX_MAX},
                            &own->index, error))
        return false;
    for (unsigned i = 0; i < at; i++)
        if (out->configurations[i].index == own->index)
            return cfg__yaml_wrong(yaml, error, index, "%u is already used by %s", own->index,
                                   out->configurations[i].name);
    return true;
}

static bool fill_moobench(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                          GError **error) {
    out->framework = g_strdup(raw->framework);
    out->script = g_strdup(raw->script ? raw->script : "measure.sh");
    out->results = g_strdup(raw->results);
    if (!out->framework)
        return cfg__yaml_wrong(yaml, error, "benchmark",
                               "the moobench driver needs framework: a folder of the checkout, "
                               "as frameworks/Kieker-java");
    const char *const paths[] = {out->framework, out->script, out->results};
    const char *const keys[] = {"benchmark.framework", "benchmark.script", "benchmark.results"};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
        if (paths[i] && !is_below(paths[i]))
            return cfg__yaml_wrong(yaml, error, keys[i],
                                   "\"%s\" must be a relative path without empty or .. parts",
                                   paths[i]);
    for (unsigned i = 0; i < raw->configurations_count; i++)
        if (!fill_index(yaml, &raw->configurations[i], out, i, error))
            return false;
    return true;
}

/* A key of another driver is a mistake, not a wish to be passed over. */
static bool check_strangers(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, GError **error) {
    const bool moobench = raw->driver == CFG_DRIVER_MOOBENCH;
    const bool command = raw->driver == CFG_DRIVER_COMMAND;
    const struct {
        bool strange;
        const char *key, *owner;
    } rows[] = {
        {raw->framework && !moobench, "framework", "moobench"},
        {raw->script && !moobench, "script", "moobench"},
        {raw->results && !moobench, "results", "moobench"},
        {raw->read && !command, "read", "command"},
        {raw->whole_rounds && !moobench && !command, "whole_rounds", "moobench or command"},
        {raw->runtime_count && raw->driver == CFG_DRIVER_JAVA, "runtime",
         "native, moobench or command"},
        {raw->classpath_count && (moobench || command), "classpath", "java"},
        {raw->jdk && raw->driver != CFG_DRIVER_JAVA, "jdk", "java"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *key = g_strconcat("benchmark.", rows[i].key, NULL);
        if (rows[i].strange)
            return cfg__yaml_wrong(yaml, error, key, "is for the %s driver", rows[i].owner);
    }
    for (unsigned i = 0; i < raw->configurations_count; i++) {
        const cfg__raw_configuration *one = &raw->configurations[i];
        g_autofree char *key = g_strdup_printf("benchmark.configurations[%u]", i);
        if (raw->driver == CFG_DRIVER_JAVA && one->command_count)
            return cfg__yaml_wrong(yaml, error, key,
                                   "command is for the native driver; java takes options");
        if (one->index && !moobench)
            return cfg__yaml_wrong(yaml, error, key, "index is for the moobench driver");
        if (one->receiver && i > 0 && cfg__flag_or(raw->whole_rounds, false))
            return cfg__yaml_wrong(yaml, error, key,
                                   "with whole_rounds the receiver belongs to the first "
                                   "configuration");
        if (one->result && !command)
            return cfg__yaml_wrong(yaml, error, key, "result is for the command driver");
    }
    return true;
}

static bool fill_jdk(const cfg__yaml *yaml, const char *jdk, cfg_benchmark *out, GError **error) {
    out->jdk = g_strdup(jdk);
    return !jdk || cfg_is_jdk(jdk) ||
           cfg__yaml_wrong(yaml, error, "benchmark.jdk",
                           "\"%s\" is neither a version such as 25 nor an absolute path", jdk);
}

bool cfg__driver_fill(const cfg__yaml *yaml, const cfg__raw_benchmark *raw, cfg_benchmark *out,
                      GError **error) {
    out->whole_rounds = cfg__flag_or(raw->whole_rounds, false);
    out->runtime = cfg__strings_copy(raw->runtime, raw->runtime_count);
    out->runtime_count = raw->runtime_count;
    if (!check_strangers(yaml, raw, error) || !fill_jdk(yaml, raw->jdk, out, error))
        return false;
    return raw->driver == CFG_DRIVER_MOOBENCH  ? fill_moobench(yaml, raw, out, error)
           : raw->driver == CFG_DRIVER_COMMAND ? fill_command(yaml, raw, out, error)
                                               : true;
}
