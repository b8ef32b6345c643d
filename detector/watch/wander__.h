#pragma once
/*
 * wander__ - how fast the levels of a series wander from night to night. Not installed.
 *
 * Some machines drift: a level that moves by half a night's spread each night is not a change of
 * code. Eight local-level filters a configuration, each assuming another pace, predict every night.
 * How well they did, forgetting slowly and summed over the configurations of the machine, weighs
 * them.
 */
#include <stddef.h>

#include "detector/watch/lanes__.h"

#define DET__PACES DET__LANES

typedef struct {
    double mean[DET__PACES], variance[DET__PACES]; /* of the level, by pace; mean NaN: not begun */
} det__pace;

/** det__wander_begin - no level is known. */
void det__wander_begin(det__pace *pace);

/**
 * det__wander_night - take a night of one configuration in.
 * score  [DET__PACES] log of how well each pace predicted, updated
 * slow   slowest pace, in spreads a night
 * spread of a night, as a share of the level; noise: its variance, > 0
 */
void det__wander_night(det__pace *pace, double *score, double slow, double spread, double x,
                       double noise);

/**
 * det__wander_of - the pace to expect (root mean square), in spreads a night.
 * score  [DET__PACES] summed over configurations; all 0: nothing is known yet
 */
double det__wander_of(const double *score, double slow, double spread);
