#pragma once
/* real_table - what detectors say on the real history, as tables. */
#include "tests/bench/detector/otava.h"
#include "tests/bench/detector/report.h"

/**
 * real_table - labels, and steps planted into real noise: ours, Perfherder's rule, Otava.
 * directory       with labels.json and the series
 * program    Otava, left out when it is not there
 * Returns 0, or -1 when the data cannot be read.
 */
int real_table(report *r, const char *directory, uint64_t seed, int quick,
               const otava_program *program);
