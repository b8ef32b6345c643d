#pragma once
/*
 * compare__ - the numbers of a verdict: two levels of a portion and their difference. Not
 * installed.
 */
#include "detector/watch/watch__.h"

#define DET__DOUBT 2.0 /* evidence from which on another portion may have changed as well */

typedef struct {
    det_watch *watch;
    uint64_t serial;
    size_t portion;
    const double *before; /* filter: what was believed before the supposed change */
    const double *after;  /* filter of the change, or NULL: tonight's value is all there is */
    double evidence, needed;
    const det__small *small; /* steps that belong to the change as well, or NULL */
} det__comparison;

/** det__tonight - the portion's value in night `serial`. */
double det__tonight(const det_watch *watch, uint64_t serial, size_t portion);

/** det__night_variance - of that value. det__night_df - degrees of freedom of this estimate. */
double det__night_variance(const det__comparison *c);
double det__night_df(const det__comparison *c);

/**
 * det__compare - write what is compared, and intervals that touch where the rule begins to fire
 * (Goldstein and Healy 1995).
 * end  serial of the first night that is not reference
 */
void det__compare(const det__comparison *c, uint64_t end, det_verdict *v);
