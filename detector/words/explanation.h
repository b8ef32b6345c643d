#pragma once
/*
 * explanation - where a portion's change is, in one sentence for people.
 */
#include "detector/profile/contrast.h"

#define DET_EXPLANATION_MAX 800 /* bytes that hold every sentence */

typedef struct {
    const char *portion;       /* its name */
    double change_ns;          /* as measured, a call */
    const det_contrast *found; /* what profiles say */
    const char *unit;          /* of the profiles, "instructions" */
    int is_judged;             /* it was found as a change, and is no mere difference of nights */
} det_explanation;

/**
 * det_explanation_scale - ns of the measured change for each unit of the profiled one; NaN where
 * the profiles say nothing of the change: theirs is less than a thousandth of what the
 * configuration costs, its interval holds 0, or it goes the other way.
 */
double det_explanation_scale(const det_explanation *e);

/* det_explanation_is_amount - is a profile in this unit of what a portion takes, which is said as
 * it is, and not of a change of its time? "bytes", "ns a process", "ns a start", … */
int det_explanation_is_amount(const char *unit);

/**
 * det_explanation_amount - of such a profile: "I allocates 416 bytes a call more: about +384 bytes
 * (+380 bytes to +388 bytes) in `text` (not seen before), called from `enter`; +32.0 bytes
 * elsewhere (from samples in 5 loops)", or that it allocates as much as before. Processor is in ms,
 * heap in MB.
 * text  as above
 */
void det_explanation_amount(char *text, size_t size, const char *portion, const char *unit,
                            const det_contrast *found);

/**
 * det_explanation_sentence - "C rose: +430 ns in `history_add` (new), called from
 * `probe_exit`; +54 ns elsewhere (scaled from +2031 instructions a call)", of samples with "about"
 * and an interval, or what else there is to say: that no function explains half of it, or that the
 * profiles do not show the change. Of a change that was not judged it says so, and no cause. text
 * [size], size > 0; DET_EXPLANATION_MAX is enough
 */
void det_explanation_sentence(char *text, size_t size, const det_explanation *e);
