#pragma once
/*
 * warmup - how many calls of a process to drop, from processes that were recorded whole.
 *
 * A few shares of all calls are tried. What is left after each is looked at as every loop is
 * (steady.h). The least share after which every process had settled is chosen: of stationary
 * processes one in a hundred is marked, so with five of them the least share is passed over by
 * chance once in twenty times, for the next one. Deciding once, from several processes, keeps all
 * loops of a project alike; deciding loop by loop would choose by what is measured.
 * Memory: none beyond steady.h's.
 */
#include <stddef.h>

#include "detector/statistics/status.h"

#define DET_WARMUP_SHARES 10u
#define DET_WARMUP_PROCESSES_MIN 3u /* fewer say too little to drop less than half */

/* Of all calls; ascending. */
extern const double det_warmup_share[DET_WARMUP_SHARES];

/* For each share: of how many processes the rest had settled. */
typedef struct {
    unsigned settled[DET_WARMUP_SHARES];
    unsigned processes;
} det_warmup;

/* det_warmup_calls - calls to drop of n. */
size_t det_warmup_calls(size_t share, size_t n);

/**
 * det_warmup_add - one process.
 * x  [n] all of its calls, of one thread, in their order
 * Returns DET_OK | DET_ESHORT (the shortest rest says nothing; nothing is added) | DET_ENUMERIC.
 */
det_status det_warmup_add(det_warmup *to, const double *x, size_t n);

/* det_warmup_choose - place of the share; DET_WARMUP_SHARES: too few processes, or none will do. */
size_t det_warmup_choose(const det_warmup *of);
