#pragma once
/*
 * counted - what is counted beside time, in sentences: how much more a call does than before, and
 * what that says about a change of its time. Pure, no allocation; the locale is not looked at.
 */
#include "detector/statistics/dimension.h"

#include <stdbool.h>
#include <stddef.h>

#define DET_COUNTED_MAX 400u

/* A dimension of a portion, before and after. */
typedef struct {
    const det_dimension *dimension;
    det_interval before, after; /* a mean that is not a number: not counted */
    int slow;                   /* not 0: it moved in steps that were each too small to tell */
} det_counted;

/**
 * det_counted_change - "I +410 instructions, +2 allocations, +96 bytes a call": those of list
 * [count] that moved, in its order; behind one that was slow stands "(in small steps)". Text
 * [size], size > 0; empty when none did.
 */
void det_counted_change(char *text, size_t size, const char *portion, const det_counted *list,
                        size_t count);

/**
 * det_counted_lost - "W +0.80 % of records lost": of a share of which more is lost than before, so
 * that nobody calls it an improvement. That takes a third of what tells it by itself (see
 * det_dimension_moved): the records are gone, only chance may have taken them. False, and an empty
 * text [size], size > 0: no more.
 */
bool det_counted_lost(char *text, size_t size, const char *portion, const det_counted *lost);

/**
 * det_counted_alone - "+410 instructions a call" of one dimension, or "5210 instructions a call, as
 * before". Empty where it was not counted on both sides.
 */
void det_counted_alone(char *text, size_t size, const det_counted *one);

/**
 * det_counted_verdict - what the list says of a portion whose time went in a direction (+1 or -1):
 * "I +410 instructions, … a call", that its instructions did not change (waiting or
 * layout), or that they went the other way. Empty when instructions were not counted on both sides
 * and nothing else moved.
 */
void det_counted_verdict(char *text, size_t size, const char *portion, int direction,
                         const det_counted *list, size_t count);

/*
 * doubt - sentences that make a result doubtful though it has a number: a step that cannot be told
 * from nothing, records that did not come, loops that failed. Pages and the command line say them
 * from here. Pure, no allocation; the locale is not looked at.
 */

#define DET_DOUBT_MAX 512u

/** det_doubt_silent - is the step's cost not above 0, by mean and by median? Both: one slow start
 * moves a mean. low ends of their intervals, in ns; NaN: not known, no doubt. */
bool det_doubt_silent(double mean_low_ns, double median_low_ns);

/* What follows is put into text [size], size > 0, and cut where it does not fit. */

/** "I: these loops cannot tell probe from none. Measure more, or check that it instruments and
 * records." less: they can, "in these loops probe takes less than none" */
void det_doubt_put_silent(char *text, size_t size, const char *portion, const char *configuration,
                          const char *parent, bool less);

/** "text: 200 of 2000 records reached the receiver (10.0 %); the rest was dropped." */
void det_doubt_put_dropped(char *text, size_t size, const char *configuration,
                           unsigned long long records, unsigned long long expected);

/** "text: 200 of 2000 records were written, as verify counted (10.0 %); the rest was dropped." */
void det_doubt_put_unwritten(char *text, size_t size, const char *configuration,
                             unsigned long long records, unsigned long long expected);

/** "text: 2 of 12 loops failed; the last: receiver: port 4318: Address already in use". Of a single
 * one, which may stand for a file that has none: "text has no result: …" */
void det_doubt_put_failed(char *text, size_t size, const char *configuration,
                          unsigned long long failed, unsigned long long loops, const char *reason);
