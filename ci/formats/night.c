#include "ci/formats/night.h"

#include "config/model/benchmark.h"
#include "config/model/detection.h"

#include <math.h>

/* The interval upstream prints: every call taken for independent. Shown, never used. */
static void calls_interval(json_t *statistics, const det_summary *s, double level) {
    const double half =
        s->n > 1 ? det_normal_quantile((1 + level) / 2) * s->sd / sqrt((double)s->n) : (double)NAN;
    json_object_set_new(statistics, "calls_low_ns", cfg_json_real(s->mean - half));
    json_object_set_new(statistics, "calls_high_ns", cfg_json_real(s->mean + half));
}

static json_t *loops_json(const ci_configuration *c, unsigned loops) {
    json_t *list = json_array();
    for (unsigned l = 0; l < loops; l++) {
        const ci_loop *loop = &c->loops[l];
        json_array_append_new(
            list, loop->present ? json_pack("{s:i,s:n,s:I,s:o}", "loop", (int)l + 1, "failed",
                                            "warmup_calls", (json_int_t)loop->warmup_calls,
                                            "summary", cfg_summary_json(&loop->calls))
                                : json_pack("{s:i,s:s,s:n}", "loop", (int)l + 1, "failed",
                                            "the raw file is missing", "summary"));
    }
    return list;
}

static json_t *configuration_json(const ci_configuration *c, const det_interval *mean,
                                  unsigned loops, double level) {
    json_t *out = model_write(&cfg_interval_ns_model, mean);
    json_t *statistics = cfg_summary_json(&c->all);
    json_object_set_new(statistics, "low_ns", cfg_json_real(mean->low));
    json_object_set_new(statistics, "high_ns", cfg_json_real(mean->high));
    calls_interval(statistics, &c->all, level);
    json_object_set_new(out, "name", json_string(c->link->name));
    json_object_set_new(out, "label", json_string(c->link->label));
    json_object_set_new(out, "loops", json_integer((json_int_t)mean->n));
    json_object_set_new(out, "statistics", statistics);
    json_object_set_new(out, "loop_results", loops_json(c, loops));
    return out;
}

static json_t *portion_json(const ci_results *results, guint i, const det_portions *means,
                            const det_portions *medians) {
    const ci_link *link = results->links->pdata[i];
    const ci_link *parent = link->parent < 0 ? NULL : results->links->pdata[link->parent];
    json_t *out = model_write(&cfg_interval_ns_model, &means->portion[i]);
    json_object_set_new(out, "portion", json_string(link->portion));
    json_object_set_new(out, "configuration", json_string(link->name));
    json_object_set_new(out, "parent", parent ? json_string(parent->name) : json_null());
    if (link->unit)
        json_object_set_new(out, "unit", json_string(link->unit));
    if (link->higher)
        json_object_set_new(out, "better", json_string("higher"));
    json_object_set_new(out, "method", json_string(det_method_text(means->method[i])));
    json_object_set_new(out, "df", cfg_json_real(means->portion[i].df));
    json_object_set_new(out, "verdict", json_string("first"));
    json_object_set_new(out, "median_ns", cfg_json_real(medians->portion[i].mean));
    json_object_set_new(out, "median_low_ns", cfg_json_real(medians->portion[i].low));
    json_object_set_new(out, "median_high_ns", cfg_json_real(medians->portion[i].high));
    return out;
}

static double *grid(const ci_results *results, bool medians) {
    double *values = g_new(double, (gsize)results->links->len * results->loops);
    for (guint c = 0; c < results->links->len; c++)
        for (unsigned l = 0; l < results->loops; l++) {
            const ci_loop *loop = &results->configurations[c].loops[l];
            values[(gsize)c * results->loops + l] = !loop->present ? (double)NAN
                                                    : medians      ? loop->calls.median
                                                                   : loop->calls.mean;
        }
    return values;
}

json_t *ci_night_of(const ci_results *results, double level, GError **error) {
    det_portions means, medians;
    g_autofree double *mean_of = grid(results, false);
    g_autofree double *median_of = grid(results, true);
    det_status status = det_portions_of(&means, &results->chain, mean_of, results->loops, level);
    if (status == DET_OK)
        status = det_portions_of(&medians, &results->chain, median_of, results->loops, level);
    if (status != DET_OK) {
        ci_wrong(error, "%s: %s", results->path, det_status_text(status));
        return NULL;
    }
    json_t *configurations = json_array(), *portions = json_array();
    int leaf = 0; /* the first chain: from the root always to the first child */
    for (guint i = 0; i < results->links->len; i++) {
        json_array_append_new(configurations,
                              configuration_json(&results->configurations[i],
                                                 &means.configuration[i], results->loops, level));
        json_array_append_new(portions, portion_json(results, i, &means, &medians));
        if (i && ((ci_link *)results->links->pdata[i])->parent == leaf)
            leaf = (int)i;
    }
    g_autofree char *name = g_path_get_basename(results->path);
    return json_pack("{s:s,s:s,s:s,s:n,s:i,s:i,s:f,s:o,s:o,s:o}", "source", results->path, "night",
                     name, "state", "measured", "reason", "loops", (int)results->loops,
                     "recursion_depth", (int)results->depth, "level", level, "total",
                     model_write(&cfg_interval_ns_model, &means.configuration[leaf]),
                     "configurations", configurations, "portions", portions);
}

json_t *ci_record_read(const char *folder, GError **error) {
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_error_t wrong;
    json_t *record = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    if (!record)
        ci_wrong(error, "%s: %s", path, wrong.text);
    return record;
}

cfg_project *ci_record_project(const char *folder) {
    json_auto_t *record = ci_record_read(folder, NULL);
    const json_t *benchmark = json_object_get(record, "benchmark");
    cfg_project *project = g_new0(cfg_project, 1);
    const bool known =
        benchmark && model_read(&cfg_benchmark_model, benchmark, &project->benchmark, NULL);
    if (known) {
        project->name = g_strdup("experiment.json");
        return project;
    }
    g_free(project);
    return NULL;
}
