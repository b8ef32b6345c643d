/* moowatch replicate DATASET - measures a published night again, here. */
#include "ci/command/analyze.h"
#include "ci/command/command.h"
#include "ci/command/experiment.h"
#include "ci/dataset/dataset.h"
#include "ci/formats/night.h"
#include "config/model/night.h"
#include "config/number.h"

#include "config/shown.h"
#include "web/layout/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static bool is_wanted(const json_t *experiment, const char *wanted) {
    const char *sha = cfg_json_word(json_object_get(experiment, "commit"), "sha", "");
    return g_str_equal(cfg_json_word(experiment, "night", ""), wanted) ||
           (strlen(wanted) >= 4 && g_str_has_prefix(sha, wanted));
}

/* Others wrote it, and a folder is named by it. */
static bool has_date(const json_t *experiment, GError **error) {
    GDate date;
    const char *night = cfg_json_word(experiment, "night", "");
    return cfg_date_read(night, &date) ||
           ci_wrong(error, "experiments.json: \"%s\" is not the date of a night", night);
}

/* The experiment to measure again; borrowed.
 * experiments  of a data set, oldest first
 * wanted       a date, or the beginning of a commit; NULL: the newest
 * NULL with error (CI_ERROR_INPUT): there is none, or several of that commit's beginning. */
static const json_t *dataset_night(const json_t *experiments, const char *wanted, GError **error) {
    for (size_t i = json_array_size(experiments); i > 0; i--) {
        const json_t *experiment = json_array_get(experiments, i - 1);
        const bool measured = g_str_equal(cfg_json_word(experiment, "state", ""), "measured");
        if (measured && (!wanted || is_wanted(experiment, wanted)))
            return has_date(experiment, error) ? experiment : NULL;
    }
    if (wanted)
        ci_wrong(error,
                 "--night %s: the data set has no measured night of this date or commit; see "
                 "nights.csv",
                 wanted);
    else
        ci_wrong(error, "the data set has no measured night");
    return NULL;
}

/* What a kernel's release says of the processor's kind, as uname has it: "6.1.0-18-amd64" is
 * x86_64. NULL: it says nothing. Constant. */
static const char *dataset_architecture(const char *kernel) {
    static const char *const names[][2] = {{"amd64", "x86_64"},    {"x86_64", "x86_64"},
                                           {"arm64", "aarch64"},   {"aarch64", "aarch64"},
                                           {"ppc64le", "ppc64le"}, {"powerpc64le", "ppc64le"},
                                           {"s390x", "s390x"},     {"riscv64", "riscv64"},
                                           {"i686", "i686"},       {"686", "i686"}};
    for (size_t i = 0; kernel && i < G_N_ELEMENTS(names); i++)
        if (g_str_has_suffix(kernel, names[i][0]))
            return names[i][1];
    return NULL;
}

static const det_interval *interval_of(const cfg_portion *portion) {
    return isfinite(portion->judged.low) ? &portion->judged : &portion->now;
}

static const det_interval *find(const cfg_night *night, const char *configuration) {
    static const det_interval unknown = {.mean = NAN, .low = NAN, .high = NAN};
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].configuration, configuration))
            return &night->portions[i].now;
    return &unknown;
}

/* NaN compares as false: then nobody can tell. */
static json_t *holds(const det_interval *a, const det_interval *b) {
    if (!isfinite(a->low) || !isfinite(a->high) || !isfinite(b->low) || !isfinite(b->high))
        return json_null();
    return json_boolean(a->low <= b->high && b->low <= a->high);
}

/* A list of {portion, configuration, published, here, ratio, holds}, one a
 * portion of the published night; owned.
 * published  with the night-to-night variance where the data set has it
 * holds      do the intervals overlap? null: the portion has no interval here or there */
