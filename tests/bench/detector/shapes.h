#pragma once
/*
 * shapes - imported series of single values of many distributions: what is told where nothing is,
 * what of a step, and whether its interval holds the truth.
 */
#include <stdint.h>

#include "tests/bench/detector/report.h"

/** shapes_table - a row for each distribution. count: histories a cell. */
void shapes_table(report *r, uint64_t seed, int count);
