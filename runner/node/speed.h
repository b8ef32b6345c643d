#pragma once
/*
 * speed - whether a processor works as fast as it can all of the time.
 *
 * Another virtual machine on the same physical core shares its units and caches: everything here
 * takes longer for a while, and no counter of this machine's kernel shows it. A small fixed piece
 * of work that keeps all units of a core busy, done over and over, does.
 */
#include <stddef.h>
#include <stdint.h>

#define RUN_SPEED_SLOW 1.1       /* times the shortest: a piece that was slowed */
#define RUN_SPEED_SHARE_MOST 0.1 /* slowed pieces, of all: more will be seen in the results */

typedef struct {
    size_t pieces;
    double slow_share; /* of the pieces that took RUN_SPEED_SLOW times the shortest, or longer */
    double times;      /* as long as the shortest, of the median one of these; 1: there is none */
} run_speed;

/* run_speed_measure - works for so many milliseconds on one processor; -1: wherever it is. */
run_speed run_speed_measure(int cpu, int64_t ms);

/* run_speed_of - the same from given durations, sorted in place. The shortest is the one that a
 * twentieth takes at most. */
run_speed run_speed_of(double *ns, size_t n);
