#pragma once
/*
 * history - a synthetic series of nights with known changes, and the means to measure again.
 *
 * Modelled on a public nightly history: four configurations, loops with 1-5 % between processes, a
 * white night effect per configuration, one common to all, slow drift, single slow processes,
 * outlier nights. The same seed and world give the same history on every machine.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/detector.h"
#include "tests/bench/detector/random.h"

#define HISTORY_CONFIGURATIONS 4
#define HISTORY_LOOPS 10
#define HISTORY_NIGHTS_MAX 10000
#define HISTORY_CHANGES_MAX 64

typedef enum {
    HISTORY_STANDARD,
    HISTORY_HALF,        /* half the noise between processes and nights */
    HISTORY_DOUBLE,      /* twice */
    HISTORY_BIMODAL,     /* the writing configuration falls into two modes, process by process */
    HISTORY_DRIFT,       /* three times the drift */
    HISTORY_MISSING,     /* one night in ten is missing, one configuration in fifty */
    HISTORY_MACHINE,     /* once or twice the machine changes: everything by 5-40 % */
    HISTORY_RAMP,        /* changes come in ten steps over ten nights */
    HISTORY_BUSY,        /* others slow none to four fifths of the loops by half, each night anew */
    HISTORY_BUSY_FASTER, /* likewise, and the project says trim: slow */
    HISTORY_FASTER,      /* standard, and the project says so */
    HISTORY_WORLDS
} history_world;

typedef struct {
    int night, portion, sign; /* portion 1 I, 2 C, 3 W */
    double size;              /* share of the portion's level before: 0.02 … 0.5 */
} history_change;

typedef struct {
    size_t nights;
    double *means; /* [nights][HISTORY_CONFIGURATIONS][HISTORY_LOOPS], NaN: missing */
    history_change change[HISTORY_CHANGES_MAX];
    size_t changes;
    /* what measuring again draws from; absent for a history that was read */
    double *level; /* [nights][HISTORY_CONFIGURATIONS] what the night's commit costs, noise-free */
    double *machine; /* [nights] the machine's factor on all of it */
    double cv[HISTORY_CONFIGURATIONS], night_effect[HISTORY_CONFIGURATIONS], common;
    history_world world;
} history;

/** history_generate - quiet: without changes. Free with history_clear. Aborts without memory. */
void history_generate(history *h, uint64_t seed, history_world world, size_t nights, int quiet);
/** history_generate_change - likewise, with this change and no other. */
void history_generate_change(history *h, uint64_t seed, history_world world, size_t nights,
                             const history_change *change);
void history_clear(history *h);

/** history_trim - what the project's file says. */
det_trim history_trim(const history *h);

/** history_night - the loop means of night n: [HISTORY_CONFIGURATIONS][HISTORY_LOOPS]. */
const double *history_night(const history *h, size_t n);

/**
 * history_again - fresh loop means of configuration c at the commit of night n.
 * effect  the re-measuring session's factor on this configuration, the same for both commits:
 * history_session, of the machine as it is in night n, which the older commit is measured on, too
 */
double history_again(const history *h, bench_random *r, size_t n, int c, double effect);
double history_session(const history *h, bench_random *r, size_t n, int c, double common);

/** history_read - nights from a CSV file (night,c0_1,…,c3_10). Returns 0, or -1 with a message. */
int history_read(history *h, const char *path);

/** history_write - the same format. Returns 0, or -1. */
int history_write(const history *h, const char *path);

const char *history_world_text(history_world world);
