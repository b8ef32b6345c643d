/* JMH -rf json: rawData holds the iterations of every fork; a fork's mean is one value. */
#include "ci/formats/night.h"
#include "ci/formats/values.h"
#include "config/units.h"

#include <math.h>

#define FORKS_MAX 1000u

/* "Bench.method (size=10)" */
static char *name_of(const json_t *result) {
    g_autoptr(GString) name = g_string_new(ci_json_text(result, "benchmark", ""));
    const char *key;
    json_t *value;
    json_object_foreach (json_object_get(result, "params"), key, value)
        g_string_append_printf(name, " %s=%s", key,
                               json_string_value(value) ? json_string_value(value) : "?");
    return g_string_free(g_steal_pointer(&name), FALSE);
}

static double fork_mean(const json_t *iterations) {
    double sum = 0;
    size_t i;
    json_t *value;
    json_array_foreach (iterations, i, value)
        sum += json_is_number(value) ? json_number_value(value) : (double)NAN;
    return i ? sum / (double)i : (double)NAN;
}

static void result_add(json_t *night, const json_t *result) {
    const json_t *metric = json_object_get(result, "primaryMetric");
    const json_t *raw = json_object_get(metric, "rawData");
    const char *unit = ci_json_text(metric, "scoreUnit", "");
    const double factor = cfg_unit_ns(unit), rate = cfg_unit_rate_ns(unit);
    g_autofree char *name = name_of(result);
    const gsize forks = MIN(json_array_size(raw), FORKS_MAX);
    g_autofree double *loops = g_new0(double, forks + 1);
    double sum = 0;
    for (gsize i = 0; i < forks; i++) {
        const double mean = fork_mean(json_array_get(raw, i));
        loops[i] = factor > 0 ? mean * factor : rate / mean;
        sum += loops[i];
    }
    if (!(factor > 0) && !(rate > 0)) {
        ci_night_left_out(night);
        return;
    }
    const double score = ci_json_real(metric, "score");
    const json_t *interval = json_object_get(metric, "scoreConfidence");
    double low = json_number_value(json_array_get(interval, 0));
    double high = json_number_value(json_array_get(interval, 1));
    if (json_array_size(interval) != 2 || !json_is_number(json_array_get(interval, 0)))
        low = high = (double)NAN;
    if (factor > 0)
        ci_night_value(night, name, forks ? sum / (double)forks : score * factor, low * factor,
                       high * factor, forks ? loops : NULL, forks);
    else
        ci_night_value(night, name, forks ? sum / (double)forks : rate / score,
                       low > 0 ? rate / high : (double)NAN, low > 0 ? rate / low : (double)NAN,
                       forks ? loops : NULL, forks);
}

bool ci__import_jmh(json_t *root, json_t *nights) {
    size_t i;
    json_t *result;
    if (!json_object_get(json_array_get(root, 0), "primaryMetric"))
        return false;
    json_t *night = ci_night_new("jmh", NULL, -1);
    json_array_foreach (root, i, result)
        result_add(night, result);
    json_array_append_new(nights, night);
    return true;
}
