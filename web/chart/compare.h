#pragma once
/*
 * Two nights side by side: any two commits, releases or frameworks. What differs, by how much, how
 * sure, and what could have been seen at all.
 *
 * The samples are a portion's values round by round (loops of a configuration minus those of its
 * parent), so the interval holds what loops of one night differ by. Two nights of the same commit
 * differ by more, which their verdicts know: claim.h.
 */
#include "config/model/night.h"
#include "web/chart/claim.h"

#include <glib.h>
#include <jansson.h>

/* As many as detector/statistics/portion.h allows a chain and a night. */
#define WEB_COMPARE_LOOPS_MAX 1000

/* Of the intervals, where neither night says its own; else the larger of the two nights'. */
#define WEB_COMPARE_LEVEL 0.95

/**
 * web_compare - compares two experiments: the *comparison* object of docs/api.md, owned by the
 * caller. moved: NULL: nothing that is known; alerts: of which configurations alerts between them
 * tell, and in which direction from a to b: [{"configuration","direction"}]; NULL: of none.
 * Thread-safe. Portions are paired by name and configuration, else by name where that is unique on
 * both sides. Welch's interval; that of both sides' intervals where an imported side has no more
 * (detector/statistics/interval.h).
 */
json_t *web_compare(const cfg_night *a, const cfg_night *b, const web_moved *moved,
                    const json_t *alerts) G_GNUC_WARN_UNUSED_RESULT;

/*
 * A million calls in a few kilobytes: how their response times are spread, and how they went from
 * the first call to the last. For one loop (one process); 16 bytes a call while it is made.
 */

/* A bin is 1/WEB_CALLS_BINS_PER_DECADE of a decade wide: 5.9 %. Times from 1 ns to 1e12 ns. */
#define WEB_CALLS_BINS_PER_DECADE 40
#define WEB_CALLS_DECADES 12
#define WEB_CALLS_BUCKETS 200

/**
 * web_calls_digest - the *calls* object of docs/api.md.
 * ns      [n] response times in ns in the order they were measured, warm-up included, not modified
 * warmup  how many of them are warm-up: shown in the course, left out of the spread; <= n
 * The spread's bins run from the lowest to the highest that holds a call. The course has at most
 * WEB_CALLS_BUCKETS buckets of equally many calls (the last may have fewer), each with the 10 %, 50
 * % and 90 % quantile (type 7). Values below 1 ns count as 1 ns. The caller owns the result.
 */
json_t *web_calls_digest(const double *ns, size_t n, size_t warmup) G_GNUC_WARN_UNUSED_RESULT;
