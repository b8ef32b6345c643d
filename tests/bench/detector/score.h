#pragma once
/*
 * score - alarms against planted changes.
 *
 * A hit is an alarm for the right portion and direction at most `window` nights after the change;
 * a change takes one alarm, an alarm one change; all other alarms are false.
 */
#include <stddef.h>

#include "tests/bench/detector/history.h"

#define SCORE_SIZES 5 /* 2, 5, 10, 20, 50 % */

typedef struct {
    int night, portion, direction;
} alarm_at;

typedef struct {
    double changes, alarms, hits3, hits14, delay; /* delay: sum over hits14 */
    double by_size[SCORE_SIZES], by_size3[SCORE_SIZES], by_size14[SCORE_SIZES];
    double quiet_nights, quiet_alarms; /* histories without change */
    double nights;
} score;

void score_add(score *s, const history *h, const alarm_at *alarms, size_t count);
double score_precision(const score *s, int window);
double score_recall(const score *s, int window);
double score_f1(const score *s, int window);
double score_false(const score *s); /* false alarms per 100 nights, histories without change */
