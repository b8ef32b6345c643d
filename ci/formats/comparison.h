#pragma once
/*
 * comparison - two nights against each other, portion by portion, by the overlap of intervals.
 *
 * Where both were measured at the same time (a duet), loop by loop, what others did to the two is
 * in both: then it is by the differences of the pairs, whose interval must exclude zero.
 */
#include "ci/command/command.h"

typedef struct {
    double confidence;      /* of the difference's interval */
    double minimum_percent; /* of the portion before; a smaller one does not count */
    double minimum_ns;      /* absolute floor beside it */
    bool paired;            /* loop i of both ran at the same time */
} ci_comparison_options;

/**
 * ci_comparison - write into after (a night) what changed since before (a night).
 * Every portion of after gets "reference", "difference" (with "percent"), "verdict" ("ok" |
 * "anomaly" | "first" when before has no such portion), "direction" and "reason", as the server's
 * nights have; and, where an "ok" is no "as before", "rule": "pending" without an interval,
 * "below-minimum-effect" where the two differ by what does not count, "little-evidence" where the
 * interval holds more than that.
 * Both nights keep their own intervals; that of the difference is Welch's over the two, or of the
 * pairs, of which after then says "paired": true.
 * Returns false with error (CI_ERROR_INPUT): no portion in common.
 */
bool ci_comparison(const json_t *before, json_t *after, const ci_comparison_options *options,
                   GError **error);

/* ci_comparison_least - the smallest change that counts, in the portion's unit (NULL: ns). */
double ci_comparison_least(const ci_comparison_options *options, const char *unit, double before);
