#include "runner/driver/tool_json.h"

#include "config/gungraun.h"
#include "runner/driver/wrong.h"
#include "runner/ground/error.h"

#include <math.h>
#include <string.h>

#define TOLD_BYTES 300 /* of a tool's own message */

static json_t *load(const char *text, size_t length, const char *tool, GError **error) {
    json_error_t problem;
    json_t *root = json_loadb(text, length, 0, &problem);
    if (!root) {
        run__wrong(
            error,
            "%s: line %d, column %d: %s; let the tool write its JSON to {result}, where nothing "
            "else is printed",
            tool, problem.line, problem.column, problem.text);
    }
    return root;
}

/* "Bench.method size=10": as JMH's table shows it, in one word list. */
static char *jmh_name(const json_t *result) {
    GString *name = g_string_new(json_string_value(json_object_get(result, "benchmark")));
    const char *key;
    json_t *value;
    json_object_foreach (json_object_get(result, "params"), key, value) {
        const char *text = json_string_value(value);
        g_string_append_printf(name, " %s=%s", key, text ? text : "?");
    }
    return g_string_free(name, FALSE);
}

static double number_of(const json_t *value) {
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool jmh_forks(const json_t *forks, const char *name, const char *unit, run_values *values,
                      GError **error) {
    size_t f, i;
    json_t *fork, *value;
    json_array_foreach (forks, f, fork) {
        json_array_foreach (fork, i, value) {
            g_autofree char *place =
                g_strdup_printf("JMH: %s, fork %zu, iteration %zu", name, f + 1, i + 1);
            if (!run_values_add(values, name, number_of(value), unit, place, error))
                return false;
        }
    }
    return true;
}

/* With -prof gc; a dot stood before the name up to JMH 1.36. */
static double jmh_allocated(const json_t *result) {
    const json_t *more = json_object_get(result, "secondaryMetrics");
    const json_t *metric = json_object_get(more, "gc.alloc.rate.norm");
    if (!metric)
        metric = json_object_get(more, "\u00b7gc.alloc.rate.norm");
    const char *unit = json_string_value(json_object_get(metric, "scoreUnit"));
    return g_strcmp0(unit, "B/op") == 0 ? number_of(json_object_get(metric, "score")) : (double)NAN;
}

static bool jmh_result(const json_t *result, run_values *values, GError **error) {
    g_autofree char *name = jmh_name(result);
    const json_t *metric = json_object_get(result, "primaryMetric");
    const json_t *forks = json_object_get(metric, "rawData");
    const char *unit = json_string_value(json_object_get(metric, "scoreUnit"));
    if (name[0] == '\0' || !metric || !unit) {
        return run__wrong(error,
                          "JMH: a result without benchmark, primaryMetric or scoreUnit; is it "
                          "written by -rf json?");
    }
    run_values_allocated(values, name, jmh_allocated(result));
    if (json_array_size(forks) > 0)
        return jmh_forks(forks, name, unit, values, error);
    g_autofree char *place = g_strdup_printf("JMH: %s, score", name);
    return run_values_add(values, name, number_of(json_object_get(metric, "score")), unit, place,
                          error);
}

bool run_tool_json_jmh(const char *text, size_t length, run_values *values, GError **error) {
    json_t *root = load(text, length, "JMH", error);
    if (!root)
        return false;
    bool good =
        json_array_size(root) > 0 ||
        run__wrong(error, "JMH: no results; does the benchmark's pattern match any, and is this "
                          "the file of -rf json?");
    size_t i;
    json_t *result;
    json_array_foreach (root, i, result)
        good = good && jmh_result(result, values, error);
    json_decref(root);
    return good;
}

static bool google_run(const json_t *run, bool cpu_time, run_values *values, GError **error) {
    const char *type = json_string_value(json_object_get(run, "run_type"));
    const char *name = json_string_value(json_object_get(run, "run_name"));
    const char *unit = json_string_value(json_object_get(run, "time_unit"));
    const char *message = json_string_value(json_object_get(run, "error_message"));
    if (g_strcmp0(type, "aggregate") == 0)
        return true;
    if (!name)
        name = json_string_value(json_object_get(run, "name"));
    if (!name) {
        return run__wrong(error, "Google Benchmark: a run without name; is it written by "
                                 "--benchmark_out_format=json?");
    }
    if (json_is_true(json_object_get(run, "error_occurred"))) {
        return run__wrong(error, "Google Benchmark: %s: %.*s", name, TOLD_BYTES,
                          message ? message : "skipped with an error");
    }
    g_autofree char *place = g_strdup_printf("Google Benchmark: %s", name);
    /* A counter of the benchmark's own; the tool has none for bytes. */
    run_values_allocated(values, name, number_of(json_object_get(run, "allocated_bytes_per_call")));
    return run_values_add(values, name,
                          number_of(json_object_get(run, cpu_time ? "cpu_time" : "real_time")),
                          unit ? unit : "ns", place, error);
}

bool run_tool_json_google(const char *text, size_t length, bool cpu_time, run_values *values,
                          GError **error) {
    json_t *root = load(text, length, "Google Benchmark", error);
    if (!root)
        return false;
    const json_t *runs = json_object_get(root, "benchmarks");
    bool good =
        json_array_size(runs) > 0 ||
        run__wrong(error, "Google Benchmark: no benchmarks in it; does --benchmark_filter match "
                          "any?");
    size_t i;
    json_t *run;
    json_array_foreach (runs, i, run)
        good = good && google_run(run, cpu_time, values, error);
    json_decref(root);
    if (good && run_values_seen(values) == 0) {
        return run__wrong(error, "Google Benchmark: aggregates only; run it without "
                                 "--benchmark_report_aggregates_only");
    }
    return good;
}

static bool hyperfine_result(const json_t *result, run_values *values, GError **error) {
    const char *name = json_string_value(json_object_get(result, "command"));
    const json_t *times = json_object_get(result, "times");
    if (!name || json_array_size(times) == 0) {
        return run__wrong(error, "hyperfine: a result without command or times; is it written by "
                                 "--export-json?");
    }
    size_t i;
    const json_t *code, *time;
    json_array_foreach (json_object_get(result, "exit_codes"), i, code)
        if (!json_is_integer(code) || json_integer_value(code) != 0)
            return run__wrong(error, "hyperfine: %.*s: run %zu failed", TOLD_BYTES, name, i + 1);
    json_array_foreach (times, i, time) {
        g_autofree char *place =
            g_strdup_printf("hyperfine: %.*s, run %zu", TOLD_BYTES, name, i + 1);
        if (!run_values_add(values, name, number_of(time), "s", place, error))
            return false;
    }
    return true;
}

bool run_tool_json_hyperfine(const char *text, size_t length, run_values *values, GError **error) {
    json_t *root = load(text, length, "hyperfine", error);
    if (!root)
        return false;
    const json_t *results = json_object_get(root, "results");
    bool good = json_array_size(results) > 0 ||
                run__wrong(error, "hyperfine: no results; is this the file of --export-json?");
    size_t i;
    json_t *result;
    json_array_foreach (results, i, result)
        good = good && hyperfine_result(result, values, error);
    json_decref(root);
    return good;
}

static bool gungraun_summary(const json_t *summary, run_values *values, GError **error) {
    if (!cfg_gungraun_is(summary)) {
        return run__wrong(error, "Gungraun: a benchmark without module_path or profiles; is it "
                                 "written by --output-format=json?");
    }
    g_autofree char *name = cfg_gungraun_name(summary);
    g_autofree char *place =
        g_strdup_printf("Gungraun: %.*s, instructions of Callgrind", TOLD_BYTES, name);
    return run_values_add(values, name, cfg_gungraun_instructions(summary), "ns", place, error);
}

bool run_tool_json_gungraun(const char *text, size_t length, run_values *values, GError **error) {
    json_t *root = cfg_gungraun_lines(text, length);
    if (!root)
        root = load(text, length, "Gungraun", error);
    if (!root)
        return false;
    if (json_is_object(root)) /* --output-format=pretty-json of one benchmark */
        root = json_pack("[o]", root);
    bool good = json_array_size(root) > 0 ||
                run__wrong(error, "Gungraun: no benchmarks; does the filter match any?");
    size_t i;
    json_t *summary;
    json_array_foreach (root, i, summary)
        good = good && gungraun_summary(summary, values, error);
    json_decref(root);
    return good;
}
