#pragma once
/* suites_table - what is said of seven frameworks' histories, as tables. */
#include "tests/bench/detector/report.h"

/** suites_table - of the *.csv in directory. Returns 0, or -1 when it cannot be read. */
int suites_table(report *r, const char *directory);
