#pragma once
/* units - the words with which benchmark tools name units of time, and what they are in ns. */
#include <stdbool.h>

/**
 * cfg_unit_ns - nanoseconds in one unit: "ns", "us", "µs", "ms/op", "s per call", "median ms" …; 0:
 * no time of a call. "MB/s", "ns per byte" and "min ns" are none.
 */
double cfg_unit_ns(const char *unit);

/**
 * cfg_unit_rate_ns - likewise for rates of calls: "ops/s" is 1e9, "ops/ms" 1e6, "Mops/s" 1e3; 0: no
 * rate of calls. Bytes a second are none, nor is a word that is not known for one call.
 */
double cfg_unit_rate_ns(const char *unit);

/* A unit of either kind. */
typedef struct {
    double ns;
    bool rate;
} cfg_unit;

/** cfg_unit_of - false: it is neither. cfg_unit_to_ns - of a rate 1 / value; 0 gives infinity;
 * cfg_unit_from_ns - the other way round. */
bool cfg_unit_of(const char *text, cfg_unit *unit);
double cfg_unit_to_ns(const cfg_unit *unit, double value);
double cfg_unit_from_ns(const cfg_unit *unit, double ns);

/** cfg_unit_is_rate - does it say so many a time, of whatever: "req/s", "Events Per Minute", "rps",
 * "kHz", "Mbps", "req / s / core"? In letters of any size. */
bool cfg_unit_is_rate(const char *unit);

/** cfg_unit_is_throughput - a rate of what a load test counts ("req/s", "krecords/s"), of which
 * nobody knows how many there were at once; "ops/s" is one of calls. */
bool cfg_unit_is_throughput(const char *unit);
