#pragma once
/*
 * summary_json - the summary of a loop's calls as JSON, as results carry it (docs/protocol.md).
 *
 * {"n", and each of det_summary_members by its key}: one shape for runner, server and command line.
 */
#include "detector/statistics/stats.h"

#include <jansson.h>
#include <stdbool.h>

/* cfg_summary_json - owned by the caller. What is not finite is left out. */
json_t *cfg_summary_json(const det_summary *summary);

/**
 * cfg_summary_read - the other way round. What is missing is NAN, a missing or wrong "n" 0.
 * Returns whether "n" and every statistic that is not optional are there.
 */
bool cfg_summary_read(const json_t *object, det_summary *out);
