#pragma once
/*
 * young - histories of few nights, which every new project has first: what is found in them, and
 * what is told that is not there.
 */
#include <stdint.h>

#include "tests/bench/detector/report.h"

/** young_table - a row for each number of nights before the change. count: histories a cell. */
void young_table(report *r, uint64_t seed, int count);
