/* pyperf, -o FILE: a run is a fresh process; the first ones only calibrate and have no values. */
#include "config/formats/formats.h"

#include <math.h>

static bool is(const fmt_input *in) {
    const json_t *first = json_array_get(json_object_get(in->root, "benchmarks"), 0);
    return json_is_array(json_object_get(first, "runs"));
}

/* What all benchmarks share stands once, at the top. */
static const char *shared_text(const fmt_at *root, const fmt_at *bench, const char *key) {
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

static bool bench_read(const fmt_at *root, const fmt_at *bench, fmt_night *night, GError **error) {
    const char *name = shared_text(root, bench, "name"), *unit = shared_text(root, bench, "unit");
    if (unit && !g_str_equal(unit, "second")) {
        fmt_night_leave(night, name, NULL, "its unit \"%s\" is not a unit of time", unit);
        return true;
    }
    const guint there = night->values->len;
    fmt_value *value = fmt_night_value(night, name ? name : "", NULL);
    if (night->values->len == there)
        return fmt_wrong(bench, error, "\"%s\" is there twice", name ? name : "");
    runs_read(bench, night, value);
    return true;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), list = fmt_get(&root, "benchmarks");
    fmt_night *night = fmt_night_new(nights, "pyperf");
    for (size_t i = 0; i < fmt_size(&list); i++) {
        const fmt_at bench = fmt_item(&list, i);
        if (!bench_read(&root, &bench, night, error))
            return false;
    }
    return true;
}

const fmt_format fmt_pyperf = {"pyperf", "pyperf", "is it written by -o FILE?", is, take};
