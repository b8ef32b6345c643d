/* hyperfine --export-json: seconds; every run of a command is a fresh process, so a loop of ours.
 */
#include "ci/formats/night.h"
#include "ci/formats/values.h"

#include <math.h>

#define LOOPS_MAX 100000u

static void result_add(json_t *night, const json_t *result) {
    const json_t *times = json_object_get(result, "times");
    const gsize count = MIN(json_array_size(times), LOOPS_MAX);
    g_autofree double *loops_ns = g_new0(double, count + 1);
    double sum_ns = 0;
    for (gsize i = 0; i < count; i++) {
        const json_t *time = json_array_get(times, i);
        loops_ns[i] = json_is_number(time) ? json_number_value(time) * 1e9 : (double)NAN;
        sum_ns += loops_ns[i];
    }
    const double mean_ns = count ? sum_ns / (double)count : ci_json_real(result, "mean") * 1e9;
    ci_night_value(night, ci_json_text(result, "command", NULL), mean_ns, (double)NAN, (double)NAN,
                   count ? loops_ns : NULL, count);
}

bool ci__import_hyperfine(json_t *root, json_t *nights) {
    const json_t *results = json_object_get(root, "results");
    size_t i;
    json_t *result;
    if (!json_is_string(json_object_get(json_array_get(results, 0), "command")))
        return false;
    json_t *night = ci_night_new("hyperfine", NULL, -1);
    json_array_foreach (results, i, result)
        result_add(night, result);
    json_array_append_new(nights, night);
    return true;
}
