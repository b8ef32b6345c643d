#pragma once
/* verdict - does what a data set says of a night hold for what was measured here? */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/**
 * ci_dataset_night - the experiment to measure again; borrowed.
 * experiments  of a data set, oldest first
 * wanted       a date, or the beginning of a commit; NULL: the newest
 * NULL with error (CI_ERROR_INPUT): there is none, or several of that commit's beginning.
 */
const json_t *ci_dataset_night(const json_t *experiments, const char *wanted, GError **error);

/**
 * ci_dataset_architecture - what a kernel's release says of the processor's kind, as uname has it:
 * "6.1.0-18-amd64" is x86_64. NULL: it says nothing. Constant.
 */
const char *ci_dataset_architecture(const char *kernel);

/**
 * ci_dataset_verdict - a list of {portion, configuration, published, here, ratio, holds}, one a
 * portion of the published night; owned.
 * published  with the night-to-night variance where the data set has it
 * holds      do the intervals overlap? null: the portion has no interval here or there
 */
json_t *ci_dataset_verdict(const json_t *published, const json_t *here);
