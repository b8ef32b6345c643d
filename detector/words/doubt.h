#pragma once
/*
 * doubt - sentences that make a result doubtful though it has a number: a step that cannot be told
 * from nothing, records that did not come, loops that failed. Pages and the command line say them
 * from here. Pure, no allocation; the locale is not looked at.
 */
#include <stdbool.h>
#include <stddef.h>

#define DET_DOUBT_MAX 512u

/** det_doubt_silent - is the step's cost not above 0, by mean and by median? Both: one slow start
 * moves a mean. low ends of their intervals, in ns; NaN: not known, no doubt. */
bool det_doubt_silent(double mean_low_ns, double median_low_ns);

/* What follows is put into text [size], size > 0, and cut where it does not fit. */

/** "I: these loops cannot tell probe from none. Measure more, or see that it instruments and
 * records." */
void det_doubt_put_silent(char *text, size_t size, const char *portion, const char *configuration,
                          const char *parent);

/** "text: 200 of 2000 records reached the receiver (10.0 %); the rest was dropped." */
void det_doubt_put_dropped(char *text, size_t size, const char *configuration,
                           unsigned long long records, unsigned long long expected);

/** "text: 200 of 2000 records were written, as verify counted (10.0 %); the rest was dropped." */
void det_doubt_put_unwritten(char *text, size_t size, const char *configuration,
                             unsigned long long records, unsigned long long expected);

/** "text: 2 of 12 loops failed; the last: receiver: port 4318: Address already in use" */
void det_doubt_put_failed(char *text, size_t size, const char *configuration,
                          unsigned long long failed, unsigned long long loops, const char *reason);
