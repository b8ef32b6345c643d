#pragma once
/*
 * summaries - an experiment of which there are no raw files, only what each process came to:
 * experiment.json of `moowatch run`, for drivers that read a program's own figures.
 */
#include "ci/formats/moobench.h"

/**
 * ci_summaries_read - the experiment.json in a folder.
 * project  its configurations and chain
 * Of a loop that was measured several times the last good, undisturbed attempt counts, else the
 * last good one. What needs the single calls (quartiles over all loops) is not a number.
 * Returns NULL with error (CI_ERROR_INPUT).
 */
ci_results *ci_summaries_read(const char *folder, const cfg_project *project,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
