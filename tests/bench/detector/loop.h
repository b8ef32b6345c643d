#pragma once
/* loop - our detector over a history, open (looking only) and closed (measuring again). */
#include "detector/detector.h"
#include "tests/bench/detector/score.h"

typedef struct {
    double suspicions, confirmed, unmeasurable; /* how often */
    double processes;                           /* started to measure again */
    double nightly;                             /* started for the nights themselves */
} loop_cost;

/**
 * loop_open - alarms of the shipped policy for histories. Returns how many; out holds capacity.
 * caution  1 as shipped
 */
size_t loop_open(const history *h, double caution, alarm_at *out, size_t capacity);

/** loop_closed - alerts confirmed by measuring again; seed drives the fresh loops. */
size_t loop_closed(const history *h, uint64_t seed, alarm_at *out, size_t capacity,
                   loop_cost *cost);
