/* onset - the nights that a history begins with, and whether they were the broken ones. */
#include <math.h>
#include <string.h>

#include "detector/watch/watch__.h"

#define ONSET_NIGHTS 7u /* the first ones, at most: as long as a night is waited for elsewhere */
#define ONSET_ROW 3u    /* and so many that say otherwise, at least */
_Static_assert(ONSET_NIGHTS + ONSET_NIGHTS + 1 == DET_ANEW_MAX, "as many as say otherwise");
#define ONSET_APART 3.0 /* by so much may these differ from one another */

double det__onset_level(const det_watch *watch, size_t c) {
    return watch->onset.waiting || isnan(watch->base[c]) ? watch->onset.level[c] : watch->base[c];
}

/* A level is what nights have in common. */
static bool agrees(const det_watch *watch, const double *means) {
    const det__onset *onset = &watch->onset;
    for (size_t c = 0; c < watch->chain.count; c++)
        if (fmax(onset->high[c], means[c]) > ONSET_APART * fmin(onset->low[c], means[c]))
            return false;
    return true;
}

void det__onset_night(det_watch *watch, const double *means, bool odd) {
    det__onset *onset = &watch->onset;
    const bool begins = odd && (onset->row == 0 || !agrees(watch, means));
    onset->row = !odd ? 0 : begins ? 1 : onset->row + 1;
    for (size_t c = 0; c < watch->chain.count; c++) {
        onset->low[c] = begins ? means[c] : fmin(onset->low[c], means[c]);
        onset->high[c] = begins ? means[c] : fmax(onset->high[c], means[c]);
        if (!onset->waiting && !isnan(watch->base[c]))
            onset->level[c] = (double)NAN; /* it has begun, and what is believed counts */
    }
}

det_watch *det_watch_anew(const det_watch *watch) {
    const det__onset *onset = &watch->onset;
    const uint64_t before = watch->nights - onset->row;
    if (onset->row < ONSET_ROW || before == 0 || before > ONSET_NIGHTS || onset->row <= before ||
        watch->nights <= onset->since)
        return NULL;
    det_watch *again = det_watch_new(&watch->chain, &watch->policy[0]);
    if (!again)
        return NULL;
    memcpy(again->policy, watch->policy, sizeof again->policy);
    again->onset.waiting = 1;
    again->onset.since = watch->nights;
    for (size_t c = 0; c < watch->chain.count; c++) {
        again->onset.level[c] = sqrt(onset->low[c] * onset->high[c]);
        again->base[c] = (double)NAN;
    }
    return again;
}
