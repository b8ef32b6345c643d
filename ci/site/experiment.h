#pragma once
/* experiment - what a site keeps of an experiment's answer: fewer digits, no raw values. */
#include "ci/site/source.h"

/** ci_site_experiment - an experiment as a site has it: without addresses of raw values; owned. */
json_t *ci_site_experiment(const ci_source *source, json_int_t id,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Significant digits: pages show three or four, and what they add up or compare keeps some more. */
enum { CI_SITE_DIGITS = 7 };

/** ci_site_round - every real in a value with at most so many significant digits, in place. */
void ci_site_round(json_t *value, int digits);

/** ci_site_subtract - what of a is not just so in b: objects by key, lists of one length by
 * element; NULL: nothing. Owned. */
json_t *ci_site_subtract(json_t *a, const json_t *b);

/** ci_site_members - an object of those of [count] members that another one has; owned. */
json_t *ci_site_members(const json_t *object, const char *const *keys, gsize count);

/** ci_site_brief - what the page of frameworks shows of it: that loads one of every project. */
json_t *ci_site_brief(const json_t *experiment) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_site_take_loops - moves what its loops' summaries say beside the mean, by which two nights are
 * compared, into an object of the same shape: {"experiment", "configurations": [{"loop_results":
 * [{"summary": {…}}]}]}; owned.
 */
json_t *ci_site_take_loops(json_t *experiment) G_GNUC_WARN_UNUSED_RESULT;
