#include "ci/command/analyze.h"

#include "ci/command/command.h"
#include "ci/command/outputs.h"
#include "ci/command/progress.h"
#include "ci/command/report.h"
#include "ci/formats/night.h"
#include "config/model/detection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static GPtrArray *links_of(const cfg_project *project, GError **error) {
    const cfg_benchmark *benchmark = &project->benchmark;
    g_autoptr(GPtrArray) links = g_ptr_array_new_with_free_func(ci_link_free);
    for (unsigned i = 0; i < benchmark->configurations_count; i++) {
        ci_link *link = g_new0(ci_link, 1);
        link->name = g_strdup(benchmark->configurations[i].name);
        g_ptr_array_add(links, link);
    }
    return ci_chain_project(links, project, error) ? g_steal_pointer(&links) : NULL;
}

static int find(const GPtrArray *links, const char *name) {
    for (guint i = 0; i < links->len; i++)
        if (g_str_equal(((const ci_link *)links->pdata[i])->name, name))
            return (int)i;
    return -1;
}

/* wanted: of the disturbed attempts first, the good ones second, so that those stand. */
static void take(ci_results *results, const json_t *loops, bool disturbed) {
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        const int at = find(results->links, cfg_json_word(loop, "configuration", ""));
        const json_int_t number = cfg_json_integer(loop, "loop");
        const json_t *summary = json_object_get(loop, "summary");
        if (at < 0 || number < 1 || number > results->loops || !json_is_object(summary) ||
            json_is_string(json_object_get(loop, "failed")) ||
            cfg_json_true(loop, "disturbed") != disturbed)
            continue;
        det_summary calls;
        (void)cfg_summary_read(summary, &calls);
        results->configurations[at].loops[number - 1] =
            (ci_loop){.calls = calls,
                      .warmup_calls = (uint64_t)cfg_json_integer(loop, "warmup_calls"),
                      .threads = 1,
                      .present = true};
    }
}

/* What the loops' own statistics say of all their values, where a loop has several: exact, but the
 * quantiles of all are not known. Where a loop does not tell its deviation nor is that of all. */
static void pool(ci_configuration *one, unsigned loops) {
    det_summary all = det_summary_unknown();
    double squares = 0;
    bool several = false;
    for (unsigned i = 0; i < loops; i++) {
        const det_summary *of = &one->loops[i].calls;
        if (!one->loops[i].present || of->n == 0)
            continue;
        const double before = (double)all.n, more = (double)of->n;
        const double apart = all.n > 0 ? of->mean - all.mean : 0, share = more / (before + more);
        squares += apart * apart * before * share;
        squares += of->n > 1 ? (more - 1) * of->sd * of->sd : 0;
        all.mean = all.n > 0 ? all.mean + apart * share : of->mean;
        all.n += of->n;
        all.min = fmin(all.min, of->min);
        all.max = fmax(all.max, of->max);
        several = several || of->n > 1;
    }
    all.sd = sqrt(squares / ((double)all.n - 1));
    if (several)
        one->all = all;
}

static unsigned loops_of(const json_t *loops) {
    json_int_t most = 0;
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop)
        most = MAX(most, cfg_json_integer(loop, "loop"));
    return most >= 1 && most <= DET_LOOPS_MAX ? (unsigned)most : 0;
}

/* run --compare leaves the loops of both commits, numbered alike, in one record. */
static bool of_one_commit(const char *folder, const json_t *loops, GError **error) {
    const char *first = cfg_json_word(json_array_get(loops, 0), "commit", "");
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop)
        if (!g_str_equal(cfg_json_word(loop, "commit", ""), first))
            return ci_wrong(error, "%s: has the loops of two commits; name %s/before or %s/after",
                            folder, folder, folder);
    return true;
}

/* The experiment.json in a folder.
 * project  its configurations and chain
 * Of a loop that was measured several times the last good, undisturbed attempt counts, else the
 * last good one. What needs the single calls (quantiles over all loops) is not a number.
 * Returns NULL with error (CI_ERROR_INPUT). */
static ci_results *summaries_read(const char *folder, const cfg_project *project, GError **error) {
    json_auto_t *root = ci_record_read(folder, error);
    const json_t *loops = json_object_get(root, "loops");
    g_autoptr(ci_results) results = g_new0(ci_results, 1);
    results->path = g_strdup(folder);
    results->loops = loops_of(loops);
    results->depth = project->benchmark.driver == CFG_DRIVER_COMMAND
                         ? 0 /* its calls are the program's own affair */
                         : project->benchmark.recursion_depth;
    results->links = root && of_one_commit(folder, loops, error) ? links_of(project, error) : NULL;
    if (results->links && !results->loops)
        ci_wrong(error, "%s/experiment.json: there are no loops in it", folder);
    bool good = results->links && results->loops &&
                ci_chain_detector(results->links, &results->chain, error);
    if (good) {
        results->configurations = g_new0(ci_configuration, results->links->len);
        for (guint i = 0; i < results->links->len; i++) {
            results->configurations[i] =
                (ci_configuration){.link = results->links->pdata[i],
                                   .loops = g_new0(ci_loop, results->loops),
                                   .all = det_summary_unknown()};
        }
        take(results, loops, true);
        take(results, loops, false);
        for (guint i = 0; i < results->links->len; i++)
            pool(&results->configurations[i], results->loops);
    }
    return good ? g_steal_pointer(&results) : NULL;
}

