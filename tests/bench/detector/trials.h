#pragma once
/* trials - error rates of measuring again (detector/watch/confirm.h), by simulation, as a table. */
#include <stdint.h>

#include "tests/bench/detector/report.h"

/** trials_table - `sessions` of each kind of noise. */
void trials_table(report *r, uint64_t seed, int sessions);
