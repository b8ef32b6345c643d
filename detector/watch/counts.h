#pragma once
/*
 * counts - night after night: did a portion's count change, of instructions, allocations, bytes?
 *
 * The verdicts and rules are those of the watch of times (watch.h), the test is another. A watch of
 * times lives on nights that scatter, on levels above zero and on outliers, and so believes no
 * single night a small change. A count is the same in every run; it may be 0, and less than 0 for
 * a portion. So one night is enough, and what is told is what is outside of what the loops of the
 * two counts waver and at least the dimension's minimum (dimension.h). A night is compared with the
 * level that was told last, not with the night before: steps that are too small each are told once
 * they add up. Stateless: the level is the caller's to keep. O(1) a night, no allocation.
 */
#include <stdint.h>

#include "detector/statistics/dimension.h"
#include "detector/statistics/interval.h"
#include "detector/watch/watch.h"

/* What people know of a portion's count: since it was told last, or from its first night. */
typedef struct {
    double mean;     /* of the nights whose difference from it is no more than their loops waver */
    double half;     /* half width of the widest interval of these nights */
    unsigned nights; /* so many; 0: nothing is known */
    int64_t to;      /* the last of them */
} det_counts_level;

/* One counted night. */
typedef struct {
    int64_t id;        /* the caller's; given back in levels and verdicts */
    det_interval now;  /* of the portion, over the counting loops */
    det_interval last; /* that of the counted night before, told or not; NaN: there is none */
    int64_t last_id;   /* of that night */
} det_counts_night;

typedef struct {
    det_verdict_name verdict; /* FIRST, OK, ANOMALY; HARNESS: a single loop, which shows no waver */
    det_rule rule;            /* FIRST, WITHIN, BELOW_EFFECT, NIGHT, SLOW (in steps that were each
                                 too small), FEW_LOOPS */
    int direction;            /* +1 rose, -1 fell, 0 neither */
    det_interval before;      /* the level it was compared with; NaN when there was none */
    int64_t from;             /* the last night at that level; the night's own when there is none */
} det_counts_verdict;

/**
 * det_counts_judge - the next night, which the level then knows.
 * level      of the portion in this dimension, counted by the same counter; nights 0: the first
 * dimension  one that is counted (det_dimension_counted)
 * Returns DET_OK | DET_EINVAL (dimension) | DET_ENUMERIC (the night's mean is not finite); after an
 * error level and out are as before.
 */
det_status det_counts_judge(det_counts_level *level, const det_dimension *dimension,
                            const det_counts_night *night, det_counts_verdict *out);
