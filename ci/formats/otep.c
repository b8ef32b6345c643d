#include "ci/formats/otep.h"

#include "ci/formats/night.h"

#include <math.h>

/* What OTEP 5109 calls a thing, and where an experiment has it. */
static const struct {
    const char *name, *key;
} metadata[] = {{"runner", "node"}, {"runtime", "runtime"}, {"cpu", "cpu"}, {"kernel", "kernel"}};

/* "runner=…\nruntime=…": what is not known is left out, and no value has a line of its own. */
static char *extra_of(const json_t *experiment) {
    const json_t *environment = json_object_get(experiment, "environment_detail");
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(metadata); i++) {
        const char *value = json_string_value(json_object_get(environment, metadata[i].key));
        g_autofree char *line = value && *value ? g_strdelimit(g_strdup(value), "\r\n", ' ') : NULL;
        if (line)
            g_string_append_printf(text, "%s=%s\n", metadata[i].name, line);
    }
    const json_t *runner = json_object_get(json_object_get(environment, "detail"), "runner");
    g_string_append_printf(text, "framework=moowatch %s",
                           json_is_string(runner) ? json_string_value(runner) : "");
    g_strchomp(text->str);
    return g_string_free(text, FALSE);
}

static void bench_add(json_t *benches, const char *name, const char *unit, double value,
                      const char *extra) {
    if (isfinite(value))
        json_array_append_new(benches, json_pack("{s:s,s:s,s:f,s:s}", "name", name, "unit", unit,
                                                 "value", value, "extra", extra));
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over the loops of what a call allocated; NaN: nobody counted. */
static double allocated_of(const json_t *configuration) {
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(double));
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(configuration, "loop_results"), i, loop) {
        const json_t *bytes =
            json_object_get(json_object_get(loop, "readings"), "allocated_bytes_per_call");
        const double value = json_number_value(bytes);
        if (json_is_number(bytes) && json_is_true(json_object_get(loop, "used")))
            g_array_append_val(found, value);
    }
    if (found->len == 0)
        return (double)NAN;
    g_array_sort(found, by_size);
    const double *sorted = (const double *)(const void *)found->data;
    return (sorted[(found->len - 1) / 2] + sorted[found->len / 2]) / 2;
}

static json_t *benches_of(const json_t *experiment) {
    g_autofree char *extra = extra_of(experiment);
    json_t *benches = json_array();
    size_t i;
    json_t *configuration;
    json_array_foreach (json_object_get(experiment, "configurations"), i, configuration) {
        const char *name = ci_json_text(configuration, "label", "?");
        g_autofree char *allocations = g_strconcat(name, " allocations", NULL);
        bench_add(benches, name, "ns", ci_json_real(configuration, "median_ns"), extra);
        bench_add(benches, allocations, "B/op", allocated_of(configuration), extra);
    }
    return benches;
}

json_t *ci_otep_point(const json_t *experiment) {
    const json_t *commit = json_object_get(experiment, "commit");
    return json_pack(
        "{s:s*,s:s,s:I,s:o}", "release", json_string_value(json_object_get(experiment, "release")),
        "commit", ci_json_text(commit, "sha", ""), "date",
        json_integer_value(json_object_get(commit, "time_ms")), "benches", benches_of(experiment));
}
