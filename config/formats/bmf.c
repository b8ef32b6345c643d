/* Bencher Metric Format: {"name": {"latency": {"value", "lower_value", "upper_value"}}}, in ns. */
#include "config/formats/formats.h"

#include <math.h>

static bool is(const fmt_input *in) {
    const char *name, *measure;
    json_t *measures, *metric, *root = in->root;
    bool number = false; /* in one of them: of others it may be null or a text */
    if (!json_is_object(root) || json_object_size(root) == 0)
        return false;
    json_object_foreach (root, name, measures) {
        if (!json_is_object(measures) || json_object_size(measures) == 0)
            return false;
        json_object_foreach (measures, measure, metric) {
            const json_t *value = json_object_get(metric, "value");
            if (!json_is_number(value) && !(value && g_str_equal(measure, "latency")))
                return false;
            number = number || json_is_number(value);
        }
    }
    return number;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root);
    fmt_night *night = fmt_night_new(nights, "bmf");
    const char *name;
    json_t *measures, *all = in->root;
    (void)error;
    json_object_foreach (all, name, measures) {
        const fmt_at of = fmt_get(&root, name), latency = fmt_get(&of, "latency");
        if (latency.json)
            fmt_night_unread_members(night, &of, (const char *const[]){"latency", NULL});
        if (!latency.json) {
            fmt_night_leave(night, name, NULL, "it has no latency");
            continue;
        }
        fmt_value *value = fmt_night_value(night, name, NULL);
        value->mean_ns = fmt_real_of(&latency, "value");
        value->low_ns = fmt_real_of(&latency, "lower_value");
        value->high_ns = fmt_real_of(&latency, "upper_value");
        if (value->low_ns <= value->mean_ns && value->high_ns >= value->mean_ns)
            fmt_night_note(night, "\"lower_value\" and \"upper_value\" are read as a 95 % "
                                  "interval; the file does not say what they are");
        else if (isfinite(value->low_ns) || isfinite(value->high_ns))
            fmt_night_note(night, "of some \"lower_value\" or \"upper_value\" is missing or on the "
                                  "other side of the value: that is no interval");
    }
    return true;
}

const fmt_format fmt_bmf = {"bmf", "Bencher Metric Format",
                            "it has {\"NAME\": {\"latency\": {\"value\": ns}}}", is, take};
