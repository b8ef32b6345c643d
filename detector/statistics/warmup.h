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
#include "detector/statistics/status.h"

#include <stddef.h>

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

/*
 * steady - whether one process' calls, after the configured warm-up, had settled.
 *
 * A late just-in-time compilation, a heap that still grows or a file that fills make the level
 * move while it is measured. The calls are cut into batches. A self-normalised CUSUM of the batch
 * means looks for one change of level, wherever it is; the slope of their line, normalised by the
 * partial sums of its residuals, for a trend. Neither estimates a variance, so calls may depend on
 * their neighbours and have rare long pauses among them.
 *
 * A process is marked when a move is both beyond chance and large enough to matter. How often
 * stationary noise is marked: docs/statistics.md. Memory: a few kilobytes of stack.
 */

#define DET_STEADY_BATCHES_MAX 100u
#define DET_STEADY_CALLS_MIN 200u /* 20 batches of 10: with fewer nothing can be said */
/* Of either statistic: half a per cent of stationary series are beyond. */
#define DET_STEADY_SHIFT_CRITICAL 84.6
#define DET_STEADY_TREND_CRITICAL 17.5
#define DET_STEADY_CHANGE_LEAST 0.01 /* share of the mean */

typedef struct {
    double shift; /* statistic of a change of level */
    double trend; /* statistic of a trend */
    size_t at;    /* calls before the likeliest change of level, 1 … n-1 */
    double
        change;   /* share of the mean: level after less before `at`; or, with is_trend, how far
                     the fitted line moves from the first call to the last. 0 where the mean is 0 */
    int is_trend; /* which of the two is farther beyond its critical value */
    int settled;  /* 0: beyond a critical value, and |change| >= the least that matters */
} det_steady;

/**
 * det_steady_of - looks at one thread's calls in the order they were made.
 * x  [n] after warm-up, finite, not modified
 * Returns DET_OK | DET_ESHORT (n < DET_STEADY_CALLS_MIN) | DET_EINVAL | DET_ENUMERIC (not finite).
 * O(n), no allocation, thread-safe.
 * Source: level: Shao and Zhang 2010, Testing for change points in time series, JASA 105, sec. 2,
 * critical value from their table 1; trend: Kiefer, Vogelsang and Bunzel 2000, Simple robust
 * testing of regression hypotheses, Econometrica 68, critical value from 100,000 simulated series;
 * batch means: Schmeiser 1982.
 */
det_status det_steady_of(det_steady *out, const double *x, size_t n);
