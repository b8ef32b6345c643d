#include "ci/command/analyze.h"
#include "ci/command/experiment.h"
#include "ci/command/report.h"
#include "ci/formats/night.h"
#include "config/doubts.h"
#include "config/json_text.h"
#include "config/options.h"

#include <glib.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* The entry of a configuration, made where there is none yet; borrowed. */
static cfg_measured *entry_of(cfg_night *night, const char *name) {
    cfg_measured *there = cfg_night_configuration(night, name);
    if (there)
        return there;
    cfg_measured *made = model_add(&cfg_night_model, night, "configurations");
    made->name = g_strdup(name);
    return made;
}

/* Whether the loops there ran beside those of the other commit. */
static bool received_duet(const char *folder) {
    json_auto_t *root = ci_record_read(folder, NULL);
    size_t i;
    const json_t *loop;
    cfg_json_each (root, "loops", i, loop)
        if (cfg_json_at(loop, "readings.duet"))
            return true;
    return false;
}

/* With what makes the figures of its portions, NULL: of none, and of the folder's loops doubtful.
 */
static cfg_night doubtful(const char *folder, const json_t *portions) {
    json_auto_t *root = ci_record_read(folder, NULL),
                *view = json_pack("{s:O*}", "portions", portions);
    cfg_night night = cfg_night_of(view);
    size_t i;
    json_t *loop;
    cfg_json_each (root, "loops", i, loop) {
        const char *name = cfg_json_word(loop, "configuration", NULL);
        if (name)
            model_read_leniently(
                &cfg_loop_model, loop,
                model_add(&cfg_measured_model, entry_of(&night, name), "loop_results"));
    }
    cfg_doubts(&night);
    return night;
}

/* What makes the night's figures doubtful, as the API has it (config/doubts.h); owned. folder of
 * results, with experiment.json; without one only steps that do nothing are told */
static json_t *received_doubts(const char *folder, json_t *night) {
    g_auto(cfg_night) read = doubtful(folder, json_object_get(night, "portions"));
    json_t *doubts = json_array();
    for (unsigned i = 0; i < read.doubts_count; i++)
        json_array_append_new(doubts, model_write(&cfg_doubt_model, &read.doubts[i]));
    return doubts;
}

/* A line for each configuration of which less was found than was expected.
 * folder  of results, with experiment.json; without one, or where nobody counted, nothing is
 * printed */
static void received_print(const char *folder, FILE *to) {
    g_auto(cfg_night) read = doubtful(folder, NULL);
    g_autoptr(GPtrArray) lines = g_ptr_array_new();
    for (unsigned i = 0; i < read.doubts_count; i++)
        if (cfg_is(read.doubts[i].kind, "dropped"))
            g_ptr_array_add(lines, read.doubts[i].sentence);
    cfg_texts_sort(lines);
    for (guint k = 0; k < lines->len; k++)
        (void)fprintf(to, "%s\n", (const char *)lines->pdata[k]);
}

typedef struct {
    ci_experiment_options measured;
    gdouble confidence;
    gboolean json;
    ci_outputs outputs;
    ci_comparison_options how;
} options;

/* What the command line left open is the project's to say. */
static bool settle(options *o, const cfg_project *project, GError **error) {
    if (isnan(o->confidence))
        o->confidence = project->detection.confidence;
    if (isnan(o->how.minimum_percent))
        o->how.minimum_percent = project->detection.minimum_effect_percent;
    if (isnan(o->how.minimum_ns))
        o->how.minimum_ns = project->detection.minimum_effect_ns;
    o->how.confidence = o->confidence;
    o->outputs.title = cfg_kept(g_strdup(project->title));
    if (o->measured.loops < 0 || o->measured.loops == 1)
        return ci_misused(error, "--loops: at least 2, or there are no intervals");
    return true;
}

static ci_exit analyze(const options *o, const ci_results_options *how, GError **error) {
    json_auto_t *night = ci_results_night(o->measured.folder, how, error);
    const bool good = night && ci_outputs_write(&o->outputs, o->outputs.title, night, NULL, error);
    if (good && o->json) {
        json_object_set_new(night, "doubts", received_doubts(o->measured.folder, night));
        ci_print_json(night);
    } else if (good && !ci_outputs_stdout(&o->outputs)) {
        ci_report_night(night, stdout);
        received_print(o->measured.folder, stdout);
    }
    return good ? CI_OK : CI_INPUT;
}

static ci_exit tell(const options *o, const char *file, GError **error) {
    ci_results_options how = CI_RESULTS_OPTIONS;
    how.project = cfg_kept(g_strdup(file));
    how.project_warmup = TRUE;
    how.confidence = o->confidence;
    how.allow_missing = TRUE; /* a loop that failed for good is a gap */
    if (!o->measured.compare)
        return analyze(o, &how, error);
    g_autofree char *before = g_build_filename(o->measured.folder, "before", NULL);
    g_autofree char *after = g_build_filename(o->measured.folder, "after", NULL);
    ci_comparison_options comparison = o->how;
    comparison.paired = received_duet(after);
    return ci_compare_results(before, after, &how, &comparison, &o->outputs, o->json, error);
}

static const ci_usage usage = {
    .synopsis = "run PROJECT.yaml",
    .description =
        "Measures a commit on this machine, without a server: checkout, prepare, all\n"
        "loops of all configurations in turn. Prints what analyze prints, or compare.\nWith "
        "--compare: exit status 1 if a portion rose, 6 if that cannot be decided.",
    .least = 1,
    .most = 1};

static ci_exit run_here(int argc, char **argv, GError **error) {
    options o = {.confidence = (double)NAN,
                 .how = {.minimum_percent = (double)NAN, .minimum_ns = (double)NAN}};
    const GOptionEntry entries[] = {
        CI_STRING("commit", &o.measured.commit,
                  "What to measure (default: the newest of the project's branch)", "COMMIT"),
        CI_STRING("compare", &o.measured.compare,
                  "Measure this older commit in turn with it, and compare", "COMMIT"),
        CI_EXPERIMENT_ENTRIES(o.measured, "project's", "overhead-<commit>"),
        CI_COUNT("loops", &o.measured.loops, "Loops, instead of the project's", "N"),
        CI_STRING("rest", &o.measured.rest,
                  "Between two processes, instead of the project's rest_seconds", "SECONDS"),
        CI_STRING("path", &o.measured.path,
                  "Folders of your programs, such as \"$PATH\" (default: " CFG_RUNNER_PATH ")",
                  "DIRS"),
        CI_REAL("confidence", &o.confidence, "Level of the intervals (default: the project's)",
                "P"),
        CI_REAL("minimum-percent", &o.how.minimum_percent,
                "With --compare: ignore smaller changes, in percent (default: the project's)", "P"),
        CI_REAL("minimum-ns", &o.how.minimum_ns,
                "With --compare: ignore smaller changes, in ns (default: the project's)", "NS"),
        CI_FLAG("json", &o.json, "Print one JSON object"),
        CI_OUTPUTS_ENTRIES(o.outputs),
        {0}};
    g_autoptr(cfg_project) project = NULL;
    ci_exit exit = CI_OK;
    if (ci_parse(&usage, entries, &argc, &argv, error))
        project = cfg_project_load(argv[1], error);
    g_autofree char *commit =
        project && settle(&o, project, error)
            ? ci_experiment_measure(&o.measured, argv[1], project, "overhead", error)
            : NULL;
    if (commit)
        exit = tell(&o, argv[1], error);
    return exit;
}

const ci_command ci_command_run = {"run", "measure a commit on this machine, without a server",
                                   run_here};
