#pragma once
/*
 * change - the sentence of a change: the one place where its words and numbers are made. Verdicts,
 * trials, alerts, messages, pages and the command line all say it from here.
 *
 *   W rose from 1.332 µs to 1.387 µs (+54.6 ns, +4.10 %; 95 % interval +31.2 ns to +78.0 ns)
 *
 * A sentence never contradicts its own numbers: before and after have as many digits as show their
 * difference, else it says that nothing changed; the verb follows the sign of the difference; what
 * is in question, or cannot be told from no change, "may have risen"; what was cleared "is" at its
 * level; an interval holds its estimate as printed. The locale is not looked at. Pure, no
 * allocation.
 */
#include <stddef.h>

#include "detector/statistics/interval.h"

#define DET_CHANGE_MAX 512u

/* What is known of a change. */
typedef enum {
    DET_KNOWN_MEASURED, /* its interval says it: one that holds 0 may be no change */
    DET_KNOWN_JUDGED,   /* a verdict says that it is there, by more than this interval */
    DET_KNOWN_ASKED,    /* it is in question */
    DET_KNOWN_CLEARED   /* it is not there: the sentence says where the level is */
} det_known;

/* Times in ns a call, or what else has a unit. What is not a number is not told. */
typedef struct {
    const char *name;     /* of the portion; any UTF-8 */
    double before, after; /* level of the reference, and the new one */
    double low, high;     /* interval of after - before; NaN: none */
    double level;         /* of that interval, 0 < level < 1; NaN: not said */
    const char *unit;     /* "MB"; NULL: ns, told in the unit that fits */
    det_known known;
    double before_half; /* of the interval or band of before; 0 or NaN: none */
    int of_two; /* not 0: the interval is of two nights' loops, and says nothing of nights */
} det_change;

/** det_change_of - from the three intervals of a verdict, as measured; name is borrowed. */
det_change det_change_of(const char *name, const det_interval *before, const det_interval *after,
                         const det_interval *difference, double level);

/** det_change_sentence - into text [size], size > 0; cut where it does not fit. */
void det_change_sentence(char *text, size_t size, const det_change *change);

/** det_change_headline - the same in a few words, for subjects and titles: "W rose by 4.10 %", or
 * by a time where there was next to nothing before, or may have been, and by points of what is a
 * percentage. */
void det_change_headline(char *text, size_t size, const det_change *change);

#define DET_SHARE_MAX 32u

/** det_change_share - "+4.10 %" of what was before, with the sentence's digits; 0, and text is "":
 * that is nothing, or next to nothing, to compare with, or may be. */
int det_change_share(char *text, size_t size, double change, const det_interval *before);

#define DET_FACTOR_MAX 64u

/** det_scale_text - "0.50", as an incident's sentence has its factor. */
void det_scale_text(char *text, size_t size, double factor);

/** det_factor_text - "1.07 ± 0.01"; "1.07 ± < 0.01" where the interval rounds to nothing, since
 * that is no exact factor. */
void det_factor_text(char *text, size_t size, const det_interval *factor);

/** det_change_verb - "rose", "fell", or "changed" for 0; static. */
const char *det_change_verb(int direction);
/** det_change_maybe - "may have risen", "may have fallen", "may have changed"; static. */
const char *det_change_maybe(int direction);

/** det_gap_unit - of a difference of values in that unit: "points" of percentages ("%", "percent"),
 * else the unit. NULL: ns. */
const char *det_gap_unit(const char *unit);
