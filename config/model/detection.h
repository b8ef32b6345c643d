#pragma once
/*
 * detection - the table of what a project's nights are judged by (cfg_detection), as the store and
 * exports carry it. What older versions left out has what they judged by.
 */
#include "config/config.h"
#include "config/model/model.h"
#include "detector/statistics/interval.h"
#include "detector/statistics/stats.h"

#include <jansson.h>
#include <stdbool.h>

extern const model_noun cfg_detection_model;
extern const char *const cfg_trim_words[]; /* ends with NULL */

/* interval - the tables of an interval, {"mean","low","high"} and {"mean_ns","low_ns","high_ns"};
 * what is not known is NAN and null. */

extern const model_noun cfg_interval_model, cfg_interval_ns_model;

/*
 * summary_json - the summary of a loop's calls as JSON, as results carry it (docs/protocol.md).
 *
 * {"n", and each of det_summary_members by its key}: one shape for runner, server and command line.
 */

/* cfg_summary_json - owned by the caller. What is not finite is left out. */
json_t *cfg_summary_json(const det_summary *summary);

/* cfg_summary_keep_known - takes out what so few values do not know (det_summary_knows), as older
 * runners said it all the same. */
void cfg_summary_keep_known(json_t *object);

/**
 * cfg_summary_read - the other way round. What is missing, or not known of so few values, is NAN, a
 * missing or wrong "n" 0.
 * Returns whether "n" and every statistic that "n" knows and is not optional are there.
 */
bool cfg_summary_read(const json_t *object, det_summary *out);
