/* moowatch plan PROJECT.yaml - how many calls and processes to measure in the minutes of a night.
 */
#include "ci/command/experiment.h"
#include "ci/command/pilot.h"
#include "ci/command/revision.h"
#include "ci/command/table.h"

#include <math.h>
#include <stdio.h>

#define COMMIT_SHORT 12
#define PILOT_LOOPS 5

typedef struct {
    char *commit, *repository, *folder, *config;
    gint loops;
    gdouble minutes;
    gboolean json;
} options;

static void options_clear(options *o) {
    g_free(o->commit);
    g_free(o->repository);
    g_free(o->folder);
    g_free(o->config);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(options, options_clear)

static bool options_check(const options *o, GError **error) {
    if (o->loops >= 2 && o->loops <= 100 && o->minutes > 0 && o->minutes <= 1440)
        return true;
    g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "%s",
                o->loops < 2 || o->loops > 100 ? "--loops: 2 to 100 processes of each configuration"
                                               : "--minutes: more than 0, at most 1440");
    return false;
}

/* The pilot's experiment.json; NULL with error. */
static json_t *measure(options *o, const char *file, const cfg_project *project, GError **error) {
    const char *given = o->repository ? o->repository : project->repository;
    g_autofree char *repository = g_file_test(given, G_FILE_TEST_IS_DIR)
                                      ? g_canonicalize_filename(given, NULL)
                                      : g_strdup(given);
    g_autofree char *commit = ci_revision_find(repository, project->branch, o->commit, error);
    if (!commit)
        return NULL;
    if (!o->folder)
        o->folder = g_strdup_printf("pilot-%.*s", COMMIT_SHORT, commit);
    const ci_experiment what = {.project = file,
                                .repository = repository,
                                .commit = commit,
                                .config = o->config,
                                .loops = o->loops};
    if (!ci_experiment_run(&what, o->folder, error))
        return NULL;
    g_autofree char *path = g_build_filename(o->folder, "experiment.json", NULL);
    json_error_t wrong;
    json_t *experiment = json_load_file(path, 0, &wrong);
    if (!experiment)
        (void)ci_wrong(error, "%s: %s", path, wrong.text);
    return experiment;
}

static json_t *leg_json(const ci_pilot_leg *leg) {
    return json_pack("{s:s,s:s,s:f,s:f,s:f,s:f,s:I,s:I,s:I,s:f}", "configuration", leg->name,
                     "portion", leg->portion, "mean_ns", leg->varies.mean, "between_ns",
                     sqrt(leg->varies.between), "within_ns", sqrt(leg->varies.within),
                     "start_seconds", leg->start_s, "calls", (json_int_t)leg->calls,
                     "planned_calls", (json_int_t)leg->planned, "total_calls",
                     (json_int_t)(leg->warmup + leg->planned), "share", leg->share);
}

static json_t *plan_json(const ci_pilot *pilot, double confidence) {
    json_t *configurations = json_array(), *portions = json_array();
    for (size_t i = 0; i < pilot->count; i++) {
        json_array_append_new(configurations, leg_json(&pilot->leg[i]));
        json_array_append_new(portions, json_pack("{s:s,s:f,s:f}", "portion", pilot->leg[i].portion,
                                                  "detectable_before_ns",
                                                  ci_pilot_detectable(pilot, i, confidence, false),
                                                  "detectable_after_ns",
                                                  ci_pilot_detectable(pilot, i, confidence, true)));
    }
    return json_pack("{s:I,s:I,s:f,s:f,s:f,s:o,s:o}", "loops", (json_int_t)pilot->loops,
                     "planned_loops", (json_int_t)pilot->planned_loops, "seconds_before",
                     pilot->seconds_now, "seconds_after", pilot->seconds_after, "level", confidence,
                     "configurations", configurations, "portions", portions);
}

