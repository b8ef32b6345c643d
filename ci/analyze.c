/* moowatch analyze DIR|ZIP - MooBench results to portions with intervals; no server needed. */
#include "ci/command.h"
#include "ci/formats/night.h"
#include "ci/outputs.h"
#include "ci/report.h"
#include "ci/results.h"

#include <stdio.h>

static void print(const json_t *night) {
    const json_t *first = json_array_get(json_object_get(night, "configurations"), 0);
    const json_t *loop = json_array_get(json_object_get(first, "loop_results"), 0);
    (void)printf(
        "%s: recursion depth %d, %d loops, %.0f calls kept of each (%.0f dropped)\n"
        "Nanoseconds a call of the recursion; intervals of %g %% over the loops' means.\n\n",
        ci_json_text(night, "source", ""),
        (int)json_integer_value(json_object_get(night, "recursion_depth")),
        (int)json_integer_value(json_object_get(night, "loops")),
        ci_json_real(json_object_get(loop, "summary"), "n"), ci_json_real(loop, "warmup_calls"),
        100 * ci_json_real(night, "confidence"));
    ci_report_configurations(night, stdout);
    (void)printf("\n");
    ci_report_portions(night, stdout);
    (void)printf("\n\"of calls\" is the interval MooBench prints: it takes the calls of one process"
                 " for independent\nand is far too narrow; nothing is decided by it.\n");
}

ci_exit ci_analyze(int argc, char **argv) {
    gboolean json = FALSE;
    g_auto(ci_outputs) outputs = {0};
    g_auto(ci_results_options) options = CI_RESULTS_OPTIONS;
    const GOptionEntry own[] = {{"json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object", NULL},
                                CI_OUTPUTS_ENTRIES(outputs),
                                {0}};
    g_autofree GOptionEntry *entries = ci_results_entries(&options, own);
    g_autoptr(GError) error = NULL;
    json_t *night = NULL;
    if (ci_parse("analyze DIR|ZIP",
                 "Portions of monitoring overhead from the raw files of one MooBench experiment.",
                 entries, &argc, &argv, 1, 1, &error))
        night = ci_results_night(argv[1], &options, &error);
    if (night &&
        ci_outputs_write(&outputs, ci_json_text(night, "night", ""), night, NULL, &error)) {
        if (json)
            ci_print_json(night);
        else if (!ci_outputs_stdout(&outputs))
            print(night);
    }
    json_decref(night);
    return error ? ci_fail("analyze", error) : CI_OK;
}
