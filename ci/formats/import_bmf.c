/* Bencher Metric Format: {"name": {"latency": {"value", "lower_value", "upper_value"}}}, in ns. */
#include "ci/formats/night.h"
#include "ci/formats/values.h"

#include <math.h>

bool ci__import_bmf(json_t *root, json_t *nights) {
    json_t *night;
    const char *name;
    json_t *measures;
    if (!json_is_object(root) || !json_object_size(root))
        return false;
    json_object_foreach (root, name, measures) {
        const char *measure;
        json_t *metric;
        if (!json_is_object(measures))
            return false;
        json_object_foreach (measures, measure, metric)
            if (!json_is_number(json_object_get(metric, "value")))
                return false;
    }
    night = ci_night_new("bmf", NULL, -1);
    json_object_foreach (root, name, measures) {
        const json_t *latency = json_object_get(measures, "latency");
        if (latency)
            ci_night_value(night, name, ci_json_real(latency, "value"),
                           ci_json_real(latency, "lower_value"),
                           ci_json_real(latency, "upper_value"), NULL, 0);
        else
            ci_night_left_out(night);
    }
    json_array_append_new(nights, night);
    return true;
}
