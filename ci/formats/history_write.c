#include "ci/formats/history_write.h"

#include "ci/formats/night.h"
#include "config/json_text.h"
#include "web/layout/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 300
#define INTERVAL "95 % interval" /* as the reader of data.js knows it */

static void number(GString *to, double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (isfinite(value))
        g_string_append(to, g_ascii_dtostr(text, sizeof text, value));
}

/* A quoted field that no spreadsheet takes for a formula. */
static void field(GString *to, const char *text) {
    g_autofree char *clean = web_text_clean(text, TEXT_MAX);
    g_auto(GStrv) parts = g_strsplit(clean, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(to, "\"%s%s\"", clean[0] && strchr("=+-@", clean[0]) ? "'" : "",
                           doubled);
}

char *ci_history_csv(const char *project, const json_t *nights) {
    static const char *const keys[] = {"mean_ns", "low_ns", "high_ns"};
    GString *to = g_string_new("night,commit,portion,mean_ns,low_ns,high_ns,verdict\n");
    size_t i, k;
    json_t *night, *portion;
    (void)project;
    json_array_foreach (nights, i, night) {
        json_array_foreach (json_object_get(night, "portions"), k, portion) {
            field(to, ci_json_text(night, "night", ""));
            g_string_append_c(to, ',');
            field(to, ci_json_text(json_object_get(night, "commit"), "sha", ""));
            g_string_append_c(to, ',');
            field(to, ci_json_text(portion, "portion", ""));
            for (size_t n = 0; n < G_N_ELEMENTS(keys); n++) {
                g_string_append_c(to, ',');
                number(to, ci_json_real(portion, keys[n]));
            }
            g_string_append_c(to, ',');
            field(to, ci_json_text(portion, "verdict", ""));
            g_string_append_c(to, '\n');
        }
    }
    return g_string_free(to, FALSE);
}

char *ci_history_json(const char *project, const json_t *nights) {
    GString *to = g_string_new(NULL);
    size_t i;
    json_t *night;
    (void)project;
    json_array_foreach (nights, i, night) {
        g_autofree char *line = cfg_json_text(night, 0);
        g_string_append_printf(to, "%s\n", line);
    }
    return g_string_free(to, FALSE);
}

/* "± 0.500", "± 0.00026"; "": there is none. Owned. */
static char *range_text(double half) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite(half))
        return g_strdup("");
    g_ascii_formatd(text, sizeof text, half < 0.1 ? "%.3g" : "%.3f", half);
    return g_strconcat("± ", text, NULL);
}

static json_t *github_benches(const json_t *night) {
    json_t *benches = json_array();
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        const double mean = ci_json_real(portion, "mean_ns");
        const double half =
            (ci_json_real(portion, "high_ns") - ci_json_real(portion, "low_ns")) / 2;
        g_autofree char *range = range_text(half);
        if (isfinite(mean))
            json_array_append_new(benches, json_pack("{s:s,s:f,s:s,s:s,s:s}", "name",
                                                     ci_json_text(portion, "portion", "?"), "value",
                                                     mean, "range", range, "unit", "ns", "extra",
                                                     isfinite(half) ? INTERVAL : ""));
    }
    return benches;
}

/* A run as the action writes it. */
static json_t *github_run(const json_t *night, json_int_t date_ms) {
    const json_t *commit = json_object_get(night, "commit");
    g_autoptr(GDateTime) made = g_date_time_new_from_unix_utc(
        json_integer_value(json_object_get(commit, "time_ms")) / 1000);
    g_autofree char *timestamp = made ? g_date_time_format_iso8601(made) : g_strdup("");
    return json_pack("{s:{s:s,s:s,s:s,s:{s:s}},s:I,s:s,s:o}", "commit", "id",
                     ci_json_text(commit, "sha", ""), "message",
                     ci_json_text(commit, "subject", ""), "timestamp", timestamp, "author", "name",
                     ci_json_text(commit, "author", ""), "date", date_ms, "tool",
                     "customSmallerIsBetter", "benches", github_benches(night));
}

