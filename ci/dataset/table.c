#include "ci/dataset/dataset.h"

#include "config/json_text.h"

#include <string.h>

#define EXPERIMENT                                                                                 \
    { "experiment", "of.experiment", "", "number of the experiment; key to nights.csv" }
#define NIGHT                                                                                      \
    { "night", "of.night", "date", "date of the night, UTC" }
#define INTERVAL(prefix, path, what)                                                               \
    {prefix "mean_ns", path "mean_ns", "ns", what ": mean"},                                       \
        {prefix "low_ns", path "low_ns", "ns", what ": lower end of its interval"}, {              \
        prefix "high_ns", path "high_ns", "ns", what ": upper end of its interval"                 \
    }

static const ci_column nights[] = {
    EXPERIMENT,
    NIGHT,
    {"state", "of.state", "", "measured, or quarantined: measured and not judged"},
    {"reason", "of.reason", "", "why, if the state is not measured"},
    {"commit", "of.commit.sha", "", "what was measured"},
    {"commit_time_ms", "of.commit.time_ms", "ms since 1970", "when it was committed"},
    {"author", "of.commit.author", "", "who committed it"},
    {"subject", "of.commit.subject", "", "first line of its message"},
    {"release", "of.release", "", "tag that makes the commit a release"},
    {"node", "of.node", "", "machine that measured"},
    {"environment", "of.environment", "", "key to environments.json"},
    {"loops", "of.loops", "", "rounds of processes"},
    {"level", "of.level", "", "of all intervals of this night"},
    {"started_ms", "of.started_ms", "ms since 1970", "when measuring began"},
    {"finished_ms", "of.finished_ms", "ms since 1970", "when it ended"},
    {0}};

static const ci_column portions[] = {
    EXPERIMENT,
    NIGHT,
    {"portion", "it.portion", "",
     "T method time, I instrumentation, C collection, W writing, or a name"},
    {"configuration", "it.configuration", "", "configuration that adds the portion"},
    {"parent", "it.parent", "", "configuration that is subtracted; empty: none"},
    INTERVAL("", "it.", "mean of the portion; interval from the processes of this night alone"),
    {"median_ns", "it.median_ns", "ns", "the same of the processes' medians"},
    {"median_low_ns", "it.median_low_ns", "ns", "lower end of its interval"},
    {"median_high_ns", "it.median_high_ns", "ns", "upper end of its interval"},
    {"method", "it.method", "", "how the interval was made"},
    INTERVAL("judged_", "it.judged.",
             "mean as judged; interval widened by the variance between nights"),
    INTERVAL("reference_", "it.reference.", "level of the nights before"),
    {"verdict", "it.verdict", "", "ok, first, suspect, cleared, anomaly, environment, harness"},
    {"direction", "it.direction", "", "up or down, of an anomaly"},
    {0}};

static const ci_column configurations[] = {
    EXPERIMENT,
    NIGHT,
    {"configuration", "it.name", "", "name"},
    {"label", "it.label", "", "name for people"},
    {"loops", "it.loops", "", "processes that count"},
    INTERVAL("", "it.", "response time of a call, over processes"),
    {"sd_ns", "it.statistics.sd_ns", "ns", "standard deviation of the processes' means"},
    {"min_ns", "it.statistics.min_ns", "ns", "smallest call"},
    {"q1_ns", "it.statistics.q1_ns", "ns", "first quartile of calls, mean over processes"},
    {"median_ns", "it.statistics.median_ns", "ns", "median of calls, mean over processes"},
    {"q3_ns", "it.statistics.q3_ns", "ns", "third quartile of calls, mean over processes"},
    {"max_ns", "it.statistics.max_ns", "ns", "largest call"},
    {"calls", "it.statistics.n", "", "calls after warm-up, over processes"},
    {0}};

