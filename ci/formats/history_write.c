#include "ci/formats/write.h"

#include "ci/formats/night.h"
#include "config/json_text.h"
#include "config/model/night.h"
#include "detector/statistics/stats.h"
#include "web/layout/text.h"

#include <math.h>

#define INTERVAL "95 % interval" /* as the reader of data.js knows it, */
#define OVER "portion over "     /* and this, with the name of what it is a difference to */

static void number(GString *to, double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (isfinite(value))
        g_string_append(to, g_ascii_dtostr(text, sizeof text, value));
}

static const char *known(const char *text, const char *otherwise) {
    return text ? text : otherwise;
}

static void csv_line(GString *to, const cfg_night *night, const cfg_portion *portion) {
    const double numbers[] = {portion->now.mean, portion->now.low, portion->now.high};
    ci_csv_field(to, known(night->night, ""));
    g_string_append_c(to, ',');
    ci_csv_field(to, known(night->commit.sha, ""));
    g_string_append_c(to, ',');
    g_autofree char *name = cfg_portion_name(night, portion),
                    *title = cfg_portion_title(night, portion);
    ci_csv_field(to, portion->unit ? title : name);
    for (size_t n = 0; n < G_N_ELEMENTS(numbers); n++) {
        g_string_append_c(to, ',');
        number(to, numbers[n]);
    }
    g_string_append_c(to, ',');
    ci_csv_field(to, known(portion->verdict, ""));
    g_string_append_c(to, '\n');
}

static char *history_csv(const char *project, const json_t *nights) {
    GString *to = g_string_new("night,commit,portion,mean_ns,low_ns,high_ns,verdict\n");
    (void)project;
    for (size_t i = 0; i < json_array_size(nights); i++) {
        g_auto(cfg_night) night = cfg_night_of(json_array_get(nights, i));
        for (unsigned k = 0; k < night.portions_count; k++)
            csv_line(to, &night, &night.portions[k]);
    }
    return g_string_free(to, FALSE);
}

static char *history_json(const char *project, const json_t *nights) {
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

/* "95 % interval, portion over T"; owned. */
static char *extra_text(const cfg_night *night, const cfg_portion *portion, bool interval) {
    const cfg_portion *below = cfg_night_portion(night, portion->parent);
    g_autofree char *name = below ? cfg_portion_name(night, below) : NULL;
    return g_strconcat(interval ? INTERVAL : "", interval && name ? ", " : "", name ? OVER : "",
                       name, NULL);
}

/* higher: those of which more is better, which are a suite of their own. */
static json_t *github_benches(const cfg_night *night, bool higher) {
    json_t *benches = json_array();
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        const double half = (portion->now.high - portion->now.low) / 2;
        g_autofree char *range = range_text(half), *name = cfg_portion_name(night, portion);
        g_autofree char *extra = extra_text(night, portion, isfinite(half));
        if (isfinite(portion->now.mean) && cfg_is(portion->better, "higher") == higher)
            json_array_append_new(benches, json_pack("{s:s,s:f,s:s,s:s,s:s}", "name", name, "value",
                                                     portion->now.mean, "range", range, "unit",
                                                     cfg_portion_unit(portion), "extra", extra));
    }
    return benches;
}

/* A run as the action writes it; its page shows no value of a commit without a committer. */
static json_t *github_run(const cfg_night *night, json_int_t date_ms, bool higher) {
    const cfg_commit *commit = &night->commit;
    g_autoptr(GDateTime) made = g_date_time_new_from_unix_utc(commit->time_ms / 1000);
    g_autofree char *timestamp = made ? g_date_time_format_iso8601(made) : g_strdup("");
    const char *author = known(commit->author, "");
    return json_pack("{s:{s:s,s:s,s:s,s:{s:s},s:{s:s}},s:I,s:s,s:o}", "commit", "id",
                     known(commit->sha, ""), "message", known(commit->subject, ""), "timestamp",
                     timestamp, "author", "name", author, "committer", "username", author, "date",
                     date_ms, "tool", higher ? "customBiggerIsBetter" : "customSmallerIsBetter",
                     "benches", github_benches(night, higher));
}

static bool is_on(const char *date, int64_t time_ms) {
    g_autoptr(GDateTime) moment = g_date_time_new_from_unix_utc(time_ms / 1000);
    g_autofree char *day = moment ? g_date_time_format(moment, "%Y-%m-%d") : NULL;
    return g_strcmp0(day, date) == 0;
}

