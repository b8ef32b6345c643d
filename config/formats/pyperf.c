/* pyperf, -o FILE: a run is a fresh process; the first ones only calibrate and have no values. */
#include "config/formats/formats.h"

static bool is(const fmt_input *in) {
    const json_t *first = json_array_get(json_object_get(in->root, "benchmarks"), 0);
    const json_t *runs = json_object_get(first, "runs"), *run = json_array_get(runs, 0);
    return json_is_array(runs) &&
           (!run || json_object_get(run, "values") || json_object_get(run, "metadata"));
}

/* What all benchmarks share stands once, at the top. */
static const char *shared_text(const fmt_at *bench, const char *key) {
    const fmt_at *root = bench->above->above;
    const fmt_at own = fmt_get(bench, "metadata"), all = fmt_get(root, "metadata");
    const char *text = fmt_text_of(&own, key);
    return text ? text : fmt_text_of(&all, key);
}

static void runs_read(const fmt_at *bench, fmt_night *night, fmt_value *value) {
    const fmt_at runs = fmt_get(bench, "runs");
    for (size_t r = 0; r < fmt_size(&runs); r++) {
        const fmt_at run = fmt_item(&runs, r), values = fmt_get(&run, "values");
        const fmt_at about = fmt_get(&run, "metadata");
        g_autofree char *where = g_strdup_printf("run %zu, ", r + 1);
        if (night->time_ms < 0)
            night->time_ms = fmt_time_ms(fmt_text_of(&about, "date"));
        fmt_value_loop(value);
        fmt_night_numbers(night, value, &values, 1e9, where);
    }
}

static bool bench_read(const fmt_at *bench, fmt_night *night, GError **error) {
    const char *name = shared_text(bench, "name"), *unit = shared_text(bench, "unit");
    if (unit && !g_str_equal(unit, "second")) {
        fmt_night_leave(night, name, NULL, "its unit \"%s\" is not a unit of time", unit);
        return true;
    }
    fmt_value *value = fmt_night_once(night, bench, name ? name : "", NULL, error);
    if (value)
        runs_read(bench, night, value);
    return value != NULL;
}

/* What all benchmarks share, and what the first one has of its own. */
static void machine_read(const fmt_at *root, const fmt_at *first, fmt_night *night) {
    static const char *const keys[] = {
        "hostname", "platform",       "cpu_model_name",        "cpu_count",    "cpu_config",
        "cpu_freq", "python_version", "python_implementation", "perf_version", NULL};
    const fmt_at all = fmt_get(root, "metadata"), own = fmt_get(first, "metadata");
    fmt_night_machine(night, &all, keys);
    fmt_night_machine(night, &own, keys);
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), list = fmt_get(&root, "benchmarks");
    const fmt_at first = fmt_item(&list, 0);
    fmt_night *night = fmt_night_new(nights, "pyperf");
    machine_read(&root, &first, night);
    return fmt_each(&list, night, bench_read, error);
}

const fmt_format fmt_pyperf = {"pyperf", "pyperf", "is it written by -o FILE?", is, take};
