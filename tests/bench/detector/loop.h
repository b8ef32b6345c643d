#pragma once
/* loop - our detector over a history, open (looking only) and closed (measuring again). */
#include "detector/detector.h"
#include "tests/bench/detector/score.h"

/* What is counted of both commits when a suspicion is measured again. */
typedef enum {
    LOOP_UNCOUNTED,
    LOOP_COUNTED,   /* instructions, which every change of time shows */
    LOOP_COUNTED_SO /* likewise, and no change of time shows in them: each is the layout's */
} loop_counts;

typedef struct {
    double suspicions, confirmed, unmeasurable; /* how often */
    double cleared, cleared_loops;              /* by so many loops of each commit in all */
    double processes;                           /* started to measure again */
    double nightly;                             /* started for the nights themselves */
    double series; /* not 0: it is one of so many, of another dimension than time, */
    int fastest;   /* not 0: judged by its fastest loops */
} loop_cost;

/**
 * loop_open - alarms of the shipped policy for histories. Returns how many; out holds capacity.
 * caution  1 as shipped
 */
size_t loop_open(const history *h, double caution, alarm_at *out, size_t capacity);

/** loop_closed - alerts confirmed by measuring again; seed drives the fresh loops. loop_counted -
 * likewise, with counts (detector/watch/confirm.h). */
size_t loop_closed(const history *h, uint64_t seed, alarm_at *out, size_t capacity,
                   loop_cost *cost);
size_t loop_counted(const history *h, uint64_t seed, loop_counts counts, alarm_at *out,
                    size_t capacity, loop_cost *cost);
