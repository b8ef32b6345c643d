#pragma once
/*
 * merge - is a commit slower than the one it is to be merged into? Both measured in turn (A B B A).
 *
 * Four answers for each portion. Slower or faster: the interval of the difference that holds at all
 * looks at once (confirm.h, Robbins 1970) excludes zero, and the difference is the least one that
 * matters. As before: such an interval, from 40 loops on at the level that is shown, lies within
 * the least change to both sides, or, when no more is measured, the shown interval does. Unsure:
 * neither; then it says which change would have been seen. The error of "slower" and "faster" is
 * shared by all portions asked about at once, so that of `alpha` innocent commits at most so many
 * are called changed, in any portion and at any look. Stateless: give it all loops so far. Error
 * rates: docs/pull-requests.md.
 */
#include <stddef.h>

#include "detector/statistics/interval.h"
#include "detector/statistics/status.h"
#include "detector/watch/confirm.h"

#define DET_MERGE_ALPHA 0.01

typedef enum {
    DET_MERGE_MORE, /* loops are needed */
    DET_MERGE_SLOWER,
    DET_MERGE_FASTER,
    DET_MERGE_SAME,
    DET_MERGE_UNSURE /* no more is measured, and what was is not enough */
} det_merge_answer;

typedef struct {
    const char *name;       /* of the portion, for the sentence */
    size_t portions;        /* asked about at once, at least 1 */
    double alpha;           /* of all of them together; 0 < alpha < 0.5 */
    double effect_relative; /* the least change that matters, of the portion before; 0.05 is 5 % */
    double effect_absolute; /* ns; the larger of the two counts */
    double level;           /* of the intervals that are shown */
    int last;               /* 1: no more is measured */
} det_merge_question;

typedef struct {
    det_merge_answer answer;
    size_t loops;
    det_interval before, after, difference; /* of the portion, at the given level */
    det_interval sequential;                /* of the difference, at all looks at once */
    double least_ns;                        /* the least change that matters */
    double seen_ns; /* a change of so much would have been told, with 95 % probability at least */
    char sentence[DET_REASON_MAX];
} det_merge_result;

/**
 * det_merge_judge - where it stands after so many loops of each.
 * Returns DET_OK | DET_EINVAL (question) | DET_ESHORT (loops < 3 of either) | DET_ENUMERIC
 * (not finite) | DET_ENOMEM; out is written only on DET_OK.
 */
det_status det_merge_judge(det_merge_result *out, const det_merge_question *question,
                           const det_confirm_sample *sample);

/** det_merge_text - "more", "slower", "faster", "same", "unsure": as in the API; static. */
const char *det_merge_text(det_merge_answer answer);
