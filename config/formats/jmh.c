/* JMH, -rf json: rawData holds the iterations of every fork, a fresh process each. */
#include "config/formats/formats.h"
#include "config/units.h"

#include <math.h>
#include <string.h>

#define FORKS_MOST 1000 /* more are no number of forks that somebody waited for */

static bool is(const fmt_input *in) {
    return fmt_has(in->root, "[{s:o}]", "primaryMetric");
}

/* "Bench.method size=10": as JMH's table shows it, in one word list. */
static char *name_of(const fmt_at *result) {
    const char *benchmark = fmt_text_of(result, "benchmark");
    if (!benchmark || *benchmark == '\0')
        return NULL;
    GString *name = g_string_new(benchmark);
    const char *key;
    json_t *value, *params = json_object_get(result->json, "params");
    json_object_foreach (params, key, value)
        g_string_append_printf(name, " %s=%s", key,
                               json_string_value(value) ? json_string_value(value) : "?");
    return g_string_free(name, FALSE);
}

/* One method in two modes, or by two numbers of threads, is two benchmarks. */
static char *apart_of(const fmt_at *result) {
    const double threads = fmt_real_of(result, "threads");
    const char *mode = fmt_text_of(result, "mode");
    return isfinite(threads) ? g_strdup_printf("mode=%s threads=%.0f", mode ? mode : "?", threads)
                             : g_strdup_printf("mode=%s", mode ? mode : "?");
}

/* With -prof gc; a dot stood before the name up to JMH 1.36. */
static const char *const allocation[] = {"gc.alloc.rate.norm", "\u00b7gc.alloc.rate.norm", NULL};

static double allocated_of(const fmt_at *result) {
    const fmt_at more = fmt_get(result, "secondaryMetrics");
    fmt_at metric = fmt_get(&more, allocation[0]);
    if (!metric.json)
        metric = fmt_get(&more, allocation[1]);
    return g_strcmp0(fmt_text_of(&metric, "scoreUnit"), "B/op") == 0 ? fmt_real_of(&metric, "score")
                                                                     : (double)NAN;
}

/* Of mode "sample" a fork has a list of [time, how many calls took it] an iteration. */
static double histogram_mean(const fmt_at *fork) {
    double sum = 0, calls = 0;
    for (size_t i = 0; i < fmt_size(fork); i++) {
        const fmt_at iteration = fmt_item(fork, i);
        for (size_t k = 0; k < fmt_size(&iteration); k++) {
            const fmt_at row = fmt_item(&iteration, k);
            const fmt_at time = fmt_item(&row, 0), count = fmt_item(&row, 1);
            sum += fmt_real(&time) * fmt_real(&count);
            calls += fmt_real(&count);
        }
    }
    return sum / calls;
}

/* False: not a number, at the place that is left out for it. */
static bool fork_read(const fmt_at *fork, size_t number, bool sampled, const cfg_unit *unit,
                      fmt_value *value, fmt_night *night) {
    fmt_value_loop(value);
    for (size_t i = 0; i < (sampled ? fmt_size(fork) > 0 : fmt_size(fork)); i++) {
        const fmt_at at = fmt_item(fork, i);
        const double ns = cfg_unit_to_ns(unit, sampled ? histogram_mean(fork) : fmt_real(&at));
        if (!isfinite(ns)) {
            fmt_night_leave(night, value->name, value->apart,
                            "fork %zu, iteration %zu is not a number", number, i + 1);
            return false;
        }
        fmt_value_add(value, ns);
    }
    return true;
}

