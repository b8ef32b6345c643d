/* moowatch replicate DATASET - measures a published night again, here. */
#include "ci/command/analyze.h"
#include "ci/command/command.h"
#include "ci/command/experiment.h"
#include "ci/dataset/dataset.h"
#include "ci/formats/night.h"
#include "config/json_text.h"
#include "config/model/detection.h"
#include "config/model/night.h"
#include "config/number.h"
#include "config/options.h"
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

/* A portion of the published night, with the variance from night to night where the data set has
 * it, and what it is here. */
typedef struct {
    const cfg_portion *portion;
    const det_interval *there, *here;
    int holds; /* do they overlap? -1: there is no interval here or there */
} repetition;

static repetition repeated(const cfg_portion *p, const cfg_night *ours) {
    static const det_interval unknown = {.mean = NAN, .low = NAN, .high = NAN};
    const cfg_portion *own = cfg_night_portion(ours, p->configuration);
    const det_interval *there = isfinite(p->judged.low) ? &p->judged : &p->now,
                       *here = own ? &own->now : &unknown;
    const bool known = isfinite(there->low + there->high + here->low + here->high);
    const bool holds = there->low <= here->high && here->low <= there->high;
    return (repetition){p, there, here, known ? holds : -1};
}

static json_t *repetition_json(const repetition *r) {
    const double ratio = r->here->mean / r->there->mean;
    return json_pack("{s:s?, s:s?, s:o, s:o, s:o, s:o}", "portion", r->portion->portion,
                     "configuration", r->portion->configuration, "published",
                     model_write(&cfg_interval_ns_model, r->there), "here",
                     model_write(&cfg_interval_ns_model, r->here), "ratio", cfg_json_real(ratio),
                     "holds", r->holds < 0 ? json_null() : json_boolean(r->holds));
}

typedef struct {
    char *night;
    ci_experiment_options measured;
    gboolean json, anyway;
} options;

static json_t *experiments_of(const char *dataset, GError **error) {
    g_autofree char *path = g_build_filename(dataset, "experiments.json", NULL);
    json_error_t wrong;
    json_auto_t *experiments = json_load_file(path, 0, &wrong);
    if (json_is_array(experiments))
        return json_incref(experiments);
    ci_wrong(error, "%s: not a list of experiments: %s", path,
             experiments ? "it is something else" : wrong.text);
    return NULL;
}

/* Times of another kind of processor are no replication. */
static bool fits_here(const cfg_night *night, const options *o, GError **error) {
    struct utsname own;
    (void)uname(&own);
    const char *theirs =
        dataset_architecture(cfg_json_word(night->environment_detail, "kernel", NULL));
    if (o->anyway || !theirs || g_str_equal(theirs, own.machine))
        return true;
    return ci_wrong(error,
                    "the night was measured on %s, this machine is %s: its times cannot be "
                    "repeated here; use --anyway to measure nevertheless",
                    theirs, own.machine);
}

static bool measure(options *o, const char *dataset, const cfg_night *night, GError **error) {
    g_autofree char *file = g_build_filename(dataset, "project.yaml", NULL);
    g_autoptr(cfg_project) project = cfg_project_load(file, error);
    ci_experiment_options *how = &o->measured;
    how->commit = cfg_kept(g_strdup(night->commit.sha ? night->commit.sha : ""));
    if (!how->folder)
        how->folder = cfg_kept(g_strdup_printf("replication-%s", night->night));
    g_autofree char *done =
        project ? ci_experiment_measure(how, file, project, "replication", error) : NULL;
    if (project && !done)
        g_prefix_error(error, "commit %.12s of %s: ", how->commit,
                       how->repository ? how->repository : project->repository);
    return done != NULL;
}

static json_t *measured(const options *o, const char *dataset, const cfg_night *night,
                        GError **error) {
    ci_results_options how = CI_RESULTS_OPTIONS;
    how.project = cfg_kept(g_build_filename(dataset, "project.yaml", NULL));
    how.project_warmup = TRUE;
    how.allow_missing = TRUE; /* a loop that failed for good is a gap */
    how.confidence = night->level > 0 && night->level < 1 ? night->level : how.confidence;
    return ci_results_night(o->measured.folder, &how, error);
}

