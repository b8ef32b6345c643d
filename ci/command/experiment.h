#pragma once
/* experiment - a measurement by moowatch-runner on this machine, as a child, into a folder. */
#include "ci/command/command.h"

typedef struct {
    const char *project;    /* file */
    const char *repository; /* URL or absolute path */
    const char *commit;     /* full id */
    const char *before;     /* full id; measured in turn with commit; NULL: commit alone */
    const char *config;     /* the runner's file; NULL: its defaults */
    gint loops;             /* 0: the project's */
} ci_experiment;

/**
 * ci_experiment_run - blocking, for as long as it takes; a progress bar on a terminal.
 * folder  new or empty; gets the raw files (of two commits in before/ and after/), experiment.json
 *         and run.log
 * Returns false with error (CI_ERROR_INPUT) that says why nothing was measured.
 */
bool ci_experiment_run(const ci_experiment *what, const char *folder,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
