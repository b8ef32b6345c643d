#pragma once
/* analyze - results and comparisons of them: the options that every command reading a result folder
 * shares. */
#include "ci/command/outputs.h"
#include "ci/formats/comparison.h"
#include "ci/formats/moobench.h"

typedef struct {
    gint depth, threads;
    gint64 warmup; /* -1: half */
    gboolean allow_missing, project_warmup;
    char *labels, *chain, *project;
    gdouble confidence;
} ci_results_options;

#define CI_RESULTS_OPTIONS ((ci_results_options){.warmup = -1, .confidence = 0.95})

/** ci_results_entries - the option table over o, followed by more ({0}-ended); caller frees it. */
GOptionEntry *ci_results_entries(ci_results_options *o, const GOptionEntry *more);

/** ci_results_night - read a result and make the night of it (ci_night_of), with a progress bar. */
json_t *ci_results_night(const char *path, const ci_results_options *o,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * summaries - an experiment of which there are no raw files, only what each process came to:
 * experiment.json of `moowatch run`, for drivers that read a program's own figures.
 */

/* compare - two result folders or zips to one answer; shared by `compare` and `run --compare`. */

/**
 * ci_compare_results - read, compare, write what outputs asks for, print.
 * json  one object on stdout instead of the table
 * Returns CI_FOUND when a portion rose, CI_UNSURE when nobody could have seen it, CI_OK, or another
 * exit code with error.
 */
ci_exit ci_compare_results(const char *before, const char *after, const ci_results_options *options,
                           const ci_comparison_options *how, const ci_outputs *outputs, bool json,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
