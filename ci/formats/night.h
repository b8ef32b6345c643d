#pragma once
/*
 * night - local results in the shape the server's API gives a night (docs/api.md), so that every
 * writer (table, Markdown, JUnit, CSV, chart) serves both.
 */
#include "ci/formats/moobench.h"
#include "config/config.h"
#include "config/json_text.h"

#include <jansson.h>

#define CI_TEXT_CHARS 4000 /* of a text: what the server takes */

/**
 * ci_night_of - the experiment object, portions by detector/.
 * level  of the intervals, 0 < level < 1
 * Verdict is "first": one result has no history.
 * Owned by the caller; NULL with error (CI_ERROR_INPUT).
 */
json_t *ci_night_of(const ci_results *results, double level,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* record - experiment.json of our own `run`: what was measured, by the benchmark that was asked
 * for. */

/** ci_record_read - owned; NULL with error (CI_ERROR_INPUT). folder: where it is. */
json_t *ci_record_read(const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_record_project - chain, labels and warm-up of results that a run of ours has left.
 * folder  with experiment.json
 * Returns a project of which only the benchmark is known; NULL: there is none, or one of an older
 * version, which does not say it.
 */
cfg_project *ci_record_project(const char *folder);
