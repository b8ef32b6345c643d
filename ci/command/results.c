#include "ci/command/results.h"

#include "ci/command/progress.h"
#include "ci/formats/night.h"
#include "ci/formats/record.h"
#include "ci/formats/summaries.h"

#include <string.h>

void ci_results_options_clear(ci_results_options *o) {
    g_free(o->labels);
    g_free(o->chain);
    g_free(o->project);
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
        {"labels", 0, 0, G_OPTION_ARG_FILENAME, &o->labels, "Take the labels from here", "FILE"},
        {"confidence", 0, 0, G_OPTION_ARG_DOUBLE, &o->confidence,
         "Level of the intervals (default: 0.95)", "P"},
        {"allow-missing", 0, 0, G_OPTION_ARG_NONE, &o->allow_missing,
         "Continue when a loop's file is missing or shorter than the others", NULL},
        {"threads", 0, 0, G_OPTION_ARG_INT, &o->threads,
         "Files read in parallel (default: one per processor)", "N"},
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
        g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "%s: out of range", wrong);
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
                                        ? ci_summaries_read(path, project, error)
                                        : ci_moobench_read(path, &options, error);
    ci_progress_end();
    return results ? ci_night_of(results, o->confidence, error) : NULL;
}
