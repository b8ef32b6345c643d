#pragma once
/*
 * rival - the usual rules, written from their published descriptions.
 * Each takes the portions' nightly means of a history and says when it would have raised an alarm.
 */
#include "tests/bench/detector/score.h"

/** rival_ratio - this night against the night before: github-action-benchmark's rule. */
size_t rival_ratio(const history *h, double threshold, alarm_at *out, size_t capacity);

/**
 * rival_t - Perfherder's rule: Student's t of the 12 nights before against the 12 from a night on;
 * an alarm at the largest t above the threshold, raised when its twelfth night is there.
 */
size_t rival_t(const history *h, double threshold, alarm_at *out, size_t capacity);

/** rival_t_series - the same of one series; portion is 0. */
size_t rival_t_series(const double *value, size_t n, double threshold, alarm_at *out,
                      size_t capacity);

/** rival_loops - the loops' 95 % intervals of two neighbouring nights do not overlap. */
size_t rival_loops(const history *h, alarm_at *out, size_t capacity);
