#pragma once
/* compare - two result folders or zips to one answer; shared by `compare` and `run --compare`. */
#include "ci/command/analyze.h"
#include "ci/command/outputs.h"
#include "ci/formats/comparison.h"

/**
 * ci_compare_results - read, compare, write what outputs asks for, print.
 * json  one object on stdout instead of the table
 * Returns CI_FOUND when a portion rose, CI_OK, or another exit code with error.
 */
ci_exit ci_compare_results(const char *before, const char *after, const ci_results_options *options,
                           const ci_comparison_options *how, const ci_outputs *outputs, bool json,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