static void print_table(const ci_pilot *pilot, double confidence) {
    static const char *const titles[] = {"portion",       ">start s", ">between ns", ">within ns",
                                         ">calls now",    ">planned", ">share %",    ">seen now ns",
                                         ">planned seen", NULL};
    g_autoptr(ci_table) table = ci_table_new(titles);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        ci_table_add(table, g_strdup(leg->portion));
        ci_table_add(table, g_strdup_printf("%.3g", leg->start_s));
        ci_table_add(table, ci_ns(sqrt(leg->varies.between)));
        ci_table_add(table, ci_ns(sqrt(leg->varies.within)));
        ci_table_add(table, g_strdup_printf("%.0f", leg->calls));
        ci_table_add(table, g_strdup_printf("%.0f", leg->planned));
        ci_table_add(table, g_strdup_printf("%.0f", 100 * leg->share));
        ci_table_add(table, ci_ns(ci_pilot_detectable(pilot, i, confidence, false)));
        ci_table_add(table, ci_ns(ci_pilot_detectable(pilot, i, confidence, true)));
    }
    ci_table_print(table, stdout);
}

static void print_plan(const ci_pilot *pilot, double confidence) {
    print_table(pilot, confidence);
    (void)printf(
        "\nseen: the smallest change of the portion between two nights that is found in 80 "
        "of 100 cases.\nDifferences between nights are not in it. share: the best part of "
        "the processes for each\nconfiguration, if they could differ. Now %u rounds, %.3g minutes; "
        "planned "
        "%u rounds, %.3g minutes:\n\nbenchmark:\n  loops: %u\n  configurations:\n",
        pilot->loops, pilot->seconds_now / 60, pilot->planned_loops, pilot->seconds_after / 60,
        pilot->planned_loops);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        (void)printf("    - name: %s\n      total_calls: %.0f\n      warmup_calls: %.0f\n",
                     leg->name, round(leg->warmup + leg->planned), round(leg->warmup));
    }
}

static const ci_usage usage = {
    .synopsis = "plan PROJECT.yaml",
    .description =
        "Measures a few processes of each configuration here, estimates how they vary and\n"
        "what starting one costs. Says how many calls and processes to measure in the given\n"
        "minutes a night, and the smallest change that is then found.",
    .least = 1,
    .most = 1};

static ci_exit plan(options *o, const char *file, const cfg_project *project, GError **error) {
    g_autofree ci_pilot *pilot = g_new0(ci_pilot, 1);
    json_auto_t *experiment = measure(o, file, project, error);
    if (!experiment || !ci_pilot_read(pilot, project, experiment, error) ||
        !ci_pilot_plan(pilot, o->minutes, error))
        return CI_INPUT;
    if (o->json) {
        json_auto_t *said = plan_json(pilot, project->detection.confidence);
        ci_print_json(said);
    } else {
        print_plan(pilot, project->detection.confidence);
    }
    return CI_OK;
}

ci_exit ci_plan(int argc, char **argv) {
    g_auto(options) o = {.minutes = 60, .loops = PILOT_LOOPS};
    const GOptionEntry entries[] = {
        {"minutes", 0, 0, G_OPTION_ARG_DOUBLE, &o.minutes, "What a night may take (default: 60)",
         "N"},
        {"loops", 0, 0, G_OPTION_ARG_INT, &o.loops,
         "Processes of each configuration to try (default: 5)", "N"},
        {"commit", 0, 0, G_OPTION_ARG_STRING, &o.commit,
         "What to measure (default: the newest of the project's branch)", "COMMIT"},
        {"repository", 0, 0, G_OPTION_ARG_FILENAME, &o.repository,
         "Take the commit from there (default: the project's)", "DIR|URL"},
        {"dir", 0, 0, G_OPTION_ARG_FILENAME, &o.folder,
         "New folder for the raw files (default: pilot-<commit>)", "DIR"},
        {"config", 0, 0, G_OPTION_ARG_FILENAME, &o.config,
         "Settings of moowatch-runner: processors, tuning, idle gate", "FILE"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "Print one JSON object", NULL},
        {0}};
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project = NULL;
    ci_exit exit = CI_OK;
    if (ci_parse(&usage, entries, &argc, &argv, &error) && options_check(&o, &error))
        project = cfg_project_load(argv[1], &error);
    if (project)
        exit = plan(&o, argv[1], project, &error);
    return error ? ci_fail("plan", error) : exit;
}