/* When it was measured: the run's own time where that is of the night's date, else its noon, and
 * not before its commit. A moment each, in the nights' order. */
static json_int_t github_date(const cfg_night *night, json_int_t last_ms) {
    const int64_t made = night->commit.time_ms;
    g_autofree char *noon = g_strconcat(known(night->night, ""), "T12:00:00Z", NULL);
    g_autoptr(GDateTime) moment = g_date_time_new_from_iso8601(noon, NULL);
    const int64_t then = moment ? g_date_time_to_unix(moment) * 1000 : made;
    const int64_t own = is_on(night->night, night->finished_ms) ? night->finished_ms : then;
    return MAX(is_on(night->night, made) ? MAX(own, made) : own, last_ms + 1);
}

static bool any_of(const cfg_night *night, bool higher) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].better, "higher") == higher)
            return true;
    return false;
}

static json_t *github_runs(const json_t *nights, bool higher, json_int_t *last_ms) {
    json_t *runs = json_array();
    for (size_t i = 0; i < json_array_size(nights); i++) {
        g_auto(cfg_night) night = cfg_night_of(json_array_get(nights, i));
        if (!any_of(&night, higher))
            continue;
        *last_ms = github_date(&night, *last_ms);
        json_array_append_new(runs, github_run(&night, *last_ms, higher));
    }
    return runs;
}

static char *history_github(const char *project, const json_t *nights) {
    json_int_t last_ms = 0, last_higher_ms = 0;
    json_t *runs = github_runs(nights, false, &last_ms);
    json_auto_t *higher = github_runs(nights, true, &last_higher_ms);
    json_auto_t *data = json_pack("{s:I,s:s,s:{s:o}}", "lastUpdate", MAX(last_ms, last_higher_ms),
                                  "repoUrl", "", "entries", project, runs);
    g_autofree char *suite = g_strdup_printf("%s (more is better)", project);
    if (json_array_size(higher) > 0)
        json_object_set(json_object_get(data, "entries"), suite, higher);
    g_autofree char *text = cfg_json_text(data, 1);
    /* a script's text: nothing in it may end the element it could be put into */
    g_autoptr(GString) safe = g_string_new(text);
    g_string_replace(safe, "</", "<\\/", 0);
    /* without a semicolon: the action reads all behind "= " as JSON, and begins anew where it
     * cannot */
    return g_strdup_printf("window.BENCHMARK_DATA = %s\n", safe->str);
}

/* For model_clear; without portions where there is none. */
static cfg_night newest(const json_t *nights) {
    for (size_t i = json_array_size(nights); i > 0; i--) {
        cfg_night night = cfg_night_of(json_array_get(nights, i - 1));
        if (cfg_is(night.state, "measured"))
            return night;
        cfg_night_clear(&night);
    }
    return (cfg_night){0};
}

static char *history_bmf(const char *project, const json_t *nights) {
    static const char *const keys[] = {"value", "lower_value", "upper_value"};
    g_auto(cfg_night) night = newest(nights);
    json_auto_t *out = json_object();
    for (unsigned i = 0; i < night.portions_count; i++) {
        const cfg_portion *portion = &night.portions[i];
        const double values[] = {portion->now.mean, portion->now.low, portion->now.high};
        g_autofree char *own = cfg_portion_name(&night, portion);
        g_autofree char *name = g_strconcat(project, " ", own, NULL);
        if (!isfinite(portion->now.mean))
            continue; /* Bencher takes no measure without a value */
        json_t *measure = json_object();
        for (size_t k = 0; k < G_N_ELEMENTS(keys); k++)
            if (isfinite(values[k]))
                json_object_set_new(measure, keys[k], json_real(values[k]));
        json_object_set_new(out, name,
                            json_pack("{s:o}", known(portion->unit, "latency"), measure));
    }
    g_autofree char *text = cfg_json_text(out, 1);
    return g_strconcat(text, "\n", NULL);
}

/* A label's value: backslash, quote and line feed are escaped. */
static char *label(const char *text) {
    g_autofree char *clean = web_text_clean(text, CI_TEXT_CHARS);
    g_autoptr(GString) to = g_string_new(clean);
    g_string_replace(to, "\\", "\\\\", 0);
    g_string_replace(to, "\"", "\\\"", 0);
    return g_string_free(g_steal_pointer(&to), FALSE);
}