GOptionEntry *ci_results_entries(ci_results_options *o, const GOptionEntry *more) {
    const GOptionEntry shared[] = {
        {"depth", 'd', 0, G_OPTION_ARG_INT, &o->depth, "Recursion depth, when there are several",
         "N"},
        {"warmup", 'w', 0, G_OPTION_ARG_INT64, &o->warmup,
         "Calls of each thread to drop (default: the first half)", "N"},
        {"chain", 'c', 0, G_OPTION_ARG_STRING, &o->chain,
         "Portion of each configuration, as T,I:0,C:1,W-text:2", "LIST"},
        {"project", 'p', 0, G_OPTION_ARG_FILENAME, &o->project,
         "Take chain and labels from this project file", "FILE"},
        CI_PATH("labels", &o->labels, "Read the labels from this file", "FILE"),
        CI_REAL("confidence", &o->confidence, "Level of the intervals (default: 0.95)", "P"),
        CI_FLAG("allow-missing", &o->allow_missing,
                "Continue when a loop's file is missing or shorter than the others"),
        CI_COUNT("threads", &o->threads, "Files read in parallel (default: one per processor)",
                 "N"),
    };
    gsize count = 0;
    while (more[count].long_name)
        count++;
    GOptionEntry *all = g_new0(GOptionEntry, count + G_N_ELEMENTS(shared) + 1);
    memcpy(all, more, count * sizeof *more);
    memcpy(all + count, shared, sizeof shared);
    return all;
}

static bool check(const ci_results_options *o, GError **error) {
    const char *wrong = o->depth < 0                                ? "--depth"
                        : o->warmup < -1                            ? "--warmup"
                        : o->threads < 0 || o->threads > 256        ? "--threads"
                        : !(o->confidence > 0 && o->confidence < 1) ? "--confidence"
                        : o->chain && o->project ? "--chain and --project exclude each other"
                                                 : NULL;
    if (wrong)
        ci_misused(error, "%s: out of range", wrong);
    return !wrong;
}

/* A driver that reads a program's own figures leaves no raw files. */
static bool has_only_summaries(const char *path, const cfg_project *project) {
    g_autofree char *record = g_build_filename(path, "experiment.json", NULL);
    if (!project || !g_file_test(record, G_FILE_TEST_IS_REGULAR))
        return false;
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    for (const char *name; folder && (name = g_dir_read_name(folder));)
        if (g_str_has_prefix(name, "raw-"))
            return false;
    return folder != NULL;
}

json_t *ci_results_night(const char *path, const ci_results_options *o, GError **error) {
    if (!check(o, error))
        return NULL;
    g_autoptr(cfg_project) project = NULL;
    if (o->project && !(project = cfg_project_load(o->project, error)))
        return NULL;
    const bool own = !project && !o->chain && !o->labels && (project = ci_record_project(path));
    g_autofree char *text = g_strdup_printf("reading %s", path);
    const ci_moobench_options options = {
        .depth = (unsigned)o->depth,
        .warmup_calls = o->warmup < 0 ? DET_RAW_WARMUP_HALF : (uint64_t)o->warmup,
        .threads = (unsigned)o->threads,
        .allow_missing = o->allow_missing,
        .labels = o->labels,
        .chain = o->chain,
        .project = project,
        .project_warmup = project && o->warmup < 0 && (o->project_warmup || own),
        .progress = ci_progress,
        .progress_user = text,
    };
    g_autoptr(ci_results) results = has_only_summaries(path, project)
                                        ? summaries_read(path, project, error)
                                        : ci_moobench_read(path, &options, error);
    ci_progress_end();
    return results ? ci_night_of(results, o->confidence, error) : NULL;
}

static const ci_usage usage = {.synopsis = "analyze DIR|ZIP",
                               .description =
                                   "Prints the portions of monitoring overhead, computed from the "
                                   "raw files of one MooBench\nexperiment.",
                               .least = 1,
                               .most = 1};

static ci_exit analyze(int argc, char **argv, GError **error) {
    gboolean json = FALSE;
    ci_outputs outputs = {0};
    ci_results_options options = CI_RESULTS_OPTIONS;
    const GOptionEntry own[] = {
        CI_FLAG("json", &json, "Print one JSON object"), CI_OUTPUTS_ENTRIES(outputs), {0}};
    g_autofree GOptionEntry *entries = ci_results_entries(&options, own);
    json_auto_t *night = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, error))
        night = ci_results_night(argv[1], &options, error);
    if (night &&
        ci_outputs_write(&outputs, cfg_json_word(night, "night", ""), night, NULL, error)) {
        if (json)
            ci_print_json(night);
        else if (!ci_outputs_stdout(&outputs))
            ci_report_night(night, stdout);
    }
    return CI_OK;
}

const ci_command ci_command_analyze = {
    "analyze", "print the portions in a folder or zip of MooBench results", analyze};