static json_t *dataset_verdict(const json_t *published, const json_t *here) {
    g_auto(cfg_night) theirs = cfg_night_of(published);
    g_auto(cfg_night) ours = cfg_night_of(here);
    json_t *list = json_array();
    for (unsigned i = 0; i < theirs.portions_count; i++) {
        const cfg_portion *portion = &theirs.portions[i];
        const det_interval *there = interval_of(portion);
        const det_interval *own = find(&ours, portion->configuration ? portion->configuration : "");
        const double ratio = own->mean / there->mean;
        json_array_append_new(
            list, json_pack("{s:s?, s:s?, s:o, s:o, s:o, s:o}", "portion", portion->portion,
                            "configuration", portion->configuration, "published",
                            ci_interval_json(there), "here", ci_interval_json(own), "ratio",
                            isfinite(ratio) ? json_real(ratio) : json_null(), "holds",
                            holds(there, own)));
    }
    return list;
}

typedef struct {
    char *night;
    ci_experiment_options measured;
    gboolean json, anyway;
} options;

static void options_clear(options *o) {
    g_free(o->night);
    ci_experiment_options_clear(&o->measured);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(options, options_clear)

static json_t *experiments_of(const char *dataset, GError **error) {
    g_autofree char *path = g_build_filename(dataset, "experiments.json", NULL);
    json_error_t wrong;
    json_t *experiments = json_load_file(path, 0, &wrong);
    if (json_is_array(experiments))
        return experiments;
    ci_wrong(error, "%s: not a list of experiments: %s", path,
             experiments ? "it is something else" : wrong.text);
    json_decref(experiments);
    return NULL;
}

/* Times of another kind of processor are no replication. */
static bool fits_here(const json_t *night, const options *o, GError **error) {
    struct utsname own;
    (void)uname(&own);
    const json_t *detail = json_object_get(night, "environment_detail");
    const char *theirs = dataset_architecture(cfg_json_word(detail, "kernel", NULL));
    if (o->anyway || !theirs || g_str_equal(theirs, own.machine))
        return true;
    return ci_wrong(error,
                    "the night was measured on %s, this machine is %s: its times cannot be "
                    "repeated here; use --anyway to measure nevertheless",
                    theirs, own.machine);
}

static bool measure(options *o, const char *dataset, const json_t *night, GError **error) {
    g_autofree char *file = g_build_filename(dataset, "project.yaml", NULL);
    g_autoptr(cfg_project) project = cfg_project_load(file, error);
    ci_experiment_options *how = &o->measured;
    how->commit = g_strdup(cfg_json_word(json_object_get(night, "commit"), "sha", ""));
    if (!how->folder)
        how->folder = g_strdup_printf("replication-%s", cfg_json_word(night, "night", ""));
    g_autofree char *done =
        project ? ci_experiment_measure(how, file, project, "replication", error) : NULL;
    if (project && !done)
        g_prefix_error(error, "commit %.12s of %s: ", how->commit,
                       how->repository ? how->repository : project->repository);
    return done != NULL;
}

static json_t *measured(const options *o, const char *dataset, const json_t *night,
                        GError **error) {
    g_auto(ci_results_options) how = CI_RESULTS_OPTIONS;
    const double level = cfg_json_number(night, "level");
    how.project = g_build_filename(dataset, "project.yaml", NULL);
    how.project_warmup = TRUE;
    how.allow_missing = TRUE; /* a loop that failed for good is a gap */
    how.confidence = level > 0 && level < 1 ? level : how.confidence;
    return ci_results_night(o->measured.folder, &how, error);
}

/* "203 ± 4 ns" */
static char *interval_text(const json_t *interval) {
    const double mean = cfg_json_number(interval, "mean_ns");
    const double half =
        (cfg_json_number(interval, "high_ns") - cfg_json_number(interval, "low_ns")) / 2;
    if (!isfinite(mean))
        return g_strdup("unknown");
    const web_unit unit = web_unit_for(mean);
    g_autofree char *number = NULL, *deviation = NULL;
    web_format_interval(mean, isfinite(half) ? half : 0, unit, &number, &deviation);
    return isfinite(half) ? g_strdup_printf("%s ± %s %s", number, deviation, unit.name)
                          : g_strdup_printf("%s %s", number, unit.name);
}

static const char *word_of(const json_t *holds) {
    return json_is_true(holds) ? "holds" : json_is_false(holds) ? "does not hold" : "unknown";
}

/* A line that has words of others. */
G_GNUC_PRINTF(1, 2) static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *shown = cfg_shown(text);
    (void)puts(shown);
}

