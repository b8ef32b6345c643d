#pragma once
/*
 * Two nights side by side: any two commits, releases or frameworks. What differs, by how much, how
 * sure, and what could have been seen at all.
 *
 * The samples are a portion's values round by round (loops of a configuration minus those of its
 * parent), so the interval holds what loops of one night differ by. Two nights of the same commit
 * differ by a little more; a verdict over many nights knows that, a comparison of two cannot.
 */
#include "config/model/night.h"

/* As many as detector/statistics/portion.h allows a chain and a night. */
#define WEB_COMPARE_LOOPS_MAX 1000

/* Of the intervals, where neither night says its own; else the larger of the two nights'. */
#define WEB_COMPARE_LEVEL 0.95

/**
 * web_compare - compares two experiments: the *comparison* object of docs/api.md, owned by the
 * caller. Thread-safe. Portions are paired by name and configuration, else by name where that is
 * unique on both sides. Welch's interval; that of both sides' intervals where an imported side has
 * no more (detector/statistics/interval.h).
 */
json_t *web_compare(const cfg_night *a, const cfg_night *b) G_GNUC_WARN_UNUSED_RESULT;
