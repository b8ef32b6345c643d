/* moowatch compare BEFORE AFTER - two MooBench results, portion by portion. */
#include "ci/command.h"
#include "ci/formats/comparison.h"
#include "ci/formats/night.h"
#include "ci/formats/write.h"
#include "ci/outputs.h"
#include "ci/results.h"
#include "ci/table.h"

#include <stdio.h>

static void interval_cells(ci_table *table, const json_t *value) {
    ci_table_add(table, ci_ns(ci_json_real(value, "mean_ns")));
    ci_table_add(table,
                 ci_ns_interval(ci_json_real(value, "low_ns"), ci_json_real(value, "high_ns")));
}

static void print(const json_t *before, const json_t *after) {
    static const char *const titles[] = {"portion", ">before",   ">interval", ">after", ">interval",
                                         ">change", ">interval", ">percent",  "",       NULL};
    g_autoptr(ci_table) table = ci_table_new(titles);
    size_t i;
    json_t *p;
    json_array_foreach(json_object_get(after, "portions"), i, p) {
        const json_t *difference = json_object_get(p, "difference");
        ci_table_add(table, g_strdup(ci_json_text(p, "portion", "?")));
        interval_cells(table, json_object_get(p, "reference"));
        interval_cells(table, p);
        interval_cells(table, difference);
        ci_table_add(table, ci_percent(ci_json_real(difference, "percent")));
        ci_table_add(table, g_strdup(ci_portion_changed(p, "up")     ? "▲ slower"
                                     : ci_portion_changed(p, "down") ? "▼ faster"
                                                                     : ""));
    }
    g_autofree char *headline = ci_headline(after);
    (void)printf("%s → %s, nanoseconds a call\n\n", ci_json_text(before, "source", ""),
                 ci_json_text(after, "source", ""));
    ci_table_print(table, stdout);
    (void)printf("\n%s\n", headline);
}

static bool got_slower(const json_t *night) {
    size_t i;
    json_t *p;
    json_array_foreach(json_object_get(night, "portions"), i, p) {
        if (ci_portion_changed(p, "up"))
            return true;
    }
    return false;
}

static ci_exit compare(char **paths, const ci_results_options *options,
                       const ci_comparison_options *how, const ci_outputs *outputs, bool json,
                       GError **error) {
    json_t *before = ci_results_night(paths[0], options, error);
    json_t *after = before ? ci_results_night(paths[1], options, error) : NULL;
    ci_exit exit = CI_INPUT;
    if (after && ci_comparison(before, after, how, error)) {
        json_t *both = json_pack("[O,O]", before, after);
        if (ci_outputs_write(outputs, ci_json_text(after, "night", ""), after, both, error))
            exit = got_slower(after) ? CI_FOUND : CI_OK;
        json_decref(both);
        if (json)
            ci_print_json(after);
        else if (!ci_outputs_stdout(outputs))
            print(before, after);
    }
    json_decref(before);
    json_decref(after);
    return exit;
}

ci_exit ci_compare(int argc, char **argv) {
    gboolean json = FALSE;
    g_auto(ci_results_options) options = CI_RESULTS_OPTIONS;
    g_auto(ci_outputs) outputs = {0};
    ci_comparison_options how = {.minimum_percent = 5, .minimum_ns = 1};
    const GOptionEntry own[] = {{"json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object", NULL},
                                {"minimum-percent", 0, 0, G_OPTION_ARG_DOUBLE, &how.minimum_percent,
                                 "A smaller change is none (default: 5)", "P"},
                                {"minimum-ns", 0, 0, G_OPTION_ARG_DOUBLE, &how.minimum_ns,
                                 "Absolute floor beside it (default: 1)", "NS"},
                                CI_OUTPUTS_ENTRIES(outputs),
                                {0}};
    g_autofree GOptionEntry *entries = ci_results_entries(&options, own);
    g_autoptr(GError) error = NULL;
    if (!ci_parse(
            "compare BEFORE AFTER",
            "Two MooBench results (folders or zips). Exit status 1 when a portion got slower.",
            entries, &argc, &argv, 2, 2, &error))
        return ci_fail("compare", error);
    how.confidence = options.confidence;
    const ci_exit exit = compare(argv + 1, &options, &how, &outputs, json, &error);
    return error ? ci_fail("compare", error) : exit;
}
