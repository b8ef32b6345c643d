#include "ci/command/report.h"
#include "config/shown.h"

#include "ci/command/table.h"
#include "ci/formats/write.h"
#include "config/doubts.h"
#include "config/json_text.h"
#include "detector/statistics/stats.h"
#include "web/words/words.h"

#include <math.h>

static void interval_cells(ci_table *table, const det_interval *interval) {
    ci_table_add(table, ci_ns(interval->mean));
    ci_table_add(table, ci_ns_interval(interval->low, interval->high));
}

static char *text_cell(const char *text, const char *otherwise) {
    return g_strdup(text ? text : otherwise);
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
static void configurations(const cfg_night *night, FILE *to) {
    g_auto(GStrv) titles = configuration_titles();
    g_autoptr(ci_table) table = ci_table_new((const char *const *)titles);
    for (unsigned i = 0; i < night->configurations_count; i++) {
        const cfg_measured *c = &night->configurations[i];
        const char *name = c->name ? c->name : "?", *label = c->label ? c->label : name;
        ci_table_add(table, g_str_equal(name, label) ? g_strdup(name)
                                                     : g_strdup_printf("%s %s", name, label));
        ci_table_add(table, g_strdup_printf("%" G_GINT64_FORMAT, MAX(c->loops, 0)));
        interval_cells(table, &c->now);
        for (size_t k = 1; k < DET_SUMMARY_MEMBERS; k++)
            ci_table_add(table, ci_ns(cfg_json_number(c->statistics, det_summary_members[k].key)));
        ci_table_add(table, ci_ns_interval(cfg_json_number(c->statistics, "calls_low_ns"),
                                           cfg_json_number(c->statistics, "calls_high_ns")));
    }
    ci_table_print(table, to);
}

/* With their intervals, of means and of medians. */
static void portions(const cfg_night *night, FILE *to) {
    static const char *const titles[] = {"portion",   "configuration", "minus",
                                         ">mean",     ">interval",     ">of median",
                                         ">interval", "method",        NULL};
    g_autoptr(ci_table) table = ci_table_new(titles);
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *p = &night->portions[i];
        ci_table_add(table, cfg_portion_title(night, p));
        ci_table_add(table, text_cell(p->configuration, "?"));
        ci_table_add(table, text_cell(p->parent, ""));
        interval_cells(table, &p->now);
        interval_cells(table, &p->median);
        ci_table_add(table, text_cell(p->method, ""));
    }
    ci_table_print(table, to);
}

static void silent(const cfg_night *night, FILE *to) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        g_autofree char *words = cfg_doubt_silent(&night->portions[i]);
        if (words)
            (void)fprintf(to, "%s\n", words);
    }
}

/* ", 1000 calls kept of each loop (1000 dropped)"; as a range where loops differ; NULL: nobody
 * counted them. calls: else values, which a program of one's own printed: one is not told. */
static char *kept_words(const cfg_night *night, bool calls) {
    double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
    for (unsigned i = 0; i < night->configurations_count; i++) {
        const cfg_measured *c = &night->configurations[i];
        for (unsigned l = 0; l < c->loop_results_count; l++) {
            const cfg_loop *loop = &c->loop_results[l];
            const double values[] = {cfg_json_number(loop->summary, "n"),
                                     loop->warmup_calls < 0 ? NAN : (double)loop->warmup_calls};
            for (size_t k = 0; k < G_N_ELEMENTS(values); k++) {
                least[k] = fmin(least[k], values[k]); /* a missing loop's is not a number: passed */
                most[k] = fmax(most[k], values[k]);
            }
        }
    }
    if (!(most[0] > (calls ? 0 : 1)))
        return NULL;
    g_autofree char *kept = least[0] < most[0] ? g_strdup_printf("%.0f to ", least[0]) : NULL;
    g_autofree char *dropped = least[1] < most[1] ? g_strdup_printf("%.0f to ", least[1]) : NULL;
    return g_strdup_printf(", %s%.0f %s kept of each loop (%s%.0f dropped)", kept ? kept : "",
                           most[0], calls ? "calls" : "values", dropped ? dropped : "", most[1]);
}

static bool has_calls(const cfg_night *night) {
    for (unsigned i = 0; i < night->configurations_count; i++)
        if (isfinite(cfg_json_number(night->configurations[i].statistics, "calls_low_ns")))
            return true;
    return false;
}

void ci_report_night(const json_t *json, FILE *to) {
    g_auto(cfg_night) night = cfg_night_of(json);
    const int loops = (int)MAX(night.loops, 0);
    const int depth = (int)cfg_json_integer(json, "recursion_depth"); /* 0: of no MooBench */
    g_autofree char *kept = kept_words(&night, depth > 0);
    g_autofree char *deep = depth > 0 ? g_strdup_printf("recursion depth %d, ", depth) : NULL;
    (void)fprintf(to,
                  "%s: %s%d loop%s%s\n"
                  "In %s; intervals of %g %% over the loops' means.\n",
                  cfg_json_word(json, "source", ""), deep ? deep : "", loops, loops == 1 ? "" : "s",
                  kept ? kept : "", ci_unit_words(&night), 100 * night.level);
    if (loops == 1)
        (void)fprintf(
            to,
            "One loop has no interval: the spread between loops is unknown. Measure several.\n");
    (void)fprintf(to, "\n");
    configurations(&night, to);
    (void)fprintf(to, "\n");
    portions(&night, to);
    silent(&night, to);
    if (has_calls(&night))
        (void)fprintf(
            to, "\n\"of calls\" is the interval that MooBench prints. It treats the calls of one "
                "process as independent,\nwhich makes it far too narrow; no decision uses it.\n");
}

void ci_report_comparison(const json_t *before, const json_t *after, FILE *to) {
    static const char *const titles[] = {"portion", ">before",   ">interval", ">after", ">interval",
                                         ">change", ">interval", ">percent",  "",       NULL};
    g_autoptr(ci_table) table = ci_table_new(titles);
    g_auto(cfg_night) night = cfg_night_of(after);
    for (unsigned i = 0; i < night.portions_count; i++) {
        const cfg_portion *p = &night.portions[i];
        ci_table_add(table, cfg_portion_title(&night, p));
        interval_cells(table, &p->reference);
        interval_cells(table, &p->now);
        interval_cells(table, &p->difference);
        const json_t *as_told = json_array_get(json_object_get(after, "portions"), i);
        ci_table_add(
            table, ci_percent(cfg_json_number(json_object_get(as_told, "difference"), "percent")));
        ci_table_add(table, cfg_is(p->verdict, "anomaly")
                                ? g_strdup_printf("%s %s", web_verdict_mark(p->direction),
                                                  web_portion_words(p))
                                : g_strdup(""));
    }
    g_autofree char *text = ci_headline(after);
    g_autofree char *headline = cfg_shown(text);
    (void)fprintf(to, "%s → %s, %s; intervals of %g %%\n%s\n", cfg_json_word(before, "source", ""),
                  cfg_json_word(after, "source", ""), ci_unit_words(&night), 100 * night.level,
                  cfg_json_true(after, "paired")
                      ? "Both ran at the same time; changes are those of the pairs of loops.\n"
                      : "");
    ci_table_print(table, to);
    (void)fprintf(to, "\n%s\n", headline);
}

bool ci_any_rose(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    for (unsigned i = 0; i < night.portions_count; i++)
        if (cfg_is(night.portions[i].verdict, "anomaly") &&
            cfg_is_worse(night.portions[i].direction, night.portions[i].better))
            return true;
    return false;
}
