#pragma once
/*
 * doubts - what makes the figures of a night doubtful: a step that these loops cannot tell from
 * nothing, records that did not come to the receiver, loops that failed, what could not be counted.
 */
#include <jansson.h>

/**
 * cfg_doubts - of an experiment as the API shows it (docs/api.md), with portions and loops.
 * Returns a list, empty when there is none: {"kind": "silent" | "dropped" | "failed" |
 * "uncounted",
 * "configuration", "portion" (of a silent step, else null), "sentence"}; owned.
 */
json_t *cfg_doubts(const json_t *experiment);
