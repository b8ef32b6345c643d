#pragma once
/*
 * mooresults - what one run of MooBench's own script left in its framework's folder: the raw file
 * of a configuration, as it is or in results.zip.
 *
 * The numbers are those of the raw calls. results.yaml is read beside them, never instead: newer
 * statistics.r divides by the recursion depth, older does not, and the file does not say which.
 */
#include "runner/process/process.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *checkout;
    const char *framework; /* folder below it */
    const char *results;   /* folder below that; NULL: results-<framework>, then results */
    unsigned depth;
    uint64_t bytes_max;             /* of one raw file */
    const run_process_spec *reader; /* who parses results.yaml; NULL: nobody, it is left out */
    bool whole;                     /* the run was asked for all configurations, not for one */
} run_mooresults_place;

/**
 * run_mooresults_check - whether the names of raw files are those of one loop of one depth.
 * names  of all files of the folder or archive
 * found  out: the name to read, borrowed from names
 * Returns false with RUN_ERROR_JOB: missing (naming what is there), several depths, several loops,
 * twice, or configurations that were not asked for.
 */
bool run_mooresults_check(const GPtrArray *names, const run_mooresults_place *place, unsigned index,
                          const char **found, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_mooresults_take - opens a configuration's raw file, as it is or unzipped.
 * unzipped  a new file of ours, made where there is only results.zip
 * index   of the configuration
 * report  out: {"label", "mean_us", "ci95_us"} of labels.sh and results.yaml, what there is of
 *         them; to json_decref. NULL when there is nothing
 * Returns a descriptor to close; -1 with RUN_ERROR_JOB that names file and reason, RUN_ERROR_NODE
 * when it cannot be unzipped.
 */
int run_mooresults_take(const run_mooresults_place *place, unsigned index, const char *unzipped,
                        json_t **report, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * reported - upstream's own figures of one configuration, from MooBench's results.yaml.
 *
 * The file was written by code under test. It is parsed by a process of that user, in its cage and
 * with its limits, which hands back two numbers; the agent never parses it.
 */

#define RUN_REPORTED_COMMAND "reported"

/**
 * run_reported_find - the figures of the last experiment in such a text.
 * Returns {"mean_us", "ci95_us"} to json_decref; NULL when the text has none of that label.
 */
json_t *run_reported_find(const char *text, size_t size, const char *label);

/* run_reported_main - moowatch-runner reported FILE LABEL. The exit status. */
int run_reported_main(int argc, char **argv);