static const ci_column loops[] = {
    EXPERIMENT,
    NIGHT,
    {"configuration", "it.name", "", "name"},
    {"loop", "loop.loop", "", "number of the round"},
    {"position", "loop.position", "", "place in the order in which the processes ran, from 0"},
    {"used", "loop.used", "", "true: it counts"},
    {"disturbed", "loop.disturbed", "", "true: something else ran on the machine"},
    {"failed", "loop.failed", "", "why it failed; empty: it did not"},
    {"seconds", "loop.seconds", "s", "how long the process ran"},
    {"calls", "loop.calls", "", "calls that were made"},
    {"warmup_calls", "loop.warmup_calls", "", "of them dropped at the beginning"},
    {"mean_ns", "loop.summary.mean_ns", "ns", "of the calls after warm-up"},
    {"sd_ns", "loop.summary.sd_ns", "ns", "standard deviation"},
    {"min_ns", "loop.summary.min_ns", "ns", "smallest"},
    {"q1_ns", "loop.summary.q1_ns", "ns", "first quartile"},
    {"median_ns", "loop.summary.median_ns", "ns", "median"},
    {"q3_ns", "loop.summary.q3_ns", "ns", "third quartile"},
    {"max_ns", "loop.summary.max_ns", "ns", "largest"},
    {"raw_sha256", "loop.raw.sha256", "", "of the stored raw values, packed with zstd"},
    {0}};

const ci_table ci_tables[] = {
    {"nights.csv", "One row a night: what was measured, when and where.", nights},
    {"portions.csv", "One row a portion of a night, with intervals and verdict.", portions},
    {"configurations.csv", "One row a configuration of a night: statistics over its processes.",
     configurations},
    {"loops.csv", "One row a process: statistics of its calls.", loops},
    {0}};

static void add_text(GString *to, const char *text) {
    if (!strpbrk(text, "\",\r\n")) {
        g_string_append(to, text);
        return;
    }
    g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(to, "\"%s\"", doubled);
}

static void add_cell(GString *to, const json_t *value) {
    if (json_is_string(value))
        add_text(to, json_string_value(value));
    else if (json_is_real(value))
        cfg_json_real_add(to, json_real_value(value));
    else if (json_is_integer(value))
        g_string_append_printf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_boolean(value))
        g_string_append(to, json_is_true(value) ? "true" : "false");
}

static void add_loops(json_t *rows, json_t *experiment, json_t *configuration) {
    size_t i;
    json_t *loop;
    cfg_json_each (configuration, "loop_results", i, loop)
        json_array_append_new(rows, json_pack("{s:O, s:O, s:O}", "of", experiment, "it",
                                              configuration, "loop", loop));
}

/* Owned. */
static json_t *rows_of(const ci_table *table, const json_t *experiments) {
    const char *list = table->columns == portions ? "portions" : "configurations";
    json_t *rows = json_array(), *experiment, *it;
    size_t i, k;
    json_array_foreach (experiments, i, experiment) {
        if (table->columns == nights) {
            json_array_append_new(rows, json_pack("{s:O}", "of", experiment));
            continue;
        }
        cfg_json_each (experiment, list, k, it)
            if (table->columns == loops)
                add_loops(rows, experiment, it);
            else
                json_array_append_new(rows, json_pack("{s:O, s:O}", "of", experiment, "it", it));
    }
    return rows;
}

char *ci_table_csv(const ci_table *table, const json_t *experiments) {
    json_auto_t *rows = rows_of(table, experiments);
    GString *to = g_string_new(NULL);
    for (const ci_column *c = table->columns; c->name; c++)
        g_string_append_printf(to, "%s%s", c == table->columns ? "" : ",", c->name);
    g_string_append(to, "\r\n");
    size_t i;
    const json_t *row;
    json_array_foreach (rows, i, row) {
        for (const ci_column *c = table->columns; c->name; c++) {
            if (c != table->columns)
                g_string_append_c(to, ',');
            add_cell(to, cfg_json_at(row, c->path));
        }
        g_string_append(to, "\r\n");
    }
    return g_string_free(to, FALSE);
}

char *ci_table_dictionary(void) {
    GString *to = g_string_new("table,column,unit,meaning\r\n");
    for (const ci_table *table = ci_tables; table->file; table++)
        for (const ci_column *c = table->columns; c->name; c++) {
            g_string_append_printf(to, "%s,%s,%s,", table->file, c->name, c->unit);
            add_text(to, c->meaning);
            g_string_append(to, "\r\n");
        }
    return g_string_free(to, FALSE);
}
