/* BenchmarkDotNet, --exporters json (full, brief): a launch is a fresh process. */
#include "config/formats/formats.h"

#include <math.h>

static bool is(const fmt_input *in) {
    return fmt_has(in->root, "{s:{},s:[]}", "HostEnvironmentInfo", "Benchmarks");
}

static bool is_result(const fmt_at *one) {
    return g_strcmp0(fmt_text_of(one, "IterationMode"), "Workload") == 0 &&
           g_strcmp0(fmt_text_of(one, "IterationStage"), "Result") == 0;
}

/* The full file has every iteration of every launch: ns of so many operations. */
static void launches_read(const fmt_at *bench, fmt_night *night, fmt_value *value) {
    const fmt_at list = fmt_get(bench, "Measurements");
    double launch = (double)NAN;
    for (size_t i = 0; i < fmt_size(&list); i++) {
        const fmt_at one = fmt_item(&list, i);
        const double index = fmt_real_of(&one, "LaunchIndex");
        const double ns = fmt_real_of(&one, "Nanoseconds") / fmt_real_of(&one, "Operations");
        if (!is_result(&one))
            continue;
        if (!isfinite(ns)) {
            fmt_night_leave(night, value->name, value->apart, "measurement %zu is not a number",
                            i + 1);
            continue;
        }
        if (!(index == launch))
            fmt_value_loop(value);
        launch = index;
        fmt_value_add(value, ns);
    }
}

static bool bench_read(const fmt_at *bench, fmt_night *night, GError **error) {
    const char *full = fmt_text_of(bench, "FullName");
    const char *name = full ? full : fmt_text_of(bench, "DisplayInfo");
    const fmt_at statistics = fmt_get(bench, "Statistics"), memory = fmt_get(bench, "Memory");
    if (!name || !json_is_object(statistics.json)) {
        fmt_night_leave(night, name, fmt_text_of(bench, "DisplayInfo"),
                        name ? "it has no Statistics: it did not run to its end"
                             : "a benchmark without FullName");
        return true;
    }
    fmt_value *value = fmt_night_once(night, bench, name, fmt_text_of(bench, "DisplayInfo"), error);
    if (!value)
        return false;
    value->allocated_bytes = fmt_real_of(&memory, "BytesAllocatedPerOperation");
    value->mean_ns = fmt_real_of(&statistics, "Mean");
    launches_read(bench, night, value);
    if (value->loops->len < 2) { /* one process: its mean is the tool's, without what it left out */
        const fmt_at originals = fmt_get(&statistics, "OriginalValues");
        g_array_set_size(value->loops, 0);
        g_array_set_size(value->values_ns, 0);
        fmt_night_numbers(night, value, &originals, 1, "");
        if (json_object_get(statistics.json, "ConfidenceInterval"))
            fmt_night_note(night, "BenchmarkDotNet's own interval is not read: it is over "
                                  "iterations of one process");
    }
    return true;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), list = fmt_get(&root, "Benchmarks");
    const fmt_at machine = fmt_get(&root, "HostEnvironmentInfo");
    fmt_night *night = fmt_night_new(nights, "benchmarkdotnet");
    fmt_night_machine(night, &machine, NULL);
    return fmt_each(&list, night, bench_read, error);
}

const fmt_format fmt_benchmarkdotnet = {"benchmarkdotnet", "BenchmarkDotNet",
                                        "is it written by --exporters json?", is, take};
