#pragma once
/*
 * calibration - two machines have measured the same program several times: by which factor does
 * each portion differ, and how well is that known?
 *
 * A run is one whole measurement of the reference on one machine, so its scatter holds what loops
 * scatter by and how one night differs from the next. Intervals are Welch's over runs, each as a
 * share of its machine's mean; as factors they are good where they are narrow beside 1 (delta
 * method on the logarithm). No allocation, O(configurations x runs).
 */
#include <stdbool.h>
#include <stddef.h>

#include "detector/statistics/portion.h"

#define DET_CALIBRATION_RUNS 3u      /* of each machine, at least */
#define DET_CALIBRATION_RUNS_MAX 64u /* more are not read */

/* One portion, and the configuration that it belongs to. */
typedef struct {
    det_interval factor; /* of the portion: to / from; NaN: unknown, one of them may be 0 */
    double level;        /* of the portion on `from`, in ns */
    double share;        /* standard deviation of the configuration's factor, as a share of it */
    double part;         /* likewise of the portion's */
} det_factor;

/**
 * det_calibration_of - the factors that turn what `from` shows into what `to` shows.
 * out       [chain.count], written only on DET_OK
 * from, to  [runs * chain.count] run by run the means of the configurations, in ns; NaN: missing
 * level     of the intervals, 0 < level < 1
 * Returns DET_OK | DET_ESHORT (a portion has fewer than DET_CALIBRATION_RUNS runs on a side) |
 * DET_EINVAL | DET_ENUMERIC (infinite).
 * Standard deviations are those of a normal error whose 95 % interval is as wide as Student's, so
 * that few runs count for what they are.
 */
det_status det_calibration_of(det_factor *out, const det_chain *chain, const double *from,
                              size_t from_runs, const double *to, size_t to_runs, double level);

/** det_calibration_known - has every portion its factor? */
bool det_calibration_known(const det_factor *factors, size_t count);

/**
 * det_calibration_scale - a night on `to`, as `from` would have shown it.
 * means   [chain.count * loops] as det_night's, rewritten: each loop of a configuration by the same
 *         number, so that portion by portion the means are divided by their factors; a
 *         configuration whose parent has no loop becomes missing
 * Returns DET_OK | DET_EINVAL (a factor is unknown, or what is left of a configuration is not above
 * 0; means is not modified then).
 */
det_status det_calibration_scale(const det_factor *factors, const det_chain *chain, size_t loops,
                                 double *means);

/**
 * det_calibration_unsure - how far off the levels of a scaled night may all be, because factors are
 * not exact: for det_night.unsure at the first night there, and at the first one back.
 * means   [chain.count * loops] as `from` shows them
 * unsure  [chain.count] out: standard deviation of each configuration's level, in ns; 0 where it is
 *         missing. What a portion has grown by since the reference is known as its factor is.
 */
void det_calibration_unsure(const det_factor *factors, const det_chain *chain, size_t loops,
                            const double *means, double *unsure);
