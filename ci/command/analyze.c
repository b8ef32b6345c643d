/* moowatch analyze DIR|ZIP - MooBench results to portions with intervals; no server needed. */
#include "ci/command/command.h"
#include "ci/command/outputs.h"
#include "ci/command/report.h"
#include "ci/command/results.h"
#include "ci/formats/night.h"

#include <stdio.h>

static const ci_usage usage = {
    .synopsis = "analyze DIR|ZIP",
    .description = "Portions of monitoring overhead from the raw files of one MooBench experiment.",
    .least = 1,
    .most = 1};

ci_exit ci_analyze(int argc, char **argv) {
    gboolean json = FALSE;
    g_auto(ci_outputs) outputs = {0};
    g_auto(ci_results_options) options = CI_RESULTS_OPTIONS;
    const GOptionEntry own[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL},
        CI_OUTPUTS_ENTRIES(outputs),
        {0}};
    g_autofree GOptionEntry *entries = ci_results_entries(&options, own);
    g_autoptr(GError) error = NULL;
    json_t *night = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, &error))
        night = ci_results_night(argv[1], &options, &error);
    if (night &&
        ci_outputs_write(&outputs, ci_json_text(night, "night", ""), night, NULL, &error)) {
        if (json)
            ci_print_json(night);
        else if (!ci_outputs_stdout(&outputs))
            ci_report_night(night, stdout);
    }
    json_decref(night);
    return error ? ci_fail("analyze", error) : CI_OK;
}
