/* moowatch compare BEFORE AFTER - two MooBench results, portion by portion. */
#include "ci/command/compare.h"

#include "ci/command/report.h"
#include "ci/formats/night.h"

#include <stdio.h>

ci_exit ci_compare_results(const char *before_path, const char *after_path,
                           const ci_results_options *options, const ci_comparison_options *how,
                           const ci_outputs *outputs, bool json, GError **error) {
    json_t *before = ci_results_night(before_path, options, error);
    json_t *after = before ? ci_results_night(after_path, options, error) : NULL;
    ci_exit exit = CI_INPUT;
    if (after && ci_comparison(before, after, how, error)) {
        json_t *both = json_pack("[O,O]", before, after);
        if (ci_outputs_write(outputs, ci_json_text(after, "night", ""), after, both, error))
            exit = ci_any_rose(after) ? CI_FOUND : CI_OK;
        json_decref(both);
        if (json)
            ci_print_json(after);
        else if (!ci_outputs_stdout(outputs))
            ci_report_comparison(before, after, stdout);
    }
    json_decref(before);
    json_decref(after);
    return exit;
}

static const ci_usage usage = {
    .synopsis = "compare BEFORE AFTER",
    .description = "Two MooBench results (folders or zips). Exit status 1 when a portion rose.",
    .least = 2,
    .most = 2};

ci_exit ci_compare(int argc, char **argv) {
    gboolean json = FALSE;
    g_auto(ci_results_options) options = CI_RESULTS_OPTIONS;
    g_auto(ci_outputs) outputs = {0};
    ci_comparison_options how = {.minimum_percent = 5, .minimum_ns = 1};
    const GOptionEntry own[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL},
        {"minimum-percent", 0, 0, G_OPTION_ARG_DOUBLE, &how.minimum_percent,
         "Ignore smaller changes, in percent (default: 5)", "P"},
        {"minimum-ns", 0, 0, G_OPTION_ARG_DOUBLE, &how.minimum_ns,
         "Also ignore changes of fewer ns (default: 1)", "NS"},
        CI_OUTPUTS_ENTRIES(outputs),
        {0}};
    g_autofree GOptionEntry *entries = ci_results_entries(&options, own);
    g_autoptr(GError) error = NULL;
    if (!ci_parse(&usage, entries, &argc, &argv, &error))
        return ci_fail("compare", error);
    how.confidence = options.confidence;
    const ci_exit exit =
        ci_compare_results(argv[1], argv[2], &options, &how, &outputs, json, &error);
    return error ? ci_fail("compare", error) : exit;
}
