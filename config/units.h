#pragma once
/* units - the words with which benchmark tools name units of time, and what they are in ns. */

/** cfg_unit_ns - nanoseconds in one unit: "ns", "us", "µs", "ms/op", "s/iter" …; 0: no time. */
double cfg_unit_ns(const char *unit);

/** cfg_unit_rate_ns - likewise for rates: "ops/s" is 1e9, "ops/ms" 1e6; 0: no rate of time. */
double cfg_unit_rate_ns(const char *unit);