/* A fork that failed (-foe false) is missing, or empty: that is told. */
static bool forks_read(const fmt_at *result, const fmt_at *metric, const cfg_unit *unit,
                       fmt_value *value, fmt_night *night) {
    const fmt_at raw = fmt_get(metric, "rawData"), sampled = fmt_get(metric, "rawDataHistogram");
    const fmt_at *forks = raw.json ? &raw : &sampled;
    const double named = fmt_real_of(result, "forks"), asked = named <= FORKS_MOST ? named : 0;
    size_t there = 0;
    for (size_t f = 0; f < fmt_size(forks); f++) {
        const fmt_at fork = fmt_item(forks, f);
        there += fmt_size(&fork) > 0;
    }
    for (size_t f = 0; there > 0 && (f < fmt_size(forks) || (double)f < asked); f++) {
        const fmt_at fork = fmt_item(forks, f);
        if (fmt_size(&fork) == 0)
            fmt_value_failed(value, g_strdup("the fork has no values"));
        else if (!fork_read(&fork, f + 1, !raw.json, unit, value, night))
            return false;
    }
    if (value->failed->len > 0) {
        g_autofree char *told = g_strdup_printf("%s: %zu of %zu forks have values", value->name,
                                                there, there + value->failed->len);
        fmt_night_note(night, told);
    }
    return true;
}

/* Methods of a group, counters and profilers; not the percentiles that mode "sample" has. */
static void beside_read(const fmt_at *result, fmt_night *night) {
    const char *key;
    json_t *value, *more = json_object_get(result->json, "secondaryMetrics");
    json_object_foreach (more, key, value)
        if (!g_strv_contains(allocation, key) && !strstr(key, "p0.") && !strstr(key, "p1.00"))
            fmt_night_unread(night, key);
}

void fmt_jmh_threads(cfg_unit *unit, double threads, fmt_night *night) {
    if (!unit->rate || !(threads > 1))
        return;
    unit->ns *= threads;
    fmt_night_note(night, "a rate counts the calls of all threads: the time of a call is "
                          "threads / rate");
}

/* An operation is a whole batch of calls. */
static void unit_of_call(const fmt_at *result, cfg_unit *unit, fmt_value *value, fmt_night *night) {
    const double batch = fmt_real_of(result, "measurementBatchSize");
    fmt_jmh_threads(unit, fmt_real_of(result, "threads"), night);
    if (batch > 1) {
        unit->ns /= batch;
        value->allocated_bytes /= batch;
        fmt_night_note(night,
                       "an operation is a batch of calls (measurementBatchSize): its time is "
                       "divided by them");
    }
}

static bool result_read(const fmt_at *result, fmt_night *night, GError **error) {
    g_autofree char *name = name_of(result), *apart = apart_of(result);
    const fmt_at metric = fmt_get(result, "primaryMetric");
    const char *unit = fmt_text_of(&metric, "scoreUnit");
    cfg_unit known;
    if (!name || !unit || !cfg_unit_of(unit, &known)) {
        if (!name || !unit)
            fmt_night_leave(night, name, apart,
                            "a result without benchmark, primaryMetric or scoreUnit");
        else
            fmt_night_leave(night, name, apart, "its unit \"%s\" is not a time per call", unit);
        return true;
    }
    fmt_value *value = fmt_night_once(night, result, name, apart, error);
    if (!value)
        return false;
    value->rates = known.rate;
    value->allocated_bytes = allocated_of(result);
    unit_of_call(result, &known, value, night);
    beside_read(result, night);
    value->mean_ns = cfg_unit_to_ns(&known, fmt_real_of(&metric, "score"));
    if (!forks_read(result, &metric, &known, value, night))
        g_ptr_array_remove(night->values, value);
    else if (value->loops->len < 2 && isfinite(fmt_real_of(&metric, "scoreError")))
        fmt_night_note(night, "JMH's own interval is not read: it is of 99.9 %, over iterations of "
                              "one process");
    return true;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root);
    static const char *const machine[] = {"jdkVersion", "jmhVersion", "jvm",
                                          "vmName",     "vmVersion",  NULL};
    fmt_night *night = fmt_night_new(nights, "jmh");
    night->lasting = true;
    const fmt_at first = fmt_item(&root, 0);
    fmt_night_machine(night, &first, machine);
    return fmt_each(&root, night, result_read, error);
}

const fmt_format fmt_jmh = {"jmh", "JMH",
                            "does the benchmark's pattern match any, and is this the file of "
                            "-rf json?",
                            is, take};
