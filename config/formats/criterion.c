/* Criterion.rs: estimates.json or sample.json of one benchmark; its name stands in a file beside.
 */
#include "config/formats/formats.h"
#include "config/json_text.h"

#include <math.h>

static bool is_sample(const fmt_input *in) {
    return fmt_has(in->root, "{s:[],s:[]}", "iters", "times");
}

static bool is_estimates(const fmt_input *in) {
    return fmt_has(in->root, "{s:{s:F},s:{}}", "mean", "point_estimate", "median_abs_dev");
}

static bool is(const fmt_input *in) {
    return is_sample(in) || is_estimates(in);
}

/* full_id of benchmark.json beside it; "" without a path. Owned; NULL: there is none. */
static char *name_of(const fmt_input *in) {
    if (!in->path)
        return g_strdup("");
    g_autofree char *folder = g_path_get_dirname(in->path);
    g_autofree char *file = g_build_filename(folder, "benchmark.json", NULL);
    json_auto_t *about = json_load_file(file, 0, NULL);
    return g_strdup(cfg_json_word(about, "full_id", NULL));
}

static bool sample_read(const fmt_at *root, fmt_value *value, GError **error) {
    const fmt_at iterations = fmt_get(root, "iters"), times = fmt_get(root, "times");
    if (fmt_size(&iterations) != fmt_size(&times))
        return fmt_wrong(&times, error, "there are %zu times of %zu iters", fmt_size(&times),
                         fmt_size(&iterations));
    for (size_t i = 0; i < fmt_size(&times); i++) {
        const fmt_at count = fmt_item(&iterations, i), time = fmt_item(&times, i);
        const double ns = fmt_real(&time) / fmt_real(&count);
        if (!isfinite(ns))
            return fmt_wrong(&time, error, "is not a time of a number of calls");
        fmt_value_add(value, ns);
    }
    return true;
}

static void estimates_read(const fmt_at *root, fmt_night *night, fmt_value *value) {
    const fmt_at mean = fmt_get(root, "mean"), interval = fmt_get(&mean, "confidence_interval");
    value->mean_ns = fmt_real_of(&mean, "point_estimate");
    if (fmt_real_of(&interval, "confidence_level") != 0.95) {
        fmt_night_note(night, "\"confidence_interval\" is not read: it is not of 95 %");
        return;
    }
    value->low_ns = fmt_real_of(&interval, "lower_bound");
    value->high_ns = fmt_real_of(&interval, "upper_bound");
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root);
    g_autofree char *name = name_of(in);
    if (!name)
        return fmt_wrong(&root, error, "benchmark.json, which has its name, is not beside it");
    fmt_night *night = fmt_night_new(nights, "criterion");
    fmt_value *value = fmt_night_value(night, name, NULL);
    if (is_sample(in))
        return sample_read(&root, value, error);
    estimates_read(&root, night, value);
    return true;
}

const fmt_format fmt_criterion = {
    "criterion", "Criterion", "is this estimates.json or sample.json of one benchmark?", is, take};
