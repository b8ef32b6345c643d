#pragma once
/*
 * Two nights side by side: any two commits, releases or frameworks. What differs, by how much, how
 * sure, and what could have been seen at all.
 *
 * The samples are a portion's values round by round (loops of a configuration minus those of its
 * parent), so the interval holds what loops of one night differ by. Two nights of the same commit
 * differ by a little more; a verdict over many nights knows that, a comparison of two cannot.
 */
#include <glib.h>
#include <jansson.h>

/* As many as detector/statistics/portion.h allows a chain and a night. */
#define WEB_COMPARE_LOOPS_MAX 1000

/* Of the intervals, where neither night says its own; else the larger of the two nights'. */
#define WEB_COMPARE_LEVEL 0.95

/**
 * web_compare - compares two *experiment* objects (docs/api.md).
 * Returns the *comparison* object of docs/api.md (owned by the caller), or NULL and
 * WEB_CHART_ERROR_INPUT when one of them is no experiment. Thread-safe.
 * Portions are paired by name and configuration, else by name where that is unique on both sides.
 * Welch's interval; that of both sides' intervals where an imported side has no more
 * (detector/statistics/interval.h).
 */
json_t *web_compare(const json_t *a, const json_t *b, GError **error) G_GNUC_WARN_UNUSED_RESULT;
