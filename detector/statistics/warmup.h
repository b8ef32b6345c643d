#pragma once
/*
 * warmup - how many calls of a process to drop, from processes that were recorded whole.
 *
 * A few shares of all calls are tried. The least one is chosen from which on the level is that of
 * the process' later part: in the median process every stretch within a per cent of it, or within
 * what chance does to it (twice its standard error, three per cent at most); and in no process a
 * stretch of which a quarter of the calls takes more than 1.6 times as long, so that one slow
 * starter decides for all. A host that slows some processes for a while makes neither the median
 * process cold nor twice as slow. Deciding once, from several processes, keeps all loops of a
 * project alike; deciding loop by loop would choose by what is measured. How many processes had
 * settled as single loops are asked to (steady.h) is told beside it. Memory: in the struct; a call
 * of _add allocates a copy of the calls.
 */
#include <stddef.h>

#include "detector/statistics/status.h"

#define DET_WARMUP_SHARES 10u
#define DET_WARMUP_STRETCHES DET_WARMUP_SHARES /* from each share to the next one */
#define DET_WARMUP_PROCESSES_MIN 3u            /* fewer say too little to drop less than half */
#define DET_WARMUP_PROCESSES_MAX 100u

/* Of all calls; ascending. */
extern const double det_warmup_share[DET_WARMUP_SHARES];

typedef struct {
    unsigned settled[DET_WARMUP_SHARES]; /* of how many processes the rest after it had settled */
    unsigned processes;
    double level[DET_WARMUP_STRETCHES][DET_WARMUP_PROCESSES_MAX]; /* of the later part's mean */
    double slowest[DET_WARMUP_STRETCHES]; /* upper quartile, of the later part's, in any process */
} det_warmup;

/* det_warmup_calls - calls to drop of n. */
size_t det_warmup_calls(size_t share, size_t n);

/**
 * det_warmup_add - one process.
 * to  zero before the first one; those beyond DET_WARMUP_PROCESSES_MAX are not added
 * x   [n] all of its calls, of one thread, in their order
 * Returns DET_OK | DET_ESHORT (the shortest rest says nothing; nothing is added) | DET_ENUMERIC |
 * DET_ENOMEM.
 */
det_status det_warmup_add(det_warmup *to, const double *x, size_t n);

/* det_warmup_choose - place of the share; DET_WARMUP_SHARES: too few processes, or none will do. */
size_t det_warmup_choose(const det_warmup *of);
