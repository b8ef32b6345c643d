#include "ci/site/experiment.h"

#include <math.h>

enum { LOOP_DIGITS = 4 };

static json_t *subtract_lists(json_t *a, const json_t *b) {
    json_t *out = json_array();
    for (size_t i = 0; i < json_array_size(a); i++) {
        json_t *rest = ci_site_subtract(json_array_get(a, i), json_array_get(b, i));
        json_array_append_new(out, rest ? rest : json_object());
    }
    return out;
}

static bool all_objects(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_object(json_array_get(list, i)))
            return false;
    return true;
}

json_t *ci_site_subtract(json_t *a, const json_t *b) {
    if (json_equal(a, b))
        return NULL;
    if (json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b) &&
        all_objects(a) && all_objects(b))
        return subtract_lists(a, b);
    if (!json_is_object(a) || !json_is_object(b))
        return json_incref(a);
    json_t *out = json_object();
    const char *key;
    json_t *value;
    json_object_foreach (a, key, value) {
        json_t *rest = ci_site_subtract(value, json_object_get(b, key));
        if (rest)
            json_object_set_new(out, key, rest);
    }
    return out;
}

static void round_real(json_t *real, int digits) {
    const double value = json_real_value(real);
    if (value == 0 || !isfinite(value))
        return;
    const double places = digits - 1 - floor(log10(fabs(value)));
    const double scale = pow(10, fabs(places));
    (void)json_real_set(real,
                        places > 0 ? round(value * scale) / scale : round(value / scale) * scale);
}

void ci_site_round(json_t *value, int digits) {
    size_t i;
    const char *key;
    json_t *part;
    if (json_is_real(value))
        round_real(value, digits);
    json_array_foreach (value, i, part)
        ci_site_round(part, digits);
    json_object_foreach (value, key, part)
        ci_site_round(part, digits);
}

/* A loop's mean is what two nights are compared by; the rest is for a table of three digits. */
static void round_loop(json_t *loop) {
    json_t *mean = json_object_get(json_object_get(loop, "summary"), "mean_ns");
    const double mean_ns = json_real_value(mean);
    ci_site_round(loop, LOOP_DIGITS);
    if (json_is_real(mean))
        (void)json_real_set(mean, mean_ns);
}

/* What its statistics say of a configuration's mean, it says itself. */
static void drop_repeated(json_t *configuration) {
    static const char *const keys[] = {"mean_ns", "low_ns", "high_ns"};
    json_t *statistics = json_object_get(configuration, "statistics");
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const json_t *own = json_object_get(configuration, keys[i]);
        if (own && json_equal(own, json_object_get(statistics, keys[i])))
            (void)json_object_del(statistics, keys[i]);
    }
}

/* Raw values stay on the server. */
static void shorten(json_t *experiment) {
    size_t i, k;
    json_t *configuration, *loop;
    json_array_foreach (json_object_get(experiment, "configurations"), i, configuration) {
        drop_repeated(configuration);
        json_array_foreach (json_object_get(configuration, "loop_results"), k, loop) {
            json_object_set_new(loop, "raw", json_null());
            round_loop(loop);
        }
    }
    ci_site_round(experiment, CI_SITE_DIGITS);
}

json_t *ci_site_experiment(const ci_source *source, json_int_t id, GError **error) {
    g_autofree char *path = g_strdup_printf("/experiments/%" JSON_INTEGER_FORMAT, id);
    json_t *experiment = ci_source_get(source, path, error);
    shorten(experiment);
    return experiment;
}

json_t *ci_site_members(const json_t *object, const char *const *keys, gsize count) {
    json_t *out = json_object();
    for (gsize i = 0; i < count; i++) {
        json_t *value = json_object_get(object, keys[i]);
        if (value)
            json_object_set(out, keys[i], value);
    }
    return out;
}

json_t *ci_site_brief(const json_t *experiment) {
    static const char *const keys[] = {"experiment", "project", "night", "node",
                                       "commit",     "state",   "level", "portions"};
    static const char *const conditions[] = {"recursion_depth", "threads", "method_time_ns"};
    static const char *const means[] = {"name", "label", "mean_ns", "low_ns", "high_ns"};
    static const char *const machine[] = {"cpu"};
    json_t *brief = ci_site_members(experiment, keys, G_N_ELEMENTS(keys));
    json_object_set_new(brief, "benchmark",
                        ci_site_members(json_object_get(experiment, "benchmark"), conditions,
                                        G_N_ELEMENTS(conditions)));
    json_object_set_new(brief, "environment_detail",
                        ci_site_members(json_object_get(experiment, "environment_detail"), machine,
                                        G_N_ELEMENTS(machine)));
    json_t *configurations = json_array(), *configuration;
    json_object_set_new(brief, "configurations", configurations);
    size_t i;
    json_array_foreach (json_object_get(experiment, "configurations"), i, configuration)
        json_array_append_new(configurations,
                              ci_site_members(configuration, means, G_N_ELEMENTS(means)));
    return brief;
}

static json_t *take_loop(json_t *loop) {
    json_auto_t *summary = json_incref(json_object_get(loop, "summary"));
    if (!json_is_object(summary))
        return json_object();
    json_t *left = json_pack("{s:O*}", "mean_ns", json_object_get(summary, "mean_ns"));
    (void)json_object_del(summary, "mean_ns");
    json_object_set_new(loop, "summary", left);
    return json_pack("{s:O}", "summary", summary);
}

static json_t *take_configuration(json_t *configuration) {
    json_t *loops = json_object_get(configuration, "loop_results"), *loop;
    if (!json_is_array(loops))
        return json_object();
    json_t *taken = json_array();
    size_t i;
    json_array_foreach (loops, i, loop)
        json_array_append_new(taken, take_loop(loop));
    return json_pack("{s:o}", "loop_results", taken);
}

json_t *ci_site_take_loops(json_t *experiment) {
    json_t *taken = json_array(), *configuration;
    size_t i;
    json_array_foreach (json_object_get(experiment, "configurations"), i, configuration)
        json_array_append_new(taken, take_configuration(configuration));
    return json_pack("{s:O?, s:o}", "experiment", json_object_get(experiment, "experiment"),
                     "configurations", taken);
}