static char *history_openmetrics(const char *project, const json_t *nights) {
    static const char *const families[][2] = {{"mean", "Mean of a portion of the response time."},
                                              {"low", "Lower end of the mean's interval."},
                                              {"high", "Upper end of the mean's interval."}};
    GString *to = g_string_new(NULL);
    g_autofree char *name = label(project);
    g_auto(cfg_night) night = newest(nights);
    for (size_t f = 0; f < G_N_ELEMENTS(families); f++) {
        g_autofree char *family = g_strdup_printf("overhead_portion_%s_seconds", families[f][0]);
        g_string_append_printf(to, "# TYPE %s gauge\n# UNIT %s seconds\n# HELP %s %s\n", family,
                               family, family, families[f][1]);
        for (unsigned i = 0; i < night.portions_count; i++) {
            const det_interval *now = &night.portions[i].now;
            const double values[] = {now->mean, now->low, now->high};
            g_autofree char *value = label(known(night.portions[i].portion, "?"));
            if (!isfinite(values[f]) || night.portions[i].unit) /* no seconds */
                continue;
            g_string_append_printf(to, "%s{project=\"%s\",portion=\"%s\"} ", family, name, value);
            number(to, values[f] / 1e9);
            g_string_append_c(to, '\n');
        }
    }
    g_string_append(to, "# EOF\n");
    return g_string_free(to, FALSE);
}

char *ci_history(const char *format, const char *project, const json_t *nights) {
    static const struct {
        const char *name;
        char *(*write)(const char *project, const json_t *nights);
    } formats[] = {{"csv", history_csv},
                   {"json", history_json},
                   {"github", history_github},
                   {"bmf", history_bmf},
                   {"openmetrics", history_openmetrics}};
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (g_str_equal(formats[i].name, format))
            return formats[i].write(project, nights);
    return NULL;
}

/* What OTEP 5109 calls a thing, and where an experiment has it. */
static const struct {
    const char *name, *key;
} metadata[] = {{"runner", "node"}, {"runtime", "runtime"}, {"cpu", "cpu"}, {"kernel", "kernel"}};

/* "runner=…\nruntime=…": what is not known is left out, and no value has a line of its own. */
static char *extra_of(const json_t *environment) {
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(metadata); i++) {
        const char *value = cfg_json_word(environment, metadata[i].key, NULL);
        g_autofree char *line = value && *value ? g_strdelimit(g_strdup(value), "\r\n", ' ') : NULL;
        if (line)
            g_string_append_printf(text, "%s=%s\n", metadata[i].name, line);
    }
    const json_t *runner = cfg_json_at(environment, "detail.runner");
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

/* The median over the loops of what a call allocated; NaN: nobody counted. */
static double allocated_of(const cfg_measured *configuration) {
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(double));
    for (unsigned i = 0; i < configuration->loop_results_count; i++) {
        const cfg_loop *loop = &configuration->loop_results[i];
        const json_t *bytes = json_object_get(loop->readings, "allocated_bytes_per_call");
        const double value = json_number_value(bytes);
        if (json_is_number(bytes) && loop->used)
            g_array_append_val(found, value);
    }
    return found->len == 0 ? (double)NAN : det_median((double *)(gpointer)found->data, found->len);
}

/* Of a configuration whose values are no times there is no benchmark in ns. */
static bool is_time(const cfg_night *night, const char *configuration) {
    const cfg_portion *portion = cfg_night_portion(night, configuration);
    return !portion || !portion->unit;
}

json_t *ci_otep_point(const json_t *experiment) {
    g_auto(cfg_night) night = cfg_night_of(experiment);
    g_autofree char *extra = extra_of(night.environment_detail);
    json_t *benches = json_array();
    for (unsigned i = 0; i < night.configurations_count; i++) {
        const cfg_measured *configuration = &night.configurations[i];
        const char *name = known(configuration->label, "?");
        g_autofree char *allocations = g_strconcat(name, " allocations", NULL);
        if (!is_time(&night, configuration->name))
            continue;
        bench_add(benches, name, "ns", configuration->median.mean, extra);
        bench_add(benches, allocations, "B/op", allocated_of(configuration), extra);
    }
    return json_pack("{s:s*,s:s,s:I,s:o}", "release", night.release, "commit",
                     known(night.commit.sha, ""), "date", night.commit.time_ms, "benches", benches);
}