/* "203 ± 4 ns"; own: the values' unit, NULL: they are times. */
static char *interval_text(const det_interval *interval, const char *own) {
    const double mean = interval->mean, half = (interval->high - interval->low) / 2;
    if (!isfinite(mean))
        return g_strdup("unknown");
    const web_unit unit = web_unit_for(mean, own);
    g_autofree char *number = NULL, *deviation = NULL;
    web_format_interval(mean, isfinite(half) ? half : 0, unit, &number, &deviation);
    return isfinite(half) ? g_strdup_printf("%s ± %s %s", number, deviation, unit.name)
                          : g_strdup_printf("%s %s", number, unit.name);
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
static void print_machines(const cfg_night *night, const char *folder) {
    static const char *const keys[] = {"cpu", "kernel", "runtime", "governor"};
    json_auto_t *record = ci_record_read(folder, NULL);
    const json_t *own = json_object_get(record, "environment");
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *a = cfg_json_word(night->environment_detail, keys[i], NULL),
                   *b = cfg_json_word(own, keys[i], NULL);
        if (a && b && !g_str_equal(a, b))
            say("%s: published %s, here %s", keys[i], a, b);
    }
}

static void print_repetition(const repetition *r) {
    const char *unit = r->portion->unit;
    g_autofree char *there = interval_text(r->there, unit), *here = interval_text(r->here, unit);
    say("%-8s published %s, here %s: %s", r->portion->portion ? r->portion->portion : "", there,
        here,
        r->holds < 0 ? "unknown"
        : r->holds   ? "holds"
                     : "does not hold");
}

static ci_exit tell(const options *o, const cfg_night *night, const json_t *here) {
    g_auto(cfg_night) ours = cfg_night_of(here);
    json_auto_t *list = json_array();
    bool all = night->portions_count > 0;
    if (!o->json) {
        say("%s, commit %.12s, measured again in %s", night->night, o->measured.commit,
            o->measured.folder);
        print_machines(night, o->measured.folder);
    }
    for (unsigned i = 0; i < night->portions_count; i++) {
        const repetition one = repeated(&night->portions[i], &ours);
        all = all && one.holds == 1;
        if (o->json)
            json_array_append_new(list, repetition_json(&one));
        else
            print_repetition(&one);
    }
    if (o->json) {
        json_auto_t *told = json_pack("{s:s, s:s?, s:b, s:O}", "night", night->night, "commit",
                                      night->commit.sha, "holds", all, "portions", list);
        ci_print_json(told);
    }
    return all ? CI_OK : CI_FOUND;
}

static ci_exit replicate(options *o, const char *dataset, GError **error) {
    static const char *const read[] = {"experiments.json", "project.yaml", NULL};
    json_auto_t *experiments =
        ci_sums_check(dataset, read, error) ? experiments_of(dataset, error) : NULL;
    const json_t *found = experiments ? dataset_night(experiments, o->night, error) : NULL;
    g_auto(cfg_night) night = cfg_night_of(found);
    if (!found || !fits_here(&night, o, error) || !measure(o, dataset, &night, error))
        return CI_INPUT;
    json_auto_t *here = measured(o, dataset, &night, error);
    return here ? tell(o, &night, here) : CI_INPUT;
}

static const ci_usage usage = {
    .synopsis = "replicate DATASET",
    .description =
        "Measures a night of a data set (moowatch export --dataset) again on this machine: the\n"
        "same commit and parameters. Says of each portion whether the published interval holds;\n"
        "exit status 1 when one does not.",
    .least = 1,
    .most = 1};

static ci_exit run_replicate(int argc, char **argv, GError **error) {
    options o = {0};
    const GOptionEntry entries[] = {
        CI_STRING("night", &o.night,
                  "Which night: its date, or the beginning of its commit (default: the newest)",
                  "NIGHT"),
        CI_EXPERIMENT_ENTRIES(o.measured, "data set's", "replication-<night>"),
        CI_COUNT("loops", &o.measured.loops, "Loops, instead of the data set's", "N"),
        CI_FLAG("anyway", &o.anyway, "Measure although the processor is of another kind"),
        CI_FLAG("json", &o.json, "Print one JSON object"),
        {0}};
    ci_exit exit = CI_OK;
    if (ci_parse(&usage, entries, &argc, &argv, error)) {
        if (o.measured.loops < 0 || o.measured.loops == 1)
            ci_misused(error, "--loops: at least 2, or there are no intervals");
        else
            exit = replicate(&o, argv[1], error);
    }
    return exit;
}

const ci_command ci_command_replicate = {
    "replicate", "reproduce a published result on this machine", run_replicate};
