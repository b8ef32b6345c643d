#pragma once
/* counted - what it is worth to count both commits' instructions before measuring them again. */
#include <stdint.h>

#include "tests/bench/detector/report.h"

/** dimensions_table - time and the dimensions that are watched as it is, with nothing there: false
 * alerts of all together. histories: of each */
void dimensions_table(report *r, uint64_t seed, int histories);

/** counted_table - over so many histories of the standard world. */
void counted_table(report *r, uint64_t seed, int histories);
