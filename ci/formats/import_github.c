/* github-action-benchmark: window.BENCHMARK_DATA of data.js, and the custom list of one run. */
#include "ci/formats/night.h"
#include "ci/formats/values.h"
#include "config/units.h"

#include <math.h>
#include <string.h>

#define DIGITS_MAX 40

/* The half width that "range" means: "± 0.09", "+/-3%", "0.3", or a number. NaN: none. */
static double half_width(const json_t *range, double value) {
    if (json_is_number(range))
        return json_number_value(range);
    const char *text = json_string_value(range);
    text = text ? text + strcspn(text, "0123456789.") : "";
    char *end = NULL;
    const double width = g_ascii_strtod(text, &end);
    if (end == text || end - text > DIGITS_MAX)
        return (double)NAN;
    while (*end == ' ')
        end++;
    return *end == '%' ? fabs(value) * width / 100 : width;
}

static void bench_add(json_t *night, const json_t *bench) {
    const char *unit = ci_json_text(bench, "unit", "");
    const double factor = cfg_unit_ns(unit), rate = cfg_unit_rate_ns(unit);
    const double value = ci_json_real(bench, "value");
    const double half = half_width(json_object_get(bench, "range"), value);
    const char *name = ci_json_text(bench, "name", NULL);
    if (factor > 0)
        ci_night_value(night, name, value * factor, (value - half) * factor,
                       (value + half) * factor, NULL, 0);
    else if (rate > 0 && value > 0)
        ci_night_value(night, name, rate / value,
                       value > half ? rate / (value + half) : (double)NAN,
                       value > half ? rate / (value - half) : (double)NAN, NULL, 0);
    else
        ci_night_left_out(night);
}

static void run_add(json_t *nights, const char *suite, const json_t *run) {
    const json_t *commit = json_object_get(run, "commit");
    const double date = ci_json_real(run, "date");
    json_t *night = ci_night_new("github", suite,
                                 isfinite(date) && date > 0 && date < 1e15 ? (gint64)date : -1);
    if (json_is_object(commit))
        json_object_set_new(night, "commit",
                            json_pack("{s:s,s:s,s:s}", "sha", ci_json_text(commit, "id", ""),
                                      "subject", ci_json_text(commit, "message", ""), "author",
                                      ci_json_text(json_object_get(commit, "author"), "name", "")));
    size_t i;
    json_t *bench;
    json_array_foreach (json_object_get(run, "benches"), i, bench)
        bench_add(night, bench);
    json_array_append_new(nights, night);
}

bool ci__import_github(json_t *root, json_t *nights) {
    json_t *entries = json_object_get(root, "entries");
    size_t i;
    json_t *each;
    if (json_is_object(entries)) {
        const char *suite;
        json_t *runs;
        json_object_foreach (entries, suite, runs)
            json_array_foreach (runs, i, each)
                run_add(nights, suite, each);
        return true;
    }
    const json_t *first = json_array_get(root, 0);
    if (!json_object_get(first, "name") || !json_object_get(first, "value"))
        return false;
    json_t *night = ci_night_new("github", NULL, -1);
    json_array_foreach (root, i, each)
        bench_add(night, each);
    json_array_append_new(nights, night);
    return true;
}
