#pragma once
/*
 * text__ - sentences with numbers as people read them, whatever the locale says. Not installed.
 *
 * A sentence grows piece by piece, several times as fast as snprintf does it: one is written for
 * every portion and night. What does not fit is cut off; it always ends in a zero.
 */
#include <stddef.h>

#include "detector/words/change.h"

#define DET__DECIMALS_MAX 6 /* after the point; what is smaller is nothing */

/* What a commit may have changed where a call takes longer and no instruction more: the system's
 * own are in no count. Whether it is the machine is said by what the control shows. */
#define DET__NO_WORK                                                                               \
    ": the cause may be waiting (memory, locks, the system) or the layout of the code"

typedef struct {
    char *at, *end; /* where the next character goes; the last place, which stays for the zero */
} det__line;

/** det__line_of - an empty line in text [size], size > 0. */
det__line det__line_of(char *text, size_t size);
void det__put(det__line *line, const char *text);
void det__put_count(det__line *line, unsigned long long count);

/** det__decimals - as many decimals as give |value| three significant digits: 0 to 2. */
int det__decimals(double value);
/** det__decimals_of - as many as make |step| at least so many units of the last place; at most
 * DET__DECIMALS_MAX. */
int det__decimals_of(double step, double units);
/** det__factor_decimals - as many as a factor needs: "0.50", "0.001", "0.017". */
int det__factor_decimals(double factor);

/** det__put_fixed - so many decimals, at most DET__DECIMALS_MAX; never "-0". */
void det__put_fixed(det__line *line, double value, int decimals);
/** det__put_number - three significant digits. */
void det__put_number(det__line *line, double value);
/** det__put_share - a signed percentage with as many digits as it takes: "+281 %", "-0.0026 %". */
void det__put_share(det__line *line, double percent);
/** det__put_level - "95 %", "99.9 %": of an interval, without zeros that say nothing. */
void det__put_level(det__line *line, double confidence);

/** det__unit - the unit in which |ns| has one to three digits before the point, from 0 (ns) to 3
 * (s); det__unit_ns - how many ns one is. */
int det__unit(double ns);
double det__unit_ns(int unit);
/** det__put_in - ns in a unit, with its name; name: the value has that unit, and is told in it
 * (unit 0), "" without one; NULL: ns. */
void det__put_in(det__line *line, double value, int unit, int decimals, const char *name);
/** det__amount_decimals - as many as give a value three significant digits, also one below 1. */
int det__amount_decimals(double value);
/** det__put_amount - "203 ns", "1.45 µs", "0.00360 ns"; with the name of a unit "12.5 MB". */
void det__put_amount(det__line *line, double value, const char *name);

/** det__is_percent - is that unit one of percentages, whose differences are told in points? */
int det__is_percent(const char *unit);
/** det__put_change - the whole sentence; slowly: it took many nights. */
void det__put_change(det__line *line, const det_change *change, int slowly);
/** det__same_in_print - are both alike as det__put_amount writes them? */
int det__same_in_print(double a, double b);
