#include "ci/command/report.h"
#include "config/shown.h"

#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "ci/formats/write.h"
#include "detector/statistics/stats.h"
#include "detector/words/doubt.h"
#include "web/words/verdict.h"

#include <math.h>

static void interval_cells(ci_table *table, const json_t *object) {
    ci_table_add(table, ci_ns(ci_json_real(object, "mean_ns")));
    ci_table_add(table,
                 ci_ns_interval(ci_json_real(object, "low_ns"), ci_json_real(object, "high_ns")));
}

/* The mean, which is the first statistic, stands beside its interval. */
static GStrv configuration_titles(void) {
    g_autoptr(GStrvBuilder) titles = g_strv_builder_new();
    g_strv_builder_add_many(titles, "configuration", ">loops", ">mean", ">interval", NULL);
    for (size_t k = 1; k < DET_SUMMARY_MEMBERS; k++) {
        g_autofree char *title = g_strconcat(">", det_summary_members[k].label, NULL);
        g_strv_builder_add(titles, title);
    }
    g_strv_builder_add(titles, ">of calls");
    return g_strv_builder_end(titles);
}

/* The full table: intervals, spread, quartiles; ns a call. */
static void configurations(const json_t *night, FILE *to) {
    g_auto(GStrv) titles = configuration_titles();
    g_autoptr(ci_table) table = ci_table_new((const char *const *)titles);
    size_t i;
    json_t *c;
    json_array_foreach (json_object_get(night, "configurations"), i, c) {
        const json_t *statistics = json_object_get(c, "statistics");
        const char *name = ci_json_text(c, "name", "?"), *label = ci_json_text(c, "label", name);
        ci_table_add(table, g_str_equal(name, label) ? g_strdup(name)
                                                     : g_strdup_printf("%s %s", name, label));
        ci_table_add(table, g_strdup_printf("%" JSON_INTEGER_FORMAT,
                                            json_integer_value(json_object_get(c, "loops"))));
        interval_cells(table, c);
        for (size_t k = 1; k < DET_SUMMARY_MEMBERS; k++)
            ci_table_add(table, ci_ns(ci_json_real(statistics, det_summary_members[k].key)));
        ci_table_add(table, ci_ns_interval(ci_json_real(statistics, "calls_low_ns"),
                                           ci_json_real(statistics, "calls_high_ns")));
    }
    ci_table_print(table, to);
}

/* With their intervals, of means and of medians. */
static void portions(const json_t *night, FILE *to) {
    static const char *const titles[] = {"portion",   "configuration", "minus",
                                         ">mean",     ">interval",     ">of median",
                                         ">interval", "method",        NULL};
    g_autoptr(ci_table) table = ci_table_new(titles);
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        ci_table_add(table, g_strdup(ci_json_text(p, "portion", "?")));
        ci_table_add(table, g_strdup(ci_json_text(p, "configuration", "?")));
        ci_table_add(table, g_strdup(ci_json_text(p, "parent", "")));
        interval_cells(table, p);
        ci_table_add(table, ci_ns(ci_json_real(p, "median_ns")));
        ci_table_add(table, ci_ns_interval(ci_json_real(p, "median_low_ns"),
                                           ci_json_real(p, "median_high_ns")));
        ci_table_add(table, g_strdup(ci_json_text(p, "method", "")));
    }
    ci_table_print(table, to);
}

/* A probe that silently did nothing has the time of its parent. */
static void silent(const json_t *night, FILE *to) {
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        const char *parent = ci_json_text(p, "parent", NULL);
        if (!parent ||
            !det_doubt_silent(ci_json_real(p, "low_ns"), ci_json_real(p, "median_low_ns")))
            continue;
        char words[DET_DOUBT_MAX];
        det_doubt_put_silent(words, sizeof words, ci_json_text(p, "portion", "?"),
                             ci_json_text(p, "configuration", "?"), parent);
        (void)fprintf(to, "%s\n", words);
    }
}

