/* moowatch compare BEFORE AFTER - two MooBench results, portion by portion. */
#include "ci/command/analyze.h"

#include "ci/command/report.h"
#include "ci/formats/night.h"
#include "ci/formats/policy.h"

#include <math.h>
#include <stdio.h>

/* As the policy sees a night: a portion hides what would not have been told, and at least what does
 * not count. Pairs tell what their interval leaves 0 out of, others two intervals that lie apart.
 */
static void judge_by_difference(cfg_night *night, const ci_comparison_options *how) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *p = &night->portions[i];
        const det_interval *was = &p->reference, *is = &p->now, *gap = &p->difference;
        const double width =
            how->paired ? gap->high - gap->low : was->high - was->low + is->high - is->low;
        const double most =
            isfinite(width) ? fmax(width / 2, ci_comparison_least(how, p->unit, was->mean)) : width;
        p->judged = (det_interval){.mean = 0, .low = -most, .high = most};
        p->reference.low = p->reference.high = was->mean;
    }
}

/* Passes, unless a portion rose or nobody could have seen that; after: out, says which changes
 * would have been seen. */
static bool conclude(json_t *after, const ci_comparison_options *how, ci_exit *exit,
                     GError **error) {
    g_auto(ci_policy) policy = {0};
    if (!ci_policy_init(&policy, &(ci_policy_options){0}, error))
        return false;
    g_auto(cfg_night) night = cfg_night_of(after);
    judge_by_difference(&night, how);
    json_auto_t *verdict = ci_policy_verdict(&policy, &night, after);
    const char *word = cfg_json_word(verdict, "verdict", "");
    *exit = ci_any_rose(after) ? CI_FOUND : g_str_equal(word, "unsure") ? CI_UNSURE : CI_OK;
    if (*exit != CI_FOUND) {
        g_autofree char *told = g_strconcat(*exit == CI_UNSURE ? "cannot tell: " : "",
                                            cfg_json_word(verdict, "sentence", ""), NULL);
        json_object_set_new(after, "headline", json_string(told));
    }
    json_object_set(after, "unsure", json_object_get(verdict, "unsure")); /* for JUnit */
    return true;
}

ci_exit ci_compare_results(const char *before_path, const char *after_path,
                           const ci_results_options *options, const ci_comparison_options *how,
                           const ci_outputs *outputs, bool json, GError **error) {
    json_auto_t *before = ci_results_night(before_path, options, error);
    json_auto_t *after = before ? ci_results_night(after_path, options, error) : NULL;
    ci_exit exit = CI_INPUT;
    ci_exit answer;
    if (after && ci_comparison(before, after, how, error) && conclude(after, how, &answer, error)) {
        json_auto_t *both = json_pack("[O,O]", before, after);
        if (ci_outputs_write(outputs,
                             outputs->title ? outputs->title : cfg_json_word(after, "night", ""),
                             after, both, error))
            exit = answer;
        if (json)
            ci_print_json(after);
        else if (!ci_outputs_stdout(outputs))
            ci_report_comparison(before, after, stdout);
    }
    return exit;
}

static const ci_usage usage = {
    .synopsis = "compare BEFORE AFTER",
    .description = "Compares two MooBench results (folders or zips). Exit status 1 if a portion "
                   "rose,\n6 if only a change of more than a doubling could have been seen.",
    .least = 2,
    .most = 2};

static ci_exit compare(int argc, char **argv, GError **error) {
    gboolean json = FALSE;
    ci_results_options options = CI_RESULTS_OPTIONS;
    ci_outputs outputs = {0};
    ci_comparison_options how = {.minimum_percent = 5, .minimum_ns = 1};
    const GOptionEntry own[] = {
        CI_FLAG("json", &json, "Print one JSON object"),
        CI_REAL("minimum-percent", &how.minimum_percent,
                "Ignore smaller changes, in percent (default: 5)", "P"),
        CI_REAL("minimum-ns", &how.minimum_ns, "Ignore smaller changes, in ns (default: 1)", "NS"),
        CI_OUTPUTS_ENTRIES(outputs),
        {0}};
    g_autofree GOptionEntry *entries = ci_results_entries(&options, own);
    if (!ci_parse(&usage, entries, &argc, &argv, error))
        return CI_INPUT;
    how.confidence = options.confidence;
    const ci_exit exit =
        ci_compare_results(argv[1], argv[2], &options, &how, &outputs, json, error);
    return exit;
}

const ci_command ci_command_compare = {"compare", "compare two such results, portion by portion",
                                       compare};