/* When it was measured, by the date of its night; a moment each, in the nights' order. */
static json_int_t github_date(const json_t *night, json_int_t last_ms) {
    g_autofree char *noon = g_strconcat(ci_json_text(night, "night", ""), "T12:00:00Z", NULL);
    g_autoptr(GDateTime) moment = g_date_time_new_from_iso8601(noon, NULL);
    const json_t *commit = json_object_get(night, "commit");
    const json_int_t own = moment ? g_date_time_to_unix(moment) * 1000
                                  : json_integer_value(json_object_get(commit, "time_ms"));
    return MAX(own, last_ms + 1);
}

char *ci_history_github(const char *project, const json_t *nights) {
    json_t *runs = json_array();
    json_int_t last_ms = 0;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        if (json_array_size(json_object_get(night, "portions")) == 0)
            continue;
        last_ms = github_date(night, last_ms);
        json_array_append_new(runs, github_run(night, last_ms));
    }
    json_t *data = json_pack("{s:I,s:s,s:{s:o}}", "lastUpdate", last_ms, "repoUrl", "", "entries",
                             project, runs);
    g_autofree char *text = cfg_json_text(data, 1);
    /* a script's text: nothing in it may end the element it could be put into */
    g_autoptr(GString) safe = g_string_new(text);
    g_string_replace(safe, "</", "<\\/", 0);
    json_decref(data);
    /* without a semicolon: the action reads all behind "= " as JSON, and begins anew where it
     * cannot */
    return g_strdup_printf("window.BENCHMARK_DATA = %s\n", safe->str);
}

static const json_t *newest(const json_t *nights) {
    for (size_t i = json_array_size(nights); i > 0; i--) {
        const json_t *night = json_array_get(nights, i - 1);
        if (g_str_equal(ci_json_text(night, "state", ""), "measured"))
            return night;
    }
    return NULL;
}

char *ci_history_bmf(const char *project, const json_t *nights) {
    static const char *const keys[][2] = {
        {"value", "mean_ns"}, {"lower_value", "low_ns"}, {"upper_value", "high_ns"}};
    json_t *out = json_object();
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(newest(nights), "portions"), i, portion) {
        g_autofree char *name =
            g_strdup_printf("%s %s", project, ci_json_text(portion, "portion", "?"));
        json_t *latency = json_object();
        for (size_t k = 0; k < G_N_ELEMENTS(keys); k++) {
            const double value = ci_json_real(portion, keys[k][1]);
            if (isfinite(value))
                json_object_set_new(latency, keys[k][0], json_real(value));
        }
        json_object_set_new(out, name, json_pack("{s:o}", "latency", latency));
    }
    g_autofree char *text = cfg_json_text(out, 1);
    json_decref(out);
    return g_strconcat(text, "\n", NULL);
}

/* A label's value: backslash, quote and line feed are escaped. */
static char *label(const char *text) {
    g_autofree char *clean = web_text_clean(text, TEXT_MAX);
    g_autoptr(GString) to = g_string_new(clean);
    g_string_replace(to, "\\", "\\\\", 0);
    g_string_replace(to, "\"", "\\\"", 0);
    return g_string_free(g_steal_pointer(&to), FALSE);
}

char *ci_history_openmetrics(const char *project, const json_t *nights) {
    static const char *const families[][3] = {
        {"mean", "mean_ns", "Portion of the response time, mean of the fresh processes' means."},
        {"low", "low_ns", "Lower end of the mean's interval."},
        {"high", "high_ns", "Upper end of the mean's interval."}};
    GString *to = g_string_new(NULL);
    g_autofree char *name = label(project);
    for (size_t f = 0; f < G_N_ELEMENTS(families); f++) {
        g_autofree char *family = g_strdup_printf("overhead_portion_%s_seconds", families[f][0]);
        size_t i;
        json_t *portion;
        g_string_append_printf(to, "# TYPE %s gauge\n# UNIT %s seconds\n# HELP %s %s\n", family,
                               family, family, families[f][2]);
        json_array_foreach (json_object_get(newest(nights), "portions"), i, portion) {
            const double ns = ci_json_real(portion, families[f][1]);
            g_autofree char *value = label(ci_json_text(portion, "portion", "?"));
            if (!isfinite(ns))
                continue;
            g_string_append_printf(to, "%s{project=\"%s\",portion=\"%s\"} ", family, name, value);
            number(to, ns / 1e9);
            g_string_append_c(to, '\n');
        }
    }
    g_string_append(to, "# EOF\n");
    return g_string_free(to, FALSE);
}

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