/* "1000 calls kept of each loop (1000 dropped)"; as a range where loops differ. */
static char *kept_words(const json_t *night) {
    static const char *const keys[] = {"n", "warmup_calls"};
    double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
    size_t i, l;
    json_t *c, *loop;
    json_array_foreach (json_object_get(night, "configurations"), i, c) {
        json_array_foreach (json_object_get(c, "loop_results"), l, loop) {
            const json_t *from[] = {json_object_get(loop, "summary"), loop};
            for (size_t k = 0; k < G_N_ELEMENTS(keys); k++) {
                const double value = ci_json_real(from[k], keys[k]);
                least[k] = fmin(least[k], value); /* a missing loop's is not a number: passed */
                most[k] = fmax(most[k], value);
            }
        }
    }
    g_autofree char *kept = least[0] < most[0] ? g_strdup_printf("%.0f to ", least[0]) : NULL;
    g_autofree char *dropped = least[1] < most[1] ? g_strdup_printf("%.0f to ", least[1]) : NULL;
    return g_strdup_printf("%s%.0f calls kept of each loop (%s%.0f dropped)", kept ? kept : "",
                           most[0], dropped ? dropped : "", most[1]);
}

void ci_report_night(const json_t *night, FILE *to) {
    const int loops = (int)json_integer_value(json_object_get(night, "loops"));
    g_autofree char *kept = kept_words(night);
    (void)fprintf(to,
                  "%s: recursion depth %d, %d loop%s, %s\n"
                  "Nanoseconds per call; intervals of %g %% over the loops' means.\n",
                  ci_json_text(night, "source", ""),
                  (int)json_integer_value(json_object_get(night, "recursion_depth")), loops,
                  loops == 1 ? "" : "s", kept, 100 * ci_json_real(night, "level"));
    if (loops == 1)
        (void)fprintf(
            to,
            "One loop has no interval: the spread between loops is unknown. Measure several.\n");
    (void)fprintf(to, "\n");
    configurations(night, to);
    (void)fprintf(to, "\n");
    portions(night, to);
    silent(night, to);
    (void)fprintf(to,
                  "\n\"of calls\" is the interval that MooBench prints. It treats the calls of one "
                  "process as independent,\nwhich makes it far too narrow; no decision uses it.\n");
}

void ci_report_comparison(const json_t *before, const json_t *after, FILE *to) {
    static const char *const titles[] = {"portion", ">before",   ">interval", ">after", ">interval",
                                         ">change", ">interval", ">percent",  "",       NULL};
    g_autoptr(ci_table) table = ci_table_new(titles);
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(after, "portions"), i, p) {
        const json_t *difference = json_object_get(p, "difference");
        ci_table_add(table, g_strdup(ci_json_text(p, "portion", "?")));
        interval_cells(table, json_object_get(p, "reference"));
        interval_cells(table, p);
        interval_cells(table, difference);
        ci_table_add(table, ci_percent(ci_json_real(difference, "percent")));
        const char *direction = ci_json_text(p, "direction", NULL);
        ci_table_add(table, ci_portion_changed(p, NULL)
                                ? g_strdup_printf("%s %s", web_verdict_mark(direction),
                                                  web_verdict_words("anomaly", NULL, direction))
                                : g_strdup(""));
    }
    g_autofree char *text = ci_headline(after);
    g_autofree char *headline = cfg_shown(text);
    (void)fprintf(to, "%s → %s, nanoseconds per call; intervals of %g %%\n%s\n",
                  ci_json_text(before, "source", ""), ci_json_text(after, "source", ""),
                  100 * ci_json_real(after, "level"),
                  json_is_true(json_object_get(after, "paired"))
                      ? "Both ran at the same time; changes are those of the pairs of loops.\n"
                      : "");
    ci_table_print(table, to);
    (void)fprintf(to, "\n%s\n", headline);
}

bool ci_any_rose(const json_t *night) {
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p)
        if (ci_portion_changed(p, "up"))
            return true;
    return false;
}
