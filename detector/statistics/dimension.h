#pragma once
/*
 * dimension - what is told beside the time of a call, and how small a change of it is.
 *
 * Whoever counts, writes, reads, stores or shows a dimension goes through det_dimensions, so that a
 * new one is a row of this table and something that counts it.
 */
#include <stdbool.h>

#include "detector/statistics/interval.h"

/* Who watches it. */
typedef enum {
    DET_DIMENSION_SHOWN,   /* nobody */
    DET_DIMENSION_COUNTED, /* the watch of counts (counts.h): loops of its own count it */
    DET_DIMENSION_SHARE,   /* likewise, of measured loops: a share of many, with its interval */
    DET_DIMENSION_SCATTERS /* the watch of times (watch.h): it scatters between loops and nights */
} det_dimension_kind;

typedef struct {
    const char *name;  /* in JSON and in the store: "instructions"; of all, less is better */
    const char *label; /* for people, in a list, with its unit: "MB at most" */
    const char *per;   /* "call", "process" */
    det_dimension_kind kind;
    double minimum_percent;  /* of what it was before; a smaller change is not told */
    double minimum;          /* absolute floor beside it, in its unit */
    const char *noun, *unit; /* in sentences: "start" of W, "ms"; unit NULL: ns a call */
    const char *from;        /* of a measured loop: paths in its readings, "a.b"; of those between |
                                the first that is there, + adds. NULL: a statistic of its calls that
                                has this name, or whoever reads it knows */
    bool fastest; /* others on the machine only add to it: its fastest loops are judged */
    bool follows; /* a call that takes longer moves it as well: it is asked with the time */
    bool whole;   /* of a configuration; a difference of two would mean nothing */
    bool grows;   /* or shifts, with a process' calls: likewise where two make other numbers */
    const char *profile; /* what shows where it is; NULL: the profile of the calls */
} det_dimension;

/* What is profiled in place of calls: all threads of a process, what it does until the first call,
 * what it keeps. */
#define DET_PROFILE_PROCESS "process"
#define DET_PROFILE_START "start"
#define DET_PROFILE_MEMORY "memory"

#define DET_DIMENSIONS 18
extern const det_dimension det_dimensions[DET_DIMENSIONS];

/** det_dimension_find - by its name; NULL: there is none. */
const det_dimension *det_dimension_find(const char *name);

/** det_dimension_series - how many series a night adds to: time, and each that scatters. So much
 * more evidence a suspicion of one of the latter takes (det_policy.caution), and by so much less
 * its trial may confirm by chance: many looks cost few measurements, and no false alerts. */
double det_dimension_series(void);

/** det_dimension_valid - can so much have been counted of a call? Not when a counter overflowed or
 * went backwards. */
bool det_dimension_valid(double count);

/** det_dimension_counted - does it go through the watch of counts? */
bool det_dimension_counted(const det_dimension *dimension);

/**
 * det_dimension_moved - +1 it rose, -1 it fell, 0 neither.
 * before, after  of one portion; an interval without ends is not sure enough for anything
 * The change is at least the dimension's minimum, and outside of what the two counts waver (half
 * widths added up as squares). Counts waver little or not at all: one night each is enough.
 */
int det_dimension_moved(const det_dimension *dimension, const det_interval *before,
                        const det_interval *after);