/* The differing lines of the two environments that a reader asks for first. */
static void print_machines(const json_t *night, const char *folder) {
    static const char *const keys[] = {"cpu", "kernel", "runtime", "governor"};
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_auto_t *record = json_load_file(path, 0, NULL);
    const json_t *own = json_object_get(record, "environment");
    const json_t *theirs = json_object_get(night, "environment_detail");
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *a = cfg_json_word(theirs, keys[i], NULL),
                   *b = cfg_json_word(own, keys[i], NULL);
        if (a && b && !g_str_equal(a, b))
            say("%s: published %s, here %s", keys[i], a, b);
    }
}

static void print_verdict(const json_t *night, const json_t *verdict, const char *folder) {
    say("%s, commit %.12s, measured again in %s", cfg_json_word(night, "night", ""),
        cfg_json_word(json_object_get(night, "commit"), "sha", ""), folder);
    print_machines(night, folder);
    size_t i;
    const json_t *one;
    json_array_foreach (verdict, i, one) {
        g_autofree char *there = interval_text(json_object_get(one, "published"));
        g_autofree char *here = interval_text(json_object_get(one, "here"));
        say("%-8s published %s, here %s: %s", cfg_json_word(one, "portion", ""), there, here,
            word_of(json_object_get(one, "holds")));
    }
}

static ci_exit tell(const options *o, const json_t *night, const json_t *here) {
    json_auto_t *verdict = dataset_verdict(night, here);
    bool all = json_array_size(verdict) > 0;
    size_t i;
    const json_t *one;
    json_array_foreach (verdict, i, one)
        all = all && json_is_true(json_object_get(one, "holds"));
    if (o->json) {
        json_auto_t *told =
            json_pack("{s:O, s:O, s:b, s:O}", "night", json_object_get(night, "night"), "commit",
                      json_object_get(json_object_get(night, "commit"), "sha"), "holds", all,
                      "portions", verdict);
        ci_print_json(told);
    } else {
        print_verdict(night, verdict, o->measured.folder);
    }
    return all ? CI_OK : CI_FOUND;
}

static ci_exit replicate(options *o, const char *dataset, GError **error) {
    static const char *const read[] = {"experiments.json", "project.yaml", NULL};
    json_auto_t *experiments =
        ci_sums_check(dataset, read, error) ? experiments_of(dataset, error) : NULL;
    const json_t *night = experiments ? dataset_night(experiments, o->night, error) : NULL;
    if (!night || !fits_here(night, o, error) || !measure(o, dataset, night, error))
        return CI_INPUT;
    json_auto_t *here = measured(o, dataset, night, error);
    return here ? tell(o, night, here) : CI_INPUT;
}

static const ci_usage usage = {
    .synopsis = "replicate DATASET",
    .description =
        "Measures a night of a data set (moowatch export --dataset) again on this machine: the\n"
        "same commit and parameters. Says of each portion whether the published interval holds;\n"
        "exit status 1 when one does not.",
    .least = 1,
    .most = 1};

static ci_exit run_replicate(int argc, char **argv) {
    g_auto(options) o = {0};
    const GOptionEntry entries[] = {
        CI_STRING("night", &o.night,
                  "Which night: its date, or the beginning of its commit (default: the newest)",
                  "NIGHT"),
        CI_EXPERIMENT_ENTRIES(o.measured, "data set's", "replication-<night>"),
        CI_COUNT("loops", &o.measured.loops, "Loops, instead of the data set's", "N"),
        CI_FLAG("anyway", &o.anyway, "Measure although the processor is of another kind"),
        CI_FLAG("json", &o.json, "Print one JSON object"),
        {0}};
    g_autoptr(GError) error = NULL;
    ci_exit exit = CI_OK;
    if (ci_parse(&usage, entries, &argc, &argv, &error)) {
        if (o.measured.loops < 0 || o.measured.loops == 1)
            ci_misused(&error, "--loops: at least 2, or there are no intervals");
        else
            exit = replicate(&o, argv[1], &error);
    }
    return error ? ci_fail("replicate", error) : exit;
}

const ci_command ci_command_replicate = {
    "replicate", "reproduce a published result on this machine", run_replicate};
